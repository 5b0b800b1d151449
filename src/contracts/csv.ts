/**
 * What begins a formula: also in full-width and small forms, which spreadsheets read alike, after quotes, blanks and invisible
 * characters, and after what separates cells in a spreadsheet of another locale.
 */
const FORMULA = /(^|[;\t\r\n|])(?=[\s"\p{Cf}]*[=+\-@＝＋－＠﹦﹢﹣﹫−])/gu;

/** A cell that a spreadsheet cannot take for a formula, nor for several cells. */
const cell = (value: string | number): string => {
  if (typeof value === 'number') return String(value);
  const neutralized = value.replace(/^[\t\r]/, "'$&").replace(FORMULA, "$1'");
  return /[",;\t\r\n|]/.test(neutralized) ? `"${neutralized.replaceAll('"', '""')}"` : neutralized;
};

/** A line of a CSV file (RFC 4180), with its end. A value that a spreadsheet would evaluate as a formula gets an apostrophe before it. */
export const csvOf = (cells: readonly (string | number)[]): string => `${cells.map(cell).join(',')}\r\n`;
