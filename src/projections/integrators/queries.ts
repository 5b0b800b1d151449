import { type SelectQueryBuilder, sql } from 'kysely';
import type { IntegratorQuery, ServiceIntegrator } from '../../contracts/integrators.ts';
import type { StatusCounts } from '../../contracts/replies.ts';
import type { Database } from '../../database/database.ts';
import type { Tables } from '../../database/tables/tables.ts';
import type { AccountStatus } from '../../domain/enumerations.ts';
import type { IntegratorId } from '../../domain/ids.ts';
import { isCount, isInstant, isText } from '../lists/cursor.ts';
import { orderIn, pageOfIds } from '../lists/paging.ts';
import { type CountEnd, countEndAfter, findsAccount } from '../lists/search.ts';
import { countFound, statusCountsOf, tallyOf } from '../lists/statusCounts.ts';
import type { QueryDeps } from '../queryDeps.ts';
import { EVERYTHING } from '../scope.ts';
import { domainQueries, expiresAt, releaseOf, verified } from './domains.ts';

/** `keyFragments`: of the search text as part of a master license key, so that the key's owner is found too. */
export type IntegratorFilter = IntegratorQuery & { keyFragments?: readonly number[] };
export type IntegratorAccount = { integratorId: IntegratorId; status: AccountStatus };
export type IntegratorPage = CountEnd & {
  serviceIntegrators: ServiceIntegrator[];
  total: number;
  counts: StatusCounts;
  nextCursor: string | null;
};
type Filtered = SelectQueryBuilder<Tables & { i: Tables['read.integrator'] }, 'i', object>;

/** Integrators that match the search, of whatever status. */
const matching = (db: Database, { search, keyFragments = [] }: IntegratorFilter): Filtered => {
  let query: Filtered = db.selectFrom('read.integrator as i');
  if (search) query = query.where(findsAccount('i', search, keyFragments));
  return query;
};

const id = sql.ref<IntegratorId>('i.integrator_id');
const orders = {
  createdAt: { column: sql.ref('i.created_at'), id, fits: isInstant },
  companyName: { column: sql.ref('i.sort_name'), id, fits: isText },
  customerCount: { column: sql`coalesce(t.n, 0)`, id, fits: isCount },
} as const;

/** The customers of each integrator. They are few rows without an index of their order: three of each integrator. */
const customersOfEach = sql<{ scope: string; n: number }>`(
  select scope, sum(n)::int8 as n from read.tally where kind = 'customer' group by scope)`;

const pageIn = (db: Database, filter: IntegratorFilter) => {
  let query = matching(db, filter).$if(filter.sort.endsWith('customerCount'), (all) =>
    all.leftJoin(customersOfEach.as('t'), 't.scope', 'i.integrator_id'),
  );
  if (filter.status) query = query.where('i.status', '=', filter.status);
  return pageOfIds(query, orderIn(orders, filter.sort), filter);
};

const countsOf = async (db: Database, filter: IntegratorFilter): Promise<CountEnd & { counts: StatusCounts }> => {
  if (!filter.search) return { counts: statusCountsOf(await tallyOf(db, 'integrator', EVERYTHING)) };
  const counts = statusCountsOf(await countFound(db, matching(db, filter).select('i.status as status')));
  return { counts, ...countEndAfter(counts.all) };
};

/** Queries on service integrators. */
export const integratorQueries = (db: Database, { open, now }: QueryDeps) => {
  const byIds = async (ids: readonly IntegratorId[]): Promise<{ serviceIntegrator: ServiceIntegrator; revision: bigint }[]> => {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom('read.integrator as i')
      .leftJoin('ops.verified_domain as v', 'v.integrator_id', 'i.integrator_id')
      .selectAll('i')
      .select(verified.as('verified'))
      .select(expiresAt.as('domain_expires_at'))
      .select(['v.released_host', 'v.released_reason', 'v.released_at'])
      .select((customers) =>
        customers
          .selectFrom('read.tally')
          .select(sql<number>`coalesce(sum(n), 0)::int8`.as('n'))
          .where('kind', '=', 'customer')
          .whereRef('scope', '=', 'i.integrator_id')
          .as('customer_count'),
      )
      .select(sql<string>`i.revision::text`.as('revision'))
      .where('i.integrator_id', 'in', ids)
      .execute();
    const found = await Promise.all(
      rows.map(async (row) => ({ serviceIntegrator: await shown(row), revision: BigInt(row.revision) })),
    );
    const byId = new Map(found.map((entry) => [entry.serviceIntegrator.id, entry]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  };

  const shown = async (row: ShownRow): Promise<ServiceIntegrator> => ({
    id: row.integrator_id,
    companyName: row.company_name,
    name: row.company_name,
    contactEmail: row.contact_email,
    billingEmail: row.billing_email,
    masterLicenseKey:
      row.master_sealed && row.master_event
        ? await open('integrator', row.integrator_id, row.master_event, 'masterLicenseKey', row.master_sealed)
        : '',
    status: row.status,
    whiteLabelEnabled: row.white_label_enabled,
    customDomain: row.custom_domain,
    domainVerified: row.verified,
    domainExpiresAt: row.domain_expires_at?.toISOString() ?? null,
    releasedDomain: releaseOf(row),
    logoUrl: row.logo_url,
    customerCount: row.customer_count ?? 0,
    createdAt: row.created_at.toISOString(),
  });

  const accountWhere = async (
    column: 'integrator_id' | 'master_digest',
    value: IntegratorId | Buffer,
  ): Promise<IntegratorAccount | null> => {
    const row = await db
      .selectFrom('read.integrator')
      .select(['integrator_id as integratorId', 'status'])
      .where(column, '=', value)
      .executeTakeFirst();
    return row ?? null;
  };

  return {
    /** A page of integrators. `total` and `counts` are exact without a search; with one, counting stops at 10,000. */
    list: async (filter: IntegratorFilter): Promise<IntegratorPage> => {
      const [{ ids, nextCursor }, counted] = await Promise.all([pageIn(db, filter), countsOf(db, filter)]);
      const found = await byIds(ids);
      return {
        serviceIntegrators: found.map(({ serviceIntegrator }) => serviceIntegrator),
        total: counted.counts[filter.status ?? 'all'],
        ...counted,
        nextCursor,
      };
    },

    /** `revision` of the integrator's stream, as its ETag. */
    get: async (id: IntegratorId): Promise<{ serviceIntegrator: ServiceIntegrator; revision: bigint } | null> =>
      (await byIds([id]))[0] ?? null,

    /** The integrator whose master license key has this HMAC digest. */
    byMasterKey: (digest: Buffer): Promise<IntegratorAccount | null> => accountWhere('master_digest', digest),

    /** Whether it may sign in; opens no envelope. */
    account: (id: IntegratorId): Promise<IntegratorAccount | null> => accountWhere('integrator_id', id),

    ...domainQueries(db, { now }),
  };
};

type ShownRow = Omit<Tables['read.integrator'], 'revision'> &
  Pick<{ [Column in keyof Claim]: Claim[Column] | null }, 'released_host' | 'released_reason' | 'released_at'> & {
    verified: boolean;
    domain_expires_at: Date | null;
    customer_count: number | null;
  };
type Claim = Tables['ops.verified_domain'];
