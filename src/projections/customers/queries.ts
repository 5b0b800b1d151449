import { type SelectQueryBuilder, sql } from 'kysely';
import type { Customer, CustomerQuery } from '../../contracts/customers.ts';
import type { StatusCounts } from '../../contracts/replies.ts';
import type { Database } from '../../database/database.ts';
import type { Tables } from '../../database/tables/tables.ts';
import type { AccountStatus } from '../../domain/enumerations.ts';
import type { CustomerId, IntegratorId } from '../../domain/ids.ts';
import { isCount, isInstant, isInteger, isText } from '../lists/cursor.ts';
import { countedPageOf, firstRows, foundPageOf, fullPage, type IdPage, orderIn, pageOfIds } from '../lists/paging.ts';
import { type CountEnd, countEndAfter, findsAccount } from '../lists/search.ts';
import { countFound, statusCountsOf, tallyOf } from '../lists/statusCounts.ts';
import { themeDisplayName, themeIdIn } from '../main/themeLook.ts';
import { connectionsOf } from '../presence.ts';
import type { QueryDeps } from '../queryDeps.ts';
import { scopeOf } from '../scope.ts';
import { inQuotaState, shownCallQuota } from './callQuota.ts';
import { shownEntitlements } from './entitlements.ts';
import { heldDevelopers, shownFloating } from './floatingSeats.ts';
import { hasTags, recordsOf, shownRecords } from './records.ts';
import { inTerm, shownPlan, shownTerm, termOf } from './term.ts';

/** `keyFragments`: of the search text as part of a license key, so that the key's owner is found too. */
export type CustomerFilter = CustomerQuery & { keyFragments?: readonly number[] };
/** `at` is when it is asked: the state of a term follows the clock. */
type FilterAt = CustomerFilter & { at: Date };
export type CustomerAccount = { customerId: CustomerId; integratorId: IntegratorId; status: AccountStatus };
export type CustomerPage = CountEnd & { customers: Customer[]; total: number; nextCursor: string | null; counts: StatusCounts };

type Filtered = SelectQueryBuilder<Tables & { c: Tables['read.customer'] }, 'c', object>;

/** Customers of whatever status that an integrator has and that match the search, the term, the tags, the plan, the quota and the request for deletion, where given. */
const matching = (
  db: Database,
  { serviceIntegratorId, deletionRequested, term, tag, plan, quota, at, search, keyFragments = [] }: FilterAt,
  from: Filtered = db.selectFrom('read.customer as c'),
): Filtered => {
  let query = from;
  if (serviceIntegratorId) query = query.where('c.integrator_id', '=', serviceIntegratorId);
  if (deletionRequested) query = query.where('c.deletion_requested_at', 'is not', null);
  if (term) query = query.where(inTerm(term, at));
  if (tag) query = query.where(hasTags(tag));
  if (plan) query = query.where('c.tier', '=', plan);
  if (quota) query = query.where(inQuotaState(quota, at));
  if (search) query = query.where(findsAccount('c', search, keyFragments));
  return query;
};

const id = sql.ref<CustomerId>('c.customer_id');
const usageId = sql.ref<CustomerId>('u.customer_id');

/**
 * Each has an index with its expression. There is none of the status: the filter by status has one in each order, and says how many
 * customers have which status.
 */
const orders = {
  createdAt: { column: sql.ref('c.created_at'), id, fits: isInstant },
  name: { column: sql.ref('c.sort_name'), id, fits: isText },
  developerUtilization: { column: sql.ref('c.developer_utilization'), id, fits: isInteger },
  heldDeveloperSeats: { column: heldDevelopers, id, fits: isInteger },
  heldStakeholderSeats: { column: sql.ref('c.active_stakeholder_seats'), id, fits: isInteger },
  totalApiCalls: { column: sql.ref('u.calls'), id: usageId, fits: isCount },
  lastCall: { column: sql`coalesce(u.last_call_at, '-infinity')`, id: usageId, fits: isInstant },
} as const;

