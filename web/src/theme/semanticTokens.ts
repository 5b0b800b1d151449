const modes = (light: string, dark: string) => ({ value: { _light: light, _dark: dark } });
const color = (name: string): string => `{colors.${name}}`;

type Pair = readonly [light: string, dark: string];

/** The tokens that Chakra's `colorPalette` reads, of one hue. */
const palette = (hue: string, solid: Pair = ['600', '600'], contrast: Pair = ['white', 'white']) => ({
  contrast: modes(color(contrast[0]), color(contrast[1])),
  fg: modes(color(`${hue}.700`), color(`${hue}.300`)),
  subtle: modes(color(`${hue}.50`), `{colors.${hue}.400/12}`),
  muted: modes(color(`${hue}.100`), `{colors.${hue}.400/20}`),
  emphasized: modes(color(`${hue}.200`), `{colors.${hue}.400/30}`),
  solid: modes(color(`${hue}.${solid[0]}`), color(`${hue}.${solid[1]}`)),
  focusRing: modes(color(`${hue}.500`), color(`${hue}.400`)),
  border: modes(color(`${hue}.200`), `{colors.${hue}.400/28}`),
});

/** The meanings of the tokens, in both color modes. */
export const semanticTokens = {
  colors: {
    bg: {
      DEFAULT: modes('#FFFFFF', '#10161D'),
      canvas: modes('#F7F9FB', '#0A0E13'),
      panel: modes('#FFFFFF', '#10161D'),
      subtle: modes('#F7F9FB', '#141B24'),
      muted: modes('#EFF3F7', '#1A222D'),
      emphasized: modes('#E3E9EF', '#243040'),
      raised: modes('#FFFFFF', '#2B3747'),
      error: modes(color('red.50'), '{colors.red.400/12}'),
      warning: modes(color('amber.50'), '{colors.amber.400/12}'),
      success: modes(color('green.50'), '{colors.green.400/12}'),
      info: modes(color('brand.50'), '{colors.brand.400/12}'),
    },
    fg: {
      DEFAULT: modes('#0B1722', '#E9EFF5'),
      muted: modes('#4A5A6A', '#A6B4C2'),
      subtle: modes('#5F6F80', '#8496A8'),
      error: modes(color('red.600'), color('red.300')),
      warning: modes(color('amber.600'), color('amber.300')),
      success: modes(color('green.600'), color('green.400')),
      info: modes(color('brand.600'), color('brand.300')),
    },
    border: {
      DEFAULT: modes('#E3E9EF', '#212C38'),
      muted: modes('#EDF1F5', '#1A232D'),
      emphasized: modes('#CDD6DF', '#303D4B'),
      control: modes('#CDD6DF', '#34424F'),
      input: modes('#8695A5', '#5C6B7A'),
      error: modes(color('red.500'), color('red.400')),
      warning: modes(color('amber.200'), '{colors.amber.400/28}'),
    },
    brand: palette('brand'),
    gray: {
      ...palette('gray', ['900', '200'], ['white', 'gray.950']),
      fg: modes('#2E3B4A', '#D3DCE5'),
      subtle: modes(color('gray.100'), '#1A222D'),
      muted: modes(color('gray.200'), '#243040'),
      border: modes('#DCE3EA', '#2C3846'),
      focusRing: modes(color('brand.500'), color('brand.400')),
    },
    green: palette('green'),
    amber: palette('amber', ['400', '400'], ['gray.950', 'gray.950']),
    red: palette('red'),
    cyan: palette('cyan', ['400', '400'], ['gray.950', 'gray.950']),
    violet: palette('violet', ['600', '500']),
    chart: {
      1: modes('#0070AD', '#38A9E4'),
      2: modes('#0095BD', '#00CFFF'),
      3: modes('#C27A00', '#FFB81C'),
      4: modes('#6458BF', '#9F99FE'),
      5: modes('#007F4D', '#60BE8B'),
      6: modes('#D13B3B', '#FD7A72'),
      grid: modes('#E9EEF3', '#1C2530'),
      axis: modes('#5F6F80', '#8496A8'),
    },
    meter: {
      track: modes('#E9EEF3', '#1F2935'),
      success: modes('#1F9D66', '#45B97F'),
      warning: modes('#C27A00', '#FFB81C'),
      danger: modes('#D13B3B', '#FD7A72'),
    },
  },
  radii: { l1: { value: '{radii.xs}' }, l2: { value: '{radii.md}' }, l3: { value: '{radii.lg}' } },
  shadows: {
    xs: modes('0 1px 2px rgb(11 23 34 / 0.05)', '0 1px 2px rgb(0 0 0 / 0.4)'),
    sm: modes('0 1px 2px rgb(11 23 34 / 0.04), 0 2px 6px -1px rgb(11 23 34 / 0.05)', '0 1px 2px rgb(0 0 0 / 0.5)'),
    md: modes('0 2px 4px rgb(11 23 34 / 0.04), 0 8px 20px -6px rgb(11 23 34 / 0.1)', '0 8px 20px -4px rgb(0 0 0 / 0.6)'),
    lg: modes(
      '0 0 0 1px rgb(11 23 34 / 0.05), 0 12px 32px -8px rgb(11 23 34 / 0.18), 0 4px 10px -4px rgb(11 23 34 / 0.1)',
      '0 0 0 1px #2A3644, 0 18px 48px -8px rgb(0 0 0 / 0.8)',
    ),
    xl: modes(
      '0 0 0 1px rgb(11 23 34 / 0.05), 0 24px 56px -12px rgb(11 23 34 / 0.28), 0 6px 14px -6px rgb(11 23 34 / 0.12)',
      '0 0 0 1px #2A3644, 0 30px 70px -10px rgb(0 0 0 / 0.9)',
    ),
    button: modes(
      '0 1px 2px rgb(11 23 34 / 0.1), inset 0 1px 0 rgb(255 255 255 / 0.14)',
      '0 1px 2px rgb(0 0 0 / 0.5), inset 0 1px 0 rgb(255 255 255 / 0.1)',
    ),
  },
};

const textStyle = (fontSize: string, lineHeight: string, letterSpacing: string) => ({
  value: { fontSize, lineHeight, letterSpacing },
});

export const textStyles = {
  '2xs': textStyle('2xs', '0.875rem', '0'),
  xs: textStyle('xs', '1rem', '0'),
  sm: textStyle('sm', '1.25rem', '-0.006em'),
  md: textStyle('md', '1.375rem', '-0.011em'),
  lg: textStyle('lg', '1.5rem', '-0.014em'),
  xl: textStyle('xl', '1.625rem', '-0.018em'),
  '2xl': textStyle('2xl', '1.875rem', '-0.022em'),
  '3xl': textStyle('3xl', '2.125rem', '-0.026em'),
  '4xl': textStyle('4xl', '2.625rem', '-0.03em'),
};
