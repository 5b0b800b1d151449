import { z } from 'zod';
import { MAX_FILE_NAME } from '../domain/limits.ts';
import { text } from './fields.ts';

/** The query of the routes that import a file. */
export const importQuery = z.strictObject({
  /** The name of the file, for the history. */
  file: text(MAX_FILE_NAME),
  /** Only says what the import would do. */
  dryRun: z.literal('true').optional(),
});

/** The body: a CSV file (RFC 4180, UTF-8) with a header. */
export const importFile = z.string('Must be a CSV file, with the content type text/csv');

const lineEffect = z.enum(['created', 'changed', 'unchanged', 'refused']);
/** What an import does, or would do, with a line. */
export type LineEffect = z.infer<typeof lineEffect>;

const importedLine = z.object({
  kind: z.literal('line'),
  /** Of the file; the header is line 1. */
  line: z.int(),
  /** Of the customer or user, as the line has it. */
  name: z.string(),
  effect: lineEffect,
  /** The cells that differ from what there was. */
  changes: z.array(z.object({ column: z.string(), before: z.string(), after: z.string() })),
  /** Why a line is refused. `column` is null if no single one is wrong. */
  problems: z.array(z.object({ column: z.string().nullable(), message: z.string() })),
});
/** The result of one line. */
export type ImportedLine = z.infer<typeof importedLine>;

/** How many lines an import has for each effect. */
const importCounts = z.object({ created: z.int(), changed: z.int(), unchanged: z.int(), refused: z.int() });
export type ImportCounts = z.infer<typeof importCounts>;

/** A line of the reply: the number of lines, then the result of each in order, then the counts. Without the last one the import was stopped. */
export const importMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('start'), lines: z.int() }),
  importedLine,
  z.object({ kind: z.literal('end'), counts: importCounts }),
]);
export type ImportMessage = z.infer<typeof importMessage>;
