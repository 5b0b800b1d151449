import { useMemo } from 'react';
import { useAddress } from '../lib/listAddress.ts';
import { DataTable, type DataTableProps } from './DataTable.tsx';
import { sortedRows } from './sortedRows.ts';

type WholeTableProps<Row> = Omit<DataTableProps<Row>, 'sorting'> & {
  /** The address's parameter for the order, where a screen has two tables. */
  sortName?: string;
};

/** A table of a list that is complete: the browser sorts it, in the order of the address. */
export const WholeTable = <Row,>({ sortName = 'sort', ...table }: WholeTableProps<Row>) => {
  const { rows, columns } = table;
  const { address, change } = useAddress({ preventScrollReset: true });
  const current = address.get(sortName) ?? '';
  const sorted = useMemo(() => sortedRows(rows, columns, current), [rows, columns, current]);
  return <DataTable {...table} rows={sorted} sorting={{ current, onChange: (sort) => change({ [sortName]: sort }) }} />;
};
