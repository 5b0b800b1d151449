import { Button } from '@chakra-ui/react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { dayOf } from '../../../../../src/domain/time.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import { download } from '../../../lib/download.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { BulkBar } from '../../../ui/BulkBar.tsx';
import { OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Download, KeyRound, Palette, Pause, Play, Plus, RefreshCw, Tag } from '../../../ui/icons.ts';
import type { Selection } from '../../../ui/selection.ts';
import { customerBulkTexts as texts } from '../bulkTexts.ts';
import { customersCsv } from './customersCsv.ts';
import {
  BulkExtendDialog,
  BulkPlanDialog,
  BulkRenewDialog,
  BulkStatusDialog,
  BulkTagDialog,
  BulkThemeDialog,
} from './lazyBulkDialogs.ts';

/** What can be done with the selected customers. */
export const CustomerBulkBar = ({ manager, selection }: { manager: CustomerManager; selection: Selection<Customer> }) => {
  const suspend = useDialog();
  const reactivate = useDialog();
  const renew = useDialog();
  const extend = useDialog();
  const plan = useDialog();
  const tag = useDialog();
  const theme = useDialog();
  const customers = [...selection.selected.values()];
  const given = { manager, customers, onClose: (done: readonly Customer[]) => selection.select(done, false) };
  const exportCsv = () =>
    download(new Blob([customersCsv(customers)], { type: 'text/csv;charset=utf-8' }), texts.exportName(dayOf(Date.now())));
  return (
    <>
      <BulkBar count={customers.length} onClear={selection.clear}>
        <Allowed to="customers:write">
          <OpenDialogButton dialog={suspend} preload={BulkStatusDialog.preload} size="sm">
            <Pause aria-hidden />
            {texts.suspend}
          </OpenDialogButton>
          <OpenDialogButton dialog={reactivate} preload={BulkStatusDialog.preload} size="sm">
            <Play aria-hidden />
            {texts.reactivate}
          </OpenDialogButton>
          <OpenDialogButton dialog={renew} preload={BulkRenewDialog.preload} size="sm">
            <RefreshCw aria-hidden />
            {texts.renew}
          </OpenDialogButton>
          <OpenDialogButton dialog={extend} preload={BulkExtendDialog.preload} size="sm">
            <Plus aria-hidden />
            {texts.extend}
          </OpenDialogButton>
          <OpenDialogButton dialog={plan} preload={BulkPlanDialog.preload} size="sm">
            <KeyRound aria-hidden />
            {texts.plan}
          </OpenDialogButton>
          <OpenDialogButton dialog={tag} preload={BulkTagDialog.preload} size="sm">
            <Tag aria-hidden />
            {texts.tag}
          </OpenDialogButton>
        </Allowed>
        <Allowed to="themes:assign">
          <OpenDialogButton dialog={theme} preload={BulkThemeDialog.preload} size="sm">
            <Palette aria-hidden />
            {texts.theme}
          </OpenDialogButton>
        </Allowed>
        <Button size="sm" variant="outline" onClick={exportCsv}>
          <Download aria-hidden />
          {texts.exportCsv}
        </Button>
      </BulkBar>
      <BulkStatusDialog dialog={suspend} to="suspended" {...given} />
      <BulkStatusDialog dialog={reactivate} to="active" {...given} />
      <BulkRenewDialog dialog={renew} {...given} />
      <BulkExtendDialog dialog={extend} {...given} />
      <BulkPlanDialog dialog={plan} {...given} />
      <BulkTagDialog dialog={tag} {...given} />
      <BulkThemeDialog dialog={theme} {...given} />
    </>
  );
};
