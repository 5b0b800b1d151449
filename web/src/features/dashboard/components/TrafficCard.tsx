import { Box, Flex, Text } from '@chakra-ui/react';
import { useCallback, useMemo } from 'react';
import { useNavigate } from 'react-router-dom';
import type { MetricsPoint } from '../../../../../src/contracts/monitoring.ts';
import { format } from '../../../lib/format.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { ChartKey, type Series } from '../../../ui/charts/chartParts.tsx';
import { TimeChart } from '../../../ui/charts/lazyCharts.tsx';
import { useSeen } from '../../../ui/media.ts';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Loading } from '../../../ui/states.tsx';
import { callsAddress } from '../../calls/index.ts';
import { arrivedIn, successfulPerSecond, useTimeline } from '../../monitoring/index.ts';
import { dashboardTexts } from '../texts.ts';

const { traffic } = dashboardTexts;
const WINDOW_S = 60;
const SECOND_MS = 1_000;
const HEIGHT = '399px';

const series: readonly Series[] = [
  { key: 'successful', name: traffic.successful, color: 'chart-1' },
  { key: 'failed', name: traffic.failed, color: 'chart-6' },
];

const tick = (age: number): string => (age <= 0 ? 'now' : `${Math.round(age / 1000)}s`);

const rateOf = (value: number | null | undefined): string => (typeof value === 'number' ? format.rate(value) : '–');

/** Opens the calls of a second; undefined for users who may not see single calls. */
const useOpenCalls = () => {
  const navigate = useNavigate();
  const open = useCallback(
    (at: number) => void navigate(callsAddress('/admin/monitoring/calls', arrivedIn(at, SECOND_MS))),
    [navigate],
  );
  return usePermission('calls:read') ? open : undefined;
};

const Traffic = ({ points }: { points: readonly MetricsPoint[] }) => {
  const drawn = useMemo(
    () =>
      points.slice(-WINDOW_S - 1).map((point) => ({
        at: Date.parse(point.at),
        successful: successfulPerSecond(point),
        failed: point.failedPerSecond,
      })),
    [points],
  );
  const onPoint = useOpenCalls();
  const newest = drawn.at(-1);
  const calls = drawn.slice(-WINDOW_S).reduce((sum, { successful, failed }) => sum + (successful ?? 0) + (failed ?? 0), 0);
  return (
    <Box minH={HEIGHT} pb="3">
      <CardHead
        title={traffic.title}
        sub={traffic.sub}
        right={
          <Flex gap="4">
            <ChartKey color="chart-1" label={traffic.successful} value={rateOf(newest?.successful)} />
            <ChartKey color="chart-6" label={traffic.failed} value={rateOf(newest?.failed)} />
          </Flex>
        }
      />
      <Flex px={{ base: '4', md: '5' }} align="baseline" gap="2" mb="1">
        <Text textStyle="3xl" fontWeight="semibold" fontVariantNumeric="tabular-nums">
          {format.whole(Math.round(calls))}
        </Text>
        <Text textStyle="sm" color="fg.subtle">
          {traffic.inWindow}
        </Text>
      </Flex>
      <TimeChart
        label={traffic.chart}
        points={drawn}
        series={series}
        span={WINDOW_S * 1000}
        formatTick={tick}
        formatValue={format.rate}
        {...(onPoint && { onPoint })}
      />
      {onPoint && (
        <Text textStyle="xs" color="fg.subtle" px={{ base: '4', md: '5' }} className="no-print">
          {traffic.openHint}
        </Text>
      )}
    </Box>
  );
};

/** API calls of the last minute, by second, live. */
export const TrafficCard = () => {
  const [card, isSeen] = useSeen<HTMLDivElement>();
  const timeline = useTimeline('15m');
  return (
    <Card ref={card} flex="1" minW="0">
      {isSeen ? (
        <QueryView query={timeline} loading={traffic.loading} fallback={traffic.failedToLoad} height={HEIGHT}>
          {({ points }) => <Traffic points={points} />}
        </QueryView>
      ) : (
        <Loading label={traffic.loading} height={HEIGHT} />
      )}
    </Card>
  );
};
