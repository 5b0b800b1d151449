import { Flex } from '@chakra-ui/react';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../../api/error.ts';
import { download } from '../../../lib/download.ts';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import { Download } from '../../../ui/icons.ts';
import { notify } from '../../../ui/notify.ts';
import { type ExportFormat, exportHistory, type HistoryFilter, type HistorySource } from '../api/history.ts';
import { historyTexts as texts } from '../texts.ts';

type ExportButtonsProps = { source: HistorySource; filter: HistoryFilter };

const labels = { csv: texts.exportCsv, ndjson: texts.exportNdjson } as const satisfies Record<ExportFormat, string>;

const ExportButton = ({ source, filter, format }: ExportButtonsProps & { format: ExportFormat }) => {
  const run = useMutation({ mutationFn: () => exportHistory(source, filter, format) });
  const press = () =>
    run.mutate(undefined, {
      onSuccess: (file) => download(file, texts.fileName(source.id, format)),
      onError: (error) => notify.error(messageOf(error, texts.exportFailed)),
    });
  return (
    <BusyButton size="sm" variant="outline" onClick={press} isBusy={run.isPending} busyLabel={texts.exporting}>
      <Download aria-hidden />
      {labels[format]}
    </BusyButton>
  );
};

/** Exports all entries that match the filters. */
export const ExportButtons = (props: ExportButtonsProps) => (
  <Flex gap="2" wrap="wrap">
    <ExportButton {...props} format="csv" />
    <ExportButton {...props} format="ndjson" />
  </Flex>
);
