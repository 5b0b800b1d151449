import { ExportButtons } from '../../../ui/ExportButtons.tsx';
import { exportHistory, type HistoryFilter, type HistorySource } from '../api/history.ts';
import { historyTexts as texts } from '../texts.ts';

/** Exports all entries of a history that match the filters. */
export const HistoryExport = ({ source, filter }: { source: HistorySource; filter: HistoryFilter }) => (
  <ExportButtons
    fetchFile={(format) => exportHistory(source, filter, format)}
    texts={{
      labels: { csv: texts.exportCsv, ndjson: texts.exportNdjson },
      exporting: texts.exporting,
      failed: texts.exportFailed,
      fileName: (format) => texts.fileName(source.id, format),
    }}
  />
);
