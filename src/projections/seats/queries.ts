import { type SelectQueryBuilder, sql } from 'kysely';
import type { Seat, SeatDenials, SeatQuery, SeatsReply } from '../../contracts/seats.ts';
import type { Database } from '../../database/database.ts';
import type { Tables } from '../../database/tables/tables.ts';
import type { CustomerId, UserId } from '../../domain/ids.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { isInstant, isText } from '../lists/cursor.ts';
import { orderIn, pageOfIds } from '../lists/paging.ts';
import { COUNT_LIMIT, countEndAfter, patternOf } from '../lists/search.ts';
import { isConnected } from '../presence.ts';
import { foundIn, rowsOf } from '../users/queries.ts';
import { isFloatingKind } from './floating.ts';
import { seatPeaksOf } from './peaks.ts';
import { type SeatDays, seatUtilizationOf } from './utilization.ts';

/** Which seats of a customer are listed. */
export type SeatFilter = SeatQuery & Readonly<{ customerId: CustomerId }>;

/** A page of the seats of a customer; null where the read models do not hold the customer. */
type SeatPage = Omit<SeatsReply, 'success'>;

type Joined = Tables & {
  u: Tables['read.portal_user'];
  k: Pick<Tables['usage.user_call'], 'user_id' | 'customer_id' | 'last_call_at'>;
  f: Pick<Tables['live.seat_use'], 'user_id' | 'used_at'>;
};
type Filtered = SelectQueryBuilder<Joined, 'u' | 'k' | 'f', object>;

/** The last sign of use, of a user who is not connected; of a floating seat the use that keeps it. */
const lastUse = sql<Date>`case when u.leased_at is null
  then greatest(k.last_call_at, u.last_login, u.seat_since) else greatest(f.used_at, u.leased_at) end`;
/** Since when the user holds the seat. */
const since = sql<Date>`coalesce(u.leased_at, u.seat_since)`;
/** Users share floating seats: only those who hold one are listed. */
const holds = sql<boolean>`(u.leased_seat is not null or not ${isFloatingKind})`;
/** Connected users sort after all others. */
const CONNECTED = '9999-12-31T00:00:00Z';
const idleOrder = sql`case when ${isConnected('u.user_id')} then ${CONNECTED}::timestamptz else ${lastUse} end`;

const matching = (db: Database, { customerId, search, kind, idleDays }: SeatFilter): Filtered => {
  let query = db
    .selectFrom('read.portal_user as u')
    .leftJoin('usage.user_call as k', (join) =>
      join.onRef('k.customer_id', '=', 'u.customer_id').onRef('k.user_id', '=', 'u.user_id'),
    )
    .leftJoin('live.seat_use as f', 'f.user_id', 'u.user_id')
    .where('u.customer_id', '=', customerId)
    .where('u.seat', 'is not', null)
    .where(holds) as unknown as Filtered;
  if (kind) query = query.where('u.seat', '=', kind);
  if (search) query = query.where('u.search', 'like', patternOf(search));
  if (idleDays) {
    query = query
      .where(sql<boolean>`not ${isConnected('u.user_id')}`)
      .where(sql<boolean>`${lastUse} <= now() - make_interval(days => ${idleDays})`);
  }
  return query;
};

const id = sql.ref<UserId>('u.user_id');
const orders = {
  username: { column: sql.ref('u.sort_name'), id, fits: isText },
  since: { column: since, id, fits: isInstant },
  lastCall: { column: sql`coalesce(k.last_call_at, '-infinity')`, id, fits: isInstant },
  idleSince: { column: idleOrder, id, fits: isInstant },
} as const;

