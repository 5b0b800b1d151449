import { type SelectQueryBuilder, sql } from 'kysely';
import type { AccountStatus } from '../../contracts/fields.ts';
import type { IntegratorQuery, ServiceIntegrator } from '../../contracts/integrators.ts';
import type { StatusCounts } from '../../contracts/replies.ts';
import { room, topic } from '../../contracts/topics.ts';
import type { Database } from '../../database/database.ts';
import type { Tables } from '../../database/tables.ts';
import type { IntegratorId } from '../../domain/ids.ts';
import { announce, type Change } from '../changes.ts';
import { cursorOf, isInstant, isText, type Place, placeOf } from '../cursor.ts';
import type { QueryDeps } from '../queries.ts';
import { EVERYTHING } from '../scope.ts';
import { COUNT_LIMIT, patternOf } from '../search.ts';
import { statusCountsOf } from '../statusCounts.ts';

/** `searchDigest`: of the search text as a master licence key. */
export type IntegratorFilter = IntegratorQuery & { searchDigest?: Buffer | undefined };
export type IntegratorAccount = { integratorId: IntegratorId; status: AccountStatus };
export type IntegratorPage = {
  serviceIntegrators: ServiceIntegrator[];
  total: number;
  counts: StatusCounts;
  nextCursor: string | null;
};
/** Whose brand a host shows, once it is verified. */
export type DomainOwner = {
  integratorId: IntegratorId;
  companyName: string;
  logoUrl: string | null;
  primaryColor: string | null;
  status: AccountStatus;
  whiteLabelEnabled: boolean;
  verified: boolean;
};

type Filtered = SelectQueryBuilder<Tables & { i: Tables['read.integrator'] }, 'i', object>;

/** Integrators that match the search, of whatever status. */
const matching = (db: Database, { search, searchDigest }: IntegratorFilter): Filtered => {
  let query: Filtered = db.selectFrom('read.integrator as i');
  if (search) {
    query = query.where((where) => {
      const text = where('i.search', 'like', patternOf(search));
      return searchDigest ? where.or([text, where('i.master_digest', '=', searchDigest)]) : text;
    });
  }
  return query;
};

const orders = {
  createdAt: { column: 'i.created_at', fits: isInstant },
  companyName: { column: 'i.sort_name', fits: isText },
} as const;

const pageOfIds = async (db: Database, filter: IntegratorFilter): Promise<(Place & { id: IntegratorId })[]> => {
  const descending = filter.sort.startsWith('-');
  const { column, fits } = orders[filter.sort.replace('-', '') as keyof typeof orders];
  const direction = descending ? 'desc' : 'asc';
  let query = matching(db, filter)
    .select('i.integrator_id as id')
    .select(sql<string | Date>`${sql.ref(column)}`.as('value'))
    .orderBy(sql.ref(column), direction)
    .orderBy('i.integrator_id', direction)
    .limit(filter.limit + 1);
  if (filter.status) query = query.where('i.status', '=', filter.status);
  if (filter.cursor !== undefined) {
    const { value, id } = placeOf(filter.cursor, filter.sort, fits);
    const row = sql`(${sql.ref(column)}, i.integrator_id)`;
    query = query.where(descending ? sql<boolean>`${row} < (${value}, ${id})` : sql<boolean>`${row} > (${value}, ${id})`);
  }
  const rows = await query.execute();
  return rows.map(({ id, value }) => ({ id, value: value instanceof Date ? value.toISOString() : value }));
};

const countsOf = async (db: Database, filter: IntegratorFilter): Promise<StatusCounts> => {
  const rows = filter.search
    ? await db
        .selectFrom(matching(db, filter).select('i.status as status').limit(COUNT_LIMIT).as('found'))
        .select(['status', (count) => count.fn.countAll<number>().as('n')])
        .groupBy('status')
        .execute()
    : await db
        .selectFrom('read.tally')
        .select(['name as status', 'n'])
        .where('kind', '=', 'integrator')
        .where('scope', '=', EVERYTHING)
        .execute();
  return statusCountsOf(rows);
};

const changeOf = (integratorId: IntegratorId): Change[] => [
  { topic: topic.integrator(integratorId), rooms: [room.integrator(integratorId), room.admin] },
  { topic: topic.integrators(), rooms: [room.admin] },
];

