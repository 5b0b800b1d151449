import { useCallback, useMemo, useState } from 'react';

/** The rows of a list that are selected, also of other pages of the list. */
export type Selection<Row> = {
  /** By key, as the list last showed them. */
  selected: ReadonlyMap<string, Row>;
  /** Adds rows, or removes them. */
  select: (rows: readonly Row[], isSelected: boolean) => void;
  clear: () => void;
  /** The name of a row, for screen readers. */
  nameOf: (row: Row) => string;
};

/** A selection of rows. `rows` are those on the page: the selection has them as they are now. */
export const useSelection = <Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  nameOf: (row: Row) => string,
): Selection<Row> => {
  const [kept, setKept] = useState<ReadonlyMap<string, Row>>(new Map());
  const select = useCallback(
    (changed: readonly Row[], isSelected: boolean) =>
      setKept((before) => {
        const next = new Map(before);
        for (const row of changed) {
          if (isSelected) next.set(keyOf(row), row);
          else next.delete(keyOf(row));
        }
        return next;
      }),
    [keyOf],
  );
  const clear = useCallback(() => setKept(new Map()), []);
  const selected = useMemo(() => {
    const newest = new Map(rows.map((row) => [keyOf(row), row]));
    return new Map([...kept].map(([key, row]) => [key, newest.get(key) ?? row]));
  }, [kept, rows, keyOf]);
  return useMemo(() => ({ selected, select, clear, nameOf }), [selected, select, clear, nameOf]);
};