const isByCalls = (sort: CustomerFilter['sort']): boolean => sort.endsWith('totalApiCalls') || sort.endsWith('lastCall');

/**
 * Of so many customers those with the most or the last calls are found by looking up each one's, of more by going through all customers in the order
 * of their calls until a page is full. PostgreSQL would do the latter for a rare status too, and go through nearly every customer.
 */
const FEW = 4_000;

/** Each customer's calls, looked up one by one: `offset 0` prevents PostgreSQL from reading all rows for a join. */
const callsOneByOne = sql<{ customer_id: CustomerId; calls: number; last_call_at: Date | null }>`lateral (
  select customer_id, calls, last_call_at from usage.customer where customer_id = c.customer_id offset 0)`;

/** `matches` is how many there are, where that is known. */
const pageIn = (db: Database, filter: FilterAt, matches = Infinity) => {
  const calls = matches <= FEW ? callsOneByOne.as<'u'>(sql.ref('u')) : 'usage.customer as u';
  let query = matching(db, filter).$if(isByCalls(filter.sort), (all) => all.innerJoin(calls, 'u.customer_id', 'c.customer_id'));
  if (filter.status) query = query.where('c.status', '=', filter.status);
  return pageOfIds(query, orderIn(orders, filter.sort), filter);
};

const isByCreation = (sort: CustomerFilter['sort']): boolean => sort.endsWith('createdAt');

/** Whether an index has the customers of the filter's integrator and status in its order. */
const isIndexed = ({ serviceIntegratorId, status, sort }: FilterAt): boolean =>
  isByCreation(sort) || !(serviceIntegratorId || status);

/** The page, if it is among the first rows of its order, as that of a search that most customers match. */
const pageAmongFirst = async (db: Database, filter: FilterAt) => {
  if (!isIndexed(filter)) return null;
  const { serviceIntegratorId, status, cursor, sort, limit } = filter;
  const order = orderIn(orders, sort);
  const conditions = [
    ...(serviceIntegratorId ? [sql`c.integrator_id = ${serviceIntegratorId}`] : []),
    ...(status ? [sql`c.status = ${status}`] : []),
  ];
  const first = firstRows<Tables['read.customer']>(sql`read.customer c`, order, { cursor, conditions, limit });
  return fullPage(await pageOfIds(matching(db, filter, db.selectFrom(first.as<'c'>(sql.ref('c')))), order, filter));
};

/** Whether counting reads the rows of all matches, so that their page is best made of the same rows. */
const readsMatches = ({ search, tag, sort }: FilterAt): boolean => Boolean(search || tag) && !isByCalls(sort);

type Counts = CountEnd & { counts: StatusCounts };

const countsOf = async (db: Database, filter: FilterAt): Promise<Counts> => {
  const { search, deletionRequested, term, tag, plan, quota, serviceIntegratorId } = filter;
  if (!(search || deletionRequested || term || tag || plan || quota)) {
    return { counts: statusCountsOf(await tallyOf(db, 'customer', scopeOf(serviceIntegratorId))) };
  }
  const counts = statusCountsOf(await countFound(db, matching(db, filter).select('c.status as status')));
  return { counts, ...countEndAfter(counts.all) };
};

const COLUMNS = [
  'c.customer_id',
  'c.integrator_id',
  'c.name',
  'c.contact_email',
  'c.company',
  'c.license_sealed',
  'c.license_event',
  'c.status',
  'c.theme',
  'c.tier',
  'c.term_starts_at',
  'c.plan',
  'c.term_expires_at',
  'c.term_grace_days',
  'c.term_is_trial',
  'c.entitlements',
  'c.external_id',
  'c.tags',
  'c.notes',
  'c.custom_fields',
  'c.developer_seats',
  'c.stakeholder_seats',
  'c.active_developer_seats',
  'c.active_stakeholder_seats',
  'c.seat_limits_enforced',
  'c.has_password',
  'c.machine_approval_enforced',
  'c.machine_limit',
  'c.call_quota',
  'c.call_quota_notices',
  'c.idle_release_days',
  'c.floating_developer_minutes',
  'c.leased_developer_seats',
  'c.deletion_requested_at',
  'c.last_activity_at',
  'c.created_at',
] as const;

