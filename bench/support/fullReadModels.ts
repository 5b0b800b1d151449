import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Product } from '../../src/bootstrap/product.ts';
import { streams } from '../../src/commands/streams.ts';
import { customerId, integratorId } from '../../src/contracts/fields.ts';
import { SERVICES } from '../../src/domain/enumerations.ts';
import type { AnyEvent } from '../../src/domain/events.ts';
import type { StreamName } from '../../src/eventstore/port.ts';
import { type Cells, encodeCells, outcomesOf, servicesOf } from '../../src/projections/breakdown/cells.ts';
import { bucketOf, emptyHistogram, encodeHistogram } from '../../src/projections/callCounts/histogram.ts';
import { EVERYTHING } from '../../src/projections/scope.ts';
import { openParts, pushNumber, textBytes, uuidBytes } from '../../src/projections/usage/parts.ts';
import { metaOf } from '../../tests/support/builders/command.ts';

/** The approximate number of calls a customer in `usage.customer`. */
export const CALLS_A_CUSTOMER = 10_000;
/** History entries of the first customer, which has the most rows. */
const DAYS = 400;
const INSTANCES = 50;
const ENTRIES = 20_000;
const KEYS_PER_INSERT = 1_000;

/** The SQL expression of a deterministic id for a kind and an index. */
export const idOf = (kind: string, index: number | string): string =>
  `overlay(overlay(md5('${kind}' || ${index}) placing '4' from 13) placing '8' from 17)::uuid`;

export type FullReadModels = Readonly<{ masterKey: string; licenseKey: string }>;

const HISTORY =
  'position, revision, id, customer_id, at, category, type, actor_kind, actor_id, summary, facts, audit_integrator_id, correlation_id';

const CUSTOMER =
  'customer_id, integrator_id, name, contact_email, company, license_digest, license_sealed, license_event, status, theme, theme_label, tier, ' +
  'developer_seats, stakeholder_seats, active_developer_seats, active_stakeholder_seats, seat_limits_enforced, last_activity_at, created_at, ' +
  'sort_name, search, revision, tags, developer_utilization, call_quota, call_quota_month, call_quota_state';

/** The integrator of a customer. A fifth of all customers belong to the first integrator. */
const INTEGRATOR = `case when n % 5 = 0 then 1 else 1 + n % :integrators end`;

