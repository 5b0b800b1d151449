import { Client } from '../src/database/client.ts';
import { cursorOf } from '../src/projections/lists/cursor.ts';
import { garbageCollection } from '../tests/support/garbageCollection.ts';
import { adminCookie, bearer, callerOf, getterOf } from './support/apiClients.ts';
import { quantile } from './support/figures.ts';
import { startFilledStore } from './support/filledStore.ts';
import { CALLS_A_CUSTOMER, idOf } from './support/fullReadModels.ts';
import { startProduct } from './support/product.ts';
import { settings } from './support/settings.ts';

/** The HTTP requests of every list and usage screen on full read models, compared with the same rows read by bare `pg`. */

/** `only` leaves out requests whose paths, as they are printed, do not contain it. */
const { customers, integrators, repetitions, only } = settings({
  customers: 100_000,
  integrators: 200,
  repetitions: 200,
  only: '',
});
const WARM_UP = 20;
const TARGET_MS = 30;

type Call = readonly [path: string, limit?: string];
type Times = { p50: number; p99: number };

const collectGarbage = garbageCollection();

/** Collects the garbage of this process first, whose collection would otherwise interrupt a measurement. */
const measure = async (once: () => Promise<unknown>): Promise<Times> => {
  collectGarbage();
  const times: number[] = [];
  for (let index = 0; index < WARM_UP + repetitions; index++) {
    const begun = performance.now();
    await once();
    if (index >= WARM_UP) times.push(performance.now() - begun);
  }
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
};

const store = await startFilledStore({ customers, integrators });
const { masterKey, licenseKey } = store;
const product = await startProduct({
  env: { DATABASE_URL: store.databaseUrl, EVENTSTORE_URL: store.url, MASTER_SECRET: store.masterSecret, ROLES: 'api' },
});
// The product's client, since that of pg keeps the rows of each query for a full garbage collection.
const client = new Client({ connectionString: store.databaseUrl });
await client.connect();

const idOfRow = async (kind: string, index: number | string): Promise<string> =>
  (await client.query<{ id: string }>(`select ${idOf(kind, index)} as id`)).rows[0]?.id ?? '';

/** A cursor to the middle of a list. */
const middleOf = async (sort: string, table: string, column: string, id: string, direction = 'desc'): Promise<string> => {
  const { rows } = await client.query<{ value: string | Date; id: string }>(
    `select ${column} as value, ${id} as id from ${table} order by 1 ${direction}, 2 ${direction}
     offset (select count(*) / 2 from ${table}) limit 1`,
  );
  const { value = '', id: last = '' } = rows[0] ?? {};
  return cursorOf(sort, {
    value: value instanceof Date ? value.toISOString() : Number.isNaN(Number(value)) ? value : Number(value),
    id: last,
  });
};

const newest = (table: string, order = 'created_at', where = 'true'): string =>
  `select * from ${table} where ${where} order by ${order} desc limit 100`;
const trigram = (table: string, text: string): string => `select * from ${table} where search like '%${text}%' limit 100`;

const [customer, integrator] = [await idOfRow('c', 1), await idOfRow('i', 1)];
const ofCustomer = `customer_id = '${customer}'`;
const days = (count: number): string => `select * from usage.day where ${ofCustomer} and day > current_date - ${count}`;
const hours = (count: number): string =>
  `select at, quarters from usage.call_hour where ${ofCustomer} and at > current_date - ${count}`;
const history = newest('read.history', 'position', ofCustomer);

