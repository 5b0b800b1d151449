import type { CreateTheme } from '../../../src/domain/theme/commands.ts';
import type { ThemeLook } from '../../../src/domain/theme/events.ts';
import { commandOf } from './command.ts';
import { integratorIdOf, themeIdOf } from './ids.ts';
import { themeLook } from './theme.ts';

const integratorId = integratorIdOf();
const of = (theme: string) => ({ integratorId, themeId: themeIdOf(theme) });

export const createTheme = (theme = 'ocean', overrides: Partial<CreateTheme['data']> = {}) =>
  commandOf('CreateTheme', { ...of(theme), themeName: theme, ...themeLook(), makeDefault: false, ...overrides });
export const reviseTheme = (theme = 'ocean', overrides: Partial<ThemeLook> = {}) =>
  commandOf('ReviseTheme', { ...of(theme), ...themeLook(overrides) });
export const makeThemeDefault = (theme = 'ocean') => commandOf('MakeThemeDefault', of(theme));
export const activateTheme = (theme = 'ocean') => commandOf('ActivateTheme', of(theme));
export const deactivateTheme = (theme = 'ocean') => commandOf('DeactivateTheme', of(theme));
export const deleteTheme = (theme = 'ocean') => commandOf('DeleteTheme', of(theme));
