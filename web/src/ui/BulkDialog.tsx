import { Box, Button, Dialog, Flex, Text } from '@chakra-ui/react';
import { type ReactNode, useState } from 'react';
import type { Topic } from '../../../src/contracts/topics.ts';
import type { BulkKeys, RecordOptions } from '../api/client.ts';
import { type BulkResult, useBulkRun } from '../api/useBulkRun.ts';
import { format } from '../lib/format.ts';
import { BusyButton } from './BusyButton.tsx';
import { StatusBadge } from './badges.tsx';
import type { DialogState } from './dialogs.tsx';
import { Modal } from './Modal.tsx';

const texts = {
  rows: 'Selected rows',
  unchanged: 'No change',
  loading: 'Loading…',
  results: { waiting: 'Waiting', running: 'Running…', done: 'Done', failed: 'Failed' } satisfies Record<BulkResult['kind'], string>,
  outdated: 'Changed since. Check it again.',
  skipped: (n: number): string =>
    n === 1 ? '1 needs no change and is skipped.' : `${format.whole(n)} need no change and are skipped.`,
  progress: (done: number, failed: number, all: number): string =>
    `${format.whole(done)} of ${format.whole(all)} done${failed > 0 ? `, ${format.whole(failed)} failed` : ''}`,
  cancel: 'Cancel',
  stop: 'Stop',
  close: 'Close',
  retry: (n: number): string => `Try ${format.whole(n)} again`,
} as const;

const badgeOf = { waiting: 'waiting', running: 'chosen', done: 'active', failed: 'error' } as const satisfies Record<
  BulkResult['kind'],
  string
>;

type BulkDialogProps<Row> = {
  dialog: DialogState;
  title: string;
  /** The selected rows; the dialog keeps those that it was opened with. */
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  /** What the action makes of a row, such as its status before and after. */
  preview: (row: Row) => ReactNode;
  /** Rows that the action would not change are skipped. */
  isAffected: (row: Row) => boolean;
  /** Whether it is not known yet which rows the action would change. */
  isLoading?: boolean;
  /** What is missing before the action can run, such as a choice. */
  isIncomplete?: boolean;
  confirmLabel: (count: number) => string;
  busyLabel: string;
  isDestructive?: boolean;
  change: (row: Row, keys: BulkKeys) => Promise<unknown>;
  /** Adds the whole run to the history. */
  record?: (bulkId: string, refused: number, options: RecordOptions) => Promise<unknown>;
  /** Loads the preview of a row again, which the user then confirms: for changes that are refused where the preview is outdated. */
  reload?: (row: Row) => Promise<void>;
  touched: readonly Topic[];
  fallback: string;
  /** Called with the rows that were changed when the dialog closes. */
  onClose: (done: readonly Row[]) => void;
  /** Effects and fields above the rows. */
  children?: ReactNode;
};

/** Shows what an action does to each selected row, runs it for each of them, and shows the result of each. */
export const BulkDialog = <Row,>(props: BulkDialogProps<Row>) => {
  const { dialog, keyOf, isAffected, preview, isLoading, isIncomplete } = props;
  const [rows] = useState(props.rows);
  const { results, outdated, isRunning, start, stop } = useBulkRun(props);
  const affected = rows.filter((row) => results.has(keyOf(row)) || isAffected(row));
  const inState = (kind: BulkResult['kind']) => affected.filter((row) => results.get(keyOf(row))?.kind === kind);
  const done = inState('done');
  const failed = inState('failed');
  const hasStarted = results.size > 0;
  const left = affected.filter((row) => !results.has(keyOf(row)));
  const close = () => {
    if (isRunning) return;
    props.onClose(done);
    dialog.close();
  };
  return (
    <Modal dialog={{ ...dialog, close }} title={props.title}>
      <Dialog.Body display="flex" flexDirection="column" gap="4">
        {!hasStarted && props.children}
        <Box as="ul" listStyleType="none" aria-label={texts.rows} borderWidth="1px" borderColor="border" borderRadius="l2">
          {rows.map((row) => {
            const result = results.get(keyOf(row));
            return (
              <Flex
                as="li"
                key={keyOf(row)}
                px="3.5"
                py="2.5"
                gap="3"
                align="center"
                wrap="wrap"
                _notFirst={{ borderTopWidth: '1px' }}
              >
                <Text as="span" flex="1" minW="120px" textStyle="sm" fontWeight="medium" overflowWrap="anywhere">
                  {props.nameOf(row)}
                </Text>
                <Flex align="center" gap="1.5" textStyle="sm" color="fg.muted">
                  {result ? (
                    <StatusBadge status={badgeOf[result.kind]}>{texts.results[result.kind]}</StatusBadge>
                  ) : isAffected(row) ? (
                    preview(row)
                  ) : isLoading ? (
                    texts.loading
                  ) : (
                    !isIncomplete && texts.unchanged
                  )}
                </Flex>
                {!result && outdated.has(keyOf(row)) && (
                  <Text as="span" w="full" textStyle="xs" color="fg.warning">
                    {texts.outdated}
                  </Text>
                )}
                {result?.kind === 'failed' && (
                  <Text as="span" w="full" textStyle="xs" color="fg.error" overflowWrap="anywhere">
                    {result.error}
                  </Text>
                )}
              </Flex>
            );
          })}
        </Box>
        <Text as="div" role="status" textStyle="sm" color="fg.muted">
          {hasStarted
            ? texts.progress(done.length, failed.length, affected.length)
            : !isLoading && !isIncomplete && affected.length < rows.length && texts.skipped(rows.length - affected.length)}
        </Text>
      </Dialog.Body>
      <Dialog.Footer>
        <Button variant="outline" onClick={isRunning ? stop : close}>
          {isRunning ? texts.stop : hasStarted ? texts.close : texts.cancel}
        </Button>
        {(isRunning || left.length > 0) && (
          <BusyButton
            colorPalette={props.isDestructive ? 'red' : 'brand'}
            disabled={isIncomplete || affected.length === 0}
            isBusy={isRunning}
            busyLabel={props.busyLabel}
            onClick={() => void start(left)}
          >
            {props.confirmLabel(left.length)}
          </BusyButton>
        )}
        {!isRunning && failed.length > 0 && (
          <Button colorPalette="brand" onClick={() => void start(failed)}>
            {texts.retry(failed.length)}
          </Button>
        )}
      </Dialog.Footer>
    </Modal>
  );
};
