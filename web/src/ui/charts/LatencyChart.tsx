import { memo } from 'react';
import { Line } from 'recharts';
import type { DailyUsage } from '../../../../src/contracts/usage.ts';
import { format } from '../../lib/format.ts';
import { colorOf } from './chartParts.tsx';
import { DayChart } from './DayChart.tsx';
import { loneDot } from './lone.tsx';
import { useCallsOfDays } from './opening.tsx';

export type LatencyChartProps = {
  label: string;
  /** Oldest first, a row for every day. */
  daily: readonly DailyUsage[];
  averageName: string;
  p95Name: string;
  /** Each day of the period before, to compare with. */
  previous: readonly DailyUsage[] | undefined;
  /** Names a value of the period before, such as its average. */
  previousName: (name: string) => string;
  /** The address of the list of calls that a day opens; null where the session may not see them. */
  calls: string | null;
  height?: number;
};

/** A day without calls has no response time: the line has a gap there. */
const timesOf = (day: DailyUsage | undefined) =>
  day && day.calls > 0 ? { average: day.avgResponseTime, p95: day.p95 } : { average: null, p95: null };

const pointOf = (day: DailyUsage, before: DailyUsage | undefined) => {
  const { average: averageBefore, p95: p95Before } = timesOf(before);
  return { day: day.day, ...timesOf(day), averageBefore, p95Before };
};

const lineOf = (color: string) => ({
  stroke: colorOf(color),
  strokeWidth: 1.75,
  dot: loneDot,
  activeDot: { r: 3, strokeWidth: 2, stroke: 'var(--chakra-colors-bg-panel)' },
  isAnimationActive: false,
  connectNulls: false,
});

/** Dashed, like the calls of the period before in `DailyChart`. */
const before = { strokeDasharray: '4 3', strokeOpacity: 0.75 } as const;

/** Average and 95th percentile of each day's response times, and those of the period before. */
export const LatencyChart = memo(
  ({ label, daily, averageName, p95Name, previous, previousName, calls, height = 240 }: LatencyChartProps) => (
    <DayChart
      label={label}
      points={daily.map((day, at) => pointOf(day, previous?.[at]))}
      height={height}
      axis={{ width: 62, tickFormatter: format.duration, domain: [0, 'auto'] }}
      formatValue={format.duration}
      opened={useCallsOfDays(daily, calls)}
      opens={calls === null ? null : 'calls'}
    >
      {previous && <Line type="linear" dataKey="p95Before" name={previousName(p95Name)} {...lineOf('chart-3')} {...before} />}
      {previous && (
        <Line type="linear" dataKey="averageBefore" name={previousName(averageName)} {...lineOf('chart-1')} {...before} />
      )}
      <Line type="linear" dataKey="p95" name={p95Name} {...lineOf('chart-3')} />
      <Line type="linear" dataKey="average" name={averageName} {...lineOf('chart-1')} />
    </DayChart>
  ),
);