const seatsOf = async (db: Database, ids: readonly UserId[]): Promise<Seat[]> => {
  if (ids.length === 0) return [];
  const rows = await rowsOf(db)
    .leftJoin('usage.user_call as k', (join) =>
      join.onRef('k.customer_id', '=', 'u.customer_id').onRef('k.user_id', '=', 'u.user_id'),
    )
    .leftJoin('read.machine as m', (join) => join.onRef('m.user_id', '=', 'u.user_id').onRef('m.machine_id', '=', 'u.machine_id'))
    .leftJoin('live.seat_use as f', 'f.user_id', 'u.user_id')
    .select([
      'u.seat',
      'u.leased_seat',
      'u.leased_until',
      since.as('since'),
      'k.last_call_at',
      'm.machine_name',
      lastUse.as('last_use'),
    ])
    .select('c.floating_developer_minutes')
    .where('u.user_id', '=', sql<UserId>`any(${ids}::uuid[])`)
    .execute();
  const found = new Map(rows.map((row) => [row.user_id, row]));
  return ids.flatMap((id) => {
    const row = found.get(id);
    if (!row?.seat || !row.since) return []; // released since the page was read
    const minutes = row.leased_seat === 'developer' ? row.floating_developer_minutes : null;
    const unusedAt = row.connected || minutes === null ? null : new Date(row.last_use.getTime() + minutes * MINUTE_MS);
    const freeAt = unusedAt && row.leased_until && row.leased_until > unusedAt ? row.leased_until : unusedAt;
    return {
      kind: row.seat,
      since: row.since.toISOString(),
      lastCall: row.last_call_at?.toISOString() ?? null,
      idleSince: row.connected ? null : row.last_use.toISOString(),
      machineName: row.machine_name,
      ...(row.leased_seat && { freeAt: freeAt?.toISOString() ?? null }),
      ...foundIn(row).user,
    };
  });
};

/** Refused seats of the last 7 days, from the history of the customer. */
const denialsOf = async (db: Database, customerId: CustomerId): Promise<SeatDenials[]> => {
  const fact = (name: string) => sql`h.facts -> 'now' ->> ${sql.lit(name)}`;
  const rows = await db
    .selectFrom('read.history as h')
    .select([
      sql<SeatDenials['kind']>`${fact('kind')}`.as('kind'),
      sql<SeatDenials['reason']>`${fact('reason')}`.as('reason'),
      sql<number>`count(distinct coalesce(h.user_id::text, ${fact('username')}))`.as('persons'),
      sql<number>`sum((${fact('count')})::int8)::int8`.as('attempts'),
      sql<Date>`max(h.at)`.as('last_at'),
    ])
    .where('h.customer_id', '=', customerId)
    .where('h.type', '=', 'SeatDenied')
    .where('h.category', '<>', 'userActivity') // of the index by time
    .where('h.at', '>', sql<Date>`now() - interval '7 days'`)
    .groupBy(['kind', 'reason'])
    .orderBy('attempts', 'desc')
    .orderBy('reason')
    .execute();
  return rows.map(({ last_at, ...row }) => ({ ...row, lastAt: last_at.toISOString() }));
};

/** Queries on the seats that users of a customer hold. */
export const seatQueries = (db: Database) => ({
  utilization: (customerId: CustomerId, days: SeatDays, now: number) => seatUtilizationOf(db, customerId, days, now),

  peaks: (ids: readonly CustomerId[], since: number) => seatPeaksOf(db, ids, since),

  /** `total` ends at 10,000. */
  list: async (filter: SeatFilter): Promise<SeatPage | null> => {
    const [customer, { ids, nextCursor }, counted, denials] = await Promise.all([
      db
        .selectFrom('read.customer')
        .select(['developer_seats', 'stakeholder_seats', 'active_developer_seats', 'active_stakeholder_seats'])
        .select(['name', 'seat_limits_enforced', 'floating_developer_minutes', 'leased_developer_seats'])
        .where('customer_id', '=', filter.customerId)
        .executeTakeFirst(),
      pageOfIds(matching(db, filter), orderIn(orders, filter.sort), filter),
      db
        .selectFrom(matching(db, filter).select('u.user_id').limit(COUNT_LIMIT).as('found'))
        .select((count) => count.fn.countAll<number>().as('n'))
        .executeTakeFirst(),
      denialsOf(db, filter.customerId),
    ]);
    if (!customer) return null;
    return {
      customerName: customer.name,
      seats: await seatsOf(db, ids),
      total: counted?.n ?? 0,
      ...countEndAfter(counted?.n ?? 0),
      nextCursor,
      kinds: {
        developer: {
          allocated: customer.developer_seats,
          active: customer.active_developer_seats,
          ...(customer.floating_developer_minutes !== null && {
            floating: { minutes: customer.floating_developer_minutes, leased: customer.leased_developer_seats },
          }),
        },
        stakeholder: { allocated: customer.stakeholder_seats, active: customer.active_stakeholder_seats },
      },
      limitsEnforced: customer.seat_limits_enforced,
      denials,
    };
  },
});