const statements = `
  insert into read.integrator
  select ${idOf('i', 'n')}, 'Integrator ' || n, 'it@integrator-' || n || '.example', 'bills@integrator-' || n || '.example', null, null, null,
    case when n % 20 = 19 then 'suspended' else 'active' end, n % 2 = 0, null, null, now() - n * interval '1 hour',
    'integrator ' || n, E'integrator ' || n || E'\\nit@integrator-' || n || E'.example\\n integrator ' || n || E'\\n it integrator ' || n || ' example', 1
  from generate_series(1, :integrators) n;

  insert into read.theme
  select ${idOf('t', "n || '-' || k")}, ${idOf('i', 'n')}, 'theme-' || k, 'Theme ' || k, null, '#0070ad', null, null, true, now(), now()
  from generate_series(1, :integrators) n, generate_series(1, 5) k;
  insert into read.theme_catalogue
  select ${idOf('i', 'n')}, ${idOf('t', "n || '-1'")}, 5 from generate_series(1, :integrators) n;

  insert into read.customer (${CUSTOMER})
  select ${idOf('c', 'n')}, ${idOf('i', `(${INTEGRATOR})`)}, 'Customer ' || n, 'it@customer-' || n || '.example', 'Company ' || n,
    s.digest, s.sealed, 'LicenseIssued', case when n % 10 = 7 then 'suspended' when n % 50 = 9 then 'churned' else 'active' end,
    case when n % 3 = 0 then ${idOf('t', `(${INTEGRATOR}) || '-1'`)}::text when n % 3 = 1 then 'aurora' end,
    case when n % 3 = 0 then 'Theme 1' when n % 3 = 1 then 'Aurora' end,
    case when n % 1000 = 0 then 'TRY' when n % 10 = 0 then 'PRO' else 'ENT' end, 10, 5, 2, 1, true, now(),
    now() - n * interval '5 minutes', 'customer ' || n,
    E'customer ' || n || E'\\nit@customer-' || n || E'.example\\ncompany ' || n || E'\\n customer ' || n || E'\\n it customer ' || n
      || E' example\\n company ' || n, 5,
    case when n % 5000 = 0 then E'eu\\nvip' when n % 20 = 0 then 'vip' end, n * 37 % 10001,
    case when n % 50 = 0 then '{"limit":1000,"kind":"hard"}'::json end,
    case when n % 50 = 0 then to_char(now() at time zone 'utc', 'YYYY-MM') end,
    case when n % 100 = 0 then 'near' when n % 50 = 0 then 'exceeded' end
  from generate_series(1, :customers) n join seeded_key s using (n);

  insert into read.portal_user
  select ${idOf('u', "n || '-' || k")}, ${idOf('c', 'n')}, ${idOf('i', `(${INTEGRATOR})`)}, 'user-' || n || '-' || k,
    'user-' || k || '@customer-' || n || '.example', case k when 3 then 'stakeholder' else 'developer' end,
    case when n % 10 = 3 then 'inactive' else 'active' end, null, case when k > 1 then now() - n * interval '3 minutes' end,
    now() - (n * 3 + k) * interval '1 minute', 'user-' || n || '-' || k,
    'user-' || n || '-' || k || E'\\nuser-' || k || '@customer-' || n || E'.example\\n user ' || n || ' ' || k
  from generate_series(1, :customers) n, generate_series(1, 3) k;
  insert into read.portal_user
  select ${idOf('u', "'1-' || k")}, ${idOf('c', 1)}, ${idOf('i', 2)}, 'developer-' || k, 'dev-' || k || '@customer-1.example',
    'developer', 'active', null, now(), now() - k * interval '1 second', 'developer-' || k, 'developer-' || k || E'\\n developer ' || k
  from generate_series(10, 5000) k;

  insert into read.credential
  select ${idOf('d', 'k')}, ${idOf('c', 1)}, 'jira', 'https://jira-' || k || '.example', ${idOf('n', 'k')}, 'robot', true, 'connected',
    now(), null, now(), 2 from generate_series(1, 20) k;

  insert into read.history (${HISTORY})
  select n * 20 + k, k, ${idOf('h', "n || '-' || k")}, ${idOf('c', 'n')}, now() - (n * 10 - k) * interval '30 seconds',
    case k when 10 then 'userActivity' else 'customer' end,
    case when k = 10 then 'UserAuthenticated' when k = 1 and n % 5000 = 0 then 'LicenseKeyRotated' when k % 3 = 0 then 'SeatsAllocated'
      when k % 3 = 1 then 'UserRegistered' else 'SeatClaimed' end, 'admin', 'admin',
    'Seats were set to ' || k || ' developer and 5 stakeholder', '{"now":{"developerSeats":2},"before":{"developerSeats":1}}',
    ${idOf('i', `(${INTEGRATOR})`)}, n || '-' || k / 2
  from generate_series(1, :customers) n, generate_series(1, 10) k;
  insert into read.history (${HISTORY})
  select :customers * 20 + 1000 + k, k, ${idOf('h', "'more-' || k")}, ${idOf('c', 1)}, now() - k * interval '1 minute', 'customer',
    case k % 3 when 0 then 'SeatsAllocated' when 1 then 'UserRegistered' else 'SeatClaimed' end,
    case k % 2 when 0 then 'integrator' else 'user' end, case k % 2 when 0 then ${idOf('i', 1)} else ${idOf('u', "'1-' || k % 100")} end::text,
    'User user-' || k || ' took a developer seat', '{"now":{"username":"a"},"before":{}}', ${idOf('i', 2)}, 'more-' || k
  from generate_series(1, ${ENTRIES}) k;

  insert into read.tally select 'customer', s, status, count(*) from read.customer, unnest(array[integrator_id, '${EVERYTHING}']) s group by s, status;
  insert into read.tally select 'user', s, status, count(*) from read.portal_user, unnest(array[integrator_id, '${EVERYTHING}']) s group by s, status;
  insert into read.tally select 'integrator', s, status, count(*) from read.integrator, unnest(array[integrator_id, '${EVERYTHING}']) s group by s, status;
  insert into read.tally select 'theme', theme::uuid, 'customers', count(*) from read.customer where length(theme) = 36 group by theme;
  insert into read.stat_day
  select s, created_at::date, count(*), count(*), count(*) filter (where status = 'active'), 0, 0
  from read.customer, unnest(array[integrator_id, '${EVERYTHING}']) s group by 1, 2;

  insert into usage.customer
  select ${idOf('c', 'n')}, ${idOf('i', `(${INTEGRATOR})`)}, calls, calls / 50, calls * 80, now() - n * interval '1 second'
  from (select n, (:calls * 4 * random() ^ 3)::int8 + 1 as calls from generate_series(1, :customers) n) as of;
  insert into usage.day
  select ${idOf('c', 'n')}, current_date - d, 300, 6, 24000, :histogram, :parts from generate_series(29, 0, -1) d, generate_series(5, :customers, 10) n
  union all select ${idOf('c', 1)}, current_date - d, 30000, 600, 2400000, :histogram, :parts from generate_series(0, ${DAYS}) d;
  insert into usage.instance
  select ${idOf('c', 1)}, ${idOf('n', 'k')}, 'jira', 'https://jira-' || k || '.example', 10000, 200, 800000, now() from generate_series(1, ${INSTANCES}) k;
  insert into usage.call_hour
  select ${idOf('c', 1)}, '${EVERYTHING}', date_trunc('hour', now()) - h * interval '1 hour', :quarters, :parts
  from generate_series(0, ${DAYS} * 24) h;
  insert into usage.scope_day
  select s, current_date - d, 1000000, 2000, 80000000 from generate_series(0, ${DAYS}) d,
    (select '${EVERYTHING}'::uuid as s union all select integrator_id from read.integrator) as scopes;
  insert into usage.second select date_trunc('second', now()) - k * interval '1 second', 900, 9, 0, :histogram from generate_series(0, 899) k;
  insert into usage.minute select date_trunc('minute', now()) - k * interval '1 minute', 54000, 500, 0, :histogram from generate_series(0, 1439) k;
  insert into usage.hour select date_trunc('hour', now()) - k * interval '1 hour', 3240000, 30000, 0, :histogram from generate_series(0, 1487) k;
  insert into usage.traffic_four_hours
  select date_bin('4 hours', now(), 'epoch') - k * interval '4 hours', scope, kind, 9600, 96, :longHistogram, 0, 800, 0
  from generate_series(0, 186) k,
    (select '${EVERYTHING}'::uuid as scope, 'all' as kind union all select ${idOf('i', 'n')}, 'integrator' from generate_series(1, 20) n
     union all select ${idOf('c', 'n')}, 'customer' from generate_series(1, 100) n) as scopes;
  insert into usage.traffic_hour
  select date_trunc('hour', now()) - k * interval '1 hour', scope, kind, 2400, 24, :cells, :cellsHistogram, :outcomes, 0, 200, 0 from generate_series(0, 743) k,
    (select '${EVERYTHING}'::uuid as scope, 'all' as kind union all select ${idOf('i', 'n')}, 'integrator' from generate_series(1, 20) n
     union all select ${idOf('c', 'n')}, 'customer' from generate_series(1, 100) n) as scopes;
  insert into usage.traffic_merged_hours
  select at, scope, calls, errors, histogram, :longServices, :longCells from usage.traffic_four_hours
  where at < (select max(at) from usage.traffic_four_hours);
  insert into usage.traffic_minute
  select date_trunc('minute', now()) - k * interval '1 minute', scope, kind, 2400, 24, :cells, :cellsHistogram, :outcomes, 0, 200, 0 from generate_series(0, 359) k,
    (select '${EVERYTHING}'::uuid as scope, 'all' as kind union all select ${idOf('i', 'n')}, 'integrator' from generate_series(1, 20) n
     union all select ${idOf('c', 'n')}, 'customer' from generate_series(1, 100) n) as scopes;
  insert into usage.connection select ${idOf('x', 'k')}, ${idOf('u', "k || '-1'")}, ${idOf('c', 'k')} from generate_series(1, 5000) k;
  insert into live.connection
  select ${idOf('x', 'k')}, ${idOf('u', "k || '-1'")}, ${idOf('c', 'k')}, ${idOf('i', 1)}, 'bench', now(), now() + interval '1 day'
  from generate_series(1, 5000) k;
  insert into ops.projection_lag
  select g, now() - k * interval '5 seconds', 20 from generate_series(1, 180) k, unnest(array['main', 'usage']) g;
  insert into ops.projection_lag_minute
  select g, date_trunc('minute', now()) - k * interval '1 minute', 20 from generate_series(0, 1439) k, unnest(array['main', 'usage']) g`;

