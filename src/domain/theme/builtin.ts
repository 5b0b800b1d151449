import { THEME_DEFAULTS } from '../limits.ts';

/** A theme of the product. Colors are `#RRGGBB`. */
export type BuiltinTheme = Readonly<{
  name: string;
  displayName: string;
  description: string;
  primaryColor: string;
  secondaryColor: string;
  accentColor: string;
  background: string;
  foreground: string;
  /** Whether it may be chosen. */
  available: boolean;
}>;

/** The product's own themes: a plain one and three of partners' brands. */
export const builtinThemes: readonly BuiltinTheme[] = [
  {
    name: 'plain',
    displayName: 'Plain',
    description: 'The default look, without any branding',
    ...THEME_DEFAULTS,
    available: true,
  },
  {
    name: 'aurora',
    displayName: 'Aurora',
    description: 'Violet and teal on a night sky',
    primaryColor: '#6D5BD0',
    secondaryColor: '#2DD4BF',
    accentColor: '#F472B6',
    background: '#0F1024',
    foreground: '#ECEBFF',
    available: true,
  },
  {
    name: 'meridian',
    displayName: 'Meridian',
    description: 'Deep blue and amber on white',
    primaryColor: '#1D4ED8',
    secondaryColor: '#0EA5E9',
    accentColor: '#F59E0B',
    background: '#FFFFFF',
    foreground: '#0B1B3B',
    available: true,
  },
  {
    name: 'summit',
    displayName: 'Summit',
    description: 'Evergreen and copper on stone',
    primaryColor: '#166534',
    secondaryColor: '#65A30D',
    accentColor: '#C2410C',
    background: '#FAFAF7',
    foreground: '#1C2B20',
    available: true,
  },
];

const byName = new Map(builtinThemes.map((theme) => [theme.name, theme]));

/** The built-in theme of a name; undefined for other names and the ids of custom themes. */
export const builtinTheme = (name: string): BuiltinTheme | undefined => byName.get(name);

/** Names reserved for addresses of the API and for the built-in themes. */
export const isReservedThemeName = (name: string): boolean =>
  name === 'list' || name === 'current' || name === 'customer' || byName.has(name);
