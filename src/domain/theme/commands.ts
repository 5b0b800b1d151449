import type { Command } from '../decider.ts';
import type { IntegratorId, ThemeId } from '../ids.ts';
import type { ThemeLook } from './events.ts';

type OfTheme<Data extends object = object> = Data & { integratorId: IntegratorId; themeId: ThemeId };

export type CreateTheme = Command<'CreateTheme', OfTheme<ThemeLook & { themeName: string; makeDefault: boolean }>>;
export type ReviseTheme = Command<'ReviseTheme', OfTheme<ThemeLook>>;
/** Activates the theme too if need be: the default is active. */
export type MakeThemeDefault = Command<'MakeThemeDefault', OfTheme>;
export type ActivateTheme = Command<'ActivateTheme', OfTheme>;
export type DeactivateTheme = Command<'DeactivateTheme', OfTheme>;
export type DeleteTheme = Command<'DeleteTheme', OfTheme>;

export type ThemeCommand = CreateTheme | ReviseTheme | MakeThemeDefault | ActivateTheme | DeactivateTheme | DeleteTheme;
