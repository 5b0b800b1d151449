import { Box, Flex, SimpleGrid } from '@chakra-ui/react';
import { useDeferredValue } from 'react';
import { format } from '../../../lib/format.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { ChartKey, type Series } from '../../../ui/charts/chartParts.tsx';
import { TimeChart } from '../../../ui/charts/lazyCharts.tsx';
import { isMidnight, timeTicks } from '../../../ui/charts/timeTicks.ts';
import { Gauge } from '../../../ui/icons.ts';
import { Empty } from '../../../ui/states.tsx';
import type { Drawing } from '../api/charts.ts';
import type { ChartPeriod } from '../api/period.ts';
import { monitoringTexts } from '../texts.ts';

const { calls, latency, users, lag, period: periodTexts } = monitoringTexts;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const HEIGHT = 200;
/** The last 15 minutes are read by their age, other periods by the clock. */
const DIVISIONS = 3;
const ageTick = (age: number): string => (age <= 0 ? 'now' : `${Math.round(age / MINUTE)}m`);
const clockTick = (_age: number, at: number): string => (isMidnight(at) ? format.shortDate(at) : format.hour(at));
const dateLabel = (at: number | string): string => format.zoned(new Date(at).toISOString());

const ms = (value: number): string => format.duration(value);

type Panel = {
  title: string;
  sub: string;
  chart: string;
  series: readonly Series[];
  /** The series that are compared with the previous period. */
  compared: readonly string[];
  formatValue: (value: number) => string;
  formatAxis?: (value: number) => string;
};

const panels: readonly Panel[] = [
  {
    ...calls,
    series: [
      { key: 'successful', name: calls.successful, color: 'chart-1' },
      { key: 'failed', name: calls.failed, color: 'chart-6' },
    ],
    compared: ['successful', 'failed'],
    formatValue: format.rate,
  },
  {
    ...latency,
    series: [
      { key: 'p50', name: 'p50', color: 'chart-5', kind: 'line' },
      { key: 'p95', name: 'p95', color: 'chart-3', kind: 'line' },
      { key: 'p99', name: 'p99', color: 'chart-6', kind: 'line' },
    ],
    compared: ['p95'],
    formatValue: ms,
    formatAxis: format.whole,
  },
  {
    ...users,
    series: [{ key: 'connectedUsers', name: users.series, color: 'chart-2' }],
    compared: ['connectedUsers'],
    formatValue: format.whole,
  },
  {
    ...lag,
    series: [{ key: 'projectionLagMs', name: lag.series, color: 'chart-4' }],
    compared: ['projectionLagMs'],
    formatValue: ms,
    formatAxis: format.whole,
  },
];

/** The series of a panel, and dashed ones of the previous period. */
const drawnSeries = ({ series, compared }: Panel, isCompared: boolean): readonly Series[] =>
  isCompared
    ? [
        ...series
          .filter(({ key }) => compared.includes(key))
          .map(
            ({ key, name, color }): Series => ({ key: `previous.${key}`, name: periodTexts.previous(name), color, kind: 'dashed' }),
          ),
        ...series,
      ]
    : series;

const axisOf = ({ from, to, points }: Drawing, { range, custom }: ChartPeriod) =>
  range === '15m' && !custom
    ? { span: to - from, end: points.at(-1)?.at ?? to, divisions: DIVISIONS, formatTick: ageTick }
    : { span: to - from, end: to, ticks: timeTicks(from, to), formatTick: clockTick };

type ChartsProps = { drawing: Drawing; period: ChartPeriod; onSelect: (from: number, to: number) => void };

const PanelCard = ({ panel, drawing, period, onSelect }: ChartsProps & { panel: Panel }) => {
  const { points, from, to, stepMs } = drawing;
  const newest = points.at(-1);
  return (
    <Card as="section" aria-label={panel.title}>
      <CardHead
        title={panel.title}
        sub={panel.sub}
        right={
          <Flex gap="4" wrap="wrap">
            {panel.series.map(({ key, name, color }) => {
              const value = newest?.[key];
              return (
                <ChartKey key={key} color={color} label={name} value={typeof value === 'number' ? panel.formatValue(value) : '–'} />
              );
            })}
          </Flex>
        }
      />
      <Box pb="3">
        <TimeChart
          label={panel.chart}
          points={points}
          series={drawnSeries(panel, period.isCompared)}
          height={HEIGHT}
          {...axisOf(drawing, period)}
          formatValue={panel.formatValue}
          {...(panel.formatAxis && { formatAxis: panel.formatAxis })}
          {...(to - from > DAY && { formatLabel: dateLabel })}
          group="monitoring"
          onSelect={(first, last) => onSelect(first, last + stepMs)}
        />
      </Box>
    </Card>
  );
};

/** Traffic, response times, presence and lag of the period. A selection in a chart is a new period. */
export const LiveCharts = ({ drawing, period, onSelect }: ChartsProps) => {
  const drawn = useDeferredValue(drawing);
  if (drawing.points.length === 0) {
    return (
      <Card>
        <Empty icon={Gauge} title={monitoringTexts.noPoints} />
      </Card>
    );
  }
  return (
    <SimpleGrid columns={{ base: 1, xl: 2 }} gap="4">
      {panels.map((panel) => (
        <PanelCard key={panel.title} panel={panel} drawing={drawn} period={period} onSelect={onSelect} />
      ))}
    </SimpleGrid>
  );
};
