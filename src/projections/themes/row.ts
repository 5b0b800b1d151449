import type { IntegratorId, ThemeId } from '../../domain/ids.ts';
import type { TableShape } from '../engine/sheet.ts';

/** What an integrator's themes have in common; `revision` is their stream's. */
export type CatalogueRow = { integrator_id: IntegratorId; default_theme_id: ThemeId | null; revision: number };

export const catalogueShape: TableShape<CatalogueRow> = {
  table: 'theme_catalogue',
  key: ['integrator_id'],
  columns: { integrator_id: 'uuid', default_theme_id: 'uuid', revision: 'int8' },
};

export type ThemeRow = {
  theme_id: ThemeId;
  integrator_id: IntegratorId;
  theme_name: string;
  display_name: string;
  description: string | null;
  primary_color: string;
  secondary_color: string | null;
  accent_color: string | null;
  is_active: boolean;
  created_at: string;
  updated_at: string;
};

export const themeShape: TableShape<ThemeRow> = {
  table: 'theme',
  key: ['theme_id'],
  owners: ['integrator_id'],
  columns: {
    theme_id: 'uuid',
    integrator_id: 'uuid',
    theme_name: 'text',
    display_name: 'text',
    description: 'text',
    primary_color: 'text',
    secondary_color: 'text',
    accent_color: 'text',
    is_active: 'boolean',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
};
