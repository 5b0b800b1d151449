import { Dialog, Portal } from '@chakra-ui/react';
import { useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Area } from '../../../areas.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { searchTexts } from '../texts.ts';
import type { SearchScreen } from './options.ts';
import { SearchPanel } from './SearchPanel.tsx';

type SearchDialogProps = { dialog: DialogState; area: Area; screens: readonly SearchScreen[] };

/** Finds screens and entries of an area's lists, and opens them. */
export const SearchDialog = ({ dialog, area, screens }: SearchDialogProps) => {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const hasLeft = useRef(false);
  const go = (to: string) => {
    hasLeft.current = true;
    dialog.close();
    void navigate(to);
  };
  return (
    <Dialog.Root
      open={dialog.isOpen}
      onOpenChange={({ open }) => !open && dialog.close()}
      onExitComplete={dialog.exited}
      initialFocusEl={() => field.current}
      // After a navigation the focus stays on the new screen, otherwise it returns to where the search was opened.
      finalFocusEl={() => (hasLeft.current ? document.getElementById('main') : null)}
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
            <SearchPanel area={area} screens={screens} field={field} onChoose={go} onClose={dialog.close} />
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  );
};
