import { type SelectQueryBuilder, sql } from 'kysely';
import type { CustomTheme, OwnedTheme } from '../../contracts/themes.ts';
import type { Database } from '../../database/database.ts';
import type { Tables } from '../../database/tables/tables.ts';
import type { IntegratorId, ThemeId } from '../../domain/ids.ts';
import { dayAfter } from '../../domain/time.ts';
import { cursorOf, isInstant } from '../lists/cursor.ts';
import { isAfter, type Order, pageOf } from '../lists/paging.ts';
import { anywhere, COUNT_LIMIT, type CountEnd, countEndAfter } from '../lists/search.ts';
import { themeConfigOf } from '../main/themeLook.ts';

/** Which themes: of an integrator or of all, active or not, with a text in either name. */
export type ThemeFilter = {
  integratorId?: IntegratorId | undefined;
  active?: boolean | undefined;
  search?: string | undefined;
  limit: number;
  cursor?: string | undefined;
};
export type ThemePage = CountEnd & { themes: OwnedTheme[]; total: number; nextCursor: string | null };
export type ThemeUsage = { customers: number; activeUsers: number; apiCalls: number };

type Filtered = SelectQueryBuilder<Tables & { t: Tables['read.theme'] }, 't', object>;

const matching = (db: Database, { integratorId, active, search }: ThemeFilter): Filtered => {
  let query: Filtered = db.selectFrom('read.theme as t');
  if (integratorId) query = query.where('t.integrator_id', '=', integratorId);
  if (active !== undefined) query = query.where('t.is_active', '=', active);
  if (search) {
    const pattern = anywhere(search);
    query = query.where(({ or, eb }) => or([eb('t.display_name', 'ilike', pattern), eb('t.theme_name', 'like', pattern)]));
  }
  return query;
};

const BY_CREATION: Order<ThemeId> = {
  sort: 'createdAt',
  column: sql.ref('t.created_at'),
  id: sql.ref<ThemeId>('t.theme_id'),
  fits: isInstant,
};

/** The ids of a page and one more. */
const idsOf = (db: Database, filter: ThemeFilter) => {
  const query = matching(db, filter)
    .select('t.theme_id')
    .orderBy('t.created_at')
    .orderBy('t.theme_id')
    .limit(filter.limit + 1);
  return filter.cursor === undefined ? query : query.where(isAfter(filter.cursor, BY_CREATION));
};

const totalOf = async (db: Database, filter: ThemeFilter): Promise<number> => {
  const { n } = await db
    .selectFrom(matching(db, filter).select('t.theme_id').limit(COUNT_LIMIT).as('found'))
    .select((count) => count.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
};

const rowsOf = (db: Database) =>
  db
    .selectFrom('read.theme as t')
    .leftJoin('read.integrator as i', 'i.integrator_id', 't.integrator_id')
    .leftJoin('read.theme_catalogue as k', 'k.integrator_id', 't.integrator_id')
    .leftJoin('read.tally as n', (on) =>
      on.on('n.kind', '=', 'theme').onRef('n.scope', '=', 't.theme_id').on('n.name', '=', 'customers'),
    )
    .leftJoin('read.theme as f', (on) => on.onRef('f.theme_id', '=', 'k.default_theme_id').onRef('f.theme_id', '!=', 't.theme_id'))
    .selectAll('t')
    .select(['n.n as customers', 'k.default_theme_id', 'i.company_name', 'f.display_name as fallback'])
    .select(sql<string>`coalesce(k.revision, 0)::text`.as('revision'));

type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number];