const rowsOf = (db: Database) =>
  db
    .selectFrom('read.customer as c')
    .leftJoin('read.integrator as i', 'i.integrator_id', 'c.integrator_id')
    .leftJoin('read.theme as t', (on) => on.on('t.theme_id', '=', themeIdIn('c.theme')))
    .leftJoin('usage.customer as u', 'u.customer_id', 'c.customer_id')
    .select(COLUMNS)
    .select(['i.company_name', 't.display_name as theme_display_name', 'u.calls', 'u.last_call_at'])
    .select(connectionsOf('c.customer_id').as('connections'))
    .select(sql<string>`c.revision::text`.as('revision'));

type ShownRow = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number];

/** Queries on customers. */
export const customerQueries = (db: Database, { open, lookUp, now, tenantSearch }: QueryDeps) => {
  const byId = lookUp('customers.byId', () => rowsOf(db).where('c.customer_id', '=', sql<CustomerId>`$1`));
  const byEachId = lookUp('customers.byEachId', () => rowsOf(db).where('c.customer_id', '=', sql<CustomerId>`any($1::uuid[])`));

  const found = async (row: ShownRow): Promise<{ customer: Customer; revision: bigint }> => ({
    customer: await shown(row, now().toISOString()),
    revision: BigInt(row.revision),
  });

  const byIds = async (ids: readonly CustomerId[]): Promise<Customer[]> => {
    if (ids.length === 0) return [];
    const at = now().toISOString();
    const customers = await Promise.all((await byEachId(ids)).map((row) => shown(row, at)));
    const found = new Map(customers.map((customer) => [customer.id, customer]));
    return ids.flatMap((id) => found.get(id) ?? []);
  };
  const withCustomers = async ({ ids, nextCursor }: IdPage<CustomerId>) => ({ customers: await byIds(ids), nextCursor });

  const shown = async (row: ShownRow, at: string): Promise<Customer> => ({
    id: row.customer_id,
    name: row.name,
    contactEmail: row.contact_email,
    company: row.company,
    licenseKey:
      row.license_sealed && row.license_event
        ? await open('customer', row.customer_id, row.license_event, 'licenseKey', row.license_sealed)
        : '',
    status: row.status,
    serviceIntegratorId: row.integrator_id,
    serviceIntegratorName: row.company_name ?? '',
    theme: row.theme,
    themeDisplayName: row.theme === null ? null : (row.theme_display_name ?? themeDisplayName(row.theme)),
    tier: row.tier,
    developerSeats: row.developer_seats,
    stakeholderSeats: row.stakeholder_seats,
    activeDeveloperSeats: row.active_developer_seats,
    activeStakeholderSeats: row.active_stakeholder_seats,
    seatLimitsEnforced: row.seat_limits_enforced,
    machineApprovalEnforced: row.machine_approval_enforced,
    ...(row.machine_limit !== null && { machineLimit: row.machine_limit }),
    ...(row.idle_release_days !== null && { idleReleaseDays: row.idle_release_days }),
    ...shownFloating(row.floating_developer_minutes, row.leased_developer_seats),
    totalApiCalls: row.calls ?? 0,
    activeConnections: row.connections,
    lastApiCall: row.last_call_at?.toISOString() ?? null,
    lastActivityAt: later(row.last_activity_at, row.last_call_at)?.toISOString() ?? null,
    hasPassword: row.has_password,
    deletionRequestedAt: row.deletion_requested_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    ...shownPlan(row.plan),
    ...shownTerm(termOf(row), at),
    ...shownEntitlements(row.entitlements),
    ...shownCallQuota(row.call_quota, row.call_quota_notices, at),
    ...shownRecords(recordsOf(row)),
  });

  const accounts = () =>
    db.selectFrom('read.customer').select(['customer_id as customerId', 'integrator_id as integratorId', 'status']);
  const accountById = lookUp('customers.accountById', () => accounts().where('customer_id', '=', sql<CustomerId>`$1`));
  const recordingById = lookUp('customers.recording', () =>
    db
      .selectFrom('read.customer')
      .select(['term_ends_at as endsAt', sql<boolean>`call_quota is not null`.as('hasCallQuota')])
      .select(sql<boolean>`floating_developer_minutes is not null`.as('isFloating'))
      .where('customer_id', '=', sql<CustomerId>`$1`),
  );
  const accountByDigest = lookUp('customers.accountByDigest', () => accounts().where('license_digest', '=', sql<Buffer>`$1`));

  return {
    /** A page of customers. `total` and `counts` are exact without filters but the service integrator and the status; with others, counting stops at 10,000. */
    list: async (wanted: CustomerFilter): Promise<CustomerPage> => {
      const searched = wanted.search ? tenantSearch : undefined;
      const filter = { ...wanted, at: now(), ...(searched && { serviceIntegratorId: searched.integratorId }) };
      const source = searched?.db ?? db;
      if (readsMatches(filter)) {
        const found = matching(source, filter);
        const { counted, page } = await foundPageOf({
          amongFirst: () => pageAmongFirst(source, filter),
          count: () => countFound(source, found.select('c.status as status')),
          countedPage: () => countedPageOf(source, found, sql.ref('c.status'), orderIn(orders, filter.sort), filter),
          pageOfMany: () => pageIn(source, filter),
          shown: withCustomers,
        });
        const counts = statusCountsOf(counted);
        return { ...page, total: counts[filter.status ?? 'all'], counts, ...countEndAfter(counts.all) };
      }
      const counting = countsOf(source, filter);
      const matches = isByCalls(filter.sort) ? (await counting).counts[filter.status ?? 'all'] : undefined;
      const [page, counted] = await Promise.all([pageIn(source, filter, matches).then(withCustomers), counting]);
      return { ...page, total: counted.counts[filter.status ?? 'all'], ...counted };
    },

    /** `revision` of the customer's stream, as its ETag. */
    get: async (id: CustomerId): Promise<{ customer: Customer; revision: bigint } | null> => {
      const [row] = await byId(id);
      return row ? found(row) : null;
    },

    /** The customer whose license key has this HMAC digest. */
    byLicenseKey: async (digest: Buffer): Promise<CustomerAccount | null> => (await accountByDigest(digest))[0] ?? null,

    /** The integrator of a customer, and whether it may sign in; opens no envelope. */
    account: async (id: CustomerId): Promise<CustomerAccount | null> => (await accountById(id))[0] ?? null,

    /** What limits the calls of a license: when it stops working, null if never, and whether it has a quota or floating seats. */
    recording: async (id: CustomerId): Promise<{ endsAt: Date | null; hasCallQuota: boolean; isFloating: boolean }> =>
      (await recordingById(id))[0] ?? { endsAt: null, hasCallQuota: false, isFloating: false },

    /** The newest customers, of an integrator or of all. */
    recent: async (n: number, integratorId?: IntegratorId): Promise<Customer[]> => {
      const { ids } = await pageIn(db, { sort: '-createdAt', limit: n, serviceIntegratorId: integratorId, at: now() });
      return byIds(ids);
    },

    /** Ids in ascending order, a page at a time: `after` is the last one of the page before. */
    ids: async (of: { integratorId?: IntegratorId; theme?: string; after?: CustomerId; limit?: number }): Promise<CustomerId[]> => {
      let query = db
        .selectFrom('read.customer')
        .select('customer_id')
        .orderBy('customer_id')
        .limit(of.limit ?? 1000);
      if (of.integratorId) query = query.where('integrator_id', '=', of.integratorId);
      if (of.theme) query = query.where('theme', '=', of.theme);
      if (of.after) query = query.where('customer_id', '>', of.after);
      return (await query.execute()).map((row) => row.customer_id);
    },
  };
};

const later = (one: Date | null, other: Date | null): Date | null => {
  if (!one || !other) return one ?? other;
  return one > other ? one : other;
};
