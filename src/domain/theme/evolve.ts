import type { ThemeId } from '../ids.ts';
import { emptyMap, type PersistentMap } from '../persistentMap.ts';
import type { ThemeEvent, ThemeLook } from './events.ts';

export type Theme = ThemeLook & Readonly<{ themeId: ThemeId; themeName: string; active: boolean }>;

/** The custom themes of one service integrator. */
export type ThemeCatalogue = Readonly<{
  themes: PersistentMap<ThemeId, Theme>;
  themeIdByName: PersistentMap<string, ThemeId>;
  defaultThemeId: ThemeId | null;
  deleted: PersistentMap<ThemeId, true>;
}>;

export const emptyCatalogue: ThemeCatalogue = {
  themes: emptyMap(),
  themeIdByName: emptyMap(),
  defaultThemeId: null,
  deleted: emptyMap(),
};

const changed = (catalogue: ThemeCatalogue, themeId: ThemeId, change: Partial<Theme>): ThemeCatalogue => {
  const theme = catalogue.themes.get(themeId);
  return theme ? { ...catalogue, themes: catalogue.themes.with(themeId, { ...theme, ...change }) } : catalogue;
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
        themes: catalogue.themes.with(themeId, {
          ...lookOf(event.data),
          themeId,
          themeName: event.data.themeName,
          active: true,
        }),
        themeIdByName: catalogue.themeIdByName.with(event.data.themeName, themeId),
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
          themes: catalogue.themes.without(themeId),
          themeIdByName: theme ? catalogue.themeIdByName.without(theme.themeName) : catalogue.themeIdByName,
          deleted: catalogue.deleted.with(themeId, true),
        },
        themeId,
      );
    }
  }
};
