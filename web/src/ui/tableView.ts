import { useMemo } from 'react';
import { usePreference } from '../lib/preferences.ts';
import type { Column } from './DataTable.tsx';

/** What a user chose for a table; a column without a choice is shown unless it is optional. */
type Choices = Readonly<{ columns: Readonly<Record<string, boolean>>; isCompact: boolean }>;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const acceptChoices = (stored: unknown): Choices => {
  if (!isRecord(stored)) return { columns: {}, isCompact: false };
  const chosen = isRecord(stored.columns) ? stored.columns : {};
  const columns = Object.entries(chosen).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean');
  return { columns: Object.fromEntries(columns), isCompact: stored.isCompact === true };
};

/** A table's columns and density, as the user chose them. */
export type TableView<Row> = {
  /** The columns to show. */
  columns: readonly Column<Row>[];
  isCompact: boolean;
  /** Every column that can be hidden: all but the first, which names the row. */
  choices: readonly { header: string; isShown: boolean }[];
  show: (header: string, isShown: boolean) => void;
  setCompact: (isCompact: boolean) => void;
  reset: () => void;
};

/** The view of a table by the name that the browser remembers it by. A chosen column is shown on a narrow screen too. */
export const useTableView = <Row>(name: string, all: readonly Column<Row>[]): TableView<Row> => {
  const [chosen, remember] = usePreference(`table.${name}`, acceptChoices);
  return useMemo(() => {
    const isShown = ({ header, isOptional = false }: Column<Row>): boolean => chosen.columns[header] ?? !isOptional;
    const [lead, ...others] = all;
    const shown = others
      .filter(isShown)
      .map((column) => (chosen.columns[column.header] ? { ...column, isExtra: false, isSecondary: false } : column));
    return {
      columns: lead ? [lead, ...shown] : [],
      isCompact: chosen.isCompact,
      choices: others
        .filter(({ isHeaderHidden }) => !isHeaderHidden)
        .map((column) => ({ header: column.header, isShown: isShown(column) })),
      show: (header, isOn) => remember({ ...chosen, columns: { ...chosen.columns, [header]: isOn } }),
      setCompact: (isCompact) => remember({ ...chosen, isCompact }),
      reset: () => remember({ columns: {}, isCompact: false }),
    };
  }, [all, chosen, remember]);
};
