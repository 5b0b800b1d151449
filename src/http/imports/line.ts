import type { z } from 'zod';
import type { ImportedLine } from '../../contracts/imports.ts';
import { issuesOf } from '../../contracts/issues.ts';
import type { EventMeta } from '../../domain/event.ts';
import { validationProblem } from '../requests/validation.ts';
import type { CellFields } from './cells.ts';
import type { FileLine } from './csvFile.ts';

export type LineChanges = ImportedLine['changes'];

/** What a line does. `run` does it; nothing was recorded before. */
export type PlannedLine = Readonly<{
  effect: Exclude<ImportedLine['effect'], 'refused'>;
  changes: LineChanges;
  run: () => Promise<void>;
}>;

/** How the lines of a kind of file are read. */
export type Importer = Readonly<{
  /** The names of columns that a file may have. */
  columns: readonly string[];
  /** The column of a field that a contract refuses; null if it is none. */
  columnOf: (path: string) => string | null;
  nameOf: (line: FileLine) => string;
  /** Whether a line depends on what the lines before it do, so that they are processed one after another. */
  isCumulative: boolean;
  /** What two lines of one file may not both have: the column and its value. */
  keysOf: (line: FileLine) => readonly (readonly [column: string, value: string])[];
  /** Throws `HttpProblem` for a line that is refused. */
  plan: (line: FileLine, meta: EventMeta) => Promise<PlannedLine>;
}>;

const nothing = async (): Promise<void> => undefined;
export const UNCHANGED: PlannedLine = { effect: 'unchanged', changes: [], run: nothing };

/** Refuses a line because of a column. */
export const refuseColumn = (column: string, message: string): never => {
  throw validationProblem([{ path: column, message }]);
};

/** The value that a contract makes of fields. Throws `validation_failed`. */
export const checked = <Value>(schema: z.ZodType<Value>, fields: unknown): Value => {
  const { success, data, error } = schema.safeParse(fields);
  if (!success) throw validationProblem(issuesOf(error));
  return data;
};

/** The columns of a line whose cells differ from those of what there is. */
export const differingColumns = (
  { cells }: FileLine,
  before: Readonly<Record<string, string>>,
  columns: readonly string[],
): string[] => columns.filter((column) => cells[column] !== undefined && cells[column] !== before[column]);

/** The cells that differ between two states of a customer or a user. */
export const changedCells = (
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
  columns: readonly string[],
): LineChanges =>
  columns.flatMap((column) => {
    const [was = '', is = ''] = [before[column], after[column]];
    return was === is ? [] : [{ column, before: was, after: is }];
  });

/** The column of a path by the fields of an importer. Paths that name a column stay. */
export const columnBy = (columns: readonly string[], ...fields: readonly CellFields[]) => {
  const byField = new Map(fields.flatMap((some) => Object.entries(some).map(([column, [field]]) => [field, column] as const)));
  return (path: string): string | null => {
    const names = [path, ...path.split('.').reverse()];
    return names.find((name) => columns.includes(name)) ?? names.map((name) => byField.get(name)).find(Boolean) ?? null;
  };
};
