import { Box, Flex, Grid, Text } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useNavigate } from 'react-router-dom';
import { MINUTE_MS } from '../../../../../src/domain/time.ts';
import { format } from '../../../lib/format.ts';
import { useLiveState } from '../../../live/useLive.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import { ChartKey } from '../../../ui/charts/chartParts.tsx';
import { TimeChart } from '../../../ui/charts/lazyCharts.tsx';
import { useNow } from '../../../ui/media.ts';
import { useTitle } from '../../../ui/PageHead.tsx';
import { alertsQuery, alertTexts, firingIn } from '../../alerts/index.ts';
import { type Drawing, useCharts } from '../api/charts.ts';
import { healthQuery } from '../api/monitoring.ts';
import type { ChartView } from '../api/period.ts';
import { timelineQuery } from '../api/timeline.ts';
import { monitoringTexts } from '../texts.ts';
import { nameOf } from './checkName.ts';
import { type Panel, panelsOf } from './panels.ts';
import { useWallboard, WALLBOARD } from './useWallboard.ts';

const { wallboard: texts, overall } = monitoringTexts;

const VIEW: ChartView = { range: '15m', custom: null, isCompared: false, by: null, filter: {} };
const ageTick = (age: number): string => (age <= 0 ? 'now' : `${Math.round(age / MINUTE_MS)}m`);

/** Requests what the wallboard shows before it is rendered. */
export const prefetchWallboard = (queries: QueryClient): void => {
  void queries.prefetchQuery(healthQuery());
  void queries.prefetchQuery(alertsQuery());
  void queries.prefetchQuery(timelineQuery('15m'));
};

type FigureProps = { label: string; value: string; color?: 'fg' | 'fg.warning' | 'fg.error' };

const Figure = ({ label, value, color = 'fg' }: FigureProps) => (
  <Flex
    direction="column"
    justify="center"
    bg="bg.panel"
    borderRadius="l3"
    borderWidth="1px"
    px="6"
    role="group"
    aria-label={label}
    minW="0"
  >
    <Text fontSize="24px" color="fg.muted">
      {label}
    </Text>
    <Text
      fontSize="64px"
      whiteSpace="nowrap"
      lineHeight="1.15"
      fontWeight="semibold"
      fontVariantNumeric="tabular-nums"
      color={color}
    >
      {value}
    </Text>
  </Flex>
);

const shown = (value: number | null | undefined, write: (value: number) => string): string =>
  typeof value === 'number' ? write(value) : '–';

const Figures = ({ points }: Pick<Drawing, 'points'>) => {
  const last = points.at(-1);
  const failed = last?.failed ?? 0;
  return (
    <Grid flex="1" templateColumns="repeat(3, 1fr)" templateRows="1fr 1fr" gap="5">
      <Figure label={texts.calls} value={shown(last?.successful, (value) => format.rate(value + failed))} />
      <Figure label={texts.failed} value={shown(last?.failed, format.rate)} color={failed > 0 ? 'fg.error' : 'fg'} />
      <Figure label={texts.p95} value={shown(last?.p95, format.duration)} />
      <Figure label={texts.users} value={shown(last?.connectedUsers, format.whole)} />
      <Figure label={texts.lag} value={shown(last?.projectionLagMs, format.duration)} />
      <Health />
    </Grid>
  );
};

const HEALTH_COLORS: Readonly<Record<string, FigureProps['color']>> = { healthy: 'fg', degraded: 'fg.warning' };

const Health = () => {
  const { data } = useQuery(healthQuery());
  if (!data) return <Figure label={overall.status} value="–" />;
  const value = texts.health[data.status] ?? texts.critical;
  return <Figure label={overall.status} value={value} color={HEALTH_COLORS[data.status] ?? 'fg.error'} />;
};

type Failure = Readonly<{ key: string; status: string; text: string }>;

/** Firing alerts and failing checks. */
const useFailures = (): readonly Failure[] => {
  const health = useQuery(healthQuery()).data;
  const firing = firingIn(useQuery(alertsQuery()).data);
  const checks = Object.entries(health?.checks ?? {}).filter(([, { status }]) => status !== 'healthy');
  return [
    ...firing.map((alerts) => ({ key: alerts[0].ruleId, status: 'critical', text: alertTexts.banner(alerts) })),
    ...checks.map(([name, { status, message }]) => ({ key: name, status, text: `${nameOf(name)}: ${message}` })),
  ];
};

