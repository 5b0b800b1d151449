import { csvOf } from '../../../../src/contracts/csv.ts';
import type { ImportedLine } from '../../../../src/contracts/imports.ts';

const HEADER = ['line', 'name', 'effect', 'column', 'before', 'after', 'message'];

/** The result of an import as a CSV file: a row for each line, or for each of its changed cells or problems. */
export const resultCsv = (lines: readonly ImportedLine[]): string =>
  [
    csvOf(HEADER),
    ...lines.flatMap(({ line, name, effect, changes, problems }) => {
      const first = [line, name, effect];
      const rows = [
        ...changes.map(({ column, before, after }) => [...first, column, before, after, '']),
        ...problems.map(({ column, message }) => [...first, column ?? '', '', '', message]),
      ];
      return (rows.length > 0 ? rows : [[...first, '', '', '', '']]).map(csvOf);
    }),
  ].join('');
