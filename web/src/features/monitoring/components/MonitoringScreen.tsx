import { Box, Button, Flex, SimpleGrid, Text } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { memo, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { format } from '../../../lib/format.ts';
import { useLiveState } from '../../../live/useLive.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { Card } from '../../../ui/Card.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { Activity, Gauge, KeyRound, LayoutDashboard, Pause, Play, Server, TriangleAlert } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { useNow } from '../../../ui/media.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Banner, Empty, Loading } from '../../../ui/states.tsx';
import { callsAddress, callTexts } from '../../calls/index.ts';
import { annotationsAsked, marksOf, useAnnotations } from '../api/annotations.ts';
import { chartsRequest, type Drawing, useCharts } from '../api/charts.ts';
import { healthQuery, metricsQuery } from '../api/monitoring.ts';
import { type ChartView, callsOf, useChartView } from '../api/period.ts';
import { timelineQuery } from '../api/timeline.ts';
import { monitoringTexts } from '../texts.ts';
import { AnnotationList } from './AnnotationList.tsx';
import { BreakdownControls } from './BreakdownControls.tsx';
import { FailingChecks } from './FailingChecks.tsx';
import { HealthChecks, HealthOverview, MetricsPanel } from './HealthPanels.tsx';
import { LiveCharts } from './LiveCharts.tsx';
import { PeriodControls } from './PeriodControls.tsx';

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

type Held = Readonly<{ view: ChartView; drawing: Drawing | undefined }>;

/** What the charts draw: the current points, or while paused those of the time of the pause or of the last change of the period. */
const usePausable = (view: ChartView, drawing: Drawing | undefined, isPaused: boolean): Drawing | undefined => {
  const [held, setHeld] = useState<Held>();
  const isHeld = held?.view === view && held.drawing !== undefined;
  if (isPaused && !isHeld && drawing) setHeld({ view, drawing });
  if (!isPaused && held) setHeld(undefined);
  return isPaused && isHeld ? held.drawing : drawing;
};

const NOTHING = { from: 0, to: 0 };

/** Names that were shown, so that filters keep theirs while other charts are loading. */
const useNames = (names: Drawing['names'] = {}): Drawing['names'] => {
  const [known, setKnown] = useState(names);
  if (Object.entries(names).some(([id, name]) => known[id] !== name)) setKnown({ ...known, ...names });
  return known;
};

type ActionsProps = { view: ChartView; isPaused: boolean; toggle: () => void };

const Actions = memo(({ view, isPaused, toggle }: ActionsProps) => (
  <>
    <Allowed to="calls:read">
      <Button asChild variant="outline" size="sm">
        <Link to={callsAddress('/admin/monitoring/calls', callsOf(view))}>
          <Activity aria-hidden />
          {callTexts.open}
        </Link>
      </Button>
    </Allowed>
    <Button asChild variant="outline" size="sm">
      <Link to="/admin/monitoring/alerts">
        <TriangleAlert aria-hidden />
        {monitoringTexts.alerts}
      </Link>
    </Button>
    <Button asChild variant="outline" size="sm">
      <Link to="/admin/monitoring/wallboard">
        <LayoutDashboard aria-hidden />
        {monitoringTexts.wallboard.title}
      </Link>
    </Button>
    <Allowed to="signIns:read">
      <Button asChild variant="outline" size="sm">
        <Link to="/admin/team/sign-ins">
          <KeyRound aria-hidden />
          {monitoringTexts.signIns}
        </Link>
      </Button>
    </Allowed>
    <ExportMenu lists={[chartsRequest(view)]} />
    <Button variant="outline" size="sm" onClick={toggle} aria-pressed={isPaused}>
      {isPaused ? <Play aria-hidden /> : <Pause aria-hidden />}
      {isPaused ? monitoringTexts.resume : monitoringTexts.pause}
    </Button>
  </>
));

/** Totals of calls and customers, which change more often than the rest of the screen. */
const Totals = ({ isPaused }: { isPaused: boolean }) => {
  const metrics = useQuery(metricsQuery(isPaused));
  if (metrics.data) return <MetricsPanel metrics={metrics.data} />;
  return (
    <Card>
      <QueryView query={metrics} loading={monitoringTexts.loadingMetrics} fallback={monitoringTexts.noMetrics} height="320px">
        {() => <Empty icon={Gauge} title={monitoringTexts.noMetrics} height="320px" />}
      </QueryView>
    </Card>
  );
};

/**
 * Health checks, live charts and counters. A pause keeps the shown points. Points arrive several times a second, so what they do not
 * change is memoized.
 */
export const MonitoringScreen = () => {
  const { view, choices } = useChartView();
  const { query: charts, drawing } = useCharts(view);
  const [isPaused, setPaused] = useState(false);
  const toggle = useCallback(() => setPaused((current) => !current), []);
  const shown = useDeferredValue(usePausable(view, drawing, isPaused));
  const names = useNames(shown?.names);
  const annotations = useAnnotations(shown ?? NOTHING, view.filter, isPaused);
  const marks = useMemo(() => (annotations && shown ? marksOf(annotations, shown) : []), [annotations, shown]);
  const { from, to } = annotationsAsked(shown ?? NOTHING, view.filter);
  const { customer, integrator } = view.filter;
  const asked = useMemo(() => ({ from, to, customer, integrator }), [from, to, customer, integrator]);
  const health = useQuery(healthQuery(isPaused));
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
              <Updated at={Math.max(charts.dataUpdatedAt, health.dataUpdatedAt)} isPaused={isPaused} />
            </Text>
            <Actions view={view} isPaused={isPaused} toggle={toggle} />
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
      {health.data && <FailingChecks health={health.data} />}
      {health.data ? (
        <HealthOverview health={health.data} />
      ) : (
        <Card>
          <QueryView query={health} loading={monitoringTexts.loadingHealth} fallback={monitoringTexts.noHealth} height="112px">
            {() => <Empty icon={Server} title={monitoringTexts.noHealth} height="112px" />}
          </QueryView>
        </Card>
      )}
      <PeriodControls view={view} {...choices} />
      <BreakdownControls view={view} names={names} {...choices} />
      {shown ? (
        <Box mt="4">
          <LiveCharts drawing={shown} view={view} marks={marks} {...choices} />
          {annotations && <AnnotationList annotations={annotations} query={asked} />}
        </Box>
      ) : (
        <Card mt="4">
          <QueryView
            query={charts}
            loading={monitoringTexts.loadingTimeline}
            fallback={monitoringTexts.timelineFailed}
            height="580px"
          >
            {/* The charts that were loaded are drawn when the browser has time for it. */}
            {() => <Loading label={monitoringTexts.loadingTimeline} height="580px" />}
          </QueryView>
        </Card>
      )}
      <SimpleGrid columns={{ base: 1, xl: 3 }} gap="4" mt="4" alignItems="start">
        <Box gridColumn={{ xl: 'span 2' }} minW="0">
          {health.data && <HealthChecks health={health.data} />}
        </Box>
        <Totals isPaused={isPaused} />
      </SimpleGrid>
    </>
  );
};
