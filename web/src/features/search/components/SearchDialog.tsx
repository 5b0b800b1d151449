import { Dialog, Portal } from '@chakra-ui/react';
import { useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Area } from '../../../areas.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { searchTexts } from '../texts.ts';
import type { Act, SearchScreen } from './options.ts';
import { SearchPanel } from './SearchPanel.tsx';

type SearchDialogProps = {
  dialog: DialogState;
  area: Area;
  screens: readonly SearchScreen[];
  /** Called when the search is closed, with what the user chose to do. */
  onAct: (act: Act) => void;
};

/** Finds screens, entries of an area's lists and actions. */
export const SearchDialog = ({ dialog, area, screens, onAct }: SearchDialogProps) => {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const chosen = useRef<Act>(undefined);
  const act = (next: Act) => {
    chosen.current = next;
    dialog.close();
    if (next.kind === 'go') void navigate(next.to);
  };
  const exit = () => {
    dialog.exited();
    // The next dialog opens when this one no longer holds the focus.
    if (chosen.current && chosen.current.kind !== 'go') onAct(chosen.current);
    chosen.current = undefined;
  };
  return (
    <Dialog.Root
      open={dialog.isOpen}
      onOpenChange={({ open }) => !open && dialog.close()}
      onExitComplete={exit}
      initialFocusEl={() => field.current}
      // After a navigation the focus stays on the new screen, otherwise it returns to where the search was opened.
      finalFocusEl={() => (chosen.current ? document.getElementById('main') : null)}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content
            aria-label={searchTexts.title}
            maxW={{ md: 'xl' }}
            h={{ base: 'calc(100dvh - 24px)', md: 'auto' }}
            maxH={{ md: 'min(680px, 86vh)' }}
            mt={{ md: '12vh' }}
            mb={{ md: 'auto' }}
          >
            <SearchPanel area={area} screens={screens} field={field} onAct={act} onClose={dialog.close} />
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  );
};
