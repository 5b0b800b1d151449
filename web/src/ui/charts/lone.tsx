import type { ChartPoint } from './chartParts.tsx';

/** Whether a value of the series has no neighbor, so that the line through it has no length. */
export const hasLonePoint = (points: readonly ChartPoint[], key: string): boolean =>
  points.some((point, at) => typeof point[key] === 'number' && points[at - 1]?.[key] == null && points[at + 1]?.[key] == null);

type Drawn = { readonly y?: number | null };
type DotProps = {
  index?: number;
  points?: readonly Drawn[];
  cx?: number | undefined;
  cy?: number | undefined;
  stroke?: string | undefined;
};

const isGap = (point: Drawn | undefined): boolean => typeof point?.y !== 'number';

/** Draws a dot for a value between gaps, where the line shows nothing. */
export const loneDot = ({ index = 0, points = [], cx, cy, stroke }: DotProps) =>
  isGap(points[index]) || !isGap(points[index - 1]) || !isGap(points[index + 1]) ? null : (
    <circle key={index} className="lone" cx={cx} cy={cy} r={2.5} fill={stroke} />
  );
