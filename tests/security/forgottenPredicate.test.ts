import { randomUUID } from 'node:crypto';
import {
  type BinaryOperationNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  type RawNode,
  RawNode as RawNodes,
} from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { type Lookup, lookUpWith } from '../../src/database/lookup.ts';
import { prepareDatabase } from '../../src/database/prepare.ts';
import type { DatabaseUrls } from '../../src/database/roles.ts';
import { connectTenants, type Tenant, type TenantDatabases } from '../../src/database/tenants.ts';
import type { ApiTokenId, CredentialId, CustomerId, IntegratorId, ThemeId, UserId } from '../../src/domain/ids.ts';
import { teamIdOf } from '../../src/domain/team/teamId.ts';
import { encodeRecord } from '../../src/projections/calls/records.ts';
import { createQueries, createTenantQueries, type Queries } from '../../src/projections/queries.ts';
import type { QueryDeps } from '../../src/projections/queryDeps.ts';
import { limitCallCounts } from '../../src/projections/usage/filtered.ts';
import { ALL_USERS } from '../../src/projections/usage/hours.ts';
import { openParts, pushNumber, textBytes, uuidBytes } from '../../src/projections/usage/parts.ts';
import { apiCallsRecorded, recordedCall } from '../support/builders/activity.ts';
import { metaOf } from '../support/builders/command.ts';
import { openDatabase, type TestDatabase } from '../support/stores.ts';

/** The columns by which the product's queries choose whose rows they read. */
const CHOOSING = [
  'customer_id',
  'integrator_id',
  'scope',
  'user_id',
  'theme_id',
  'credential_id',
  'instance_key',
  'source_id',
  'license_digest',
  'master_digest',
  'custom_domain',
  'theme',
  'kind',
];

const isChoosing = (node: OperationNode): boolean => {
  const reference = node as unknown as { kind: string; column?: { column?: { name: string } } };
  return reference.kind === 'ReferenceNode' && CHOOSING.includes(reference.column?.column?.name ?? '');
};

/** Removes the predicates that choose rows by a value, and keeps joins. */
class WithoutPredicates extends OperationNodeTransformer {
  protected override transformBinaryOperation(node: BinaryOperationNode): BinaryOperationNode {
    const { leftOperand, rightOperand } = node;
    if (!isChoosing(leftOperand) || rightOperand.kind === 'ReferenceNode') return super.transformBinaryOperation(node);
    const key = rightOperand.kind === 'RawNode' ? /\$\d+/.exec((rightOperand as RawNode).sqlFragments.join(''))?.[0] : undefined;
    // A prepared statement has to keep its parameters.
    return RawNodes.createWithSql(key ? `(true or ${key}::text is null)` : 'true') as unknown as BinaryOperationNode;
  }

