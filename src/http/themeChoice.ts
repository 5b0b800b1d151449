import type { Commands } from '../commands/commands.ts';
import { themeId as themeIdOf } from '../contracts/fields.ts';
import type { CliTheme } from '../contracts/themes.ts';
import type { ThemeChoice } from '../domain/customer/state.ts';
import type { IntegratorId } from '../domain/ids.ts';
import { THEME_DEFAULTS } from '../domain/limits.ts';
import { builtinTheme, builtinThemes } from '../domain/theme/builtin.ts';
import type { Queries } from '../projections/queries.ts';
import { HttpProblem } from './problems/problems.ts';

/**
 * The theme of a request: a built-in one by name, or one of the integrator's by id or name. Throws `theme_unknown` and `theme_inactive`.
 */
export const resolveTheme = async (commands: Commands, integratorId: IntegratorId, chosen: string): Promise<ThemeChoice> => {
  const builtin = builtinTheme(chosen);
  if (builtin?.available) return { theme: builtin.name, source: 'explicit' };
  const { state: catalogue } = await commands.themes.load(integratorId);
  const asId = themeIdOf.safeParse(chosen);
  const themeId = asId.success ? asId.data : catalogue.themeIdByName.get(chosen);
  const theme = themeId && catalogue.themes.get(themeId);
  if (!theme) throw new HttpProblem('theme_unknown', { issues: [{ path: 'theme', message: 'There is no such theme' }] });
  if (!theme.active) throw new HttpProblem('theme_inactive');
  return { theme: theme.themeId, source: 'explicit' };
};

/** The theme of a new customer: the chosen one, else the integrator's default, else none. */
export const themeForNewCustomer = async (
  commands: Commands,
  integratorId: IntegratorId,
  chosen: string | null,
): Promise<ThemeChoice | null> => {
  if (chosen !== null) return resolveTheme(commands, integratorId, chosen);
  const { defaultThemeId } = (await commands.themes.load(integratorId)).state;
  return defaultThemeId === null ? null : { theme: defaultThemeId, source: 'default' };
};

const [plain] = builtinThemes;

const builtinForTerminal = (name: string): CliTheme => {
  const theme = builtinTheme(name) ?? plain;
  return {
    name: theme?.name ?? name,
    displayName: theme?.displayName ?? name,
    colors: {
      primary: theme?.primaryColor ?? THEME_DEFAULTS.primaryColor,
      secondary: theme?.secondaryColor ?? THEME_DEFAULTS.secondaryColor,
      accent: theme?.accentColor ?? THEME_DEFAULTS.accentColor,
      background: theme?.background ?? THEME_DEFAULTS.background,
      foreground: theme?.foreground ?? THEME_DEFAULTS.foreground,
    },
  };
};

/** What a terminal of a customer shows: its theme, or the plain one while it has none. */
export const themeForTerminal = async (queries: Queries, theme: string | null): Promise<CliTheme> => {
  const asId = themeIdOf.safeParse(theme);
  const custom = asId.success ? await queries.themes.find(asId.data) : null;
  return custom ? { ...custom.themeConfig, displayName: custom.displayName } : builtinForTerminal(theme ?? plain?.name ?? '');
};