/** A histogram with so many calls in each of 40 latency buckets. */
const histogramOf = (calls: number): Buffer => {
  const histogram = emptyHistogram();
  for (let ms = 5; ms < 205; ms += 5) histogram[bucketOf(ms)] = calls;
  return encodeHistogram(histogram);
};
const histogramLiteral = (calls: number): string => `'\\x${histogramOf(calls).toString('hex')}'::bytea`;

const OPERATIONS = 12;
const bytesOf = (cells: Cells): string => `'\\x${encodeCells(cells).toString('hex')}'::bytea`;
/** Each operation with forty latency buckets in use, of so many hours. */
const cellsOf = (hours: number): Cells => {
  const counts = { calls: 200 * hours, errors: 2 * hours, histogram: histogramOf(5 * hours) };
  const keys = Array.from({ length: OPERATIONS }, (_, index) => `jira\nGET:/thing-${index}\n\n${index === 0 ? '5xx' : '2xx'}`);
  return new Map(keys.map((key) => [key, counts]));
};

const uuidOf = (kind: string, index: number | string): string => {
  const hex = createHash('md5').update(`${kind}${index}`).digest('hex');
  return `${hex.slice(0, 12)}4${hex.slice(13, 16)}8${hex.slice(17)}`;
};

/** The calls of a day to each instance, of forty users and with forty operations. */
const partsLiteral = (): string => {
  const parts = openParts(undefined, 0);
  const part = { calls: 600, errors: 12, totalMs: 48_000, lastAt: 3_000_000 };
  for (let index = 1; index <= INSTANCES; index++) parts.add('i', 0, uuidBytes(uuidOf('n', index)), part);
  for (let index = 10; index < 50; index++) parts.add('u', 0, uuidBytes(uuidOf('u', `1-${index}`)), part);
  for (let index = 0; index < 40; index++) parts.add('o', 0, textBytes(`GET:/thing-${index}`), part);
  for (const service of SERVICES) parts.add('s', 0, textBytes(service), part);
  for (const status of ['404', '500', '503']) parts.add('r', 0, status, part);
  return `'\\x${parts.encode().toString('hex')}'::bytea`;
};

