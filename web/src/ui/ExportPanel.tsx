import { Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { downloadFile } from '../api/downloadFile.ts';
import { messageOf } from '../api/error.ts';
import { type ExportedList, ExportItem } from './ExportItem.tsx';
import { notify } from './notify.ts';
import { print } from './printing.ts';

const FORMATS = { csv: { type: 'text/csv', label: 'CSV' }, ndjson: { type: 'application/x-ndjson', label: 'NDJSON' } } as const;
type Format = keyof typeof FORMATS;

const texts = {
  print: 'Print',
  failed: 'Failed to export the list',
  as: (list: string | undefined, format: string): string => (list === undefined ? format : `${list} as ${format}`),
} as const;

const start = ({ path, query = {} }: ExportedList, format: Format): Promise<string> => {
  const { limit: _limit, cursor: _cursor, ...filter } = query;
  return downloadFile(path, { query: filter, type: FORMATS[format].type, fallback: texts.failed });
};

export type ExportPanelProps = {
  lists: readonly ExportedList[];
  more: ReactNode;
  /** Whether a download is being started. */
  isBusy: boolean;
  setBusy: (isBusy: boolean) => void;
  close: () => void;
};

/** The choices of an export menu. */
export const ExportPanel = ({ lists, more, isBusy, setBusy, close }: ExportPanelProps) => {
  const choose = async (list: ExportedList, format: Format): Promise<void> => {
    close();
    setBusy(true);
    try {
      await start(list, format);
    } catch (error) {
      notify.error(messageOf(error, texts.failed));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Flex direction="column" gap="1">
      {lists.map((list) =>
        (['csv', 'ndjson'] as const).map((format) => (
          <ExportItem key={`${list.path} ${format}`} isDisabled={isBusy} onClick={() => void choose(list, format)}>
            {texts.as(list.label, FORMATS[format].label)}
          </ExportItem>
        )),
      )}
      {more}
      <ExportItem
        onClick={() => {
          close();
          void print();
        }}
      >
        {texts.print}
      </ExportItem>
    </Flex>
  );
};
