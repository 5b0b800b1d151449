import type { Column } from './DataTable.tsx';

type SortValue = string | number | null;

const { compare: compareTexts } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

const compare = (one: SortValue, other: SortValue): number => {
  if (one === null || other === null) return Number(other === null) - Number(one === null);
  return typeof one === 'string' && typeof other === 'string' ? compareTexts(one, other) : Number(one) - Number(other);
};

/** The rows in the order of a column, `-` descending; rows with the same value, and all of an unknown column, in the list's own order. */
export const sortedRows = <Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: string): readonly Row[] => {
  const isDescending = sort.startsWith('-');
  const by = columns.find((column) => column.sort !== undefined && column.sort === sort.replace('-', ''))?.by;
  if (!by) return rows;
  return [...rows].sort((one, other) => (isDescending ? compare(by(other), by(one)) : compare(by(one), by(other))));
};