/** At most `most` lines, and how many there are more. */
const Failures = ({ failures, most }: { failures: readonly Failure[]; most: number }) => (
  <Box as="ul" listStyleType="none" aria-label={texts.failures} fontSize="20px" mt={`${WALLBOARD.aboveLines}px`}>
    {failures.slice(0, most).map(({ key, status, text }) => (
      <Flex as="li" key={key} gap="4" align="center" h={`${WALLBOARD.lineHeight}px`}>
        <StatusBadge status={status} isLarge />
        <Text lineClamp={1} _firstLetter={{ textTransform: 'uppercase' }} title={text}>
          {text}
        </Text>
      </Flex>
    ))}
    {failures.length > most && (
      <Box as="li" h={`${WALLBOARD.lineHeight}px`}>
        {texts.more(failures.length - most)}
      </Box>
    )}
  </Box>
);

const Charts = ({ panels, drawing, height }: { panels: readonly Panel[]; drawing: Drawing; height: number }) => (
  <Grid gap="5">
    {panels.map((panel) => (
      <Box key={panel.title} as="section" aria-label={panel.title} bg="bg.panel" borderRadius="l3" borderWidth="1px" px="4" pt="4">
        <Flex justify="space-between" align="baseline" gap="6" px="2" mb="2">
          <Text fontSize="24px" fontWeight="semibold">
            {panel.title}{' '}
            <Text as="span" color="fg.muted" fontSize="18px" fontWeight="normal">
              {panel.sub}
            </Text>
          </Text>
          <Flex gap="6">
            {panel.series.map(({ key, name, color }) => (
              <ChartKey key={key} color={color} label={name} value={shown(drawing.points.at(-1)?.[key], panel.formatValue)} />
            ))}
          </Flex>
        </Flex>
        <TimeChart
          label={panel.chart}
          points={drawing.points}
          series={panel.series}
          height={height}
          span={drawing.to - drawing.from}
          end={drawing.to}
          divisions={3}
          formatTick={ageTick}
          formatValue={panel.formatValue}
          {...(panel.formatAxis && { formatAxis: panel.formatAxis })}
        />
      </Box>
    ))}
  </Grid>
);

const Clock = () => {
  const now = useNow(1000);
  return (
    <Text fontSize="24px" fontVariantNumeric="tabular-nums">
      {format.clock(now)}
    </Text>
  );
};

/** Health, figures and live charts on a screen that nobody operates: dark, in large type, one page after the other. */
export const WallboardScreen = () => {
  useTitle(texts.title);
  const navigate = useNavigate();
  const board = useWallboard(() => void navigate('/admin/monitoring'));
  const { drawing } = useCharts(VIEW);
  const drawn = useDeferredValue(drawing);
  const liveState = useLiveState('admin');
  const isStale = liveState === 'reconnecting' || liveState === 'offline';
  const panels = drawn ? panelsOf(drawn, VIEW) : [];
  const failures = useFailures();
  const { lines, linesBelowCharts, aboveLines, lineHeight, besideCharts } = WALLBOARD;
  const failuresHeight = failures.length === 0 ? 0 : aboveLines + lineHeight * Math.min(failures.length, linesBelowCharts + 1);
  return (
    <Box
      ref={board.ref}
      className="dark"
      position="fixed"
      inset="0"
      zIndex="modal"
      overflow="hidden"
      bg="bg.canvas"
      color="fg"
      role="dialog"
      aria-modal
      aria-label={texts.title}
      tabIndex={-1}
      outline="none"
      data-page={board.page}
    >
      <Flex
        direction="column"
        position="absolute"
        insetStart="0"
        top="0"
        p="8"
        style={{
          width: WALLBOARD.width,
          height: board.height,
          transform: `scale(${board.scale})`,
          transformOrigin: '0 0',
        }}
      >
        <Flex as="header" justify="space-between" align="baseline" gap="6" mb="6">
          <Text as="h1" fontSize="32px" fontWeight="semibold">
            {texts.pages[board.page] ?? texts.title}
          </Text>
          {isStale && (
            <Text fontSize="20px" color="fg.error" role="status">
              {texts.stale}
            </Text>
          )}
          <Clock />
        </Flex>
        <Flex direction="column" flex="1" minH="0">
          {drawn && board.page === 0 && <Figures points={drawn.points} />}
          {drawn && board.page > 0 && (
            <Charts
              panels={panels.slice(2 * board.page - 2, 2 * board.page)}
              drawing={drawn}
              height={(board.height - besideCharts - failuresHeight) / 2}
            />
          )}
          {drawn && failures.length > 0 && <Failures failures={failures} most={board.page === 0 ? lines : linesBelowCharts} />}
        </Flex>
        <Text as="footer" fontSize="16px" color="fg.muted" mt="4">
          {texts.keys(board.page + 1, WALLBOARD.pages)}
        </Text>
      </Flex>
    </Box>
  );
};
