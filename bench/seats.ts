import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { connectDatabase } from '../src/database/database.ts';
import { prepareDatabase } from '../src/database/prepare.ts';
import type { CustomerId } from '../src/domain/ids.ts';
import { DAY_MS, dayOf } from '../src/domain/time.ts';
import { idleSeatsOf } from '../src/projections/seats/idle.ts';
import { seatUtilizationOf } from '../src/projections/seats/utilization.ts';
import { startEmbeddedStore } from './support/embeddedStore.ts';
import { report } from './support/figures.ts';
import { settings } from './support/settings.ts';

/**
 * One customer with many users, of whom every tenth is idle for 60 days, whose seats changed in every quarter of an hour of a year: how long
 * it takes to judge who is idle, and to read the utilization of the year.
 */

const { users } = settings({ users: 100_000 });
const QUARTERS = 35_040;
const RUNS = 5;

const store = await startEmbeddedStore();
const { urls } = await prepareDatabase(store.databaseUrl, null, { onError: () => undefined });
const { db } = connectDatabase(urls.system, { max: 4, onError: () => undefined });
const owner = new pg.Client({ connectionString: store.databaseUrl });
await owner.connect();

const customerId = randomUUID() as CustomerId;
const integratorId = randomUUID();
const to = Date.now();
await owner.query(
  `insert into read.customer (customer_id, integrator_id, name, contact_email, status, tier, developer_seats, stakeholder_seats,
     active_developer_seats, active_stakeholder_seats, seat_limits_enforced, created_at, sort_name, search, revision)
   values ($1, $2, 'Acme', 'a@acme.example', 'active', 'ENT', -1, -1, $3, 0, true, now() - interval '2 years', 'acme', 'acme', 1)`,
  [customerId, integratorId, users],
);
await owner.query(
  `insert into read.portal_user (user_id, customer_id, integrator_id, username, email, role, status, created_at, sort_name, search,
     seat, seat_since, last_login)
   select gen_random_uuid(), $1, $2, 'user' || n, 'user' || n || '@acme.example', 'developer', 'active', now() - interval '1 year',
     'user' || n, 'user' || n, 'developer', now() - interval '1 year', now() - make_interval(days => case when n % 10 = 0 then 60 else n % 9 end)
   from generate_series(1, $3::int) n`,
  [customerId, integratorId, users],
);
await owner.query(
  `insert into usage.user_call (customer_id, user_id, last_call_at)
   select customer_id, user_id, last_login from read.portal_user where customer_id = $1`,
  [customerId],
);
await owner.query(
  `insert into read.seat_quarter (customer_id, kind, at, held, seat_limit, peak, held_ms, above_limit_ms)
   select $1, 'developer', to_timestamp(floor(extract(epoch from now()) / 900) * 900 - n * 900), n % 50, 50, n % 50, n % 50 * 900000, 0
   from generate_series(1, ${QUARTERS}) n`,
  [customerId],
);
await owner.query('analyze');

const timed = async (what: string, work: () => Promise<unknown>): Promise<void> => {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  report(what, times.toSorted((one, other) => one - other)[Math.floor(RUNS / 2)] ?? Number.NaN, 'ms');
};

const today = dayOf(to);
const from = dayOf(to - 364 * DAY_MS);
await timed(`idle seats of ${users} users`, () => idleSeatsOf(db, customerId, { days: 30, now: to, usableSince: null }));
await timed(`utilization of a year with ${QUARTERS} quarters`, () =>
  seatUtilizationOf(db, customerId, { zone: 'Europe/Berlin', from, to: today, today }, to),
);

await db.destroy();
await owner.end();
await store.stop();
