import { accept, type Decider, type Decision, refuse } from '../decider.ts';
import { isReservedThemeName } from './builtin.ts';
import type { CreateTheme, ReviseTheme, ThemeCommand } from './commands.ts';
import type { ThemeCreated, ThemeEvent, ThemeMadeDefault, ThemeRevised } from './events.ts';
import { emptyCatalogue, evolve, type Theme, type ThemeCatalogue } from './evolve.ts';

/** Why a command to a catalogue is refused. `theme_name_reserved`: a built-in theme has the name. */
export type ThemeRefusal = 'theme_not_found' | 'theme_deleted' | 'theme_name_taken' | 'theme_name_reserved' | 'theme_is_default';

type Decided<E extends ThemeEvent = ThemeEvent> = Decision<E, ThemeRefusal>;

/** The first theme does not become the default automatically. */
const create = ({ data }: CreateTheme, catalogue: ThemeCatalogue): Decided<ThemeCreated | ThemeMadeDefault> => {
  if (catalogue.deleted.has(data.themeId)) return refuse('theme_deleted');
  if (catalogue.themes.has(data.themeId)) return accept();
  if (isReservedThemeName(data.themeName)) return refuse('theme_name_reserved');
  if (catalogue.themeIdByName.has(data.themeName)) return refuse('theme_name_taken');
  const { themeId, themeName, displayName, description, primaryColor, secondaryColor, accentColor, makeDefault } = data;
  const created: ThemeCreated = {
    type: 'ThemeCreated',
    data: { themeId, themeName, displayName, description, primaryColor, secondaryColor, accentColor },
  };
  return makeDefault ? accept<ThemeCreated | ThemeMadeDefault>(created, madeDefault(created.data)) : accept(created);
};

const madeDefault = ({ themeId }: Pick<Theme, 'themeId'>): ThemeMadeDefault => ({ type: 'ThemeMadeDefault', data: { themeId } });

const revise = ({ data }: ReviseTheme, theme: Theme): Decided<ThemeRevised> => {
  const { displayName, description, primaryColor, secondaryColor, accentColor } = data;
  const same =
    displayName === theme.displayName &&
    description === theme.description &&
    primaryColor === theme.primaryColor &&
    secondaryColor === theme.secondaryColor &&
    accentColor === theme.accentColor;
  if (same) return accept();
  return accept({
    type: 'ThemeRevised',
    data: { themeId: theme.themeId, displayName, description, primaryColor, secondaryColor, accentColor },
  });
};

/** The default may be removed only if no other theme can replace it. */
const isNeededDefault = ({ defaultThemeId, themes }: ThemeCatalogue, { themeId }: Theme): boolean =>
  defaultThemeId === themeId && themes.size > 1;

const makeDefault = ({ defaultThemeId }: ThemeCatalogue, theme: Theme): Decided => {
  const { themeId, active } = theme;
  if (defaultThemeId === themeId) return accept();
  return active
    ? accept(madeDefault(theme))
    : accept<ThemeEvent>({ type: 'ThemeActivated', data: { themeId } }, madeDefault(theme));
};

const decideTheme = (command: Exclude<ThemeCommand, CreateTheme>, catalogue: ThemeCatalogue, theme: Theme): Decided => {
  const { themeId, active } = theme;
  switch (command.type) {
    case 'ReviseTheme':
      return revise(command, theme);
    case 'MakeThemeDefault':
      return makeDefault(catalogue, theme);
    case 'ActivateTheme':
      return active ? accept() : accept({ type: 'ThemeActivated', data: { themeId } });
    case 'DeactivateTheme':
      if (!active) return accept();
      if (isNeededDefault(catalogue, theme)) return refuse('theme_is_default');
      return accept({ type: 'ThemeDeactivated', data: { themeId } });
    case 'DeleteTheme':
      if (isNeededDefault(catalogue, theme)) return refuse('theme_is_default');
      return accept({ type: 'ThemeDeleted', data: { themeId } });
  }
};

const decide = (command: ThemeCommand, catalogue: ThemeCatalogue): Decided => {
  if (command.type === 'CreateTheme') return create(command, catalogue);
  const theme = catalogue.themes.get(command.data.themeId);
  if (theme) return decideTheme(command, catalogue, theme);
  const isSoAlready = command.type === 'DeleteTheme' && catalogue.deleted.has(command.data.themeId);
  return isSoAlready ? accept() : refuse('theme_not_found');
};

/** One integrator's custom themes: names are unique, at most one is the default, and the default is active. */
export const themeDecider: Decider<ThemeCommand, ThemeCatalogue, ThemeEvent, ThemeRefusal> = {
  initial: emptyCatalogue,
  decide,
  evolve,
};
