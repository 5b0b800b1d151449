import type {
  ThemeActivated,
  ThemeCreated,
  ThemeDeactivated,
  ThemeDeleted,
  ThemeLook,
  ThemeMadeDefault,
  ThemeRevised,
} from '../../../src/domain/theme/events.ts';
import { themeIdOf } from './ids.ts';

export const themeLook = (overrides: Partial<ThemeLook> = {}): ThemeLook => ({
  displayName: 'Ocean',
  description: null,
  primaryColor: '#0070AD',
  secondaryColor: '#00CFFF',
  accentColor: null,
  ...overrides,
});
export const themeCreated = (theme = 'ocean', overrides: Partial<ThemeCreated['data']> = {}): ThemeCreated => ({
  type: 'ThemeCreated',
  data: { themeId: themeIdOf(theme), themeName: theme, ...themeLook(), ...overrides },
});
export const themeRevised = (theme = 'ocean', overrides: Partial<ThemeLook> = {}): ThemeRevised => ({
  type: 'ThemeRevised',
  data: { themeId: themeIdOf(theme), ...themeLook(overrides) },
});
export const themeMadeDefault = (theme = 'ocean'): ThemeMadeDefault => ({
  type: 'ThemeMadeDefault',
  data: { themeId: themeIdOf(theme) },
});
export const themeActivated = (theme = 'ocean'): ThemeActivated => ({
  type: 'ThemeActivated',
  data: { themeId: themeIdOf(theme) },
});
export const themeDeactivated = (theme = 'ocean'): ThemeDeactivated => ({
  type: 'ThemeDeactivated',
  data: { themeId: themeIdOf(theme) },
});
export const themeDeleted = (theme = 'ocean'): ThemeDeleted => ({ type: 'ThemeDeleted', data: { themeId: themeIdOf(theme) } });
