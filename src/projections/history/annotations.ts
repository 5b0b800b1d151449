import { sql } from 'kysely';
import {
  ANNOTATION_TYPES,
  type Annotation,
  type AnnotationsQuery,
  type AnnotationType,
  USER_ANNOTATION_TYPES,
} from '../../contracts/annotations.ts';
import { MAX_ANNOTATIONS } from '../../contracts/chartSpans.ts';
import type { Database } from '../../database/database.ts';
import type { CustomerId, IntegratorId } from '../../domain/ids.ts';
import { type HistoryReader, nameOf, namesOf } from './showing.ts';

/** The types as literals, so that PostgreSQL sees that the index of annotations has them. */
const literals = (types: readonly AnnotationType[]) => sql.join(types.map((type) => sql.lit(type)));
const TYPES = literals(ANNOTATION_TYPES);
const TYPES_OF_CUSTOMER = literals([...ANNOTATION_TYPES, ...USER_ANNOTATION_TYPES]);

const COLUMNS = [
  'id',
  'at',
  'type',
  'summary',
  'facts',
  'customer_id',
  'integrator_id',
  'actor_kind',
  'actor_id',
  'actor_user_id',
  'actor_token_id',
] as const;

type About = Readonly<{ customer_id: CustomerId | null; integrator_id: IntegratorId | null }>;

/** The present names of customers and service integrators, by id. */
const tenantsOf = async (db: Database, rows: readonly About[]): Promise<ReadonlyMap<string, string>> => {
  const customers = [...new Set(rows.flatMap(({ customer_id }) => customer_id ?? []))];
  const integrators = [...new Set(rows.flatMap(({ integrator_id }) => integrator_id ?? []))];
  const names = await Promise.all([
    customers.length > 0
      ? db.selectFrom('read.customer').select(['customer_id as id', 'name']).where('customer_id', 'in', customers).execute()
      : [],
    integrators.length > 0
      ? db
          .selectFrom('read.integrator')
          .select(['integrator_id as id', 'company_name as name'])
          .where('integrator_id', 'in', integrators)
          .execute()
      : [],
  ]);
  return new Map(names.flat().map(({ id, name }) => [id, name]));
};

const aboutOf = ({ customer_id, integrator_id }: About, names: ReadonlyMap<string, string>): Annotation['about'] => {
  if (customer_id !== null) return { kind: 'customer', id: customer_id, name: names.get(customer_id) ?? null };
  return integrator_id === null ? null : { kind: 'integrator', id: integrator_id, name: names.get(integrator_id) ?? null };
};

const isAbout = ({ customer, integrator }: AnnotationsQuery) => {
  if (customer !== undefined) return sql<boolean>`(customer_id = ${customer} or (customer_id is null and integrator_id is null))`;
  return integrator === undefined
    ? sql<boolean>`true`
    : sql<boolean>`(integrator_id = ${integrator} or (customer_id is null and integrator_id is null)
        or customer_id in (select c.customer_id from read.customer c where c.integrator_id = ${integrator}))`;
};

/** Queries on events that annotate charts, which are entries of the history. */
export const annotationQueries = (db: Database) => ({
  /** The annotations of a period that the reader may see, oldest first. */
  inPeriod: async (query: AnnotationsQuery, reader: HistoryReader): Promise<Annotation[]> => {
    const rows = await db
      .selectFrom('read.history')
      .select(COLUMNS)
      .where('at', '>=', new Date(query.from))
      .where('at', '<=', new Date(query.to))
      .where(sql<boolean>`type in (${query.customer === undefined ? TYPES : TYPES_OF_CUSTOMER})`)
      .where(isAbout(query))
      .orderBy('at', 'desc')
      .limit(MAX_ANNOTATIONS)
      .execute();
    const [actors, tenants] = await Promise.all([namesOf(db, reader, rows), tenantsOf(db, rows)]);
    return rows
      .map((row): Annotation => {
        const { version } = row.facts.before;
        return {
          id: row.id,
          at: row.at.toISOString(),
          type: row.type as AnnotationType, // one of the types that were asked for
          summary: row.summary,
          actor: { kind: row.actor_kind, name: nameOf(actors, reader, row) },
          about: aboutOf(row, tenants),
          replaced: typeof version === 'string' && version !== row.facts.now.version ? version : null,
        };
      })
      .reverse();
  },
});
