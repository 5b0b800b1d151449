import { type RawBuilder, sql } from 'kysely';
import type { CustomTheme } from '../../contracts/themes.ts';
import type { ThemeId } from '../../domain/ids.ts';
import { THEME_DEFAULTS } from '../../domain/limits.ts';
import { builtinTheme } from '../../domain/theme/builtin.ts';

const UUID_LENGTH = 36;

/** Whether a customer's theme is a custom one: those are kept by id, built-in ones by name. */
export const isCustomTheme = (theme: string): theme is ThemeId => theme.length === UUID_LENGTH;

/** The custom theme's id in a column that holds either; null where it is a built-in theme's name. */
export const themeIdIn = (column: string): RawBuilder<ThemeId | null> =>
  sql<ThemeId | null>`case when length(${sql.ref(column)}) = ${sql.lit(UUID_LENGTH)} then ${sql.ref(column)}::uuid end`;

/** What people call a theme that is not a custom one. */
export const themeDisplayName = (theme: string): string => builtinTheme(theme)?.displayName ?? theme;

type Colors = { themeName: string; primaryColor: string; secondaryColor: string | null; accentColor: string | null };

/** What a terminal needs of a custom theme; colours that are not chosen are the primary one. */
export const themeConfigOf = ({ themeName, primaryColor, secondaryColor, accentColor }: Colors): CustomTheme['themeConfig'] => ({
  name: themeName,
  colors: {
    primary: primaryColor,
    secondary: secondaryColor ?? primaryColor,
    accent: accentColor ?? primaryColor,
    background: THEME_DEFAULTS.background,
    foreground: THEME_DEFAULTS.foreground,
  },
});
