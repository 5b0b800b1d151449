import { CsvError, parse } from 'csv-parse/sync';
import { cellValueOf } from '../../contracts/csv.ts';
import { shortened } from '../../contracts/issues.ts';
import { MAX_IMPORT_LINES } from '../../domain/limits.ts';
import { HttpProblem } from '../problems/problems.ts';
import { validationProblem } from '../requests/validation.ts';

/** A line of a file: the texts of its cells by column, as the file has them; a column without a cell is absent. A line break in a cell makes it longer than one line. */
export type FileLine = Readonly<{ line: number; cells: Readonly<Record<string, string>> }>;

/** Characters of a line; the longest values of all columns are less. */
const MAX_LINE = 65_536;

type Parsed = { record: string[]; info: { bytes: number } };

/** Spreadsheets of many locales separate cells by semicolons. */
const delimiterOf = (file: string): string => {
  const header = file.slice(0, file.indexOf('\n') + 1) || file;
  return header.includes(';') && !header.includes(',') ? ';' : ',';
};

const breaksIn = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;
const emptyLinesBefore = (text: string): number => breaksIn(text.slice(0, Math.max(text.search(/[^\r\n]/), 0)));

const parsed = (file: Buffer, delimiter: string): Parsed[] => {
  try {
    return parse(file, {
      bom: true,
      delimiter,
      info: true,
      max_record_size: MAX_LINE,
      relax_column_count: true,
      skip_empty_lines: true,
      to: MAX_IMPORT_LINES + 2,
    }) as unknown as Parsed[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const read = file.toString('latin1', 0, Number(error.bytes));
    const at = ` (line ${1 + breaksIn(read) + emptyLinesBefore(file.toString('latin1', read.length))})`;
    if (error.code === 'CSV_MAX_RECORD_SIZE') {
      throw new HttpProblem('invalid_csv', {
        text: `A line is longer than ${MAX_LINE.toLocaleString('en-US')} characters${at}. Shorten it`,
      });
    }
    throw new HttpProblem('invalid_csv', {
      text: `A quote is not closed, or is inside a cell without quotes${at}. Correct the file`,
    });
  }
};

/** The records, each with the line on which it begins. The parser counts a CRLF in a cell as two lines, but its bytes are those of the file. */
const recordsOf = (text: string): { record: string[]; line: number }[] => {
  const file = Buffer.from(text);
  let [line, end] = [1, 0];
  return parsed(file, delimiterOf(text)).map(({ record, info: { bytes } }) => {
    const read = file.toString('latin1', end, bytes);
    const begin = line + emptyLinesBefore(read);
    line += breaksIn(read);
    end = bytes;
    return { record, line: begin };
  });
};

const withoutName = (index: number): HttpProblem =>
  new HttpProblem('invalid_csv', { text: `Column ${index + 1} has no name. Name it, or remove it from the file` });

const checkHeader = (header: readonly string[], known: readonly string[]): void => {
  if (header.includes('')) throw withoutName(header.indexOf(''));
  const unknown = header.filter((column) => !known.includes(column)).map(shortened);
  const doubled = header.filter((column, index) => header.indexOf(column) !== index).map(shortened);
  const issues = [
    ...unknown.map((column) => ({ path: column, message: `Unknown column ${column}. Use the columns of an exported file` })),
    ...doubled.map((column) => ({ path: column, message: `There are two columns named ${column}` })),
  ];
  if (issues.length > 0) throw validationProblem(issues.slice(0, 20), issues.length);
};

/** The lines of a CSV file, whose columns are some of the known ones. Throws `invalid_csv`, `validation_failed` and `import_too_long`. */
export const linesOf = (file: string, known: readonly string[]): FileLine[] => {
  const [first, ...rest] = recordsOf(file);
  const names = first?.record.map((column) => column.trim().toLowerCase()) ?? [];
  // Spreadsheets may end each line with empty cells.
  const header = names.slice(0, names.findLastIndex((name) => name !== '') + 1);
  if (header.length === 0)
    throw new HttpProblem('invalid_csv', { text: 'The file is empty. Begin it with the names of the columns' });
  checkHeader(header, known);
  if (rest.length > MAX_IMPORT_LINES) throw new HttpProblem('import_too_long');
  const long = rest.find(({ record }) => record.length > names.length);
  if (long) throw new HttpProblem('invalid_csv', { text: `Line ${long.line} has more cells than the header. Correct the file` });
  const unnamed = rest
    .map(({ record }) => record.findIndex((cell, index) => index >= header.length && cell.trim() !== ''))
    .find((index) => index >= 0);
  if (unnamed !== undefined) throw withoutName(unnamed);
  return rest.map(({ record, line }) => ({
    line,
    cells: Object.fromEntries(record.slice(0, header.length).map((cell, index) => [header[index] ?? '', cell])),
  }));
};

/** The value of a cell without blanks around it; undefined where the file does not have the column. */
export const valueIn = ({ cells }: FileLine, column: string): string | undefined => {
  const text = cells[column];
  return text === undefined ? undefined : cellValueOf(text).trim();
};
