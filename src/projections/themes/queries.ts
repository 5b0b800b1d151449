import { sql } from 'kysely';
import type { CustomTheme } from '../../contracts/themes.ts';
import type { Database } from '../../database/database.ts';
import type { IntegratorId, ThemeId } from '../../domain/ids.ts';
import { dayAfter } from '../days.ts';
import { themeConfigOf } from './look.ts';

export type ThemeUsage = { customers: number; activeUsers: number; apiCalls: number };

const rowsOf = (db: Database) =>
  db
    .selectFrom('read.theme as t')
    .leftJoin('read.theme_catalogue as k', 'k.integrator_id', 't.integrator_id')
    .leftJoin('read.tally as n', (on) =>
      on.on('n.kind', '=', 'theme').onRef('n.scope', '=', 't.theme_id').on('n.name', '=', 'customers'),
    )
    .selectAll('t')
    .select(['n.n as customers', 'k.default_theme_id'])
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
  themeConfig: themeConfigOf({
    themeName: row.theme_name,
    primaryColor: row.primary_color,
    secondaryColor: row.secondary_color,
    accentColor: row.accent_color,
  }),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

/** Queries on integrators' custom themes; the built-in ones are data of the domain. */
export const themeQueries = (db: Database) => ({
  /** An integrator's catalogue, oldest first. */
  list: async (integratorId: IntegratorId, { active }: { active?: boolean | undefined } = {}): Promise<CustomTheme[]> => {
    let query = rowsOf(db).where('t.integrator_id', '=', integratorId).orderBy('t.created_at').orderBy('t.theme_id');
    if (active !== undefined) query = query.where('t.is_active', '=', active);
    return (await query.execute()).map(shown);
  },

  /** `revision` of the catalogue's stream, as the ETag of each of its themes. */
  get: async (integratorId: IntegratorId, themeId: ThemeId): Promise<{ theme: CustomTheme; revision: bigint } | null> => {
    const row = await rowsOf(db).where('t.theme_id', '=', themeId).where('t.integrator_id', '=', integratorId).executeTakeFirst();
    return row ? { theme: shown(row), revision: BigInt(row.revision) } : null;
  },

  /** A custom theme, whoever's it is. */
  find: async (themeId: ThemeId): Promise<(CustomTheme & { integratorId: IntegratorId }) | null> => {
    const row = await rowsOf(db).where('t.theme_id', '=', themeId).executeTakeFirst();
    return row ? { ...shown(row), integratorId: row.integrator_id } : null;
  },

  /** Who has the theme now, and their API calls of the last `days` days up to `today` (`yyyy-mm-dd`). Null when there is no such theme. */
  usage: async (integratorId: IntegratorId, themeId: ThemeId, days: number, today: string): Promise<ThemeUsage | null> => {
    const theme = await db
      .selectFrom('read.theme')
      .select('theme_id')
      .where('theme_id', '=', themeId)
      .where('integrator_id', '=', integratorId)
      .executeTakeFirst();
    if (!theme) return null;
    const [tallies, { calls }] = await Promise.all([
      db.selectFrom('read.tally').select(['name', 'n']).where('kind', '=', 'theme').where('scope', '=', themeId).execute(),
      db
        .selectFrom('read.customer as c')
        .innerJoin('usage.day as d', 'd.customer_id', 'c.customer_id')
        .select(sql<number>`coalesce(sum(d.calls), 0)::int8`.as('calls'))
        .where('c.theme', '=', themeId)
        .where('d.day', '>', dayAfter(today, -days))
        .where('d.day', '<=', today)
        .executeTakeFirstOrThrow(),
    ]);
    const of = (name: string): number => tallies.find((tally) => tally.name === name)?.n ?? 0;
    return { customers: of('customers'), activeUsers: of('active_users'), apiCalls: calls };
  },
});
