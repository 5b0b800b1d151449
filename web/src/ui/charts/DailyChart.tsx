import { memo } from 'react';
import { Bar, Line } from 'recharts';
import type { DailyUsage } from '../../../../src/contracts/usage.ts';
import { format } from '../../lib/format.ts';
import { colorOf } from './chartParts.tsx';
import { DayChart } from './DayChart.tsx';
import { useCallsOfDays } from './opening.tsx';

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
export const DailyChart = memo(({ label, daily, height = 240, previous, previousName = '', calls: list }: DailyChartProps) => (
  <DayChart
    label={label}
    points={daily.map(({ day, calls, errors }, at) => ({
      day,
      successful: calls - errors,
      failed: errors,
      previous: previous?.[at] ?? null,
    }))}
    height={height}
    axis={{ tickFormatter: format.short, allowDecimals: false }}
    formatValue={format.whole}
    cursor="band"
    opened={useCallsOfDays(daily, list)}
    opens={list === null ? null : 'calls'}
  >
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
  </DayChart>
));
