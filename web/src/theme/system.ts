import { createSystem, defaultBaseConfig, defineConfig } from '@chakra-ui/react';
import { button } from './recipes/button.ts';
import { dialog } from './recipes/dialog.ts';
import { spinner } from './recipes/spinner.ts';
import { semanticTokens, textStyles } from './semanticTokens.ts';
import { tokens } from './tokens.ts';

const tone = (colorPalette: string, solid: string) => ({ colorPalette, '--tone-solid': `colors.${solid}` });

/** The classes of tones that rows use: a palette, and the color of a dot or a bar. */
const toneStyles = {
  '.tone-brand': tone('brand', 'chart.1'),
  '.tone-violet': tone('violet', 'chart.4'),
  '.tone-cyan': tone('cyan', 'chart.2'),
  '.tone-green': tone('green', 'meter.success'),
  '.tone-amber': tone('amber', 'meter.warning'),
  '.tone-red': tone('red', 'meter.danger'),
  '.tone-gray': tone('gray', 'fg.subtle'),
};

/** Only the recipes in use: the whole default system would weigh 26 kB more. */
const config = defineConfig({
  preflight: true,
  cssVarsPrefix: 'chakra',
  cssVarsRoot: ':where(html)',
  globalCss: {
    '*': {
      '--global-color-border': 'colors.border',
      '--global-font-body': 'fonts.body',
      '--global-font-mono': 'fonts.mono',
      // The preflight sets it on every element, so that children would not inherit it.
      overflowWrap: 'inherit',
    },
    html: { color: 'fg', bg: 'bg.canvas', colorPalette: 'brand', lineHeight: '1.5' },
    body: {
      overflowWrap: 'break-word',
      fontFamily: 'body',
      fontSize: 'md',
      letterSpacing: '-0.011em',
      fontFeatureSettings: "'cv11', 'ss03', 'calt'",
    },
    '*::selection': { bg: '{colors.brand.400/30}' },
    'a:focus-visible': { outline: '2px solid', outlineColor: 'brand.focusRing', outlineOffset: '2px', borderRadius: 'xs' },
    ...toneStyles,
  },
  theme: {
    breakpoints: { sm: '30rem', md: '48rem', lg: '64rem', xl: '80rem', '2xl': '96rem' },
    keyframes: {
      'fade-in': { from: { opacity: 0 }, to: { opacity: 1 } },
      'fade-out': { from: { opacity: 1 }, to: { opacity: 0 } },
      'pop-in': { from: { opacity: 0, transform: 'translateY(6px) scale(.985)' }, to: { opacity: 1, transform: 'none' } },
      'slide-up': { from: { transform: 'translateY(100%)' }, to: { transform: 'none' } },
      'slide-left': { from: { transform: 'translateX(100%)' }, to: { transform: 'none' } },
      'slide-right': { from: { transform: 'translateX(-100%)' }, to: { transform: 'none' } },
      // Animates only what the compositor can animate, because it runs as long as a screen is open.
      pulse: { '0%': { opacity: 0.5, transform: 'none' }, '70%,100%': { opacity: 0, transform: 'scale(2.5)' } },
    },
    tokens,
    semanticTokens,
    textStyles,
    recipes: { button, spinner },
    slotRecipes: { dialog },
  },
});

/** Chakra's style system with the tokens and recipes of the console. */
export const system = createSystem(defaultBaseConfig, config);