  protected override transformRaw(node: RawNode): RawNode {
    const raw = super.transformRaw(node);
    const sqlFragments = raw.sqlFragments.map((text) =>
      text
        .replace(/(?<![.\w])\w+\.(customer_id|integrator_id|audit_integrator_id|user_id) = $/, 'true or null = ')
        .replace(/(?<![.\w])\w+\.(customer_id|user_id) = any\($/, 'true or null = any('),
    );
    return { ...raw, sqlFragments };
  }
}

const transformer = new WithoutPredicates();
const withoutPredicates: KyselyPlugin = {
  transformQuery: ({ node }) => transformer.transformNode(node),
  transformResult: async ({ result }) => result,
};

let database: TestDatabase;
let urls: DatabaseUrls;
let tenants: TenantDatabases;
let system: ReturnType<typeof connectDatabase>;
let owner: pg.Client;

/** An integrator with a customer, and a row of the two in every table. `mark` is in every text of them. */
type Owner = {
  mark: Mark;
  integratorId: IntegratorId;
  customerId: CustomerId;
  userId: UserId;
  themeId: ThemeId;
  credentialId: CredentialId;
  memberId: UserId;
  tokenId: ApiTokenId;
  /** An entry of the customer's history. */
  entryId: string;
};

const DIGEST = Buffer.alloc(32, 1);
const TODAY = '2026-01-31';
const HISTOGRAM = Buffer.alloc(0);
/** One UTC day is read whole, and its neighbours by hour. */
const USAGE = { zone: 'America/Santiago', from: '2026-01-30', to: TODAY, today: TODAY };

/** How many there are of everything that is counted, by mark. */
const COUNTS = { alpha: 4_242, beta: 5_353 } as const;
type Mark = keyof typeof COUNTS;

/** An id without the digits of a count, by which the tests recognize whose rows a reply has. */
const newId = (): string => {
  const id = randomUUID();
  return Object.values(COUNTS).some((count) => id.includes(String(count))) ? newId() : id;
};

const fill = async (mark: Mark): Promise<Owner> => {
  const made = {
    mark,
    integratorId: newId() as IntegratorId,
    customerId: newId() as CustomerId,
    userId: newId() as UserId,
    themeId: newId() as ThemeId,
    credentialId: newId() as CredentialId,
    memberId: newId() as UserId,
    tokenId: newId() as ApiTokenId,
    entryId: newId(),
  };
  const { integratorId, customerId, userId, themeId, credentialId, memberId, tokenId, entryId } = made;
  const insert = (table: string, row: Record<string, unknown>): Promise<unknown> =>
    owner.query(
      `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.keys(row).map((_, index) => `$${index + 1}`)})`,
      Object.values(row),
    );
  const now = new Date('2026-01-31T12:00:00Z');
  const count = COUNTS[mark];
  const counts = { calls: count, errors: count, total_ms: count };
  const position = mark === 'alpha' ? 10 : 20;
  await insert('read.integrator', {
    integrator_id: integratorId,
    company_name: mark,
    contact_email: mark,
    billing_email: mark,
    master_digest: DIGEST,
    status: 'active',
    white_label_enabled: true,
    custom_domain: `${mark}.example`,
    created_at: now,
    sort_name: mark,
    search: mark,
    revision: 1,
  });
  await insert('read.notice', {
    user_id: memberId,
    notice_id: newId(),
    team_id: teamIdOf({ kind: 'integrator', integratorId }),
    integrator_id: integratorId,
    kind: 'new_sign_in',
    at: now,
    address: mark,
  });
  await insert('read.member', {
    user_id: memberId,
    team_id: teamIdOf({ kind: 'integrator', integratorId }),
    integrator_id: integratorId,
    name: mark,
    email: mark,
    email_key: mark,
    role: 'owner',
    status: 'joined',
    invited_at: now,
    has_password: true,
    has_second_factor: false,
    sort_name: mark,
  });
  await insert('read.api_token', {
    token_id: tokenId,
    team_id: teamIdOf({ kind: 'integrator', integratorId }),
    integrator_id: integratorId,
    name: mark,
    scopes: '[]',
    networks: mark,
    token_hash: mark,
    created_at: now,
    expires_at: now,
  });
  await insert('read.customer', {
    customer_id: customerId,
    integrator_id: integratorId,
    name: mark,
    contact_email: mark,
    license_digest: DIGEST,
    status: 'active',
    theme: themeId,
    tier: 'ENT',
    developer_seats: 1,
    stakeholder_seats: 1,
    active_developer_seats: 0,
    active_stakeholder_seats: 0,
    seat_limits_enforced: true,
    created_at: now,
    sort_name: mark,
    search: `${mark}\nfound`,
    revision: 1,
  });
  await insert('read.portal_user', {
    user_id: userId,
    customer_id: customerId,
    integrator_id: integratorId,
    username: mark,
    email: mark,
    role: 'developer',
    status: 'active',
    created_at: now,
    sort_name: mark,
    search: `${mark}\nfound`,
    seat: 'developer',
    seat_since: now,
  });
  await insert('usage.user_call', { customer_id: customerId, user_id: userId, last_call_at: now });
  const machine = { user_id: userId, customer_id: customerId, integrator_id: integratorId, machine_name: mark };
  await insert('read.machine', { ...machine, machine_id: `${mark}-1`, state: 'approved', approved_at: now });
  await insert('read.machine', {
    ...machine,
    machine_id: `${mark}-2`,
    state: 'pending',
    request_id: newId(),
    requested_at: now,
    expires_at: '2999-01-01T00:00:00Z',
  });
  await insert('read.theme_catalogue', { integrator_id: integratorId, default_theme_id: themeId, revision: 1 });
  await insert('read.theme', {
    theme_id: themeId,
    integrator_id: integratorId,
    theme_name: mark,
    display_name: mark,
    primary_color: '#000000',
    is_active: true,
    created_at: now,
    updated_at: now,
  });
  await insert('read.credential', {
    credential_id: credentialId,
    customer_id: customerId,
    service: 'jira',
    instance_url: mark,
    instance_key: newId(),
    username: mark,
    has_api_token: false,
    created_at: now,
    revision: 1,
  });
  const entry = {
    at: now,
    category: 'customer',
    type: 'X',
    actor_kind: 'customer',
    actor_id: customerId,
    summary: mark,
    facts: '{"now":{},"before":{}}',
  };
  await insert('read.history', {
    ...{ position, revision: 0, id: entryId, customer_id: customerId, audit_integrator_id: integratorId },
    ...entry,
  });
  await insert('read.history', {
    ...{ position: position + 1, revision: 0, id: newId() },
    ...{ theme_id: themeId, integrator_id: integratorId },
    ...entry,
  });
  await insert('read.history', { position: position + 2, revision: 0, id: newId(), integrator_id: integratorId, ...entry });
  // What administrators wrote about the status of the service integrator.
  await insert('read.history', {
    ...{ position: position + 3, revision: 0, id: newId(), integrator_id: integratorId },
    ...{ ...entry, type: 'IntegratorSuspended', summary: 'unpaid' },
  });
  await insert('read.history', {
    ...{ position: position + 4, revision: 0, id: newId(), customer_id: customerId, audit_integrator_id: integratorId },
    ...{ ...entry, at: new Date(), category: 'seatDenials', type: 'SeatDenied' },
    facts: JSON.stringify({ now: { username: mark, kind: 'developer', reason: 'user_inactive', count }, before: {} }),
  });
  await insert('read.sign_in', {
    ...{ position, revision: 0, id: newId(), at: now, first_at: now, audience: 'customer', outcome: 'accepted' },
    ...{ address: mark, customer_id: customerId, integrator_id: integratorId, keys: 1, n: count },
  });
  const seats = {
    customer_id: customerId,
    kind: 'developer',
    held: 1,
    seat_limit: count,
    peak: count,
    held_ms: 1,
    above_limit_ms: 0,
  };
  await insert('read.seat_quarter', { ...seats, at: new Date('2026-01-31T09:00:00Z') });
  await insert('read.seat_count', { ...seats, at: new Date('2026-01-31T10:00:00Z'), counted_to: new Date('2026-01-31T10:01:00Z') });
  await insert('read.theme_span', { customer_id: customerId, theme_id: themeId, from_position: 1 });
  await insert('read.tally', { kind: 'customer', scope: integratorId, name: 'active', n: count });
  await insert('read.tally', { kind: 'theme', scope: themeId, name: 'customers', n: count });
  await insert('read.stat_day', {
    scope: integratorId,
    day: TODAY,
    registered: count,
    customers: 1,
    active: 1,
    integrators_registered: 0,
    integrators: 0,
  });
  await insert('usage.customer', { customer_id: customerId, integrator_id: integratorId, ...counts });
  const key = newId();
  const part = { calls: count, errors: 1, totalMs: count, lastAt: Date.parse(TODAY) + 36_000_000 };
  const parts = openParts(undefined, Date.parse(TODAY));
  parts.add('u', 0, uuidBytes(userId), part);
  parts.add('i', 0, uuidBytes(key), part);
  await insert('usage.day', { customer_id: customerId, day: TODAY, histogram: HISTOGRAM, parts: parts.encode(), ...counts });
  await insert('usage.instance', {
    customer_id: customerId,
    instance_key: key,
    service: 'jira',
    instance_url: mark,
    last_at: now,
    ...counts,
  });
  const quarter: number[] = [];
  for (const value of [0, count, count, count, 0]) pushNumber(quarter, value);
  const hours = openParts(undefined, Date.parse(`${TODAY}T10:00:00Z`));
  hours.add('o', 0, textBytes(mark), part);
  for (const caller of [ALL_USERS, userId]) {
    await insert('usage.call_hour', {
      customer_id: customerId,
      user_id: caller,
      at: `${TODAY}T10:00:00Z`,
      quarters: Buffer.from(quarter),
      parts: hours.encode(),
    });
  }
  await insert('usage.call_chunk', {
    customer_id: customerId,
    day: TODAY,
    chunk: 0,
    early: 2 ** 40,
    late: 0,
    errors: 0,
    records: encodeRecord({
      daysLater: 0,
      revision: 0,
      services: 1,
      digests: [1, 2, 3, 4],
      ranges: null,
      seconds: [{ second: 36_000, calls: 1, errors: 0 }],
    }),
  });
  await insert('usage.scope_day', { scope: integratorId, day: TODAY, ...counts });
  await insert('usage.source', { customer_id: customerId, source_id: mark, seen: `{[1,${count + 1})}` });
  await insert('usage.not_included', { customer_id: customerId, at: now, service: 'jira', calls: count });
  await insert('usage.void', {
    customer_id: customerId,
    position: 1, // before the calls, which still count
    void_id: newId(),
    source_id: mark,
    reason: mark,
    at: now,
    actor_kind: 'integrator',
    actor_id: integratorId,
    calls: count,
    errors: 1,
    users: 1,
  });
  await insert('usage.deleted', { customer_id: customerId });
  const connection = { connection_id: newId(), user_id: userId, customer_id: customerId };
  await insert('usage.connection', connection);
  await insert('live.connection', {
    ...connection,
    integrator_id: integratorId,
    node: mark,
    connected_at: now,
    lease_until: '2100-01-01',
  });
  await insert('ops.verified_domain', { integrator_id: integratorId, host: `${mark}.example`, verified_at: now });
  return made;
};

let alpha: Owner;
let beta: Owner;

/** The event that the index of calls finds, with the name of its customer. */
const readCalls: QueryDeps['readCalls'] = async (customerId) => {
  const { mark, userId } = customerId === alpha.customerId ? alpha : beta;
  const call = recordedCall({ at: `${TODAY}T10:00:00.000Z`, operation: mark });
  const event = apiCallsRecorded({ customerId, userId, sourceId: mark, firstSequence: 1, calls: [call] });
  const stream = `apiCalls-${customerId}.${TODAY.replaceAll('-', '')}` as const;
  return [{ id: newId(), stream, revision: 0n, position: 1n, event, meta: metaOf({}), storedAt: 0, sealed: {} }];
};

const reading = {
  open: async () => '',
  openAddress: async () => '',
  readCalls,
  hasCallsAfter: async () => false,
  callCounts: limitCallCounts(),
  now: () => new Date('2026-01-31T12:00:00Z'),
};

const strippedOn = ({ db, lookUp }: { db: Database; lookUp: Lookup }): Queries =>
  createQueries(db.withPlugin(withoutPredicates), { ...reading, lookUp });

/** The tenants' databases, in which queries have lost their predicates. */
const strippedTenants: Pick<TenantDatabases, 'of'> = {
  of: (tenant) => {
    const { db, lookUp } = tenants.of(tenant);
    return { db: db.withPlugin(withoutPredicates), lookUp };
  },
};

/** The queries without their predicates, for a tenant whose rows row-level security selects. */
const strippedAs = (tenant: Tenant | null): Queries => createTenantQueries(strippedTenants, tenant, system.db, reading);

beforeAll(async () => {
  database = await openDatabase();
  const onError = () => undefined;
  ({ urls } = await prepareDatabase(database.databaseUrl, null, { onError }));
  owner = new pg.Client({ connectionString: database.databaseUrl });
  await owner.connect();
  tenants = connectTenants(urls.tenant, { max: 2, onError });
  system = connectDatabase(urls.system, { max: 2, onError });
  alpha = await fill('alpha');
  beta = await fill('beta');
});

afterAll(async () => {
  await tenants.close();
  await system.db.destroy();
  await owner.end();
  await database.close();
});

const everythingOf = async (generator: AsyncGenerator<unknown>): Promise<unknown[]> => {
  const all: unknown[] = [];
  for await (const entry of generator) all.push(entry);
  return all;
};

type Call = (queries: Queries, whose: Owner) => Promise<unknown>;

const FIRST = { limit: 100, sort: '-createdAt' } as const;

/** Every query of a tenant's request, with the ids of an owner. Queries of the system only are null, with the reason. */
const calls: { [Group in keyof Queries]: Record<keyof Queries[Group], Call | null> } = {
  customers: {
    list: (queries, { integratorId }) => queries.customers.list({ ...FIRST, serviceIntegratorId: integratorId }),
    get: (queries, { customerId }) => queries.customers.get(customerId),
    byLicenseKey: (queries) => queries.customers.byLicenseKey(DIGEST),
    account: (queries, { customerId }) => queries.customers.account(customerId),
    recording: (queries, { customerId }) => queries.customers.recording(customerId),
    recent: (queries, { integratorId }) => queries.customers.recent(10, integratorId),
    ids: (queries, { integratorId }) => queries.customers.ids({ integratorId }),
  },
  integrators: {
    list: (queries) => queries.integrators.list({ ...FIRST }),
    get: (queries, { integratorId }) => queries.integrators.get(integratorId),
    byMasterKey: (queries) => queries.integrators.byMasterKey(DIGEST),
    account: (queries, { integratorId }) => queries.integrators.account(integratorId),
    brandOf: (queries, { integratorId }) => queries.integrators.brandOf(integratorId),
    byDomain: (queries, { mark }) => queries.integrators.byDomain(`${mark}.example`),
    domains: (queries) => queries.integrators.domains({ verified: true }),
    startClaim: null, // these write, as the system
    markDomain: null,
    markReleased: null,
  },
  users: {
    list: (queries, { customerId }) => queries.users.list({ ...FIRST, customerId }),
    get: (queries, { userId }) => queries.users.get(userId),
    owner: (queries, { userId }) => queries.users.owner(userId),
    ids: (queries, { customerId }) => queries.users.ids(customerId),
  },
  seats: {
    list: (queries, { customerId }) => queries.seats.list({ limit: 100, sort: 'idleSince', customerId }),
    peaks: async (queries, { customerId }) => (await queries.seats.peaks([customerId], Date.parse('2026-01-01')))(customerId),
    utilization: (queries, { customerId }) => queries.seats.utilization(customerId, USAGE, Date.parse('2026-01-31T12:00:00Z')),
  },
  machines: {
    approved: (queries, { userId }) => queries.machines.approved([userId]),
    pending: (queries, { userId }) => queries.machines.pending({ userId }, new Date().toISOString()),
  },
  team: {
    members: (queries, { integratorId }) => queries.team.members(teamIdOf({ kind: 'integrator', integratorId })),
    member: (queries, { integratorId, memberId }) => queries.team.member(teamIdOf({ kind: 'integrator', integratorId }), memberId),
    notices: (queries, { integratorId, memberId }) =>
      queries.team.notices(teamIdOf({ kind: 'integrator', integratorId }), memberId),
    passkeys: (queries, { integratorId, memberId }) =>
      queries.team.passkeys(teamIdOf({ kind: 'integrator', integratorId }), memberId),
    policy: null, // the default where no row is found, for anybody
    names: (queries, { memberId }) => queries.team.names([memberId]),
    actorsIn: (queries, { integratorId }) => queries.team.actorsIn({ ownIntegratorId: integratorId }),
    byInvitation: null, // sign-ins, as the system
    byEmail: null,
    byUserId: null,
  },
  apiTokens: {
    list: (queries, { integratorId }) => queries.apiTokens.list(teamIdOf({ kind: 'integrator', integratorId })),
    get: (queries, { integratorId, tokenId }) => queries.apiTokens.get(teamIdOf({ kind: 'integrator', integratorId }), tokenId),
    names: (queries, { tokenId }) => queries.apiTokens.names([tokenId]),
    byHash: null, // requests with a token, as the system
  },
  tools: {
    users: async (queries, { userId }) => [...(await queries.tools.users([userId]))],
    customers: (queries, { customerId }) => queries.tools.customers([customerId]),
    roles: async (queries, { userId }) => [...(await queries.tools.roles([userId]))],
  },
  usage: {
    of: (queries, { customerId }) =>
      Promise.all([
        queries.usage.of({ customerId }, { ...USAGE, withUsers: true }),
        queries.usage.of({ customerId }, { ...USAGE, withUsers: true, filter: { service: 'jira' } }),
      ]),
    ofCustomers: (queries, { integratorId }) => queries.usage.ofCustomers(integratorId, USAGE),
    partsOfCustomers: (queries, { integratorId }) => queries.usage.partsOfCustomers(integratorId, USAGE),
    instances: (queries, { customerId }) => queries.usage.instances(customerId),
    sourceRanges: (queries, { customerId, mark }) => queries.usage.sourceRanges(customerId, mark),
    sources: (queries, { customerId }) => queries.usage.sources(customerId, ''),
    total: (queries) => queries.usage.total(),
    customersWithOtherInstances: null, // of the whole product
    totalNotIncluded: null,
  },
  statements: {
    voids: (queries, { customerId }) =>
      queries.statements.voids(customerId, { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }),
    customers: (queries, { integratorId }) => queries.statements.customers(integratorId),
    calls: async (queries, { customerId }) =>
      (await queries.statements.calls([customerId], { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }))(customerId),
  },
  calls: {
    page: (queries, { customerId }) => queries.calls.page({ customerId }, { limit: 100 }),
    export: (queries, { customerId }) => everythingOf(queries.calls.export({ customerId }, {})),
  },
  callQuotas: { use: null, usedIn: null }, // of an authorized customer, as the system
  voids: {
    of: (queries, { customerId }) => queries.voids.of(customerId, readerOf(queries)),
    preview: (queries, { customerId, mark }) =>
      queries.voids.preview(customerId, { sourceId: mark, firstSequence: null, lastSequence: null, from: null, until: null }),
    isRecorded: null, // of an authorized customer, as the system
  },
  stats: {
    admin: (queries) => queries.stats.admin(),
    integrator: (queries, { integratorId }) => queries.stats.integrator(integratorId),
  },
  signIns: {
    page: (queries, { customerId }) => queries.signIns.page({ customerId }, { limit: 100 }),
    export: (queries, { integratorId }) => everythingOf(queries.signIns.export({ integratorId }, {})),
    chart: (queries, { customerId }) => queries.signIns.chart({ customerId }, {}, { from: 0, to: Date.now() }),
  },
  monitoring: {
    metrics: null, // of the whole product
    parked: null,
    projections: null,
    timeline: null,
    chart: null,
    breakdown: null,
    connectedUsers: null,
    latest: null,
  },
  themes: {
    list: (queries, { integratorId }) => queries.themes.list({ integratorId, limit: 100 }),
    get: (queries, { integratorId, themeId }) => queries.themes.get(integratorId, themeId),
    find: (queries, { themeId }) => queries.themes.find(themeId),
    usage: (queries, { integratorId, themeId }) => queries.themes.usage(integratorId, themeId, 30, TODAY),
    usages: (queries, { integratorId }) => queries.themes.usages({ integratorId, limit: 100 }, 30, TODAY),
  },
  credentials: {
    list: (queries, { customerId }) => queries.credentials.list(customerId, { limit: 100 }),
    get: (queries, { credentialId }) => queries.credentials.get(credentialId),
  },
  history: {
    isKept: async (queries, { customerId, integratorId }) => [
      await queries.history.isKept({ customerId }),
      await queries.history.isKept({ integratorId }),
    ],
    of: async (queries, { customerId, integratorId }) => [
      await queries.history.of({ customerId }, { limit: 100 }, readerOf(queries)),
      await queries.history.of({ integratorId }, { limit: 100 }, readerOf(queries)),
    ],
    export: async (queries, { customerId, integratorId }) => [
      await everythingOf(queries.history.export({ customerId }, {}, readerOf(queries))),
      await everythingOf(queries.history.export({ integratorId }, {}, readerOf(queries))),
    ],
  },
  // Of the installation, for administrators.
  plans: { list: null, choices: null },
  alerts: { rules: null, list: null, page: null, callsSince: null, rejectedSince: null, fullCustomers: null },
  annotations: {
    inPeriod: (queries) =>
      queries.annotations.inPeriod({ from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }, readerOf(queries)),
  },
  audit: {
    page: (queries, { integratorId }) =>
      queries.audit.page({ auditOf: integratorId }, { limit: 100, zone: 'UTC' }, readerOf(queries)),
    export: (queries, { integratorId }) => everythingOf(queries.audit.export({ auditOf: integratorId }, {}, readerOf(queries))),
    exportInLogOrder: (queries, { integratorId }) =>
      everythingOf(queries.audit.exportInLogOrder({ auditOf: integratorId }, {}, readerOf(queries))),
    countChanged: null, // a number, which identifies nobody
    entry: (queries, { integratorId, entryId }) => queries.audit.entry({ auditOf: integratorId }, entryId, readerOf(queries)),
  },
  impact: {
    ofCustomer: (queries, { customerId }) => queries.impact.ofCustomer(customerId),
    ofIntegrator: (queries, { integratorId }) => queries.impact.ofIntegrator(integratorId),
    connectedUsers: (queries, { customerId }) => queries.impact.connectedUsers(customerId),
    customerNames: (queries, { integratorId }) => queries.impact.customerNames(integratorId),
    customersWithTheme: (queries, { themeId }) => queries.impact.customersWithTheme(themeId),
    hasCustomerNamed: (queries, { integratorId, mark }) => queries.impact.hasCustomerNamed(integratorId, mark),
  },
};

/** A reader that sees as many named users as its queries return. */
const readerOf = ({ team, apiTokens }: Queries) => ({ kind: 'admin' as const, team, apiTokens });

const textOf = (answer: unknown): string =>
  JSON.stringify(answer, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)) ?? '';

