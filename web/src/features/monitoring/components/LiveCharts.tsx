import { Box, Flex, SimpleGrid } from '@chakra-ui/react';
import { useDeferredValue, useMemo } from 'react';
import { chartSpanSeconds } from '../../../../../src/contracts/chartSpans.ts';
import type { MetricsPoint } from '../../../../../src/contracts/monitoring.ts';
import { format } from '../../../lib/format.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { ChartKey, type ChartPoint, type Series } from '../../../ui/charts/chartParts.tsx';
import { TimeChart } from '../../../ui/charts/lazyCharts.tsx';
import { Gauge } from '../../../ui/icons.ts';
import { Empty } from '../../../ui/states.tsx';
import { chartPoints } from '../api/points.ts';
import type { TimelineWindow } from '../api/timeline.ts';
import { monitoringTexts } from '../texts.ts';

const { calls, latency, users, lag } = monitoringTexts;
const MINUTE = 60_000;
const HEIGHT = 200;

const scale = {
  '15m': { span: 15 * MINUTE, divisions: 3 },
  '24h': { span: 24 * 60 * MINUTE, divisions: 4 },
} as const satisfies Record<TimelineWindow, { span: number; divisions: number }>;

const tickOf = {
  '15m': (age: number) => (age <= 0 ? 'now' : `${Math.round(age / MINUTE)}m`),
  '24h': (age: number) => (age <= 0 ? 'now' : `${Math.round(age / (60 * MINUTE))}h`),
} as const satisfies Record<TimelineWindow, (age: number) => string>;

const ms = (value: number): string => format.duration(value);

type Panel = {
  title: string;
  sub: string;
  chart: string;
  series: readonly Series[];
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
    formatValue: format.rate,
  },
  {
    ...latency,
    series: [
      { key: 'p50', name: 'p50', color: 'chart-5', kind: 'line' },
      { key: 'p95', name: 'p95', color: 'chart-3', kind: 'line' },
      { key: 'p99', name: 'p99', color: 'chart-6', kind: 'line' },
    ],
    formatValue: ms,
    formatAxis: format.whole,
  },
  {
    ...users,
    series: [{ key: 'connectedUsers', name: users.series, color: 'chart-2' }],
    formatValue: format.whole,
  },
  {
    ...lag,
    series: [{ key: 'projectionLagMs', name: lag.series, color: 'chart-4' }],
    formatValue: ms,
    formatAxis: format.whole,
  },
];

const PanelCard = ({ panel, points, window }: { panel: Panel; points: readonly ChartPoint[]; window: TimelineWindow }) => {
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
          series={panel.series}
          span={scale[window].span}
          divisions={scale[window].divisions}
          height={HEIGHT}
          formatTick={tickOf[window]}
          formatValue={panel.formatValue}
          {...(panel.formatAxis && { formatAxis: panel.formatAxis })}
        />
      </Box>
    </Card>
  );
};

/** Traffic, response times, presence and lag over the window. */
export const LiveCharts = ({ points, window }: { points: readonly MetricsPoint[]; window: TimelineWindow }) => {
  const drawn = useDeferredValue(points);
  const summed = useMemo(() => chartPoints(drawn, chartSpanSeconds[window] * 1000), [drawn, window]);
  if (points.length === 0) {
    return (
      <Card>
        <Empty icon={Gauge} title={monitoringTexts.noPoints} />
      </Card>
    );
  }
  return (
    <SimpleGrid columns={{ base: 1, xl: 2 }} gap="4">
      {panels.map((panel) => (
        <PanelCard key={panel.title} panel={panel} points={summed} window={window} />
      ))}
    </SimpleGrid>
  );
};
