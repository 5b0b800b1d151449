import { type RawBuilder, sql } from 'kysely';
import type { CustomerRow } from '../../database/tables/customers.ts';
import { UNLIMITED_SEATS } from '../../domain/limits.ts';

/** How floating developer seats are shown; nothing where they are named. `leased` are those that users hold. */
export const shownFloating = (
  minutes: number | null,
  leased: number,
): { floatingDeveloperMinutes?: number; leasedDeveloperSeats?: number } =>
  minutes === null ? {} : { floatingDeveloperMinutes: minutes, leasedDeveloperSeats: leased };

/** The developer seats that a row `c` of `read.customer` holds, as the indexes on them have it. */
export const heldDevelopers: RawBuilder<number> = sql<number>`
  case when c.floating_developer_minutes is null then c.active_developer_seats else c.leased_developer_seats end`;

const WHOLE = 10_000;
const MAX_INT4 = 2_147_483_647;

/** The seats of a row and those that are held. */
type SeatColumns = Pick<
  CustomerRow,
  'developer_seats' | 'active_developer_seats' | 'leased_developer_seats' | 'floating_developer_minutes'
>;

/** How many of the developer seats are held, in hundredths of a percent; -1 for any number of seats. */
export const utilizationOf = (row: SeatColumns): number => {
  const limit = row.developer_seats;
  if (limit === UNLIMITED_SEATS) return UNLIMITED_SEATS;
  const held = row.floating_developer_minutes === null ? row.active_developer_seats : row.leased_developer_seats;
  if (limit === 0) return held > 0 ? WHOLE : 0;
  return Math.min(Math.round((held * WHOLE) / limit), MAX_INT4);
};
