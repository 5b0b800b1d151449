import { type HTMLAttributes, memo, useId, useState } from 'react';
import { Area, AreaChart, CartesianGrid, ReferenceArea, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { format } from '../../lib/format.ts';
import { ChartTip } from './ChartTip.tsx';
import { type ChartPoint, colorOf, type Series, tick, unthrottled } from './chartParts.tsx';
import { hasLonePoint, loneDot } from './lone.tsx';
import { usePointKeys } from './usePointKeys.ts';
import { valueTicks } from './valueTicks.ts';

/** What happened at a moment, in ms, or in the step that begins with it. */
export type ChartMark = Readonly<{ at: number; labels: readonly string[] }>;

/** The distances of the plot to the edges of the chart, in px. */
const PLOT = { top: 8, right: 32, bottom: 28, left: 48 } as const;

/** Where values are drawn: the ends of the axes (instants in ms, the highest value), and the plot in the chart. */
export type ChartAxes = Readonly<{ from: number; to: number; highest: number; plot: Readonly<Record<keyof typeof PLOT, number>> }>;

export type TimeChartProps = {
  /** The chart's name, for screen readers. */
  label: string;
  /** Oldest first. */
  points: readonly ChartPoint[];
  series: readonly Series[];
  /** The time that the axis covers, in ms. */
  span: number;
  /** The end of the axis, in ms; without it that of the newest point. */
  end?: number;
  height?: number;
  /** Spans between the labels of the axis, unless `ticks` are given. */
  divisions?: number;
  ticks?: readonly number[];
  formatTick: (ageMs: number, at: number) => string;
  formatValue?: (value: number) => string;
  formatAxis?: (value: number) => string;
  /** The time in the tooltip. */
  formatLabel?: (at: number | string) => string;
  /** Charts with the same group show their tooltips at the same time. */
  group?: string;
  /** Vertical lines at moments of the axis. The tooltip of the point nearest to one has its labels. */
  marks?: readonly ChartMark[];
  /** The key of a series that is drawn and named stronger than the others. */
  emphasized?: string | null;
  /** What the tooltip says beside the marks. */
  note?: string;
  /** Listeners of the element around the chart. */
  listenersOf?: (axes: ChartAxes) => HTMLAttributes<HTMLElement>;
  /** Called with the first and last point of a selection that was drawn with the mouse. */
  onSelect?: (first: number, last: number) => void;
  /** Called with a point that was clicked, or was focused when Enter was pressed. */
  onPoint?: (at: number) => void;
};

/** A line is an area without a fill: one kind of shape is less code to load than two. */
const renderSeries = (
  { key, name, color, kind = 'area' }: Series,
  gradient: string,
  points: readonly ChartPoint[],
  isEmphasized: boolean,
) => (
  <Area
    key={key}
    type="linear"
    dataKey={key}
    name={name}
    stroke={colorOf(color)}
    strokeWidth={isEmphasized ? 3 : kind === 'dashed' ? 1.25 : 1.75}
    {...(kind === 'dashed' && { strokeDasharray: '4 3' })}
    fill={kind === 'area' ? `url(#${gradient}-${key})` : 'none'}
    dot={hasLonePoint(points, key) && loneDot}
    isAnimationActive={false}
    connectNulls={false}
    activeDot={{ r: 3, strokeWidth: 2, stroke: 'var(--chakra-colors-bg-panel)' }}
  />
);

type Pointed = { activeLabel?: string | number | undefined };
type Selection = readonly [start: number, end: number];

/** The selection while the mouse draws it, and the chart's listeners for it. A selection of one point is a click. */
const useSelection = (onSelect: TimeChartProps['onSelect'], onPoint: TimeChartProps['onPoint']) => {
  const [selection, setSelection] = useState<Selection | null>(null);
  if (!onSelect && !onPoint) return { selection: null, listeners: {} };
  const move = ({ activeLabel }: Pointed): void => {
    if (onSelect && activeLabel !== undefined) setSelection((current) => current && [current[0], Number(activeLabel)]);
  };
  const finish = (): void => {
    setSelection(null);
    if (!selection) return;
    if (selection[0] === selection[1]) onPoint?.(selection[0]);
    else onSelect?.(Math.min(...selection), Math.max(...selection));
  };
  const listeners = {
    ...unthrottled,
    onMouseDown: ({ activeLabel }: Pointed) => {
      if (activeLabel !== undefined) setSelection([Number(activeLabel), Number(activeLabel)]);
    },
    onMouseMove: move,
    onMouseUp: finish,
    onMouseLeave: () => setSelection(null),
    style: { cursor: onSelect ? 'crosshair' : 'pointer', userSelect: 'none' } as const,
  };
  return { selection, listeners };
};

const NO_MARKS: readonly ChartMark[] = [];

const highestOf = (points: readonly ChartPoint[], series: readonly Series[]): number =>
  points.reduce((highest, point) => series.reduce((most, { key }) => Math.max(most, point[key] ?? 0), highest), 0);

/** Values over a period, on one axis. */
export const TimeChart = memo(
  ({
    label,
    points,
    series,
    span,
    end = points.at(-1)?.at ?? 0,
    height = 250,
    divisions = 4,
    ticks,
    formatTick,
    formatValue = format.whole,
    formatAxis = format.short,
    formatLabel = format.clock,
    group,
    marks = NO_MARKS,
    emphasized = null,
    note,
    listenersOf,
    onSelect,
    onPoint,
  }: TimeChartProps) => {
    const gradient = useId();
    const { selection, listeners } = useSelection(onSelect, onPoint);
    const keys = usePointKeys(onPoint && ((at) => onPoint(Number(at))));
    const start = end - span;
    const values = valueTicks(highestOf(points, series));
    const highest = values.at(-1) ?? 0;
    const labelled = ticks ?? Array.from({ length: divisions + 1 }, (_, at) => start + (span * at) / divisions);
    return (
      <div role="presentation" {...keys.listeners} {...listenersOf?.({ from: start, to: end, highest, plot: PLOT })}>
        <ResponsiveContainer width="100%" height={height} initialDimension={{ width: 700, height }}>
          <AreaChart
            data={[...points]}
            margin={{ top: PLOT.top, right: PLOT.right, bottom: 0, left: 0 }}
            accessibilityLayer
            title={label}
            {...(group && { syncId: group, syncMethod: 'value' as const })}
            {...listeners}
          >
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
              ticks={[...labelled]}
              interval={0}
              tickFormatter={(at: number) => formatTick(end - at, at)}
              tick={tick}
              tickLine={false}
              axisLine={{ stroke: colorOf('chart-grid') }}
              tickMargin={8}
              height={PLOT.bottom}
            />
            <YAxis
              tick={tick}
              tickLine={false}
              axisLine={false}
              width={PLOT.left}
              tickFormatter={formatAxis}
              ticks={values}
              interval={0}
              domain={[0, highest]}
              // Else a period without any value has neither axes nor crosshair, and no part of it can be selected.
              allowDataOverflow
            />
            <Tooltip
              content={(tip) => {
                keys.show(tip);
                return (
                  <ChartTip
                    active={tip.active}
                    payload={tip.payload}
                    label={tip.label}
                    formatLabel={formatLabel}
                    formatValue={formatValue}
                    emphasized={emphasized}
                    notes={[...(note ? [note] : []), ...(marks.find(({ at }) => at === tip.label)?.labels ?? [])]}
                  />
                );
              }}
              cursor={{ stroke: colorOf('border-emphasized'), strokeDasharray: '3 3' }}
              isAnimationActive={false}
              // In a gap the tooltip still has the time.
              filterNull={false}
            />
            {marks.map(({ at }) => (
              <ReferenceLine key={at} x={at} stroke={colorOf('chart-axis')} strokeDasharray="2 3" ifOverflow="hidden" />
            ))}
            {selection && (
              <ReferenceArea
                x1={selection[0]}
                x2={selection[1]}
                fill={colorOf('brand-solid')}
                fillOpacity={0.14}
                ifOverflow="hidden"
              />
            )}
            {series.map((one) => renderSeries(one, gradient, points, one.key === emphasized))}
          </AreaChart>
        </ResponsiveContainer>
      </div>
    );
  },
);
