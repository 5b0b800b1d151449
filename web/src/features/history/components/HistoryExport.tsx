import { Button, Flex } from '@chakra-ui/react';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { ExportButtons } from '../../../ui/ExportButtons.tsx';
import { Download } from '../../../ui/icons.ts';
import { exportHistory, exportVerified, type HistoryFilter, type HistorySource } from '../api/history.ts';
import { historyTexts as texts } from '../texts.ts';

/** Loaded when it is needed. */
export const VerifiedExportModal = lazyDialog(async () => (await import('./VerifiedExportModal.tsx')).VerifiedExportModal);

/** Of a history that its customer reads: the portal has no verified export. */
const isPortal = ({ path }: HistorySource): boolean => path === '/api/customer';

/** Exports all entries of a history that match the filters, on request with proofs. */
export const HistoryExport = ({ source, filter }: { source: HistorySource; filter: HistoryFilter }) => {
  const dialog = useDialog();
  const { preload } = VerifiedExportModal;
  return (
    <Flex gap="2" wrap="wrap">
      <ExportButtons
        fetchFile={(format) => exportHistory(source, filter, format)}
        texts={{
          labels: { csv: texts.exportCsv, ndjson: texts.exportNdjson },
          exporting: texts.exporting,
          failed: texts.exportFailed,
          fileName: (format) => texts.fileName(source.id, format),
        }}
      />
      {!isPortal(source) && (
        <Button size="sm" variant="outline" onClick={dialog.open} onMouseEnter={preload} onFocus={preload}>
          <Download aria-hidden />
          {texts.exportVerified}
        </Button>
      )}
      <VerifiedExportModal
        dialog={dialog}
        fileName={texts.verifiedFileName(source.id)}
        fetchFile={() => exportVerified(source, filter)}
      />
    </Flex>
  );
};