const asked = Object.entries(calls).flatMap(([group, methods]) =>
  Object.entries(methods).flatMap(([method, call]) => (call ? [{ name: `${group}.${method}`, call: call as Call }] : [])),
);

/** Everything that identifies the owner: texts, ids, and counts that only its rows have. */
const identifying = ({ mark, ...ids }: Owner): string[] => [mark, String(COUNTS[mark]), ...Object.values(ids)];

describe('a query without its tenant predicate', () => {
  it('is generated from each query of the product', () => {
    const queries = createQueries(system.db, { ...reading, lookUp: system.lookUp });
    for (const [group, methods] of Object.entries(queries)) {
      expect([group, Object.keys(methods).sort()]).toEqual([group, Object.keys(calls[group as keyof Queries]).sort()]);
    }
  });

  it('returns the rows of all tenants to the system', async () => {
    const texts = new Map();
    const lookUp = lookUpWith(texts, async <Row extends object>(statement: { name: string; text: string; values: unknown[] }) => {
      const { rows } = await system.pool.query<Row>(statement);
      return rows;
    });
    const queries = strippedOn({ db: system.db, lookUp });
    const leaking = [
      'customers.list',
      'users.list',
      'credentials.list',
      'themes.list',
      'usage.instances',
      'calls.page',
      'history.of',
      'audit.page',
      'tools.customers',
    ];
    for (const { name, call } of asked.filter(({ name }) => leaking.includes(name))) {
      const answer = textOf(await call(queries, beta));
      expect([name, answer.includes(alpha.mark) && answer.includes(beta.mark)]).toEqual([name, true]);
    }
  });

  it.each(asked)('returns nothing of another integrator: $name', async ({ call }) => {
    const answer = textOf(await call(strippedAs({ integratorId: beta.integratorId, customerId: null }), alpha));
    for (const text of identifying(alpha)) expect(answer).not.toContain(text);
  });

  it.each(asked)('returns nothing of another customer: $name', async ({ call }) => {
    const { integratorId, customerId } = beta;
    for (const tenant of [
      { integratorId, customerId },
      { integratorId: null, customerId },
    ]) {
      const answer = textOf(await call(strippedAs(tenant), alpha));
      for (const text of identifying(alpha)) expect(answer).not.toContain(text);
    }
  });

  it.each(asked)('returns nothing without a tenant: $name', async ({ call }) => {
    const answer = textOf(await call(strippedAs(null), alpha));
    for (const text of [...identifying(alpha), ...identifying(beta), String(COUNTS.alpha + COUNTS.beta)])
      expect(answer).not.toContain(text);
  });
});

