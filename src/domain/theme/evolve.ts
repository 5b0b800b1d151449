import { Map as ImmutableMap } from 'immutable';
import type { ThemeId } from '../ids.ts';
import type { ThemeEvent, ThemeLook } from './events.ts';

export type Theme = ThemeLook & Readonly<{ themeId: ThemeId; themeName: string; active: boolean }>;

/** The custom themes of one service integrator. */
export type ThemeCatalogue = Readonly<{
  themes: ImmutableMap<ThemeId, Theme>;
  themeIdByName: ImmutableMap<string, ThemeId>;
  defaultThemeId: ThemeId | null;
  deleted: ImmutableMap<ThemeId, true>;
}>;

export const emptyCatalogue: ThemeCatalogue = {
  themes: ImmutableMap(),
  themeIdByName: ImmutableMap(),
  defaultThemeId: null,
  deleted: ImmutableMap(),
};

const changed = (catalogue: ThemeCatalogue, themeId: ThemeId, change: Partial<Theme>): ThemeCatalogue => {
  const theme = catalogue.themes.get(themeId);
  return theme ? { ...catalogue, themes: catalogue.themes.set(themeId, { ...theme, ...change }) } : catalogue;
};

const withoutDefault = (catalogue: ThemeCatalogue, themeId: ThemeId): ThemeCatalogue =>
  catalogue.defaultThemeId === themeId ? { ...catalogue, defaultThemeId: null } : catalogue;

const lookOf = (look: ThemeLook): ThemeLook => ({
  displayName: look.displayName,
  description: look.description,
  primaryColor: look.primaryColor,
  secondaryColor: look.secondaryColor,
  accentColor: look.accentColor,
});

/** Total. A theme that is deactivated or deleted is no longer the default. */
export const evolve = (catalogue: ThemeCatalogue, event: ThemeEvent): ThemeCatalogue => {
  const { themeId } = event.data;
  switch (event.type) {
    case 'ThemeCreated':
      return {
        ...catalogue,
        themes: catalogue.themes.set(themeId, {
          ...lookOf(event.data),
          themeId,
          themeName: event.data.themeName,
          active: true,
        }),
        themeIdByName: catalogue.themeIdByName.set(event.data.themeName, themeId),
      };
    case 'ThemeRevised':
      return changed(catalogue, themeId, lookOf(event.data));
    case 'ThemeMadeDefault':
      return { ...catalogue, defaultThemeId: themeId };
    case 'ThemeActivated':
      return changed(catalogue, themeId, { active: true });
    case 'ThemeDeactivated':
      return withoutDefault(changed(catalogue, themeId, { active: false }), themeId);
    case 'ThemeDeleted': {
      const theme = catalogue.themes.get(themeId);
      return withoutDefault(
        {
          ...catalogue,
          themes: catalogue.themes.delete(themeId),
          themeIdByName: theme ? catalogue.themeIdByName.delete(theme.themeName) : catalogue.themeIdByName,
          deleted: catalogue.deleted.set(themeId, true),
        },
        themeId,
      );
    }
  }
};
