import { type SelectQueryBuilder, sql } from 'kysely';
import type { User, UserQuery, UserStatusCounts } from '../../contracts/users.ts';
import type { Database } from '../../database/database.ts';
import type { Tables } from '../../database/tables/tables.ts';
import type { UserStatus } from '../../domain/enumerations.ts';
import type { CustomerId, IntegratorId, UserId } from '../../domain/ids.ts';
import { isInstant, isText } from '../lists/cursor.ts';
import { countedPageOf, firstRows, foundPageOf, fullPage, type IdPage, orderIn, pageOfIds } from '../lists/paging.ts';
import { type CountEnd, countEndAfter, patternOf } from '../lists/search.ts';
import { type Counted, countFound, tallyOf } from '../lists/statusCounts.ts';
import { pendingMachinesOf } from '../machines/queries.ts';
import { isConnected } from '../presence.ts';
import type { QueryDeps } from '../queryDeps.ts';
import { scopeOf } from '../scope.ts';
import { personIn } from './person.ts';

/** The filters of the list of users; an integrator sees users of its own customers only. */
export type UserFilter = UserQuery & { integratorId?: IntegratorId | undefined };
export type UserPage = CountEnd & { users: User[]; total: number; nextCursor: string | null; counts: UserStatusCounts };
export type FoundUser = { user: User; customerId: CustomerId; integratorId: IntegratorId; revision: bigint };

type Filtered = SelectQueryBuilder<Tables & { u: Tables['read.portal_user'] }, 'u', object>;

const usersIn = (db: Database): Filtered => db.selectFrom('read.portal_user as u');

/** Users of whatever status. */
const matching = ({ integratorId, customerId, search }: UserFilter, from: Filtered): Filtered => {
  let query = from;
  if (customerId) query = query.where('u.customer_id', '=', customerId);
  if (integratorId) query = query.where('u.integrator_id', '=', integratorId);
  if (search) query = query.where('u.search', 'like', patternOf(search));
  return query;
};

const id = sql.ref<UserId>('u.user_id');
/** Who never signed in sorts as before all time. */
const orders = {
  createdAt: { column: sql.ref('u.created_at'), id, fits: isInstant },
  username: { column: sql.ref('u.sort_name'), id, fits: isText },
  lastLogin: { column: sql`coalesce(u.last_login, '-infinity')`, id, fits: isInstant },
} as const;

const pageIn = (db: Database, filter: UserFilter) => {
  const all = matching(filter, usersIn(db));
  const query = filter.status ? all.where('u.status', '=', filter.status) : all;
  return pageOfIds(query, orderIn(orders, filter.sort), filter);
};

const userCountsOf = (rows: readonly Counted[]): UserStatusCounts => {
  const of = (status: UserStatus): number => rows.find((row) => row.status === status)?.n ?? 0;
  const counts = { active: of('active'), inactive: of('inactive'), suspended: of('suspended') };
  return { all: counts.active + counts.inactive + counts.suspended, ...counts };
};

const countsOf = async (db: Database, filter: UserFilter): Promise<CountEnd & { counts: UserStatusCounts }> => {
  if (!filter.customerId) return { counts: userCountsOf(await tallyOf(db, 'user', scopeOf(filter.integratorId))) };
  const counts = userCountsOf(await countFound(db, matching(filter, usersIn(db)).select('u.status as status')));
  return { counts, ...countEndAfter(counts.all) };
};

/** Whether an index has the users of the filter in its order. */
const isIndexed = ({ customerId, integratorId, status, sort }: UserFilter): boolean =>
  sort.endsWith('createdAt') ? !(customerId && status) : !(customerId || integratorId || status);

/** The page, if it is among the first rows of its order, as that of a search that most users match. */
const pageAmongFirst = async (db: Database, filter: UserFilter) => {
  if (!isIndexed(filter)) return null;
  const { customerId, integratorId, status, cursor, sort, limit } = filter;
  const order = orderIn(orders, sort);
  const conditions = [
    ...(customerId ? [sql`u.customer_id = ${customerId}`] : []),
    ...(integratorId ? [sql`u.integrator_id = ${integratorId}`] : []),
    ...(status ? [sql`u.status = ${status}`] : []),
  ];
  const users = sql`read.portal_user u`;
  const first = firstRows<Tables['read.portal_user']>(users, order, { cursor, conditions, limit });
  return fullPage(await pageOfIds(matching(filter, db.selectFrom(first.as<'u'>(sql.ref('u')))), order, filter));
};

