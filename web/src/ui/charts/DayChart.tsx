import type { ReactNode } from 'react';
import { CartesianGrid, ComposedChart, ResponsiveContainer, Tooltip, XAxis, YAxis, type YAxisProps } from 'recharts';
import { format } from '../../lib/format.ts';
import { ChartTip, type ChartTipProps } from './ChartTip.tsx';
import { colorOf, tick } from './chartParts.tsx';
import { labelledDays } from './labelledDays.ts';
import { OpenedChart, type OpenedChartProps, type useOpenedDays } from './opening.tsx';

/** The row of a day, as the series of the chart draw it. */
type DayPoint = Readonly<{ day: string }>;

type DayChartProps<Point extends DayPoint> = Pick<OpenedChartProps, 'height' | 'opens' | 'isPadded'> & {
  /** The chart's name, for screen readers. */
  label: string;
  /** Oldest first, one for every day. */
  points: readonly Point[];
  /** The axis of values. */
  axis: Pick<YAxisProps, 'width' | 'tickFormatter' | 'allowDecimals' | 'domain'>;
  formatValue: (value: number) => string;
  /** What marks the day in the plot: a dashed line, or behind bars a band. */
  cursor?: 'line' | 'band';
  opened: ReturnType<typeof useOpenedDays>;
  /** What the tooltip of a day says beside the values. */
  notesOf?: (point: Point) => ChartTipProps['notes'];
  /** Series that the tooltip leaves out. */
  hidden?: string;
  /** The series. */
  children: ReactNode;
};

const CURSORS = {
  line: { stroke: colorOf('border-emphasized'), strokeDasharray: '3 3' },
  band: { fill: colorOf('bg-muted') },
} as const;

/** The frame of a chart by day: axes, grid, tooltip, and what a day opens. */
export const DayChart = <Point extends DayPoint>({
  label,
  points,
  axis,
  formatValue,
  cursor = 'line',
  opened,
  notesOf,
  hidden,
  children,
  ...outer
}: DayChartProps<Point>) => (
  <OpenedChart {...outer} listeners={opened.listeners}>
    {(height) => (
      <ResponsiveContainer width="100%" height={height} initialDimension={{ width: 700, height }}>
        <ComposedChart
          data={[...points]}
          margin={{ top: 8, right: 26, bottom: 0, left: 2 }}
          accessibilityLayer
          title={label}
          barCategoryGap="18%"
          {...opened.chart}
        >
          <CartesianGrid vertical={false} stroke={colorOf('chart-grid')} />
          <XAxis
            dataKey="day"
            ticks={labelledDays(points)}
            tickFormatter={format.day}
            tick={tick}
            tickLine={false}
            axisLine={{ stroke: colorOf('chart-grid') }}
            tickMargin={8}
            height={28}
            minTickGap={6}
          />
          <YAxis tick={tick} tickLine={false} axisLine={false} width={46} tickCount={5} {...axis} />
          <Tooltip
            content={(tip) => {
              opened.show(tip);
              const point = points.find(({ day }) => day === tip.label);
              return (
                <ChartTip
                  active={tip.active}
                  payload={tip.payload.filter(({ dataKey }) => hidden === undefined || dataKey !== hidden)}
                  label={tip.label}
                  formatLabel={(day) => format.day(String(day))}
                  formatValue={formatValue}
                  notes={point && notesOf?.(point)}
                />
              );
            }}
            cursor={CURSORS[cursor]}
            isAnimationActive={false}
          />
          {children}
        </ComposedChart>
      </ResponsiveContainer>
    )}
  </OpenedChart>
);
