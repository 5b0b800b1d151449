import { useEffect, useRef } from 'react';
import type { Selection } from './selection.ts';

const texts = {
  all: 'Select all on this page',
  one: (name: string): string => `Select ${name}`,
} as const;

type RowCheckboxProps<Row> = { row: Row; name: string; isSelected: boolean; select: Selection<Row>['select'] };

/** Selects a row. */
export const RowCheckbox = <Row,>({ row, name, isSelected, select }: RowCheckboxProps<Row>) => (
  <input
    type="checkbox"
    aria-label={texts.one(name)}
    checked={isSelected}
    onChange={(event) => select([row], event.target.checked)}
  />
);

type SelectAllProps<Row> = { rows: readonly Row[]; keyOf: (row: Row) => string; selection: Selection<Row> };

/** Selects all rows of the page, or none; mixed where some are selected. */
export const SelectAll = <Row,>({ rows, keyOf, selection: { selected, select } }: SelectAllProps<Row>) => {
  const box = useRef<HTMLInputElement>(null);
  const count = rows.filter((row) => selected.has(keyOf(row))).length;
  const isMixed = count > 0 && count < rows.length;
  useEffect(() => {
    if (box.current) box.current.indeterminate = isMixed;
  }, [isMixed]);
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={texts.all}
      checked={count > 0 && count === rows.length}
      onChange={(event) => select(rows, event.target.checked)}
    />
  );
};
