import { type RawBuilder, sql } from 'kysely';
import type { ChartDimension, ChartFilter, ConnectedSeries } from '../../contracts/charts.ts';
import type { Database } from '../../database/database.ts';
import { stepsOf } from './charts.ts';
import { connectedTableOf } from './connectedChanges.ts';
import { namesOf } from './reading.ts';
import { breakdownResolutionOf, type Period } from './resolutions.ts';

/** The parts of a chart beside the others. */
const TOP = 10;

/** What connected users are divided by. */
type Divisor = Extract<ChartDimension, 'customer' | 'integrator'>;

/** Connected users at the end of each point: all, and divided where a chart divides them; largest first, the others last. */
export type ConnectedUsers = Readonly<{
  whole: readonly number[];
  series: ConnectedSeries[] | null;
  names: Record<string, string>;
}>;

/** Users of a part at the end of the period, or their change in a step of it; the part is null for all users. */
type Row = { part: string | null; step: number | null; users: number };

/**
 * The users of the parts: of no part without a dimension. A change is missing at the points before it, so the sum of a part's points is
 * that of its last point for each, without what is `missing`: the largest parts are found without their points.
 */
const readParts = async (
  db: Database,
  asked: Readonly<{
    table: RawBuilder<unknown>;
    period: Period;
    stepMs: number;
    count: number;
    filter: ChartFilter;
    by: Divisor | null;
  }>,
): Promise<Row[]> => {
  const { table, period, stepMs, count, filter, by } = asked;
  const [from, to] = [sql`${new Date(period.from)}::timestamptz`, sql`${new Date(period.to)}::timestamptz`];
  const step = sql`floor(date_part('epoch', t.at - ${from}) / ${stepMs / 1000}::float8)`;
  const during = sql`t.at >= ${from} and t.at < ${to}`;
  const ofOwner = sql`left join usage.customer o using (customer_id)`;
  const partOf = by === 'customer' ? sql`customer_id` : by === 'integrator' ? sql`o.integrator_id` : sql`null::uuid`;
  const ofParts =
    by === 'integrator'
      ? sql`largest g join usage.customer c on c.integrator_id = g.part join ${table} t on t.customer_id = c.customer_id`
      : sql`largest g join ${table} t on t.customer_id = g.part`;
  const own = (row: string): RawBuilder<unknown> => {
    const customerId = sql.ref(`${row}.customer_id`);
    const ofCustomer = filter.customer ? sql`${customerId} = ${filter.customer}` : sql`true`;
    return filter.integrator
      ? sql`${ofCustomer} and ${customerId} in (select customer_id from usage.customer where integrator_id = ${filter.integrator})`
      : ofCustomer;
  };
  const { rows } = await sql<Row>`
    with counted as (
      select customer_id, 1::float8 as users, 0::float8 as missing
      from (select distinct n.customer_id, n.user_id from usage.connection n where ${own('n')}) as connected
      union all
      select t.customer_id, -coalesce(sum(t.connected) filter (where t.at >= ${to}), 0)::float8,
        coalesce(sum(t.connected * ${step}) filter (where t.at < ${to}), 0)
      from ${table} t where t.at >= ${from} and ${own('t')} group by 1
    ), owned as materialized (
      select ${partOf} as part, sum(users) as users, sum(missing) as missing
      from counted ${by === 'integrator' ? ofOwner : sql``} group by 1
    ), largest as materialized (
      select part, users from owned where part is not null and users * ${count}::int4 > missing
      order by users * ${count}::int4 - missing desc, part limit ${TOP}
    )
    select null::uuid as part, null::int4 as step, coalesce(sum(users), 0)::int8 as users from owned
    union all
    select null, ${step}::int4, sum(t.connected)::int8 from ${table} t where ${during} and ${own('t')} group by 2
    union all
    select part, null, users::int8 from largest
    union all
    select g.part, ${step}::int4, sum(t.connected)::int8
    from ${ofParts}
    where ${during} and ${own('t')} group by 1, 2`.execute(db);
  return rows;
};

/** The users at the end of each of `count` steps, from those at the end of the last one and the changes. */
const levelsOf = (rows: readonly Row[], count: number): number[] => {
  const changes = new Map<number, number>();
  let users = 0;
  for (const { step, users: of } of rows) {
    if (step === null) users += of;
    else changes.set(step, (changes.get(step) ?? 0) + of);
  }
  const levels: number[] = [];
  for (let step = count - 1; step >= 0; step--) {
    levels.push(Math.max(0, users));
    users -= changes.get(step) ?? 0;
  }
  return levels.reverse();
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Queries on the connected users of customers and service integrators over time. */
export const connectedUsersQueries = (db: Database) => ({
  /**
   * The connected users at the points of a divided chart; null where it counts those of all, as other filters and dimensions do not
   * apply to users. The largest parts are those with the largest sums of their points. Users of customers that are deleted by now are
   * not counted.
   */
  connectedUsers: async (
    asked: Period,
    now: Date,
    filter: ChartFilter,
    by: ChartDimension | null,
  ): Promise<ConnectedUsers | null> => {
    const divisor = by === 'customer' || by === 'integrator' ? by : null;
    if (divisor === null && filter.customer === undefined && filter.integrator === undefined) return null;
    const resolution = breakdownResolutionOf(asked, now.getTime());
    const { from, stepMs, count } = stepsOf(asked, now.getTime(), resolution);
    if (count === 0) return { whole: [], series: divisor && [], names: {} };
    const table = sql.table(connectedTableOf(resolution).name);
    const rows = await readParts(db, { table, period: { from, to: from + count * stepMs }, stepMs, count, filter, by: divisor });
    const usersOf = (key: string | null) =>
      levelsOf(
        rows.filter(({ part }) => part === key),
        count,
      );
    const whole = usersOf(null);
    if (divisor === null) return { whole, series: null, names: {} };
    const parts = [...new Set(rows.flatMap(({ part }) => part ?? []))]
      .map((key): ConnectedSeries => ({ key, users: usersOf(key) }))
      .sort((a, b) => sum(b.users) - sum(a.users) || ((a.key ?? '') < (b.key ?? '') ? -1 : 1));
    const others = whole.map((all, at) => all - sum(parts.map(({ users }) => users[at] ?? 0)));
    const series = [...parts, { key: null, users: others }].filter(({ users }) => sum(users) > 0);
    const ids = series.flatMap(({ key }) => (key === null ? [] : [key]));
    return { whole, series, names: await namesOf(db, ids) };
  },
});
