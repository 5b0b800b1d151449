import type { CustomTheme } from '../../../../../src/contracts/themes.ts';
import { THEME_DEFAULTS } from '../../../../../src/domain/limits.ts';

/** Values of the theme form. The name cannot be changed after the creation. */
export type ThemeFormValues = {
  themeName: string;
  displayName: string;
  description: string;
  primaryColor: string;
  secondaryColor: string;
  accentColor: string;
  isDefault: boolean;
  isActive: boolean;
};

export const newTheme: ThemeFormValues = {
  themeName: '',
  displayName: '',
  description: '',
  primaryColor: THEME_DEFAULTS.primaryColor,
  secondaryColor: THEME_DEFAULTS.secondaryColor,
  accentColor: THEME_DEFAULTS.accentColor,
  isDefault: false,
  isActive: true,
};

export const valuesOf = (theme: CustomTheme): ThemeFormValues => ({
  themeName: theme.themeName,
  displayName: theme.displayName,
  description: theme.description ?? '',
  primaryColor: theme.primaryColor,
  secondaryColor: theme.secondaryColor ?? '',
  accentColor: theme.accentColor ?? '',
  isDefault: theme.isDefault,
  isActive: theme.isActive,
});

/** A description is one paragraph, also in terminals: a line break becomes a space. */
const oneParagraph = (description: string): string => description.replace(/\s*[\r\n]\s*/g, ' ');

/** A new theme is active; the form has no field for that. */
export const createBodyOf = ({ isActive: _, ...typed }: ThemeFormValues) => ({
  ...typed,
  description: oneParagraph(typed.description),
});
export const updateBodyOf = ({ themeName: _, ...typed }: ThemeFormValues) => ({
  ...typed,
  description: oneParagraph(typed.description),
});

const HEX = /^#[0-9a-f]{6}$/i;
const colorOr = (typed: string, fallback: string): string => (HEX.test(typed.trim()) ? typed.trim() : fallback);

type Colors = Pick<ThemeFormValues, 'primaryColor' | 'secondaryColor' | 'accentColor'>;

/** The colors of the preview: the primary color replaces a missing secondary or accent color. */
export const shownColors = ({ primaryColor, secondaryColor, accentColor }: Colors) => {
  const primary = colorOr(primaryColor, newTheme.primaryColor);
  return { primary, secondary: colorOr(secondaryColor, primary), accent: colorOr(accentColor, primary) };
};