const admin: Call[] = [
  ['/api/admin/customers', newest('read.customer')],
  [
    `/api/admin/customers?cursor=${await middleOf('-createdAt', 'read.customer', 'created_at', 'customer_id')}`,
    newest('read.customer'),
  ],
  ['/api/admin/customers?limit=500', newest('read.customer').replace('100', '500')],
  ['/api/admin/customers?status=suspended', newest('read.customer', 'created_at', "status = 'suspended'")],
  ['/api/admin/customers?sort=createdAt', newest('read.customer')],
  ['/api/admin/customers?sort=name', newest('read.customer', 'sort_name')],
  ['/api/admin/customers?sort=-name', newest('read.customer', 'sort_name')],
  [`/api/admin/customers?sort=name&cursor=${await middleOf('name', 'read.customer', 'sort_name', 'customer_id', 'asc')}`],
  ['/api/admin/customers?sort=-totalApiCalls', newest('usage.customer', 'calls')],
  ['/api/admin/customers?sort=totalApiCalls', newest('usage.customer', 'calls')],
  [`/api/admin/customers?sort=-totalApiCalls&cursor=${await middleOf('-totalApiCalls', 'usage.customer', 'calls', 'customer_id')}`],
  ['/api/admin/customers?sort=-totalApiCalls&status=churned'],
  ['/api/admin/customers?plan=ENT', newest('read.customer', 'created_at', "tier = 'ENT'")],
  ['/api/admin/customers?plan=PRO&sort=name', newest('read.customer', 'sort_name', "tier = 'PRO'")],
  ['/api/admin/customers?plan=PRO&status=suspended&sort=-totalApiCalls'],
  ['/api/admin/customers?plan=TRY', newest('read.customer', 'created_at', "tier = 'TRY'")],
  ['/api/admin/customers?sort=-developerUtilization', newest('read.customer', 'developer_utilization')],
  ['/api/admin/customers?sort=developerUtilization&status=suspended'],
  ['/api/admin/customers?sort=-heldDeveloperSeats'],
  ['/api/admin/customers?sort=heldDeveloperSeats&status=suspended'],
  ['/api/admin/customers?sort=-heldStakeholderSeats', newest('read.customer', 'active_stakeholder_seats')],
  ['/api/admin/customers?sort=-lastCall', newest('usage.customer', "coalesce(last_call_at, '-infinity')")],
  [`/api/admin/customers?serviceIntegratorId=${integrator}&sort=-heldDeveloperSeats`],
  [`/api/admin/customers?serviceIntegratorId=${integrator}&sort=lastCall`],
  ['/api/admin/customers?quota=near'],
  ['/api/admin/customers?quota=exceeded&sort=name'],
  ['/api/admin/customers?plan=TRY&tag=vip&sort=-totalApiCalls'],
  ['/api/admin/customers?tag=vip'],
  ['/api/admin/customers?tag=eu,vip&sort=name'],
  ['/api/admin/customers?search=customer', trigram('read.customer', 'customer')],
  ['/api/admin/customers?search=customer&sort=name', trigram('read.customer', 'customer')],
  ['/api/admin/customers?search=customer&sort=-totalApiCalls'],
  ['/api/admin/customers?search=customer%2077777', trigram('read.customer', 'customer 77777')],
  ['/api/admin/customers?search=777', trigram('read.customer', '777')],
  ['/api/admin/customers?search=777&status=suspended&sort=name'],
  ['/api/admin/customers?search=c', "select * from read.customer where search like '% c%' limit 100"],
  ['/api/admin/customers?search=nobody%20at%20all', trigram('read.customer', 'nobody at all')],
  [`/api/admin/customers?search=${licenseKey}`],
  [
    `/api/admin/customers?serviceIntegratorId=${integrator}`,
    newest('read.customer', 'created_at', `integrator_id = '${integrator}'`),
  ],
  [`/api/admin/customers?serviceIntegratorId=${integrator}&sort=name`],
  [`/api/admin/customers?serviceIntegratorId=${integrator}&sort=-totalApiCalls`],
  [`/api/admin/customers?serviceIntegratorId=${integrator}&status=suspended`],
  [`/api/admin/customers/${customer}`, `select * from read.customer where ${ofCustomer}`],
  ['/api/admin/service-integrators', newest('read.integrator')],
  ['/api/admin/service-integrators?sort=companyName', newest('read.integrator', 'sort_name')],
  ['/api/admin/service-integrators?sort=-customerCount'],
  ['/api/admin/service-integrators?search=integrator%201'],
  [`/api/admin/service-integrators/${integrator}`],
  ['/api/admin/users', newest('read.portal_user')],
  [`/api/admin/users?cursor=${await middleOf('-createdAt', 'read.portal_user', 'created_at', 'user_id')}`],
  ['/api/admin/users?sort=username', newest('read.portal_user', 'sort_name')],
  ['/api/admin/users?sort=-lastLogin', newest('read.portal_user', "coalesce(last_login, '-infinity')")],
  ['/api/admin/users?sort=lastLogin'],
  ['/api/admin/users?status=inactive', newest('read.portal_user', 'created_at', "status = 'inactive'")],
  ['/api/admin/users?search=user', trigram('read.portal_user', 'user')],
  ['/api/admin/users?search=77777-2', trigram('read.portal_user', '77777-2')],
  ['/api/admin/users?search=us&status=inactive'],
  [`/api/admin/users?customerId=${customer}`, newest('read.portal_user', 'created_at', ofCustomer)],
  [`/api/admin/users?customerId=${customer}&search=developer&sort=username`],
  ['/api/admin/stats/dashboard', "select * from read.stat_day where scope = '00000000-0000-0000-0000-000000000000'"],
  [`/api/admin/customers/${customer}/usage?days=30`, days(30)],
  [`/api/admin/customers/${customer}/usage?days=90`, days(90)],
  [`/api/admin/customers/${customer}/usage?days=90&zone=Asia/Kolkata&compare=previous`, hours(180)],
  [`/api/admin/customers/${customer}/instances`, `select * from usage.instance where ${ofCustomer}`],
  [`/api/admin/customers/${customer}/history`, history],
  [`/api/admin/customers/${customer}/history?type=SeatClaimed`],
  [`/api/admin/customers/${customer}/history?search=developer`],
  [`/api/admin/customers/${customer}/history?search=nothing%20like%20it`],
  [`/api/admin/customers/${customer}/history?actor=integrator`],
  ['/api/admin/audit?zone=Europe/Berlin', newest('read.history', 'at')],
  [`/api/admin/audit?limit=500&to=${new Date(Date.now() - 90 * 86_400_000).toISOString()}`],
  ['/api/admin/audit?types=LicenseKeyRotated', newest('read.history', 'at', "type = 'LicenseKeyRotated'")],
  [
    '/api/admin/audit?types=SeatsAllocated,UserRegistered,LicenseKeyRotated,MemberInvited,MemberRemoved,PasskeyAdded,AdminKeyRotated',
  ],
  ['/api/admin/audit?types=UserAuthenticated'],
  ['/api/admin/audit?search=set%20to%207%20developer'],
  ['/api/admin/audit?search=nothing%20like%20it'],
  ['/api/admin/audit?actor=integrator'],
  [`/api/admin/audit?customer=${customer}&zone=UTC`],
  [`/api/admin/audit/${await idOfRow('h', "'77-3'")}`],
  ['/monitoring/timeline?window=15m', 'select * from usage.second'],
  ['/monitoring/timeline?window=24h', 'select * from usage.minute'],
  ['/monitoring/charts?range=30d&compare=previous', 'select * from usage.hour'],
  ['/monitoring/charts?range=30d&by=operation'],
  ['/monitoring/charts?range=30d&by=customer'],
  ['/monitoring/charts?range=6h&by=service'],
  ['/monitoring/charts?range=6h&by=customer&outcome=5xx'],
  [`/monitoring/charts?range=30d&by=instance&customer=${customer}`],
  ['/monitoring/metrics'],
  ['/monitoring/health/detailed'],
];
const ofIntegrator: Call[] = [
  ['/api/service-integrator/customers', newest('read.customer', 'created_at', `integrator_id = '${integrator}'`)],
  ['/api/service-integrator/customers?sort=-totalApiCalls'],
  ['/api/service-integrator/customers?search=customer'],
  ['/api/service-integrator/customers?search=777'],
  ['/api/service-integrator/stats/dashboard'],
  ['/api/service-integrator/usage?days=30'],
  ['/api/service-integrator/usage/parts?days=30'],
  ['/api/service-integrator/audit?zone=Europe/Berlin'],
  ['/api/service-integrator/audit?types=LicenseKeyRotated'],
  ['/api/service-integrator/audit?search=nothing%20like%20it'],
  ['/api/service-integrator/profile'],
  ['/api/service-integrator/themes', `select * from read.theme where integrator_id = '${integrator}'`],
  [`/api/service-integrator/themes/${(await client.query(`select ${idOf('t', "'1-1'")} as id`)).rows[0]?.id}/usage`],
  ['/api/users', newest('read.portal_user', 'created_at', `integrator_id = '${integrator}'`)],
  ['/api/users?search=user'],
];
const portal: Call[] = [
  ['/api/customer/profile', `select * from read.customer where ${ofCustomer}`],
  ['/api/customer/usage', days(30)],
  ['/api/customer/usage?days=90', days(90)],
  ['/api/customer/instances', `select * from usage.instance where ${ofCustomer}`],
  ['/api/customer/history', history],
  ['/api/users/with-connections', newest('read.portal_user', 'created_at', ofCustomer)],
  ['/api/credentials/list', `select * from read.credential where ${ofCustomer}`],
];

