import { memo } from 'react';
import { Area, Line } from 'recharts';
import type { SeatDay } from '../../../../src/contracts/seats.ts';
import { UNLIMITED_SEATS } from '../../../../src/domain/limits.ts';
import { format } from '../../lib/format.ts';
import { colorOf } from './chartParts.tsx';
import { DayChart } from './DayChart.tsx';
import { loneDot } from './lone.tsx';
import { useOpenedDays } from './opening.tsx';

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
export const SeatChart = memo(({ label, days, names, deniedNote, historyOf, height = 220 }: SeatChartProps) => (
  <DayChart
    label={label}
    points={days.map(pointOf)}
    height={height}
    axis={{ allowDecimals: false, domain: [0, 'auto'] }}
    formatValue={format.short}
    opened={useOpenedDays(days, historyOf)}
    opens={historyOf && 'history'}
    isPadded
    notesOf={({ denials }) => (denials > 0 ? [deniedNote(denials)] : [])}
    hidden="denied"
  >
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
  </DayChart>
));
