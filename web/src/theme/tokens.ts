type TokenValues = Record<string, { value: string }>;

const values = (of: Record<string, string>): TokenValues =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, { value }]));

const SHADES = ['50', '100', '200', '300', '400', '500', '600', '700', '800', '900', '950'];

/** Eleven shades, lightest first. */
const shades = (hexes: string): TokenValues =>
  values(Object.fromEntries(hexes.split(' ').map((hex, at) => [SHADES[at] ?? '', hex])));

const STEPS = [
  0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 60, 64, 72, 80, 96,
];

/** A 4 px grid: step 4 is 16 px. */
const grid = values(Object.fromEntries(STEPS.map((step) => [String(step), `${step / 4}rem`])));

const sans =
  "'Inter Variable', 'Inter Fallback', ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/** Raw values. Components use the semantic tokens of `semanticTokens.ts`. */
export const tokens = {
  colors: {
    ...values({ white: '#FFFFFF', black: '#05080B', current: 'currentColor', transparent: 'transparent' }),
    brand: shades('#EFF8FE #DDF1FC #BDE3F8 #8FCEF3 #55B3E6 #2491CC #0070AD #005C8F #064B72 #0C3B59 #062539'),
    gray: shades('#F7F9FB #F0F3F7 #E3E9EF #CDD6DF #9DACBB #728396 #566779 #435262 #2E3B4A #1B2430 #0A0E13'),
    green: shades('#EFFAF3 #DDF6E6 #BFEACF #94DAB1 #60BE8B #2FA06A #007F4D #00683E #005332 #0A4128 #012715'),
    amber: shades('#FFF7E6 #FFEDC7 #FFDC94 #FFCB57 #FFB81C #C98500 #945A00 #774800 #613B05 #4A2E08 #2C1A02'),
    red: shades('#FFF2EF #FFE4DF #FFCAC3 #FFA69E #FD7A72 #E1514E #BA3032 #9A2527 #7B1F1F #601C1B #3C0B0B'),
    cyan: shades('#E9FBFF #CDF5FF #9DECFF #5CDFFF #00CFFF #00A3CC #007A99 #00627D #004E64 #003E4E #002430'),
    violet: shades('#F5F5FF #EBEBFF #D8D8FF #BFBDFF #9F99FE #8177E5 #6458BF #51479E #41397E #332E62 #1D193D'),
  },
  fonts: values({
    body: sans,
    heading: sans,
    mono: "'JetBrains Mono Variable', ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
  }),
  fontSizes: values({
    '2xs': '0.6875rem',
    xs: '0.75rem',
    sm: '0.8125rem',
    md: '0.875rem',
    lg: '1rem',
    xl: '1.125rem',
    '2xl': '1.375rem',
    '3xl': '1.75rem',
    '4xl': '2.25rem',
  }),
  fontWeights: values({ normal: '400', medium: '500', semibold: '600', bold: '700' }),
  letterSpacings: values({ tight: '-0.011em', tighter: '-0.022em', wide: '0.04em' }),
  lineHeights: values({ short: '1.25', normal: '1.5' }),
  radii: values({ none: '0', xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px', full: '9999px' }),
  spacing: grid,
  sizes: {
    ...grid,
    ...values({
      full: '100%',
      xs: '20rem',
      sm: '24rem',
      md: '28rem',
      lg: '32rem',
      xl: '36rem',
      '2xl': '42rem',
      '4xl': '56rem',
      '7xl': '80rem',
      prose: '60ch',
    }),
  },
  zIndex: values({
    base: '0',
    docked: '10',
    dropdown: '1000',
    sticky: '1100',
    overlay: '1300',
    modal: '1400',
    popover: '1500',
    toast: '1700',
  }),
  durations: values({ fast: '140ms', moderate: '180ms', slow: '260ms' }),
  easings: values({ out: 'cubic-bezier(0.16, 1, 0.3, 1)', default: 'cubic-bezier(0.4, 0, 0.2, 1)' }),
  cursor: values({ button: 'pointer', disabled: 'not-allowed', checkbox: 'pointer', option: 'default', switch: 'pointer' }),
};
