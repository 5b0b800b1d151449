/**
 * What begins a formula: also in full-width and small forms, which spreadsheets read alike, after quotes, blanks and invisible
 * characters, and after what separates cells in a spreadsheet of another locale.
 */
const FORMULA = /(^|[;\t\r\n|])(?=[\s"\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫−])/gu;
const NEUTRALIZED_FORMULA = /(^|[;\t\r\n|])'(?=[\s"\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫−])/gu;

/** The text of a cell, which a spreadsheet cannot take for a formula. */
export const cellTextOf = (value: string | number): string =>
  typeof value === 'number' ? String(value) : value.replace(/^[\t\r]/, "'$&").replace(FORMULA, "$1'");

/** The value whose text is in a cell: without the apostrophes before what begins a formula. */
export const cellValueOf = (text: string): string => text.replace(/^'(?=[\t\r])/, '').replace(NEUTRALIZED_FORMULA, '$1');

/** A cell that a spreadsheet cannot take for several cells either. */
const cell = (value: string | number): string => {
  const text = cellTextOf(value);
  return typeof value === 'string' && /[",;\t\r\n|]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A line of a CSV file (RFC 4180), with its end. A value that a spreadsheet would evaluate as a formula gets an apostrophe before it. */
export const csvOf = (cells: readonly (string | number)[]): string => `${cells.map(cell).join(',')}\r\n`;
