import '../../../ui/key.css';
import { Box, Button, chakra } from '@chakra-ui/react';
import { useEffect } from 'react';
import type { Area } from '../../../areas.ts';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { Search } from '../../../ui/icons.ts';
import { searchTexts } from '../texts.ts';
import type { SearchScreen } from './options.ts';

const SearchDialog = lazyDialog(async () => (await import('./SearchDialog.tsx')).SearchDialog);

const { apple, others } = searchTexts.shortcut;
const shortcut = /Mac|iPhone|iPad/.test(navigator.userAgent) ? apple : others;

const isShortcut = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && ctrlKey !== metaKey && !shiftKey && !altKey;

/** The search does not open above another dialog, whose form may be unsaved. */
const isOtherDialogOpen = (): boolean => document.querySelector('[role=dialog], [role=alertdialog]') !== null;

/** Opens the search of an area, also by its keyboard shortcut. */
export const SearchButton = ({ area, screens }: { area: Area; screens: readonly SearchScreen[] }) => {
  const dialog = useDialog();
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isShortcut(event) || (!dialog.isOpen && isOtherDialogOpen())) return;
      event.preventDefault();
      if (dialog.isOpen) dialog.close();
      else dialog.open();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [dialog]);
  return (
    <>
      <Button
        variant="outline"
        size="sm"
        px={{ base: '0', lg: '2.5' }}
        color="fg.muted"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={dialog.open}
        onPointerEnter={SearchDialog.preload}
        onFocus={SearchDialog.preload}
      >
        <Search aria-hidden />
        <Box as="span" srOnly={{ base: true, lg: false }}>
          {searchTexts.open}
        </Box>
        <chakra.kbd hideBelow="lg" className="key" ms="3" aria-hidden>
          {shortcut}
        </chakra.kbd>
      </Button>
      <SearchDialog dialog={dialog} area={area} screens={screens} />
    </>
  );
};
