import { WriteStream } from 'node:tty';
import type { CliTheme } from '../../contracts/themes.ts';
import type { Env } from '../env.ts';
import type { Output } from '../io.ts';

/** The color depth of a terminal in bits; 1 for no colors. */
export type ColorDepth = 1 | 4 | 8 | 24;

/** Styles text with the colors of the customer's theme; returns it unchanged without colors. */
export type Paint = Readonly<{
  depth: ColorDepth;
  /** The theme's primary color in bold, for titles and names. */
  title: (text: string) => string;
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

type Rgb = readonly [red: number, green: number, blue: number];

const rgbOf = (color: string): Rgb | null => {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return null;
  const bits = Number.parseInt(color.slice(1), 16);
  return [bits >> 16, (bits >> 8) & 255, bits & 255];
};

/** The nearest color in the 6 x 6 x 6 cube or the 24 greys of a 256-color terminal. */
const nearest256 = ([red, green, blue]: Rgb): number => {
  const step = (value: number) => (value < 48 ? 0 : value < 115 ? 1 : Math.min(5, Math.floor((value - 35) / 40)));
  const level = (index: number) => (index === 0 ? 0 : 55 + index * 40);
  const cube = [step(red), step(green), step(blue)] as const;
  const grey = Math.max(0, Math.min(23, Math.round(((red + green + blue) / 3 - 8) / 10)));
  const distance = (r: number, g: number, b: number) => (red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2;
  const greyLevel = 8 + grey * 10;
  const byCube = distance(level(cube[0]), level(cube[1]), level(cube[2]));
  return byCube <= distance(greyLevel, greyLevel, greyLevel) ? 16 + 36 * cube[0] + 6 * cube[1] + cube[2] : 232 + grey;
};

/** The nearest of the 16 colors, by the dominant channels. */
const nearest16 = ([red, green, blue]: Rgb): number => {
  const brightest = Math.max(red, green, blue);
  const on = (value: number) => (value > brightest * 0.6 && value > 40 ? 1 : 0);
  return (brightest > 170 ? 90 : 30) + on(red) + 2 * on(green) + 4 * on(blue);
};

const foreground = (color: string, depth: ColorDepth): string | null => {
  const rgb = rgbOf(color);
  if (rgb === null || depth === 1) return null;
  if (depth === 24) return `38;2;${rgb.join(';')}`;
  return depth === 8 ? `38;5;${nearest256(rgb)}` : `${nearest16(rgb)}`;
};

const wrap = (codes: string | null) => (text: string) =>
  codes === null || text === '' ? text : `\u001b[${codes}m${text}\u001b[0m`;

/** The styles of a theme at a color depth; without a theme, the terminal's default colors. */
export const paintOf = (depth: ColorDepth, theme: CliTheme | null): Paint => {
  const some = (codes: string) => wrap(depth === 1 ? null : codes);
  const primary = theme && foreground(theme.colors.primary, depth);
  const accent = theme && foreground(theme.colors.accent, depth);
  return {
    depth,
    title: some(primary ? `1;${primary}` : '1'),
    accent: some(accent ?? '36'),
    dim: some('2'),
    good: some('32'),
    bad: some('31'),
    swatch: (color) => wrap(foreground(color, depth))(depth === 1 ? '' : '██'),
  };
};
