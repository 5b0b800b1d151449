import './DataTable.css';
import { Box } from '@chakra-ui/react';
import { type ReactNode, useMemo } from 'react';
import { ArrowDown, ArrowUp } from './icons.ts';
import { useIsWide } from './media.ts';

/** A column; keep the list of columns outside the component, so that unchanged rows are not rendered again. */
export type Column<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'start' | 'end';
  tone?: 'muted';
  /** Hidden where the table is too narrow; the row's screen shows it. */
  isExtra?: boolean;
  /** The header is only for screen readers. */
  isHeaderHidden?: boolean;
  /** The name that the server sorts by. */
  sort?: string;
};

/** A click on a header sorts ascending, then descending, then by the list's own order, which is an empty name. */
type Sorting = { current: string; onChange: (sort: string) => void };

type DataTableProps<Row> = {
  /** The table's name, for screen readers. */
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  columns: readonly Column<Row>[];
  /** The row on a narrow screen: the content of a list item. */
  item: (row: Row) => ReactNode;
  sorting?: Sorting;
};

const classOf = <Row,>({ align, tone, isExtra }: Column<Row>): string | undefined =>
  [align === 'end' && 'end', tone, isExtra && 'extra'].filter(Boolean).join(' ') || undefined;

const SortHeader = ({ name, header, sorting }: { name: string; header: string; sorting: Sorting }) => {
  const descending = sorting.current === `-${name}`;
  const active = descending || sorting.current === name;
  const Arrow = descending ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      className={active ? 'sort' : 'sort sort-idle'}
      onClick={() => sorting.onChange(!active ? name : descending ? '' : `-${name}`)}
    >
      {header}
      <Arrow aria-hidden />
    </button>
  );
};

const sortState = (name: string | undefined, sorting: Sorting | undefined): 'ascending' | 'descending' | undefined => {
  if (!name || !sorting) return undefined;
  if (sorting.current === name) return 'ascending';
  return sorting.current === `-${name}` ? 'descending' : undefined;
};

/** An unchanged row is not rendered again: its element stays the same. */
const TableRow = <Row,>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) =>
  useMemo(
    () => (
      <tr>
        {columns.map((column) => (
          <td key={column.header} className={classOf(column)}>
            {column.cell(row)}
          </td>
        ))}
      </tr>
    ),
    [row, columns],
  );

const ListItem = <Row,>({ row, item }: { row: Row; item: (row: Row) => ReactNode }) =>
  useMemo(() => <li className="item">{item(row)}</li>, [row, item]);

/** A table on a wide screen, a list on a narrow one. */
export const DataTable = <Row,>({ label, rows, keyOf, columns, item, sorting }: DataTableProps<Row>) => {
  const isWide = useIsWide();
  if (!isWide) {
    return (
      <Box as="ul" listStyleType="none" aria-label={label}>
        {rows.map((row) => (
          <ListItem key={keyOf(row)} row={row} item={item} />
        ))}
      </Box>
    );
  }
  return (
    <Box
      position="relative"
      containerType="inline-size"
      overflowX="auto"
      borderTopWidth="1px"
      borderColor="border"
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <table className="table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.header} scope="col" className={classOf(column)} aria-sort={sortState(column.sort, sorting)}>
                {column.sort && sorting ? (
                  <SortHeader name={column.sort} header={column.header} sorting={sorting} />
                ) : column.isHeaderHidden ? (
                  <span className="visually-hidden">{column.header}</span>
                ) : (
                  column.header
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)} row={row} columns={columns} />
          ))}
        </tbody>
      </table>
    </Box>
  );
};
