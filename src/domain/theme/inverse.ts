import type { ThemeId } from '../ids.ts';
import { type NoInverse, restored } from '../inverse.ts';
import type { ThemeEvent, ThemeLook } from './events.ts';
import type { Theme, ThemeCatalogue } from './evolve.ts';

/** The changes of a theme that take an event back. `isDefault` makes the theme the default. */
export type ThemeInverse = Readonly<{
  theme: Theme;
  changes: Partial<ThemeLook> & Readonly<{ isActive?: boolean; isDefault?: true }>;
}>;

const lookOf = ({ displayName, description, primaryColor, secondaryColor, accentColor }: ThemeLook): ThemeLook => ({
  displayName,
  description,
  primaryColor,
  secondaryColor,
  accentColor,
});

const isDefault = ({ defaultThemeId }: ThemeCatalogue, themeId: ThemeId): boolean => defaultThemeId === themeId;

/** What takes an event of a catalogue back, from the state before it and the state now. */
export const inverseOf = (event: ThemeEvent, before: ThemeCatalogue, now: ThemeCatalogue): ThemeInverse | NoInverse => {
  const { themeId } = event.data;
  const former = before.themes.get(themeId);
  const theme = now.themes.get(themeId);
  switch (event.type) {
    case 'ThemeRevised': {
      const changes = former && theme && restored(lookOf(former), lookOf(event.data), lookOf(theme));
      return changes ? { theme, changes } : 'revert_outdated';
    }
    case 'ThemeActivated':
      return former && theme?.active ? { theme, changes: { isActive: false } } : 'revert_outdated';
    case 'ThemeDeactivated': {
      if (!former || !theme || theme.active) return 'revert_outdated';
      const wasDefault = isDefault(before, themeId) && now.defaultThemeId === null;
      return { theme, changes: { isActive: true, ...(wasDefault && { isDefault: true as const }) } };
    }
    case 'ThemeMadeDefault': {
      if (before.defaultThemeId === null) return 'revert_unsupported'; // a default can only be replaced
      const replaced = now.themes.get(before.defaultThemeId);
      return replaced && isDefault(now, themeId) ? { theme: replaced, changes: { isDefault: true } } : 'revert_outdated';
    }
    default:
      return 'revert_unsupported';
  }
};