/** Calls in each quarter of an hour, with forty latency buckets in use. */
const quartersLiteral = (): string => {
  const histogram = emptyHistogram();
  for (let ms = 5; ms < 205; ms += 5) histogram[bucketOf(ms)] = 8;
  const stored = encodeHistogram(histogram);
  const quarters = [0, 1, 2, 3].flatMap((quarter) => {
    const head: number[] = [quarter];
    for (const value of [320, 6, 25_600, stored.length]) pushNumber(head, value);
    return [Buffer.from(head), stored];
  });
  return `'\\x${Buffer.concat(quarters).toString('hex')}'::bytea`;
};

/** Inserts valid sealed license keys, each with its own data key, for the customers 1 to `customers`. */
const seedKeys = async (client: pg.Client, { sealing, digest }: Product, customers: number): Promise<void> => {
  const { rows } = await client.query<{ id: string }>(
    `select ${idOf('c', 'n')} as id from generate_series(1, ${customers}) n order by n`,
  );
  await client.query('create temp table seeded_key (n int primary key, sealed text, digest bytea)');
  for (let from = 0; from < customers; from += KEYS_PER_INSERT) {
    const some = rows.slice(from, from + KEYS_PER_INSERT).map(({ id }, index) => ({ id, n: from + index + 1 }));
    const sealed = await Promise.all(
      some.map(({ id, n }) => sealing.seal(keyOf(n), { owner: `customer:${id}`, eventType: 'LicenseIssued', field: 'licenseKey' })),
    );
    await client.query('insert into seeded_key select * from unnest($1::int[], $2::text[], $3::bytea[])', [
      some.map(({ n }) => n),
      sealed,
      some.map(({ n }) => digest(keyOf(n))),
    ]);
  }
};

