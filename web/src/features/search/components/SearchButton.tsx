import '../../../ui/key.css';
import { Box, chakra } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import type { Area } from '../../../areas.ts';
import { useSwitchedOn } from '../../../lib/preferences.ts';
import { isDialogOpen, isSingleKey, SHORTCUTS } from '../../../lib/shortcuts.ts';
import { type DialogState, lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Search } from '../../../ui/icons.ts';
import { BulkStatusDialog, BulkThemeDialog, MoveCustomerDialog } from '../../customers/index.ts';
import { searchTexts } from '../texts.ts';
import type { Act, SearchScreen } from './options.ts';

const SearchDialog = lazyDialog(async () => (await import('./SearchDialog.tsx')).SearchDialog);

const { apple, others } = searchTexts.shortcut;
const shortcut = /Mac|iPhone|iPad/.test(navigator.userAgent) ? apple : others;

const isShortcut = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && ctrlKey !== metaKey && !shiftKey && !altKey;

const ShortcutsDialog = lazyDialog(async () => (await import('./ShortcutsDialog.tsx')).ShortcutsDialog);

type CustomerAct = Extract<Act, { customer: unknown }>;

/** The dialog of an action on a customer, which shows the effects before it changes anything. */
const CustomerActDialog = ({ area, act, dialog }: { area: Area; act: CustomerAct; dialog: DialogState }) => {
  const given = {
    dialog,
    manager: area === 'integrator' ? ('integrator' as const) : ('admin' as const),
    customers: [act.customer],
    onClose: () => undefined,
  };
  if (act.kind === 'move') return <MoveCustomerDialog dialog={dialog} customer={act.customer} />;
  return act.kind === 'status' ? <BulkStatusDialog {...given} to={act.to} /> : <BulkThemeDialog {...given} />;
};

/** Opens the search of an area, also by its keyboard shortcut, and what the user chooses there. `?` shows the shortcuts. */
export const SearchButton = ({ area, screens }: { area: Area; screens: readonly SearchScreen[] }) => {
  const dialog = useDialog();
  const shortcuts = useDialog();
  const change = useDialog();
  const [chosen, setChosen] = useState<CustomerAct>();
  const [hasShortcuts] = useSwitchedOn(SHORTCUTS);
  const act = (next: Act) => {
    if (next.kind === 'shortcuts') shortcuts.open();
    if (!('customer' in next)) return;
    setChosen(next);
    change.open();
  };
  const { open: showShortcuts } = shortcuts;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === '?' && hasShortcuts && isSingleKey(event)) {
        event.preventDefault();
        showShortcuts();
        return;
      }
      if (!isShortcut(event) || (!dialog.isOpen && isDialogOpen())) return;
      event.preventDefault();
      if (dialog.isOpen) dialog.close();
      else dialog.open();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [dialog, hasShortcuts, showShortcuts]);
  return (
    <>
      <OpenDialogButton
        dialog={dialog}
        preload={SearchDialog.preload}
        size="sm"
        px={{ base: '0', lg: '2.5' }}
        color="fg.muted"
        aria-keyshortcuts="Control+K Meta+K"
      >
        <Search aria-hidden />
        <Box as="span" srOnly={{ base: true, lg: false }}>
          {searchTexts.open}
        </Box>
        <chakra.kbd hideBelow="lg" className="key" ms="3" aria-hidden>
          {shortcut}
        </chakra.kbd>
      </OpenDialogButton>
      <SearchDialog dialog={dialog} area={area} screens={screens} onAct={act} />
      <ShortcutsDialog dialog={shortcuts} />
      {chosen && <CustomerActDialog area={area} act={chosen} dialog={change} />}
    </>
  );
};
