import type { AccountStatus } from '../../contracts/fields.ts';
import type { StatusCounts } from '../../contracts/replies.ts';

/** How many have each status; one that is not among the rows has nobody. */
export const statusCountsOf = (rows: readonly { status: string; n: number }[]): StatusCounts => {
  const of = (status: AccountStatus): number => rows.find((row) => row.status === status)?.n ?? 0;
  const counts = { active: of('active'), suspended: of('suspended'), churned: of('churned') };
  return { all: counts.active + counts.suspended + counts.churned, ...counts };
};
