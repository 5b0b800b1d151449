import { Button, Flex } from '@chakra-ui/react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { downloadFile } from '../api/downloadFile.ts';
import { messageOf } from '../api/error.ts';
import { Download } from './icons.ts';
import { notify } from './notify.ts';
import { Popover } from './Popover.tsx';
import { print } from './printing.ts';

const FORMATS = { csv: { type: 'text/csv', label: 'CSV' }, ndjson: { type: 'application/x-ndjson', label: 'NDJSON' } } as const;
type Format = keyof typeof FORMATS;

const texts = {
  title: 'Export',
  exporting: 'Exporting…',
  print: 'Print',
  failed: 'Failed to export the list',
  as: (list: string | undefined, format: string): string => (list === undefined ? format : `${list} as ${format}`),
} as const;

/** A list that the server exports, with the filter that is shown. The whole list is exported, whatever page is shown. */
export type ExportedList = Readonly<{
  path: string;
  query?: Readonly<Record<string, string | number | boolean | null | undefined>>;
  /** What the list contains; only where a menu has several. */
  label?: string;
}>;

const start = ({ path, query = {} }: ExportedList, format: Format): Promise<string> => {
  const { limit: _limit, cursor: _cursor, ...filter } = query;
  return downloadFile(path, { query: filter, type: FORMATS[format].type, fallback: texts.failed });
};

type ItemProps = { onClick: () => void; isDisabled?: boolean; children: string };

/** One of the choices in an export menu. */
export const ExportItem = ({ onClick, isDisabled = false, children }: ItemProps) => (
  <Button size="sm" variant="ghost" w="full" justifyContent="flex-start" disabled={isDisabled} onClick={onClick}>
    {children}
  </Button>
);

type ExportMenuProps = {
  lists: readonly ExportedList[];
  /** More choices. `close` closes the menu. */
  more?: (close: () => void) => ReactNode;
};

/** Downloads all entries of a list that match the filters, or prints the screen with all of them. */
export const ExportMenu = ({ lists, more }: ExportMenuProps) => {
  const run = useMutation({ mutationFn: ({ list, format }: { list: ExportedList; format: Format }) => start(list, format) });
  const choose = (list: ExportedList, format: Format) =>
    run.mutate({ list, format }, { onError: (error) => notify.error(messageOf(error, texts.failed)) });
  return (
    <Popover label={run.isPending ? texts.exporting : texts.title} icon={Download}>
      {(close) => (
        <Flex direction="column" gap="1">
          {lists.map((list) =>
            (['csv', 'ndjson'] as const).map((format) => (
              <ExportItem
                key={`${list.path} ${format}`}
                isDisabled={run.isPending}
                onClick={() => {
                  close();
                  choose(list, format);
                }}
              >
                {texts.as(list.label, FORMATS[format].label)}
              </ExportItem>
            )),
          )}
          {more?.(close)}
          <ExportItem
            onClick={() => {
              close();
              void print();
            }}
          >
            {texts.print}
          </ExportItem>
        </Flex>
      )}
    </Popover>
  );
};
