import { memo } from 'react';
import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { DailyUsage } from '../../../../src/contracts/usage.ts';
import { format } from '../../lib/format.ts';
import { ChartTip, colorOf, tick } from './chartParts.tsx';
import { dayAxis } from './dayAxis.ts';
import { loneDot } from './lone.tsx';
import { OpenedChart, useCallsOfDays } from './opening.tsx';

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
  ({ label, daily, averageName, p95Name, previous, previousName, calls, height = 240 }: LatencyChartProps) => {
    const opened = useCallsOfDays(daily, calls);
    return (
      <OpenedChart height={height} listeners={opened.listeners} opens={calls === null ? null : 'calls'}>
        {(chartHeight) => (
          <ResponsiveContainer width="100%" height={chartHeight} initialDimension={{ width: 700, height: chartHeight }}>
            <LineChart
              data={daily.map((day, at) => pointOf(day, previous?.[at]))}
              margin={{ top: 8, right: 24, bottom: 0, left: 2 }}
              accessibilityLayer
              title={label}
              {...opened.chart}
            >
              <CartesianGrid vertical={false} stroke={colorOf('chart-grid')} />
              <XAxis {...dayAxis(daily)} />
              <YAxis
                tick={tick}
                tickLine={false}
                axisLine={false}
                width={62}
                tickFormatter={format.duration}
                tickCount={5}
                domain={[0, 'auto']}
              />
              <Tooltip
                content={(tip) => {
                  opened.show(tip);
                  return (
                    <ChartTip
                      active={tip.active}
                      payload={tip.payload}
                      label={tip.label}
                      formatLabel={(day) => format.day(String(day))}
                      formatValue={format.duration}
                    />
                  );
                }}
                cursor={{ stroke: colorOf('border-emphasized'), strokeDasharray: '3 3' }}
                isAnimationActive={false}
              />
              {previous && (
                <Line type="linear" dataKey="p95Before" name={previousName(p95Name)} {...lineOf('chart-3')} {...before} />
              )}
              {previous && (
                <Line type="linear" dataKey="averageBefore" name={previousName(averageName)} {...lineOf('chart-1')} {...before} />
              )}
              <Line type="linear" dataKey="p95" name={p95Name} {...lineOf('chart-3')} />
              <Line type="linear" dataKey="average" name={averageName} {...lineOf('chart-1')} />
            </LineChart>
          </ResponsiveContainer>
        )}
      </OpenedChart>
    );
  },
);
