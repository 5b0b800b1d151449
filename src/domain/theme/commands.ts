import type { Command } from '../decider.ts';
import type { IntegratorId, ThemeId } from '../ids.ts';
import type { ThemeLook } from './events.ts';

type OfTheme<Data extends object = object> = Data & { integratorId: IntegratorId; themeId: ThemeId };

export type CreateTheme = Command<'CreateTheme', OfTheme<ThemeLook & { themeName: string; makeDefault: boolean }>>;
export type ReviseTheme = Command<'ReviseTheme', OfTheme<ThemeLook>>;
/** Also activates the theme if necessary: the default is active. */
type MakeThemeDefault = Command<'MakeThemeDefault', OfTheme>;
type ActivateTheme = Command<'ActivateTheme', OfTheme>;
type DeactivateTheme = Command<'DeactivateTheme', OfTheme>;
type DeleteTheme = Command<'DeleteTheme', OfTheme>;

/** All commands to a service integrator's catalogue of custom themes. */
export type ThemeCommand = CreateTheme | ReviseTheme | MakeThemeDefault | ActivateTheme | DeactivateTheme | DeleteTheme;
