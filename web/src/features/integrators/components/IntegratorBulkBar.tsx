import { Button } from '@chakra-ui/react';
import { csvOf } from '../../../../../src/contracts/csv.ts';
import type { ServiceIntegrator } from '../../../../../src/contracts/integrators.ts';
import { dayOf } from '../../../../../src/domain/time.ts';
import { download } from '../../../lib/download.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { BulkBar } from '../../../ui/BulkBar.tsx';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Download, Pause, Play } from '../../../ui/icons.ts';
import type { Selection } from '../../../ui/selection.ts';
import { integratorBulkTexts as texts } from '../bulkTexts.ts';

const BulkIntegratorStatusDialog = lazyDialog(
  async () => (await import('./BulkIntegratorStatusModal.tsx')).BulkIntegratorStatusModal,
);

/** The columns of the export, by the names of the API; master license keys are not exported. */
const COLUMNS = [
  'id',
  'companyName',
  'contactEmail',
  'billingEmail',
  'status',
  'whiteLabelEnabled',
  'customDomain',
  'domainVerified',
  'customerCount',
  'createdAt',
] as const satisfies readonly (keyof ServiceIntegrator)[];

const csvFile = (integrators: readonly ServiceIntegrator[]): Blob => {
  const lines = integrators.map((integrator) => csvOf(COLUMNS.map((column) => String(integrator[column] ?? ''))));
  return new Blob([csvOf(COLUMNS), ...lines], { type: 'text/csv;charset=utf-8' });
};

/** What can be done with the selected service integrators. */
export const IntegratorBulkBar = ({ selection }: { selection: Selection<ServiceIntegrator> }) => {
  const suspend = useDialog();
  const reactivate = useDialog();
  const integrators = [...selection.selected.values()];
  const given = { integrators, onClose: (done: readonly ServiceIntegrator[]) => selection.select(done, false) };
  return (
    <>
      <BulkBar count={integrators.length} onClear={selection.clear}>
        <Allowed to="integrators:write">
          <OpenDialogButton dialog={suspend} preload={BulkIntegratorStatusDialog.preload} size="sm">
            <Pause aria-hidden />
            {texts.suspend}
          </OpenDialogButton>
          <OpenDialogButton dialog={reactivate} preload={BulkIntegratorStatusDialog.preload} size="sm">
            <Play aria-hidden />
            {texts.reactivate}
          </OpenDialogButton>
        </Allowed>
        <Button size="sm" variant="outline" onClick={() => download(csvFile(integrators), texts.exportName(dayOf(Date.now())))}>
          <Download aria-hidden />
          {texts.exportCsv}
        </Button>
      </BulkBar>
      <BulkIntegratorStatusDialog dialog={suspend} to="suspended" {...given} />
      <BulkIntegratorStatusDialog dialog={reactivate} to="active" {...given} />
    </>
  );
};