/** Appends the events that the first customer and the first integrator need to sign in. */
const writeAccounts = async ({ events }: Product, integrator: string, customer: string): Promise<void> => {
  const contact = { name: 'Customer 1', contactEmail: 'it@customer-1.example', company: null };
  const [integratorStream, customerStream] = [integratorId.parse(integrator), customerId.parse(customer)];
  const partner = { companyName: 'Integrator 1', contactEmail: 'it@integrator-1.example', billingEmail: 'it@integrator-1.example' };
  const eventsByStream: [StreamName, AnyEvent[]][] = [
    [
      streams.integrator(integratorStream),
      [
        { type: 'IntegratorRegistered', data: { integratorId: integratorStream, ...partner } },
        { type: 'MasterLicenseIssued', data: { masterLicenseKey: MASTER_KEY } },
      ],
    ],
    [
      streams.customer(customerStream),
      [
        { type: 'CustomerRegistered', data: { customerId: customerStream, integratorId: integratorStream, ...contact } },
        { type: 'LicenseIssued', data: { licenseKey: keyOf(1), tier: 'ENT' } },
      ],
    ],
  ];
  for (const [stream, newEvents] of eventsByStream)
    await events.append(stream, newEvents, { expected: 'no_stream', meta: metaOf() });
};

const keyOf = (n: number): string => `LK-ENT-${String(n).padStart(6, '0')}`;
const MASTER_KEY = 'LK-SI-BENCHMARK';

/** Fills empty read models with `customers` customers of `integrators` integrators, each with 10,000 calls. */
export const fillReadModels = async (
  product: Product,
  { customers, integrators }: { customers: number; integrators: number },
): Promise<FullReadModels> => {
  const client = new pg.Client({ connectionString: product.ownerUrl });
  await client.connect();
  try {
    await seedKeys(client, product, customers);
    const values: Record<string, string> = {
      customers: String(customers),
      integrators: String(integrators),
      calls: String(CALLS_A_CUSTOMER),
      histogram: histogramLiteral(25),
      cells: bytesOf(cellsOf(1)),
      outcomes: bytesOf(outcomesOf(cellsOf(1))),
      longCells: bytesOf(cellsOf(4)),
      longServices: bytesOf(servicesOf(cellsOf(4))),
      cellsHistogram: histogramLiteral(5 * OPERATIONS),
      longHistogram: histogramLiteral(20 * OPERATIONS),
      parts: partsLiteral(),
      quarters: quartersLiteral(),
    };
    await client.query(statements.replace(/(?<!:):([a-z]+)/gi, (whole, name: string) => values[name] ?? whole));
    const { rows } = await client.query<{ integrator: string; customer: string }>(
      `select ${idOf('i', 1)} as integrator, ${idOf('c', 1)} as customer`,
    );
    const { integrator = '', customer = '' } = rows[0] ?? {};
    await writeAccounts(product, integrator, customer);
    const owner = `integrator:${integrator}` as const;
    const sealed = await product.sealing.seal(MASTER_KEY, { owner, eventType: 'MasterLicenseIssued', field: 'masterLicenseKey' });
    await client.query(
      `update read.integrator set master_digest = $1, master_sealed = $2, master_event = 'MasterLicenseIssued' where integrator_id = $3`,
      [product.digest(MASTER_KEY), sealed, integrator],
    );
    await client.query('vacuum analyze');
    await client.query('checkpoint'); // the disk is idle when the requests begin
  } finally {
    await client.end();
  }
  return { masterKey: MASTER_KEY, licenseKey: keyOf(1) };
};
