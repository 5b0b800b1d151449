import type { AccountStatus } from '../../contracts/fields.ts';
import type { StatusCounts } from '../../contracts/replies.ts';

/** The number of rows of each status; 0 for a status without a row. */
export const statusCountsOf = (rows: readonly { status: string; n: number }[]): StatusCounts => {
  const of = (status: AccountStatus): number => rows.find((row) => row.status === status)?.n ?? 0;
  const counts = { active: of('active'), suspended: of('suspended'), churned: of('churned') };
  return { all: counts.active + counts.suspended + counts.churned, ...counts };
};
