import type { IntegratorId, ThemeId } from '../../domain/ids.ts';
import { boolean, defineTable, int8, nullable, type RowOf, text, timestamptz, uuid } from './defineTable.ts';

/** One row per integrator with custom themes. */
export const catalogueTable = defineTable('read.theme_catalogue', {
  key: ['integrator_id'],
  columns: {
    integrator_id: uuid<IntegratorId>(),
    default_theme_id: nullable(uuid<ThemeId>()),
    /** The revision of the catalogue's stream. */
    revision: int8(),
  },
});

/** A service integrator's catalogue in a projection's memory. */
export type CatalogueRow = RowOf<typeof catalogueTable>;

/** One row for each custom theme that is not deleted. */
export const themeTable = defineTable('read.theme', {
  key: ['theme_id'],
  owners: ['integrator_id'],
  columns: {
    theme_id: uuid<ThemeId>(),
    integrator_id: uuid<IntegratorId>(),
    theme_name: text(),
    display_name: text(),
    description: nullable(text()),
    primary_color: text(),
    secondary_color: nullable(text()),
    accent_color: nullable(text()),
    is_active: boolean(),
    created_at: timestamptz(),
    updated_at: timestamptz(),
  },
});

/** A row of `read.theme` in a projection's memory. */
export type ThemeRow = RowOf<typeof themeTable>;
