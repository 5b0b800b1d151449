import { WriteStream } from 'node:tty';
import type { CliTheme } from '../../contracts/themes.ts';
import type { Env } from '../env.ts';
import type { Output } from '../io.ts';

/** How many bits of color a terminal shows; 1 means none. */
export type ColorDepth = 1 | 4 | 8 | 24;

/** Puts text into the customer's colors, or leaves it alone where there are none. */
export type Paint = Readonly<{
  depth: ColorDepth;
  /** The brand's first color, bold: titles and names. */
  title: (text: string) => string;
  accent: (text: string) => string;
  dim: (text: string) => string;
  good: (text: string) => string;
  bad: (text: string) => string;
  /** A block of a `#RRGGBB` color; empty where there are no colors. */
  swatch: (color: string) => string;
}>;

/** Colors are for terminals only, and not where NO_COLOR, TERM=dumb or `--no-color` say so. FORCE_COLOR wins over the terminal only. */
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

/** The nearest of the 6 x 6 x 6 cube or the 24 greys of a 256-color terminal. */
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

/** The nearest of the sixteen, by which channels are on. */
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

/** The paint of a customer's theme at a depth of color; without a theme the terminal's own colors. */
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
