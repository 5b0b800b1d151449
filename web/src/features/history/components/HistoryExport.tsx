import { type DialogState, lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { ExportItem } from '../../../ui/ExportItem.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { exportVerified, type HistoryFilter, type HistorySource } from '../api/history.ts';
import { historyTexts as texts } from '../texts.ts';

/** Loaded when it is needed. */
export const VerifiedExportModal = lazyDialog(async () => (await import('./VerifiedExportModal.tsx')).VerifiedExportModal);

/** The choice of a verified export in an export menu, which `onOpen` closes. */
export const VerifiedExportItem = ({ dialog, onOpen }: { dialog: DialogState; onOpen: () => void }) => (
  <ExportItem
    onClick={() => {
      onOpen();
      dialog.open();
    }}
  >
    {texts.exportVerified}
  </ExportItem>
);

/** Whether a customer reads its own history: the portal has no verified export. */
const isPortal = ({ path }: HistorySource): boolean => path === '/api/customer';

/** Exports all entries of a history that match the filters, on request with proofs. */
export const HistoryExport = ({ source, filter }: { source: HistorySource; filter: HistoryFilter }) => {
  const dialog = useDialog();
  return (
    <>
      <ExportMenu
        lists={[{ path: `${source.path}/history`, query: filter }]}
        {...(!isPortal(source) && { more: (close) => <VerifiedExportItem dialog={dialog} onOpen={close} /> })}
      />
      <VerifiedExportModal dialog={dialog} download={() => exportVerified(source, filter)} />
    </>
  );
};
