import type { LineEffect } from '../../../../src/contracts/imports.ts';
import { format } from '../../lib/format.ts';

/** Texts of imports; `customers` and `users` are what a file has lines for. */
export const importTexts = {
  open: 'Import',
  titles: { customers: 'Import customers', users: 'Import users' },
  file: 'File',
  hints: {
    customers:
      'A CSV file with columns of an exported list. A line with an ID or a known external ID changes that customer; any other creates one and needs an external ID. An empty cell keeps theme, term, entitlements and limits; none, or all for entitlements, removes them.',
    users:
      'A CSV file with columns of an exported list. A line with an ID, or with a known username of its customer, changes that user.',
  },
  checking: 'Checking',
  importing: 'Importing',
  progress: (done: number, all: number | null): string =>
    all === null ? 'Reading the file…' : `${format.whole(done)} of ${format.whole(all)} lines`,
  counts: { created: 'to create', changed: 'to change', unchanged: 'unchanged', refused: 'refused' } satisfies Record<
    LineEffect,
    string
  >,
  doneCounts: { created: 'created', changed: 'changed', unchanged: 'unchanged', refused: 'refused' } satisfies Record<
    LineEffect,
    string
  >,
  count: (n: number, effect: string): string => `${format.whole(n)} ${effect}`,
  lines: 'Lines of the file',
  line: (n: number): string => `Line ${format.whole(n)}`,
  change: ({ column, before, after }: { column: string; before: string; after: string }): string =>
    `${column}: ${before || '—'} → ${after || '—'}`,
  problem: ({ column, message }: { column: string | null; message: string }): string =>
    column ? `${column}: ${message}` : message,
  more: (n: number): string => `${format.whole(n)} more lines are in the result. Download it to see all.`,
  nothing: 'The file changes nothing.',
  noLines: 'The file has no lines below its header.',
  confirm: (n: number): string => `Import ${n === 1 ? '1 line' : `${format.whole(n)} lines`}`,
  refusedStay: 'Refused lines are not imported. Correct them and import the file again: imported lines are not changed twice.',
  stopped: 'The import was stopped. Import the file again to continue: imported lines are not changed twice.',
  checkStopped: 'The check was stopped. Choose the file again.',
  failed: 'Failed to import the file. Try again.',
  download: 'Download result',
  resultName: (file: string): string => `${file.replace(/\.csv$/i, '')}-result.csv`,
  cancel: 'Cancel',
  stop: 'Stop',
  close: 'Close',
  another: 'Choose another file',
} as const;
