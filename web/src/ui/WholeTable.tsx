import { useMemo } from 'react';
import { useAddress } from '../lib/listAddress.ts';
import { DataTable, type DataTableProps } from './DataTable.tsx';
import { sortedRows } from './sortedRows.ts';

/** A table of a list that is complete: the browser sorts it, in the order of the address. */
export const WholeTable = <Row,>(table: Omit<DataTableProps<Row>, 'sorting'>) => {
  const { rows, columns } = table;
  const { address, change } = useAddress({ preventScrollReset: true });
  const current = address.get('sort') ?? '';
  const sorted = useMemo(() => sortedRows(rows, columns, current), [rows, columns, current]);
  return <DataTable {...table} rows={sorted} sorting={{ current, onChange: (sort) => change({ sort }) }} />;
};
