import { Flex } from '@chakra-ui/react';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../api/error.ts';
import { download } from '../lib/download.ts';
import { BusyButton } from './BusyButton.tsx';
import { Download } from './icons.ts';
import { notify } from './notify.ts';

/** The format of an exported list. */
export type ExportFormat = 'csv' | 'ndjson';

/** The media type that asks the server for a format. */
export const EXPORT_TYPES: Record<ExportFormat, string> = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

type ExportButtonsProps = {
  /** Fetches all entries that match the filters. */
  fetchFile: (format: ExportFormat) => Promise<Blob>;
  texts: Readonly<{
    labels: Record<ExportFormat, string>;
    exporting: string;
    failed: string;
    fileName: (format: ExportFormat) => string;
  }>;
};

const ExportButton = ({ fetchFile, texts, format }: ExportButtonsProps & { format: ExportFormat }) => {
  const run = useMutation({ mutationFn: () => fetchFile(format) });
  const press = () =>
    run.mutate(undefined, {
      onSuccess: (file) => download(file, texts.fileName(format)),
      onError: (error) => notify.error(messageOf(error, texts.failed)),
    });
  return (
    <BusyButton size="sm" variant="outline" onClick={press} isBusy={run.isPending} busyLabel={texts.exporting}>
      <Download aria-hidden />
      {texts.labels[format]}
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
