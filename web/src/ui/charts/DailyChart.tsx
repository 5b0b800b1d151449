import { memo } from 'react';
import { Bar, CartesianGrid, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { DailyUsage } from '../../../../src/contracts/usage.ts';
import { format } from '../../lib/format.ts';
import { ChartTip, colorOf, tick } from './chartParts.tsx';
import { dayAxis } from './dayAxis.ts';
import { OpenedChart, useCallsOfDays } from './opening.tsx';

export type DailyChartProps = {
  label: string;
  /** Oldest first, a row for every day. */
  daily: readonly Pick<DailyUsage, 'day' | 'from' | 'to' | 'calls' | 'errors'>[];
  height?: number;
  /** Calls of each day of the period before, to compare with. */
  previous?: readonly number[];
  previousName?: string;
  /** The address of the list of calls that a day opens; null where the session may not see them. */
  calls: string | null;
};

const MAX_BAR = 28;

/** Calls of each day: failed on top of successful ones. */
export const DailyChart = memo(({ label, daily, height = 240, previous, previousName = '', calls: list }: DailyChartProps) => {
  const opened = useCallsOfDays(daily, list);
  return (
    <OpenedChart height={height} listeners={opened.listeners} opens={list === null ? null : 'calls'}>
      {(chartHeight) => (
        <ResponsiveContainer width="100%" height={chartHeight} initialDimension={{ width: 700, height: chartHeight }}>
          <ComposedChart
            data={daily.map(({ day, calls, errors }, at) => ({
              day,
              successful: calls - errors,
              failed: errors,
              previous: previous?.[at] ?? null,
            }))}
            margin={{ top: 8, right: 20, bottom: 0, left: 2 }}
            accessibilityLayer
            title={label}
            barCategoryGap="18%"
            {...opened.chart}
          >
            <CartesianGrid vertical={false} stroke={colorOf('chart-grid')} />
            <XAxis {...dayAxis(daily)} />
            <YAxis
              tick={tick}
              tickLine={false}
              axisLine={false}
              width={46}
              tickFormatter={format.short}
              tickCount={5}
              allowDecimals={false}
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
                    formatValue={format.whole}
                  />
                );
              }}
              cursor={{ fill: 'var(--chakra-colors-bg-muted)' }}
              isAnimationActive={false}
            />
            <Bar
              dataKey="successful"
              name="Successful"
              stackId="calls"
              fill={colorOf('chart-1')}
              maxBarSize={MAX_BAR}
              isAnimationActive={false}
            />
            <Bar
              dataKey="failed"
              name="Failed"
              stackId="calls"
              fill={colorOf('chart-6')}
              maxBarSize={MAX_BAR}
              radius={[3, 3, 0, 0]}
              isAnimationActive={false}
            />
            {previous && (
              <Line
                dataKey="previous"
                name={previousName}
                stroke={colorOf('chart-axis')}
                strokeWidth={1.75}
                strokeDasharray="4 3"
                dot={false}
                isAnimationActive={false}
              />
            )}
          </ComposedChart>
        </ResponsiveContainer>
      )}
    </OpenedChart>
  );
});
