import { format } from '../../lib/format.ts';
import { colorOf, tick } from './chartParts.tsx';
import { labelledDays } from './labelledDays.ts';

/** The horizontal axis of a chart with a point for each day. */
export const dayAxis = (days: readonly { day: string }[]) => ({
  dataKey: 'day',
  ticks: labelledDays(days),
  tickFormatter: format.day,
  tick,
  tickLine: false,
  axisLine: { stroke: colorOf('chart-grid') },
  tickMargin: 8,
  height: 28,
  minTickGap: 6,
});
