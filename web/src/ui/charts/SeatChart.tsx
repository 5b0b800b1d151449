import { memo } from 'react';
import { Area, CartesianGrid, ComposedChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { SeatDay } from '../../../../src/contracts/seats.ts';
import { UNLIMITED_SEATS } from '../../../../src/domain/limits.ts';
import { format } from '../../lib/format.ts';
import { ChartTip, colorOf, tick } from './chartParts.tsx';
import { dayAxis } from './dayAxis.ts';
import { loneDot } from './lone.tsx';
import { OpenedChart, useOpenedDays } from './opening.tsx';

export type SeatChartProps = {
  label: string;
  /** Oldest first, a row for every day. */
  days: readonly SeatDay[];
  names: Readonly<Record<'peak' | 'average' | 'limit', string>>;
  /** What the tooltip says about denied seats of a day. */
  deniedNote: (denials: number) => string;
  /** The address of what happened to the seats on a day; null where the session may not see it. */
  historyOf: ((day: SeatDay) => string) | null;
  height?: number;
};

/** Denied seats are marked at the limit, or at the peak where there is none. */
const pointOf = ({ day, peak, average, limit, denials }: SeatDay) => {
  const shownLimit = limit === UNLIMITED_SEATS ? null : limit;
  return { day, peak, average, limit: shownLimit, denials, denied: denials > 0 ? (shownLimit ?? peak) : null };
};

const still = { isAnimationActive: false, connectNulls: false } as const;

/** The most and the average seats that were held on each day, and how many were allowed. */
export const SeatChart = memo(({ label, days, names, deniedNote, historyOf, height = 220 }: SeatChartProps) => {
  const opened = useOpenedDays(days, historyOf);
  return (
    <OpenedChart height={height} listeners={opened.listeners} opens={historyOf && 'history'} isPadded>
      {(chartHeight) => (
        <ResponsiveContainer width="100%" height={chartHeight} initialDimension={{ width: 700, height: chartHeight }}>
          <ComposedChart
            data={days.map(pointOf)}
            margin={{ top: 8, right: 20, bottom: 0, left: 2 }}
            accessibilityLayer
            title={label}
            {...opened.chart}
          >
            <CartesianGrid vertical={false} stroke={colorOf('chart-grid')} />
            <XAxis {...dayAxis(days)} />
            <YAxis
              tick={tick}
              tickLine={false}
              axisLine={false}
              width={46}
              tickCount={5}
              allowDecimals={false}
              domain={[0, 'auto']}
            />
            <Tooltip
              content={({ active, payload, label: day }) => {
                opened.show({ active, label: day });
                const denials = Number(payload?.[0]?.payload?.denials ?? 0);
                return (
                  <ChartTip
                    active={active}
                    payload={payload?.filter(({ dataKey }) => dataKey !== 'denied')}
                    label={day}
                    formatLabel={(at) => format.day(String(at))}
                    formatValue={format.short}
                    notes={denials > 0 ? [deniedNote(denials)] : []}
                  />
                );
              }}
              cursor={{ stroke: colorOf('border-emphasized'), strokeDasharray: '3 3' }}
              isAnimationActive={false}
            />
            <Area
              type="step"
              dataKey="peak"
              name={names.peak}
              stroke={colorOf('chart-1')}
              strokeWidth={1.75}
              fill={colorOf('chart-1')}
              fillOpacity={0.16}
              dot={loneDot}
              {...still}
            />
            <Line
              type="linear"
              dataKey="average"
              name={names.average}
              stroke={colorOf('chart-3')}
              strokeWidth={1.75}
              dot={loneDot}
              {...still}
            />
            <Line
              type="step"
              dataKey="limit"
              name={names.limit}
              stroke={colorOf('chart-axis')}
              strokeWidth={1.75}
              strokeDasharray="4 3"
              dot={false}
              {...still}
            />
            <Line
              dataKey="denied"
              stroke={colorOf('chart-6')}
              strokeWidth={0}
              dot={{ r: 4, fill: colorOf('chart-6'), stroke: colorOf('chart-6') }}
              activeDot={false}
              {...still}
            />
          </ComposedChart>
        </ResponsiveContainer>
      )}
    </OpenedChart>
  );
});
