import type { Env } from '../env.ts';

/** Red, green and blue, from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** The background of a terminal, as far as it is known. */
export type Ground = 'dark' | 'light' | 'unknown';

/** The least contrast of text (WCAG 2.2, 1.4.3). */
const LEAST_CONTRAST = 4.5;

/**
 * The backgrounds that a color must be readable on: the least favorable ones of common color schemes. Where nothing is known, black and
 * white.
 */
const GROUNDS: Readonly<Record<Ground, readonly Rgb[]>> = {
  dark: [[46, 52, 64]],
  light: [[238, 232, 213]],
  unknown: [
    [0, 0, 0],
    [255, 255, 255],
  ],
};

/** The colors of `COLORFGBG` that are light: white and the bright ones but for black. */
const isLightIndex = (index: number): boolean => index === 7 || (index > 8 && index < 16);

/**
 * The background that the environment names: `LATCHKEY_BACKGROUND` (light or dark), or `COLORFGBG`, which some terminals set. The terminal
 * itself is not asked, since its answer would arrive on standard input among what the user types.
 */
export const groundOf = ({ LATCHKEY_BACKGROUND, COLORFGBG }: Env): Ground => {
  if (LATCHKEY_BACKGROUND === 'light' || LATCHKEY_BACKGROUND === 'dark') return LATCHKEY_BACKGROUND;
  const index = /;(\d{1,2})$/.exec(COLORFGBG ?? '')?.[1];
  if (index === undefined) return 'unknown';
  return isLightIndex(Number(index)) ? 'light' : 'dark';
};

const channel = (value: number): number => {
  const part = value / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
};

const luminance = ([red, green, blue]: Rgb): number => 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);

/** The contrast of two colors, from 1 to 21. */
export const contrastOf = (one: Rgb, other: Rgb): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};

/** Whether text of a color can be read. */
export const isReadable = (color: Rgb, ground: Ground): boolean =>
  GROUNDS[ground].every((background) => contrastOf(color, background) >= LEAST_CONTRAST);

const STEPS = 400;

const mixed = (color: Rgb, target: number, part: number): Rgb => {
  const mix = (value: number): number => Math.round(value + (target - value) * part);
  return [mix(color[0]), mix(color[1]), mix(color[2])];
};

/** The color, lighter or darker by as little as makes it readable. Any color becomes readable, at last as a grey. */
export const readable = (color: Rgb, ground: Ground): Rgb => {
  if (isReadable(color, ground)) return color;
  for (let step = 1; step <= STEPS; step++) {
    for (const target of [255, 0]) {
      const next = mixed(color, target, step / STEPS);
      if (isReadable(next, ground)) return next;
    }
  }
  return [118, 118, 118];
};
