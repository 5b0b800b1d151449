import type { ChartPoint } from '../../../ui/charts/chartParts.tsx';
import type { ChartAxes } from '../../../ui/charts/TimeChart.tsx';

/** A position in a chart, and the size of the chart, in px. */
export type Pointed = Readonly<{ x: number; y: number; width: number; height: number }>;

type Position = Readonly<{ x: number; y: number }>;

/** A line is pointed at from within this distance, in px. */
const REACH = 12;

const distanceTo = ({ x, y }: Pointed, from: Position, to: Position): number => {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - from.x) * dx + (y - from.y) * dy) / length));
  return Math.hypot(from.x + along * dx - x, from.y + along * dy - y);
};

/** The key of the series whose line is nearest to a position in a chart; the first one of several, and null where none is near. */
export const nearestSeries = (
  points: readonly ChartPoint[],
  keys: readonly string[],
  { from, to, highest, plot }: ChartAxes,
  pointed: Pointed,
): string | null => {
  const width = pointed.width - plot.left - plot.right;
  const height = pointed.height - plot.top - plot.bottom;
  const xOf = ({ at }: ChartPoint): number => plot.left + (((at ?? 0) - from) / (to - from)) * width;
  const yOf = (value: number): number => plot.top + (1 - value / highest) * height;
  const next = points.findIndex((point) => xOf(point) >= pointed.x);
  const middle = next < 0 ? points.length - 1 : next;
  // The line to the next point may pass nearer than the one below the pointer.
  const around = points.slice(Math.max(0, middle - 2), middle + 2);
  let nearest: { key: string; distance: number } | null = null;
  for (const key of keys) {
    const line = around.map((point) => {
      const value = point[key];
      return typeof value === 'number' ? { x: xOf(point), y: yOf(value) } : null;
    });
    for (const [index, position] of line.entries()) {
      if (!position) continue;
      const distance = distanceTo(pointed, position, line[index + 1] ?? position);
      if (distance <= REACH && (nearest === null || distance < nearest.distance)) nearest = { key, distance };
    }
  }
  return nearest?.key ?? null;
};
