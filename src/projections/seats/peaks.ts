import { sql } from 'kysely';
import type { SeatPeak, SeatPeaks } from '../../contracts/seats.ts';
import type { Database } from '../../database/database.ts';
import type { SeatKind } from '../../domain/enumerations.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { UNLIMITED_SEATS } from '../../domain/limits.ts';
import { QUARTER_MS } from '../../domain/time.ts';

const NONE: SeatPeak = { held: 0, limit: 0, peak: 0, utilization: null };

type Row = { customer_id: CustomerId; kind: SeatKind; held: number; seat_limit: number; peak: number };

/** Without a limit, or with none to use, there is no utilization. */
const peakIn = ({ held, seat_limit: limit, peak }: Row): SeatPeak => ({
  held,
  limit,
  peak,
  utilization: limit === UNLIMITED_SEATS || limit === 0 ? null : Math.round((peak / limit) * 1_000) / 1_000,
});

/**
 * The most seats of each kind that customers held at the same time since an instant (ms since 1970, from the quarter of an hour that it is
 * in), as a share of those that are allowed now. Resolves to a look-up by customer.
 */
export const seatPeaksOf = async (
  db: Database,
  ids: readonly CustomerId[],
  since: number,
): Promise<(id: CustomerId) => SeatPeaks> => {
  const from = new Date(Math.floor(since / QUARTER_MS) * QUARTER_MS);
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('read.seat_count as c')
          .select(['c.customer_id', 'c.kind', 'c.held', 'c.seat_limit'])
          .select(
            sql<number>`greatest(c.held, case when c.at >= ${from} then c.peak end,
              (select max(greatest(q.peak, q.held)) from read.seat_quarter q
                where q.customer_id = c.customer_id and q.kind = c.kind and q.at >= ${from}),
              case when c.at >= ${from} then (select q.held from read.seat_quarter q
                where q.customer_id = c.customer_id and q.kind = c.kind and q.at < ${from} order by q.at desc limit 1) end)`.as(
              'peak',
            ),
          )
          .where('c.customer_id', '=', sql<CustomerId>`any(${ids}::uuid[])`)
          .execute();
  const found = new Map(rows.map((row) => [`${row.customer_id} ${row.kind}`, peakIn(row)]));
  return (id) => ({ developer: found.get(`${id} developer`) ?? NONE, stakeholder: found.get(`${id} stakeholder`) ?? NONE });
};