/** Users with what changes by the minute. */
export const rowsOf = (db: Database) =>
  db
    .selectFrom('read.portal_user as u')
    .leftJoin('read.customer as c', 'c.customer_id', 'u.customer_id')
    .select(['u.user_id', 'u.customer_id', 'u.integrator_id', 'u.username', 'u.email', 'u.role', 'u.status'])
    .select(['u.last_login', 'u.machine_id', 'u.created_at', 'c.name as customer_name'])
    .select(sql<string>`coalesce(c.revision, 0)::text`.as('revision'))
    .select(isConnected('u.user_id').as('connected'))
    .select(pendingMachinesOf('u.user_id').as('pending_machines'));

type FoundRow = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number];

/** A row of `rowsOf` as the contract describes it. */
export const foundIn = (row: FoundRow): FoundUser => ({
  // The spread is last: V8 keeps each copy to which a property is added until the next full garbage collection (decision 200).
  user: { currentlyConnected: row.connected, pendingMachines: row.pending_machines, ...personIn(row, row.customer_name ?? '') },
  customerId: row.customer_id,
  integratorId: row.integrator_id,
  revision: BigInt(row.revision),
});

/** Queries on the users of customers. */
export const userQueries = (db: Database, { lookUp, tenantSearch }: Pick<QueryDeps, 'lookUp' | 'tenantSearch'>) => {
  const byId = lookUp('users.byId', () => rowsOf(db).where('u.user_id', '=', sql<UserId>`$1`));
  const byEachId = lookUp('users.byEachId', () => rowsOf(db).where('u.user_id', '=', sql<UserId>`any($1::uuid[])`));
  const ownerById = lookUp('users.ownerById', () =>
    db
      .selectFrom('read.portal_user')
      .select(['customer_id as customerId', 'integrator_id as integratorId'])
      .where('user_id', '=', sql<UserId>`$1`),
  );

  const byIds = async (ids: readonly UserId[]): Promise<User[]> => {
    if (ids.length === 0) return [];
    const found = new Map((await byEachId(ids)).map((row) => [row.user_id, foundIn(row).user]));
    return ids.flatMap((id) => found.get(id) ?? []);
  };
  const withUsers = async ({ ids, nextCursor }: IdPage<UserId>) => ({ users: await byIds(ids), nextCursor });

  return {
    /** A page of users. `total` and `counts` end at 10,000 where they are asked by customer or with a search, else they are exact. */
    list: async (wanted: UserFilter): Promise<UserPage> => {
      if (!wanted.search) {
        const [page, counted] = await Promise.all([pageIn(db, wanted).then(withUsers), countsOf(db, wanted)]);
        return { ...page, total: counted.counts[wanted.status ?? 'all'], ...counted };
      }
      const filter = { ...wanted, ...(tenantSearch && { integratorId: tenantSearch.integratorId }) };
      const source = tenantSearch?.db ?? db;
      const found = matching(filter, usersIn(source));
      const { counted, page } = await foundPageOf({
        amongFirst: () => pageAmongFirst(source, filter),
        count: () => countFound(source, found.select('u.status as status')),
        countedPage: () => countedPageOf(source, found, sql.ref('u.status'), orderIn(orders, filter.sort), filter),
        pageOfMany: () => pageIn(source, filter),
        shown: withUsers,
      });
      const counts = userCountsOf(counted);
      return { ...page, total: counts[filter.status ?? 'all'], counts, ...countEndAfter(counts.all) };
    },

    /** `revision` of the stream of the user's customer. */
    get: async (userId: UserId): Promise<FoundUser | null> => {
      const [row] = await byId(userId);
      return row ? foundIn(row) : null;
    },

    /** The customer and integrator of a user. */
    owner: async (userId: UserId): Promise<Pick<FoundUser, 'customerId' | 'integratorId'> | null> =>
      (await ownerById(userId))[0] ?? null,

    ids: async (customerId: CustomerId): Promise<UserId[]> => {
      const rows = await db.selectFrom('read.portal_user').select('user_id').where('customer_id', '=', customerId).execute();
      return rows.map((row) => row.user_id);
    },
  };
};