const verified = sql<boolean>`coalesce(v.host = i.custom_domain, false)`;

/** Queries on service integrators. */
export const integratorQueries = (db: Database, { open }: QueryDeps) => {
  const byIds = async (ids: readonly IntegratorId[]): Promise<{ serviceIntegrator: ServiceIntegrator; revision: bigint }[]> => {
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom('read.integrator as i')
      .leftJoin('ops.verified_domain as v', 'v.integrator_id', 'i.integrator_id')
      .selectAll('i')
      .select(verified.as('verified'))
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
      const [places, counts] = await Promise.all([pageOfIds(db, filter), countsOf(db, filter)]);
      const page = places.slice(0, filter.limit);
      const last = page.at(-1);
      return {
        serviceIntegrators: (await byIds(page.map(({ id }) => id))).map(({ serviceIntegrator }) => serviceIntegrator),
        total: counts[filter.status ?? 'all'],
        counts,
        nextCursor: places.length > filter.limit && last ? cursorOf(filter.sort, last) : null,
      };
    },

    /** `revision` of the integrator's stream, as its ETag. */
    get: async (id: IntegratorId): Promise<{ serviceIntegrator: ServiceIntegrator; revision: bigint } | null> =>
      (await byIds([id]))[0] ?? null,

    /** Whose master licence key has this HMAC digest. */
    byMasterKey: (digest: Buffer): Promise<IntegratorAccount | null> => accountWhere('master_digest', digest),

    /** Whether it may sign in; opens no envelope. */
    account: (id: IntegratorId): Promise<IntegratorAccount | null> => accountWhere('integrator_id', id),

    /** Who has taken a custom domain, verified or not. `host` in lower case, without a port. */
    byDomain: async (host: string): Promise<DomainOwner | null> => {
      const row = await db
        .selectFrom('read.integrator as i')
        .leftJoin('ops.verified_domain as v', 'v.integrator_id', 'i.integrator_id')
        .leftJoin('read.theme_catalogue as k', 'k.integrator_id', 'i.integrator_id')
        .leftJoin('read.theme as t', 't.theme_id', 'k.default_theme_id')
        .select([
          'i.integrator_id as integratorId',
          'i.company_name as companyName',
          'i.logo_url as logoUrl',
          't.primary_color as primaryColor',
          'i.status',
          'i.white_label_enabled as whiteLabelEnabled',
        ])
        .select(verified.as('verified'))
        .where('i.custom_domain', '=', host)
        .orderBy(verified, 'desc')
        .orderBy('i.integrator_id')
        .executeTakeFirst();
      return row ?? null;
    },

    /** Custom domains in use whose TXT record was seen, or was not yet. */
    domains: (of: { verified: boolean }): Promise<{ integratorId: IntegratorId; host: string }[]> =>
      db
        .selectFrom('read.integrator as i')
        .leftJoin('ops.verified_domain as v', 'v.integrator_id', 'i.integrator_id')
        .select(['i.integrator_id as integratorId', 'i.custom_domain as host'])
        .where('i.custom_domain', 'is not', null)
        .where(sql<boolean>`${verified} = ${of.verified}`)
        .orderBy('i.integrator_id')
        .$narrowType<{ host: string }>()
        .execute(),

    /** Keeps what a look-up of the TXT record said of a domain that is in use; null where it was not there. */
    markDomain: async (integratorId: IntegratorId, host: string, verifiedAt: Date | null): Promise<void> => {
      const { numAffectedRows } = await (verifiedAt
        ? sql`
            insert into ops.verified_domain as v (integrator_id, host, verified_at)
            select integrator_id, custom_domain, ${verifiedAt}::timestamptz from read.integrator
            where integrator_id = ${integratorId} and custom_domain = ${host}
            on conflict (integrator_id) do update set host = excluded.host, verified_at = excluded.verified_at
            where v.host <> excluded.host`
        : sql`delete from ops.verified_domain where integrator_id = ${integratorId} and host = ${host}`
      ).execute(db);
      if (numAffectedRows) await announce(db, changeOf(integratorId));
    },
  };
};

type ShownRow = Omit<Tables['read.integrator'], 'revision'> & { verified: boolean; customer_count: number | null };
