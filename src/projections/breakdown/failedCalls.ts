import type { Outcome } from '../../domain/apiCalls/outcome.ts';

/** A column that counts the calls of an outcome. */
export type FailedColumn = 'calls_4xx' | 'calls_5xx' | 'calls_error';
/** The calls of each failed outcome; null where a version before did not count them. */
export type FailedCalls = Record<FailedColumn, number | null>;

const COLUMNS: Partial<Record<Outcome, FailedColumn>> = { '4xx': 'calls_4xx', '5xx': 'calls_5xx', error: 'calls_error' };

/** The column of an outcome; null for one that has none. */
export const failedColumnOf = (outcome: Outcome | undefined): FailedColumn | null => (outcome && COLUMNS[outcome]) ?? null;

/** No failed calls. */
export const noFailedCalls = (): FailedCalls => ({ calls_4xx: 0, calls_5xx: 0, calls_error: 0 });

const add = (sum: number | null, more: number | null, sign: 1 | -1): number | null =>
  sum === null || more === null ? null : sum + sign * more;

/** Adds calls to `sum`, or takes them away, in place. */
export const addFailedCalls = (sum: FailedCalls, more: Readonly<FailedCalls>, sign: 1 | -1): void => {
  sum.calls_4xx = add(sum.calls_4xx, more.calls_4xx, sign);
  sum.calls_5xx = add(sum.calls_5xx, more.calls_5xx, sign);
  sum.calls_error = add(sum.calls_error, more.calls_error, sign);
};

/** Adds the calls of an outcome to `sum`, or takes them away, in place. */
export const addCallsOf = (sum: FailedCalls, outcome: Outcome, calls: number, sign: 1 | -1): void => {
  const column = failedColumnOf(outcome);
  if (column) sum[column] = add(sum[column], calls, sign);
};
