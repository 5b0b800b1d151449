import './DataTable.css';
import { Box } from '@chakra-ui/react';
import { type ReactNode, useMemo, useRef } from 'react';
import { ArrowDown, ArrowUp, ChevronsUpDown } from './icons.ts';
import { useIsWide } from './media.ts';
import { RowCheckbox, SelectAll } from './RowCheckbox.tsx';
import { useRowActions } from './rowActions.ts';
import type { Selection } from './selection.ts';

/** A column; keep the list of columns outside the component, so that unchanged rows are not rendered again. */
export type Column<Row> = {
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'start' | 'end';
  tone?: 'muted';
  /** Hidden where the table is narrower than 900 px; the row's screen shows it. */
  isExtra?: boolean;
  /** Hidden where the table is narrower than 760 px, as on a tablet. */
  isSecondary?: boolean;
  /** Takes the remaining width, instead of the first column. */
  takesRest?: boolean;
  /** Hidden until the user chooses it. */
  isOptional?: boolean;
  /** The header is only for screen readers. */
  isHeaderHidden?: boolean;
  /** The name of the order in the address, and for the server. */
  sort?: string;
  /** What the browser sorts a complete list by, in `WholeTable`; null is before everything else. */
  by?: (row: Row) => string | number | null;
  /** The first click on the header sorts descending, as for numbers. */
  isDescendingFirst?: boolean;
};

/** A click on a header sorts by it, a second one in the other direction, a third by the list's own order: an empty name. */
type Sorting = { current: string; onChange: (sort: string) => void };

export type DataTableProps<Row> = {
  /** The table's name, for screen readers. */
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  columns: readonly Column<Row>[];
  /** The row on a narrow screen: the content of a list item. */
  item: (row: Row) => ReactNode;
  sorting?: Sorting | undefined;
  /** The path of the screen that a click on a row opens; keep the function outside the component. */
  open?: (row: Row) => string;
  /** Shows the details of a clicked row that has no screen. */
  onOpen?: (row: Row) => void;
  selection?: Selection<Row> | undefined;
  /** Lower rows. */
  isCompact?: boolean;
};

const classOf = <Row,>({ align, tone, isExtra, isSecondary }: Column<Row>, isLead = false): string | undefined =>
  [isLead && 'lead', align === 'end' && 'end', tone, isExtra ? 'extra' : isSecondary && 'secondary'].filter(Boolean).join(' ') ||
  undefined;

/** The column that takes the remaining width. */
const leadOf = <Row,>(columns: readonly Column<Row>[]): Column<Row> | undefined =>
  columns.find(({ takesRest }) => takesRest) ?? columns[0];

type Sorted<Row> = { column: Column<Row>; name: string; sorting: Sorting };

const SortHeader = <Row,>({ column: { header, isDescendingFirst = false }, name, sorting }: Sorted<Row>) => {
  const descending = sorting.current === `-${name}`;
  const active = descending || sorting.current === name;
  const Arrow = !active ? ChevronsUpDown : descending ? ArrowDown : ArrowUp;
  const first = isDescendingFirst ? `-${name}` : name;
  const second = isDescendingFirst ? name : `-${name}`;
  return (
    <button
      type="button"
      className={active ? 'sort' : 'sort sort-idle'}
      onClick={() => sorting.onChange(!active ? first : sorting.current === first ? second : '')}
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

type RowProps<Row> = {
  row: Row;
  /** Its key, by which `useRowActions` finds it. */
  id: string;
  opens: boolean;
  isSelected: boolean;
  /** Undefined where rows cannot be selected. */
  select: Selection<Row>['select'] | undefined;
  /** Its name beside the checkbox, for screen readers. */
  name: string;
};

const rowClass = (base: string, opens: boolean, isSelected: boolean): string | undefined =>
  [base, opens && 'opens-row', isSelected && 'selected'].filter(Boolean).join(' ') || undefined;

/** An unchanged row is not rendered again: its element stays the same. */
const TableRow = <Row,>({
  row,
  id,
  columns,
  opens,
  isSelected,
  select,
  name,
}: RowProps<Row> & { columns: readonly Column<Row>[] }) =>
  useMemo(
    () => (
      <tr data-row={id} tabIndex={opens || select ? -1 : undefined} className={rowClass('', opens, isSelected)}>
        {select && (
          <td className="check">
            <RowCheckbox row={row} name={name} isSelected={isSelected} select={select} />
          </td>
        )}
        {columns.map((column) => (
          <td key={column.header} className={classOf(column)}>
            {column.cell(row)}
          </td>
        ))}
      </tr>
    ),
    [row, id, columns, opens, isSelected, select, name],
  );

const ListItem = <Row,>({ row, id, item, opens, isSelected, select, name }: RowProps<Row> & { item: (row: Row) => ReactNode }) =>
  useMemo(
    () => (
      <li
        data-row={id}
        tabIndex={opens || select ? -1 : undefined}
        className={rowClass(select ? 'item item-selectable' : 'item', opens, isSelected)}
      >
        {select && <RowCheckbox row={row} name={name} isSelected={isSelected} select={select} />}
        {select ? <div className="item-content">{item(row)}</div> : item(row)}
      </li>
    ),
    [row, id, item, opens, isSelected, select, name],
  );

type HeadProps<Row> = Pick<DataTableProps<Row>, 'rows' | 'keyOf' | 'columns' | 'sorting' | 'selection'>;

const Head = <Row,>({ rows, keyOf, columns, sorting, selection }: HeadProps<Row>) => (
  <thead>
    <tr>
      {selection && (
        <th className="check" scope="col">
          <SelectAll rows={rows} keyOf={keyOf} selection={selection} />
        </th>
      )}
      {columns.map((column) => (
        <th
          key={column.header}
          scope="col"
          className={classOf(column, column === leadOf(columns))}
          aria-sort={sortState(column.sort, sorting)}
        >
          {column.sort && sorting ? (
            <SortHeader column={column} name={column.sort} sorting={sorting} />
          ) : column.isHeaderHidden ? (
            <span className="visually-hidden">{column.header}</span>
          ) : (
            column.header
          )}
        </th>
      ))}
    </tr>
  </thead>
);

/** A table on a wide screen, a list on a narrow one. */
export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const { label, rows, keyOf, columns, item, open, onOpen, selection, isCompact = false } = props;
  const isWide = useIsWide();
  const list = useRef<HTMLElement>(null);
  useRowActions<Row>(list, {
    rows,
    keyOf,
    open,
    onOpen,
    toggle: selection && ((row) => selection.select([row], !selection.selected.has(keyOf(row)))),
  });
  const rowProps = (row: Row) => {
    const id = keyOf(row);
    return {
      row,
      id,
      opens: open !== undefined || onOpen !== undefined,
      isSelected: selection?.selected.has(id) ?? false,
      select: selection?.select,
      name: selection?.nameOf(row) ?? '',
    };
  };
  if (!isWide) {
    return (
      <Box as="ul" ref={list} listStyleType="none" aria-label={label}>
        {rows.map((row) => (
          <ListItem key={keyOf(row)} {...rowProps(row)} item={item} />
        ))}
      </Box>
    );
  }
  return (
    <Box
      ref={list}
      position="relative"
      containerType="inline-size"
      overflowX="auto"
      borderTopWidth="1px"
      borderColor="border"
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <table className={isCompact ? 'table compact' : 'table'}>
        <Head {...props} />
        <tbody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)} {...rowProps(row)} columns={columns} />
          ))}
        </tbody>
      </table>
    </Box>
  );
};
