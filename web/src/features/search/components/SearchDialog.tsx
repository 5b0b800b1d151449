import { Dialog, Portal } from '@chakra-ui/react';
import { useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Area } from '../../../areas.ts';
import type { DialogState } from '../../../ui/dialogs.tsx';
import { searchTexts } from '../texts.ts';
import type { SearchScreen } from './options.ts';
import { SearchPanel } from './SearchPanel.tsx';

type SearchDialogProps = { dialog: DialogState; area: Area; screens: readonly SearchScreen[] };

/** Finds screens, and what an area's lists hold, and goes there. */
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
      // Who went to a screen goes on in it; who did not, where the search was opened.
      finalFocusEl={() => (hasLeft.current ? document.getElementById('main') : null)}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content
            aria-label={searchTexts.title}
            maxW={{ md: 'xl' }}
            h={{ base: 'calc(100dvh - 24px)', md: 'auto' }}
            maxH={{ md: 'min(560px, 76vh)' }}
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