const shown = (row: Row): CustomTheme => ({
  id: row.theme_id,
  themeName: row.theme_name,
  displayName: row.display_name,
  description: row.description,
  primaryColor: row.primary_color,
  secondaryColor: row.secondary_color,
  accentColor: row.accent_color,
  isDefault: row.default_theme_id === row.theme_id,
  isActive: row.is_active,
  customerCount: row.customers ?? 0,
  fallbackTheme: row.fallback,
  themeConfig: themeConfigOf({
    themeName: row.theme_name,
    primaryColor: row.primary_color,
    secondaryColor: row.secondary_color,
    accentColor: row.accent_color,
  }),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

/** The usage of themes in `days` days up to `today` (`yyyy-mm-dd`), by their ids. */
const usageOf = async (
  db: Database,
  ids: readonly ThemeId[],
  days: number,
  today: string,
): Promise<(id: ThemeId) => ThemeUsage> => {
  if (ids.length === 0) return () => ({ customers: 0, activeUsers: 0, apiCalls: 0 });
  const [tallies, calls] = await Promise.all([
    db.selectFrom('read.tally').select(['scope', 'name', 'n']).where('kind', '=', 'theme').where('scope', 'in', ids).execute(),
    db
      .selectFrom('read.customer as c')
      .innerJoin('usage.day as d', 'd.customer_id', 'c.customer_id')
      .select(['c.theme', sql<number>`sum(d.calls)::int8`.as('calls')])
      .where('c.theme', 'in', ids)
      .where('d.day', '>', dayAfter(today, -days))
      .where('d.day', '<=', today)
      .groupBy('c.theme')
      .execute(),
  ]);
  return (id) => {
    const tallyOf = (name: string): number => tallies.find((tally) => tally.scope === id && tally.name === name)?.n ?? 0;
    return {
      customers: tallyOf('customers'),
      activeUsers: tallyOf('active_users'),
      apiCalls: calls.find(({ theme }) => theme === id)?.calls ?? 0,
    };
  };
};

/** Queries on integrators' custom themes; the built-in ones are data of the domain. */
export const themeQueries = (db: Database) => ({
  /** A page of themes, oldest first. `total` counts to 10,000. */
  list: async (filter: ThemeFilter): Promise<ThemePage> => {
    const [rows, total] = await Promise.all([
      rowsOf(db).where('t.theme_id', 'in', idsOf(db, filter)).orderBy('t.created_at').orderBy('t.theme_id').execute(),
      totalOf(db, filter),
    ]);
    const { page, nextCursor } = pageOf(rows, filter.limit, ({ created_at, theme_id }) =>
      cursorOf(BY_CREATION.sort, { value: created_at.toISOString(), id: theme_id }),
    );
    const themes = page.map((row) => ({
      serviceIntegratorId: row.integrator_id,
      serviceIntegratorName: row.company_name ?? '',
      ...shown(row),
    }));
    return { themes, total, ...countEndAfter(total), nextCursor };
  },

  /** `revision` of the catalogue's stream, as the ETag of each of its themes. */
  get: async (integratorId: IntegratorId, themeId: ThemeId): Promise<{ theme: CustomTheme; revision: bigint } | null> => {
    const row = await rowsOf(db).where('t.theme_id', '=', themeId).where('t.integrator_id', '=', integratorId).executeTakeFirst();
    return row ? { theme: shown(row), revision: BigInt(row.revision) } : null;
  },

  /** A custom theme of any integrator. */
  find: async (themeId: ThemeId): Promise<(CustomTheme & { integratorId: IntegratorId }) | null> => {
    const row = await rowsOf(db).where('t.theme_id', '=', themeId).executeTakeFirst();
    return row ? { ...shown(row), integratorId: row.integrator_id } : null;
  },

  /** Customers and active users with the theme, and their API calls in `days` days up to `today` (`yyyy-mm-dd`). Null without the theme. */
  usage: async (integratorId: IntegratorId, themeId: ThemeId, days: number, today: string): Promise<ThemeUsage | null> => {
    const theme = await db
      .selectFrom('read.theme')
      .select('theme_id')
      .where('theme_id', '=', themeId)
      .where('integrator_id', '=', integratorId)
      .executeTakeFirst();
    return theme ? (await usageOf(db, [themeId], days, today))(themeId) : null;
  },

  /** The usage of the themes of a page, in the order of `list`. */
  usages: async (filter: ThemeFilter, days: number, today: string): Promise<(ThemeUsage & { id: ThemeId })[]> => {
    const rows = await idsOf(db, filter).execute();
    const ids = rows.slice(0, filter.limit).map(({ theme_id }) => theme_id);
    const usage = await usageOf(db, ids, days, today);
    return ids.map((id) => ({ id, ...usage(id) }));
  },
});
