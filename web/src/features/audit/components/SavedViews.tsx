import { Box, Button, Flex } from '@chakra-ui/react';
import { useListAddress } from '../../../lib/listAddress.ts';
import { Select } from '../../../ui/controls.tsx';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Plus, Trash2 } from '../../../ui/icons.ts';
import { notify } from '../../../ui/notify.ts';
import type { AuditArea } from '../api/audit.ts';
import { auditTexts as texts } from '../texts.ts';
import { isFiltered, NO_FILTERS, searchOf, typedAuditIn } from './auditAddress.ts';
import { useSavedViews } from './savedViews.ts';

const SaveViewModal = lazyDialog(async () => (await import('./SaveViewModal.tsx')).SaveViewModal);

/** Chooses, saves and deletes views: filters under a name, kept in this browser. */
export const SavedViews = ({ area }: { area: AuditArea }) => {
  const { address, change } = useListAddress();
  const { views, save, remove } = useSavedViews(area);
  const dialog = useDialog();
  const typed = typedAuditIn(address);
  const search = searchOf(typed);
  const chosen = views.find((view) => view.search === search);
  const choose = (name: string) => {
    const view = views.find((one) => one.name === name);
    if (view) change({ ...NO_FILTERS, ...typedAuditIn(new URLSearchParams(view.search)) });
  };
  const keep = (name: string) => {
    if (save({ name, search })) notify.success(texts.viewSaved(name));
    else notify.error(texts.viewNotSaved);
  };
  return (
    <Flex gap="2" align="center" w={{ base: 'full', md: 'auto' }}>
      {views.length > 0 && (
        <Box w={{ base: 'full', md: '180px' }}>
          <Select aria-label={texts.views} value={chosen?.name ?? ''} onChange={(event) => choose(event.target.value)}>
            <option value="">{texts.chooseView}</option>
            {views.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        </Box>
      )}
      {chosen ? (
        <Button
          variant="ghost"
          size="sm"
          px="2"
          aria-label={texts.deleteView(chosen.name)}
          title={texts.deleteView(chosen.name)}
          onClick={() => remove(chosen.name)}
        >
          <Trash2 aria-hidden />
        </Button>
      ) : (
        isFiltered(typed) && (
          <OpenDialogButton dialog={dialog} preload={SaveViewModal.preload} size="sm">
            <Plus aria-hidden />
            {texts.saveView}
          </OpenDialogButton>
        )
      )}
      <SaveViewModal dialog={dialog} onSave={keep} />
    </Flex>
  );
};
