import type { SelectQueryBuilder } from 'kysely';
import type { StatusCounts } from '../../contracts/replies.ts';
import type { Database } from '../../database/database.ts';
import type { AccountStatus } from '../../domain/enumerations.ts';
import { COUNT_LIMIT } from './search.ts';

/** The number of rows of a status. */
export type Counted = Readonly<{ status: string; n: number }>;

/** The number of rows of each status; 0 for a status without a row. */
export const statusCountsOf = (rows: readonly Counted[]): StatusCounts => {
  const of = (status: AccountStatus): number => rows.find((row) => row.status === status)?.n ?? 0;
  const counts = { active: of('active'), suspended: of('suspended'), churned: of('churned') };
  return { all: counts.active + counts.suspended + counts.churned, ...counts };
};

/** The number of rows of each status that the query finds, up to `COUNT_LIMIT` in all. */
export const countFound = <Db, Names extends keyof Db>(
  db: Database,
  query: SelectQueryBuilder<Db, Names, { status: string }>,
): Promise<Counted[]> =>
  db
    .selectFrom(query.limit(COUNT_LIMIT).as('found'))
    .select(['status', (count) => count.fn.countAll<number>().as('n')])
    .groupBy('status')
    .execute();

/** The exact numbers of a scope's rows of each status, as the projection counts them. */
export const tallyOf = (db: Database, kind: 'customer' | 'integrator' | 'user', scope: string): Promise<Counted[]> =>
  db.selectFrom('read.tally').select(['name as status', 'n']).where('kind', '=', kind).where('scope', '=', scope).execute();
