import { sql } from 'kysely';
import type { ChartFilter } from '../../contracts/charts.ts';
import type { Database } from '../../database/database.ts';
import type { TrafficKind } from '../../database/tables/usage.ts';
import type { CustomerId, IntegratorId } from '../../domain/ids.ts';
import type { Period } from '../monitoring/resolutions.ts';
import { EVERYTHING } from '../scope.ts';
import { type Cell, type CellKey, decodeCells, eachOf } from './cells.ts';
import type { Traffic } from './rows.ts';

/** Stored cells of a scope in a minute or hour that begins at `ms` since 1970. */
type StoredRow = { ms: number; scope: string; cells: Buffer };

/** The ids of the most active scopes of a kind. */
type Ranking = Readonly<{ kind: TrafficKind; integratorId: string | undefined; by: 'calls' | 'errors'; count: number }>;

/** Whether a filter compares what cells are divided by. */
export const dividesCells = ({ service, operation, outcome, instance }: ChartFilter): boolean =>
  [service, operation, outcome, instance].some((value) => value !== undefined);

/** Whether a cell passes a filter. Cells that are counted together pass none of a single operation or instance. */
export const passes = ({ service, operation, outcome, instance }: ChartFilter, key: CellKey): boolean =>
  (service === undefined || key.service === service) &&
  (operation === undefined || key.operation === operation) &&
  (outcome === undefined || key.outcome === outcome) &&
  (instance === undefined || key.instanceUrl === instance);

/** The integrator of a customer with calls; null for none. */
export const integratorOf = async (db: Database, customer: CustomerId): Promise<IntegratorId | null> => {
  const row = await db.selectFrom('usage.customer').select('integrator_id').where('customer_id', '=', customer).executeTakeFirst();
  return row?.integrator_id ?? null;
};

/** The scope that contains all calls of a filter and no fewer; null if no customer fits. */
export const scopeOfFilter = async (db: Database, { customer, integrator }: ChartFilter): Promise<string | null> => {
  if (customer === undefined) return integrator ?? EVERYTHING;
  return integrator === undefined || (await integratorOf(db, customer)) === integrator ? customer : null;
};

/** Calls back with each cell of the scopes in the period. */
export const eachCell = async (
  db: Database,
  { shape, sizeMs }: Traffic,
  { from, to }: Period,
  scopes: readonly string[],
  take: (row: StoredRow, cell: Cell) => void,
): Promise<void> => {
  if (scopes.length === 0) return;
  const { rows } = await sql<StoredRow>`
    select (extract(epoch from t.at) * 1000)::int8 as ms, t.scope, t.cells
    from generate_series(${new Date(from)}::timestamptz, ${new Date(to - 1)}::timestamptz, make_interval(secs => ${sizeMs / 1000})) as s(at)
    join ${sql.table(shape.name)} t on t.at = s.at and t.scope = any(${[...scopes]}::uuid[])`.execute(db);
  const keys = new Map<string, CellKey>();
  for (const row of rows) for (const cell of eachOf(decodeCells(row.cells), keys)) take(row, cell);
};

/** The scopes with the most calls in the period, or with the most failed calls; of an integrator, if one is given. */
export const mostActive = async (
  db: Database,
  { shape }: Traffic,
  { from, to }: Period,
  { kind, integratorId, by, count }: Ranking,
): Promise<string[]> => {
  const ofIntegrator = integratorId
    ? sql`and t.scope in (select customer_id from usage.customer where integrator_id = ${integratorId})`
    : sql``;
  const { rows } = await sql<{ scope: string }>`
    select t.scope from ${sql.table(shape.name)} t
    where t.at >= ${new Date(from)} and t.at < ${new Date(to)} and t.kind = ${kind} ${ofIntegrator}
    group by t.scope order by sum(t.${sql.ref(by)}) desc, t.scope limit ${count}`.execute(db);
  return rows.map(({ scope }) => scope);
};

/** Names of customers and integrators by id. */
export const namesOf = async (db: Database, ids: readonly string[]): Promise<Record<string, string>> => {
  if (ids.length === 0) return {};
  const { rows } = await sql<{ id: string; name: string }>`
    select customer_id as id, name from read.customer where customer_id = any(${[...ids]}::uuid[])
    union all
    select integrator_id, company_name from read.integrator where integrator_id = any(${[...ids]}::uuid[])`.execute(db);
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
};
