import { memo, useId } from 'react';
import { Area, AreaChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { format } from '../../lib/format.ts';
import { type ChartPoint, ChartTip, colorOf, type Series, tick } from './chartParts.tsx';
import { hasLonePoint, loneDot } from './lone.tsx';

export type TimeChartProps = {
  /** The chart's name, for screen readers. */
  label: string;
  /** Oldest first. */
  points: readonly ChartPoint[];
  series: readonly Series[];
  /** The time that the axis covers, in ms, ending at the newest point. */
  span: number;
  height?: number;
  /** Spans between the labels of the axis. */
  divisions?: number;
  formatTick: (ageMs: number, at: number) => string;
  formatValue?: (value: number) => string;
  formatAxis?: (value: number) => string;
};

/** A line is an area without a fill: one kind of shape is less code to load than two. */
const renderSeries = ({ key, name, color, kind = 'area' }: Series, gradient: string, points: readonly ChartPoint[]) => (
  <Area
    key={key}
    type="monotone"
    dataKey={key}
    name={name}
    stroke={colorOf(color)}
    strokeWidth={1.75}
    fill={kind === 'line' ? 'none' : `url(#${gradient}-${key})`}
    dot={hasLonePoint(points, key) && loneDot}
    isAnimationActive={false}
    connectNulls={false}
    activeDot={{ r: 3, strokeWidth: 2, stroke: 'var(--chakra-colors-bg-panel)' }}
  />
);

/** Values over the last minutes or hours, on one axis. */
export const TimeChart = memo(
  ({
    label,
    points,
    series,
    span,
    height = 250,
    divisions = 4,
    formatTick,
    formatValue = format.whole,
    formatAxis = format.short,
  }: TimeChartProps) => {
    const gradient = useId();
    const end = points.at(-1)?.at ?? 0;
    const start = end - span;
    const ticks = Array.from({ length: divisions + 1 }, (_, at) => start + (span * at) / divisions);
    return (
      <ResponsiveContainer width="100%" height={height} initialDimension={{ width: 700, height }}>
        <AreaChart data={[...points]} margin={{ top: 8, right: 24, bottom: 0, left: 2 }} accessibilityLayer title={label}>
          <defs>
            {series.map(({ key, color }) => (
              <linearGradient key={key} id={`${gradient}-${key}`} x1="0" y1="0" x2="0" y2="1">
                <stop offset="0%" stopColor={colorOf(color)} stopOpacity={0.26} />
                <stop offset="100%" stopColor={colorOf(color)} stopOpacity={0.01} />
              </linearGradient>
            ))}
          </defs>
          <CartesianGrid vertical={false} stroke={colorOf('chart-grid')} />
          <XAxis
            dataKey="at"
            type="number"
            domain={[start, end]}
            allowDataOverflow
            ticks={ticks}
            interval={0}
            tickFormatter={(at: number) => formatTick(end - at, at)}
            tick={tick}
            tickLine={false}
            axisLine={{ stroke: colorOf('chart-grid') }}
            tickMargin={8}
            height={28}
          />
          <YAxis
            tick={tick}
            tickLine={false}
            axisLine={false}
            width={46}
            tickFormatter={formatAxis}
            tickCount={5}
            domain={[0, 'auto']}
          />
          <Tooltip
            content={(tip) => (
              <ChartTip
                active={tip.active}
                payload={tip.payload}
                label={tip.label}
                formatLabel={(at) => format.clock(at)}
                formatValue={formatValue}
              />
            )}
            cursor={{ stroke: colorOf('border-emphasized'), strokeDasharray: '3 3' }}
            isAnimationActive={false}
          />
          {series.map((one) => renderSeries(one, gradient, points))}
        </AreaChart>
      </ResponsiveContainer>
    );
  },
);
