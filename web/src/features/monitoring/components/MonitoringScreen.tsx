import { Box, Button, Flex, SimpleGrid, Text } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MetricsPoint } from '../../../../../src/contracts/monitoring.ts';
import { format } from '../../../lib/format.ts';
import { oneOf, useListAddress } from '../../../lib/listAddress.ts';
import { useLiveState } from '../../../live/useLive.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { Card } from '../../../ui/Card.tsx';
import { FilterButtons } from '../../../ui/FilterBar.tsx';
import { Gauge, KeyRound, Pause, Play, Server, TriangleAlert } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { useNow } from '../../../ui/media.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Banner, Empty } from '../../../ui/states.tsx';
import { healthQuery, metricsQuery } from '../api/monitoring.ts';
import { timelineQuery, useTimeline } from '../api/timeline.ts';
import { monitoringTexts } from '../texts.ts';
import { HealthChecks, HealthOverview, MetricsPanel } from './HealthPanels.tsx';
import { LiveCharts } from './LiveCharts.tsx';

const WINDOWS = ['15m', '24h'] as const;

/** Requests health, metrics and the points of 15 minutes before the screen is rendered. */
export const prefetchMonitoring = (queries: QueryClient): void => {
  void queries.prefetchQuery(healthQuery());
  void queries.prefetchQuery(metricsQuery());
  void queries.prefetchQuery(timelineQuery('15m'));
};

const Updated = ({ at, isPaused }: { at: number; isPaused: boolean }) => {
  const now = useNow(1000);
  if (isPaused) return monitoringTexts.paused;
  return at > 0 ? monitoringTexts.updated(format.ago(new Date(at).toISOString(), now)) : null;
};

type Points = readonly MetricsPoint[];

/** The points of the charts: the current ones, or while paused those of the time of the pause or of the last change of range. */
const usePausable = (window: string, points: Points | undefined) => {
  const [held, setHeld] = useState<{ window: string; points: Points | undefined }>();
  const isOutdated = held !== undefined && (held.window !== window || held.points === undefined);
  if (isOutdated && points) setHeld({ window, points });
  return {
    points: held && !isOutdated ? held.points : points,
    isPaused: held !== undefined,
    toggle: () => setHeld((current) => (current ? undefined : { window, points })),
  };
};

/** Health checks, live charts and counters. A pause keeps the shown points. */
export const MonitoringScreen = () => {
  const { address, change } = useListAddress();
  const window = oneOf(WINDOWS, address.get('window'), '15m');
  const timeline = useTimeline(window);
  const { points, isPaused, toggle } = usePausable(window, timeline.data?.points);
  const health = useQuery(healthQuery(isPaused));
  const metrics = useQuery(metricsQuery(isPaused));
  const liveState = useLiveState('admin');
  const isStale = liveState === 'reconnecting' || liveState === 'offline';

  return (
    <>
      <PageHead
        title={monitoringTexts.title}
        sub={monitoringTexts.sub}
        actions={
          <Flex align="center" gap="3" justify="space-between" wrap="wrap">
            <Text as="span" textStyle="xs" color="fg.subtle" fontVariantNumeric="tabular-nums">
              <Updated at={Math.max(timeline.dataUpdatedAt, health.dataUpdatedAt)} isPaused={isPaused} />
            </Text>
            <Box w={{ base: 'full', md: 'auto' }} order={{ base: 1, md: 0 }}>
              <FilterButtons
                label={monitoringTexts.window}
                value={window}
                onChange={(next) => change({ window: next === '15m' ? '' : next })}
                options={WINDOWS.map((value) => ({ value, label: monitoringTexts.windows[value] }))}
              />
            </Box>
            <Allowed to="signIns:read">
              <Button asChild variant="outline">
                <Link to="/admin/team/sign-ins">
                  <KeyRound aria-hidden />
                  {monitoringTexts.signIns}
                </Link>
              </Button>
            </Allowed>
            <Button variant="outline" onClick={toggle} aria-pressed={isPaused}>
              {isPaused ? <Play aria-hidden /> : <Pause aria-hidden />}
              {isPaused ? monitoringTexts.resume : monitoringTexts.pause}
            </Button>
          </Flex>
        }
      />
      {isStale && (
        <Box mb="4">
          <Banner tone="warning" icon={TriangleAlert}>
            {monitoringTexts.stale}
          </Banner>
        </Box>
      )}
      {health.data ? (
        <HealthOverview health={health.data} />
      ) : (
        <Card>
          <QueryView query={health} loading={monitoringTexts.loadingHealth} fallback={monitoringTexts.noHealth} height="112px">
            {() => <Empty icon={Server} title={monitoringTexts.noHealth} height="112px" />}
          </QueryView>
        </Card>
      )}
      {points ? (
        <Box mt="4">
          <LiveCharts points={points} window={window} />
        </Box>
      ) : (
        <Card mt="4">
          <QueryView
            query={timeline}
            loading={monitoringTexts.loadingTimeline}
            fallback={monitoringTexts.timelineFailed}
            height="580px"
          >
            {() => null}
          </QueryView>
        </Card>
      )}
      <SimpleGrid columns={{ base: 1, xl: 3 }} gap="4" mt="4" alignItems="start">
        <Box gridColumn={{ xl: 'span 2' }} minW="0">
          {health.data && <HealthChecks health={health.data} />}
        </Box>
        {metrics.data ? (
          <MetricsPanel metrics={metrics.data} />
        ) : (
          <Card>
            <QueryView query={metrics} loading={monitoringTexts.loadingMetrics} fallback={monitoringTexts.noMetrics} height="320px">
              {() => <Empty icon={Gauge} title={monitoringTexts.noMetrics} height="320px" />}
            </QueryView>
          </Card>
        )}
      </SimpleGrid>
    </>
  );
};