describe('the tenant of a statement', () => {
  it('sees its own rows by the same queries, with their predicates', async () => {
    const { integratorId, customerId } = alpha;
    for (const tenant of [
      { integratorId, customerId: null },
      { integratorId, customerId },
      { integratorId: null, customerId },
    ]) {
      const queries = createTenantQueries(tenants, tenant, system.db, reading);
      const [customer, users, usage, history] = [
        await queries.customers.get(customerId),
        await queries.users.list({ ...FIRST, customerId }),
        await queries.usage.of({ customerId }, USAGE),
        await queries.history.of({ customerId }, { limit: 10 }, readerOf(queries)),
      ];
      expect([customer?.customer.name, customer?.customer.serviceIntegratorName, customer?.customer.totalApiCalls]).toEqual([
        'alpha',
        'alpha',
        COUNTS.alpha,
      ]);
      expect([customer?.customer.activeConnections, users.users.map(({ username }) => username)]).toEqual([1, ['alpha']]);
      expect([usage.totalApiCalls, usage.instanceUsage.length]).toEqual([4_242, 1]);
      expect(history.total).toBe(3);
    }
  });

  it('finds its own rows by a search, whatever the filter says', async () => {
    const own = createTenantQueries(tenants, { integratorId: alpha.integratorId, customerId: null }, system.db, reading);
    for (const search of ['alpha', 'beta', 'found']) {
      for (const filter of [{}, { serviceIntegratorId: beta.integratorId, integratorId: beta.integratorId }]) {
        for (const sort of ['-createdAt', 'name', '-totalApiCalls'] as const) {
          const { customers, total, counts } = await own.customers.list({ ...FIRST, ...filter, sort, search });
          const found = search === 'beta' ? [] : ['alpha'];
          expect([search, sort, customers.map(({ name }) => name)]).toEqual([search, sort, found]);
          expect([total, counts.all]).toEqual([found.length, found.length]);
        }
        const users = await own.users.list({ ...FIRST, ...filter, search });
        expect([search, users.users.map(({ username }) => username), users.total]).toEqual(
          search === 'beta' ? [search, [], 0] : [search, ['alpha'], 1],
        );
      }
    }
  });

  it('sees the history of its integrator without reasons of administrators, and nothing of it as a customer', async () => {
    const { integratorId, customerId } = alpha;
    for (const [tenant, types] of [
      [{ integratorId, customerId: null }, ['X']],
      [{ integratorId, customerId }, []],
    ] as const) {
      const own = tenants.of(tenant).db;
      const entries = await own.selectFrom('read.history').select(['customer_id', 'theme_id', 'type']).execute();
      const ofIntegrator = entries.filter((entry) => entry.customer_id === null && entry.theme_id === null);
      expect(ofIntegrator.map(({ type }) => type)).toEqual(types);
    }
  });

  it('sees rows of the service integrator to which the customer belongs now, and the former one none of the customer', async () => {
    const { customerId, integratorId: former } = beta;
    const move = (from: IntegratorId, to: IntegratorId) =>
      owner.query('update read.customer set integrator_id = $3 where customer_id = $1 and integrator_id = $2', [
        customerId,
        from,
        to,
      ]);
    await move(former, alpha.integratorId);
    try {
      const own = tenants.of({ integratorId: null, customerId }).db;
      expect(await own.selectFrom('read.integrator').select('company_name').execute()).toEqual([{ company_name: 'alpha' }]);
      for (const table of ['read.customer', 'read.credential', 'usage.day', 'usage.call_hour'] as const) {
        const seenBy = async (tenant: Tenant) =>
          (await tenants.of(tenant).db.selectFrom(table).select('customer_id').distinct().execute()).length;
        expect([table, await seenBy({ integratorId: former, customerId: null })]).toEqual([table, 0]);
        expect([table, await seenBy({ integratorId: alpha.integratorId, customerId: null })]).toEqual([table, 2]);
      }
    } finally {
      await move(alpha.integratorId, former);
    }
  });

  it('does not apply to the next statement of the connection', async () => {
    const { integratorId } = alpha;
    const count = async (tenant: Tenant | null): Promise<number> =>
      (await tenants.of(tenant).db.selectFrom('read.customer').select('name').execute()).length;
    for (let turn = 0; turn < 5; turn++) {
      expect(await Promise.all([count({ integratorId, customerId: null }), count(null), count(null)])).toEqual([1, 0, 0]);
    }
  });

  it('still applies after a failed statement', async () => {
    const own = tenants.of({ integratorId: alpha.integratorId, customerId: null }).db;
    await expect(own.selectFrom('read.customer').select('name').where('name', '=', '\0').execute()).rejects.toThrow();
    expect(await own.selectFrom('read.customer').select('name').execute()).toEqual([{ name: 'alpha' }]);
    expect(await tenants.of(null).db.selectFrom('read.customer').select('name').execute()).toEqual([]);
  });

  it('cannot write, and can read only read models', async () => {
    const { db } = tenants.of({ integratorId: alpha.integratorId, customerId: null });
    await expect(db.deleteFrom('read.customer').execute()).rejects.toThrow('permission denied');
    await expect(db.selectFrom('auth.session').selectAll().execute()).rejects.toThrow('permission denied');
    await expect(db.selectFrom('vault.data_key').selectAll().execute()).rejects.toThrow('permission denied');
  });
});

describe('every table with rows of tenants', () => {
  const tables = async (): Promise<{ name: string; secured: boolean; policies: string[] }[]> => {
    const { rows } = await owner.query(`
      select c.oid::regclass::text as name, c.relrowsecurity as secured,
        array(select polname::text from pg_policy where polrelid = c.oid and polname <> 'reports' order by 1) as policies
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname in ('customer_id', 'integrator_id', 'scope'))
      order by 1`);
    return rows;
  };

  it('has row-level security with the policies of the tenant and of the system', async () => {
    const found = await tables();
    expect(found.length).toBeGreaterThan(15);
    for (const table of found) expect(table).toEqual({ name: table.name, secured: true, policies: ['every_row', 'own_rows'] });
  });

  it('returns no row without a tenant', async () => {
    const client = new pg.Client({ connectionString: urls.tenant });
    await client.connect();
    try {
      for (const { name } of await tables()) {
        if (!/^(read|usage|live|ops)\./.test(name)) continue;
        expect([name, (await client.query(`select * from ${name}`)).rows]).toEqual([name, []]);
      }
    } finally {
      await client.end();
    }
  });
});
