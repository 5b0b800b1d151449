import { WriteStream } from 'node:tty';
import type { CliTheme } from '../../contracts/themes.ts';
import type { Env } from '../env.ts';
import type { Output } from '../io.ts';
import { type Ground, isReadable, type Rgb, readable } from './contrast.ts';

/** The color depth of a terminal in bits; 1 for no colors. */
export type ColorDepth = 1 | 4 | 8 | 24;

/** Styles text with the colors of the customer's theme; returns it unchanged without colors. */
export type Paint = Readonly<{
  depth: ColorDepth;
  /** The theme's primary color in bold, for titles and names. */
  title: (text: string) => string;
  /** The theme's secondary color. */
  second: (text: string) => string;
  accent: (text: string) => string;
  dim: (text: string) => string;
  good: (text: string) => string;
  bad: (text: string) => string;
  /** A block in a `#RRGGBB` color; empty without colors. */
  swatch: (color: string) => string;
}>;

/** Terminals have colors unless NO_COLOR, TERM=dumb or `--no-color` disable them. FORCE_COLOR only replaces the check for a terminal. */
export const colorDepthOf = (stream: Output, env: Env, wanted: boolean): ColorDepth => {
  const { NO_COLOR, ...rest } = env;
  if (!wanted || NO_COLOR) return 1;
  if (!stream.isTTY && !env.FORCE_COLOR) return 1;
  const depth = WriteStream.prototype.getColorDepth.call(stream, rest);
  return depth === 24 || depth === 8 || depth === 4 ? depth : 1;
};

const rgbOf = (color: string): Rgb | null => {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return null;
  const bits = Number.parseInt(color.slice(1), 16);
  return [bits >> 16, (bits >> 8) & 255, bits & 255];
};

const level = (index: number): number => (index === 0 ? 0 : 55 + index * 40);

/** The 6 x 6 x 6 cube and the 24 greys of a 256-color terminal, from color 16 on. */
const PALETTE: readonly Rgb[] = [
  ...Array.from({ length: 216 }, (_, at): Rgb => [level(Math.floor(at / 36)), level(Math.floor(at / 6) % 6), level(at % 6)]),
  ...Array.from({ length: 24 }, (_, at): Rgb => [8 + at * 10, 8 + at * 10, 8 + at * 10]),
];

/** The nearest color of a 256-color terminal among those that `fits` accepts. */
const nearest256 = ([red, green, blue]: Rgb, fits: (color: Rgb) => boolean): number => {
  let found = 0;
  let least = Number.POSITIVE_INFINITY;
  PALETTE.forEach((color, at) => {
    const distance = (red - color[0]) ** 2 + (green - color[1]) ** 2 + (blue - color[2]) ** 2;
    if (distance >= least || !fits(color)) return;
    least = distance;
    found = at;
  });
  return 16 + found;
};

/** The nearest of the 16 colors, by the dominant channels. The user's color scheme says how they look. */
const nearest16 = ([red, green, blue]: Rgb, ground: Ground): number => {
  const brightest = Math.max(red, green, blue);
  const on = (value: number) => (value > brightest * 0.6 && value > 40 ? 1 : 0);
  const isBright = ground === 'unknown' ? brightest > 170 : ground === 'dark';
  return (isBright ? 90 : 30) + on(red) + 2 * on(green) + 4 * on(blue);
};

/** A color of text that is readable on the terminal's background. */
const foreground = (color: string, depth: ColorDepth, ground: Ground): string | null => {
  const rgb = rgbOf(color);
  if (rgb === null || depth === 1) return null;
  if (depth === 24) return `38;2;${readable(rgb, ground).join(';')}`;
  return depth === 8 ? `38;5;${nearest256(rgb, (fitting) => isReadable(fitting, ground))}` : `${nearest16(rgb, ground)}`;
};

/** A color as it is, for a block. */
const exact = (color: string, depth: ColorDepth): string | null => {
  const rgb = rgbOf(color);
  if (rgb === null || depth === 1) return null;
  if (depth === 24) return `38;2;${rgb.join(';')}`;
  return depth === 8 ? `38;5;${nearest256(rgb, () => true)}` : `${nearest16(rgb, 'unknown')}`;
};

const wrap = (codes: string | null) => (text: string) =>
  codes === null || text === '' ? text : `\u001b[${codes}m${text}\u001b[0m`;

/** The styles of a theme at a color depth, readable on the background; without a theme, the terminal's default colors. */
export const paintOf = (depth: ColorDepth, theme: CliTheme | null, ground: Ground = 'unknown'): Paint => {
  const some = (codes: string) => wrap(depth === 1 ? null : codes);
  const primary = theme && foreground(theme.colors.primary, depth, ground);
  const secondary = theme && foreground(theme.colors.secondary, depth, ground);
  const accent = theme && foreground(theme.colors.accent, depth, ground);
  return {
    depth,
    title: some(primary ? `1;${primary}` : '1'),
    second: some(secondary ?? '32'),
    accent: some(accent ?? '36'),
    dim: some('2'),
    good: some('32'),
    bad: some('31'),
    swatch: (color) => wrap(exact(color, depth))(depth === 1 ? '' : '██'),
  };
};