const ms = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(1)).padStart(8);
const line = (name: string, times: Times, limit?: Times): void =>
  console.log(
    `${name.padEnd(86)}${ms(times.p50)}${ms(times.p99)}${ms(limit?.p50)}${ms(limit?.p99)}${times.p99 >= TARGET_MS ? '  over the target' : ''}`,
  );

try {
  const { url } = product;
  const signIn = async (path: string, body: object): Promise<string> => (await callerOf(url, {})('POST', path, body)).token;
  const screens: [string, Record<string, string>, Call[]][] = [
    ['administrator', { cookie: await adminCookie(url) }, admin],
    ['integrator', bearer(await signIn('/api/auth/service-integrator/login', { masterLicenseKey: masterKey })), ofIntegrator],
    ['customer', bearer(await signIn('/api/auth/customer/login', { licenseKey })), portal],
  ];
  console.log(`\n${customers} customers with ${customers * CALLS_A_CUSTOMER} calls, ${integrators} integrators; ms`);
  console.log(`${''.padEnd(86)}${'p50'.padStart(8)}${'p99'.padStart(8)}${'bare pg'.padStart(8)}${'p99'.padStart(8)}`);
  for (const [role, headers, calls] of screens) {
    console.log(role);
    const read = getterOf(url, headers);
    for (const [path, limit] of calls) {
      const shown = path
        .replace(customer, '{id}')
        .replace(integrator, '{id}')
        .replace(/cursor=[^&]+/, 'cursor={middle}');
      if (!shown.includes(only)) continue;
      const bare = limit === undefined ? undefined : await measure(() => client.query(limit));
      line(`  ${shown}`, await measure(() => read(path)), bare);
    }
  }
} finally {
  await client.end();
  await product.stop();
  await store.stop();
}
