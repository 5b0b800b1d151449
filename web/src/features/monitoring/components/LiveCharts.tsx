import { Box, Flex, SimpleGrid, Text } from '@chakra-ui/react';
import { memo, useCallback, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { DAY_MS, MINUTE_MS } from '../../../../../src/domain/time.ts';
import { format } from '../../../lib/format.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { ChartKey } from '../../../ui/charts/chartParts.tsx';
import { TimeChart } from '../../../ui/charts/lazyCharts.tsx';
import type { ChartMark } from '../../../ui/charts/TimeChart.tsx';
import { isMidnight, timeTicks } from '../../../ui/charts/timeTicks.ts';
import { Gauge } from '../../../ui/icons.ts';
import { Empty } from '../../../ui/states.tsx';
import type { Drawing } from '../api/charts.ts';
import type { ChartChoices, ChartView } from '../api/period.ts';
import { monitoringTexts } from '../texts.ts';
import { PartList, totalsOf } from './PartList.tsx';
import { addressOf, isUnfiltered, type Panel, panelsOf, seriesOf } from './panels.ts';
import { type SeriesTarget, type SeriesTargets, useSeriesChoice } from './useSeriesChoice.ts';

const { period: texts } = monitoringTexts;
const HEIGHT = 200;
/** The height of a row in the list of parts beside the first chart, in px. */
const ROW_HEIGHT = 28;
/** The live charts are read by age, other periods by the clock. */
const DIVISIONS = 3;
const ageTick = (age: number): string => (age <= 0 ? 'now' : `${Math.round(age / MINUTE_MS)}m`);
const clockTick = (_age: number, at: number): string => (isMidnight(at) ? format.shortDate(at) : format.hour(at));
const dateLabel = (at: number | string): string => format.zoned(new Date(at).toISOString());

const axisOf = ({ from, to, stepMs, points }: Drawing, { range, custom }: ChartView) =>
  range === '15m' && !custom && stepMs < MINUTE_MS
    ? { span: to - from, end: points.at(-1)?.at ?? to, divisions: DIVISIONS, formatTick: ageTick }
    : { span: to - from, end: to, ticks: timeTicks(from, to), formatTick: clockTick };

type ChartsProps = { drawing: Drawing; view: ChartView; marks: readonly ChartMark[] } & Pick<
  ChartChoices,
  'choosePeriod' | 'filterBy'
>;

/** The most keys beside the title of a chart. */
const FEW_KEYS = 4;

const Keys = ({ panel, points }: { panel: Panel; points: Drawing['points'] }) => (
  <Flex columnGap="4" rowGap="1" wrap="wrap">
    {panel.series.map(({ key, name, color, kind }) => {
      const value = points.at(-1)?.[key];
      const shown = typeof value === 'number' ? panel.formatValue(value) : '–';
      return <ChartKey key={key} color={color} label={name} value={shown} isDashed={kind === 'dashed'} />;
    })}
  </Flex>
);

type PanelProps = Omit<ChartsProps, 'filterBy'> & { panel: Panel; height: number };

/** Opens what a point of the chart counts; undefined for users who may not see it. `targetOf` limits it to a part. */
const useOpenPoint = (panel: Panel, { stepMs }: Drawing, view: ChartView, targetOf: () => SeriesTarget | undefined) => {
  const navigate = useNavigate();
  const latest = useRef({ panel, targetOf });
  latest.current = { panel, targetOf };
  const open = useCallback(
    (at: number) => void navigate(addressOf(latest.current.panel, view, at, stepMs, latest.current.targetOf())),
    [navigate, view, stepMs],
  );
  return usePermission(panel.opens === 'users' ? 'users:read' : 'calls:read') ? open : undefined;
};

const NO_TARGETS: SeriesTargets = new Map();

const PanelCard = ({ panel, drawing, view, marks, height, choosePeriod }: PanelProps) => {
  const { points, from, to, stepMs } = drawing;
  const series = seriesOf(panel, view);
  const keys = series.map(({ key }) => key);
  const choice = useSeriesChoice(points, keys, panel.targets ?? NO_TARGETS);
  const openPoint = useOpenPoint(panel, drawing, view, choice.target);
  const note = choice.target()?.note;
  const legend = panel.hasKeys && <Keys panel={panel} points={points} />;
  const isBeside = panel.series.length <= FEW_KEYS;
  const sub = isUnfiltered(panel, view) ? `${panel.sub}, ${monitoringTexts.unfiltered}` : panel.sub;
  return (
    <Card as="section" aria-label={panel.title}>
      <CardHead title={panel.title} sub={sub} right={isBeside && legend} />
      {!isBeside && legend && (
        <Box px={{ base: '4', md: '5' }} pb="3">
          {legend}
        </Box>
      )}
      <Box pb="3">
        <TimeChart
          label={panel.chart}
          points={points}
          series={series}
          emphasized={choice.key}
          height={height}
          {...axisOf(drawing, view)}
          formatValue={panel.formatValue}
          {...(panel.formatAxis && { formatAxis: panel.formatAxis })}
          {...(to - from > DAY_MS && { formatLabel: dateLabel })}
          group="monitoring"
          marks={marks}
          onSelect={(first, last) => choosePeriod(first, last + stepMs)}
          {...(openPoint && { onPoint: openPoint })}
          {...(openPoint && choice.listenersOf && { listenersOf: choice.listenersOf })}
          {...(openPoint && note && { note })}
        />
        <span className="visually-hidden" role="status">
          {[series.find(({ key }) => key === choice.key)?.name, note].filter(Boolean).join('. ')}
        </span>
      </Box>
    </Card>
  );
};

/** Traffic, response times, presence and lag of the period. A selection in a chart is a new period, that of a part a new filter. */
export const LiveCharts = memo(({ drawing, view, marks, choosePeriod, filterBy }: ChartsProps) => {
  const canOpen = usePermission('calls:read');
  const { points, parts, partsAmong } = drawing;
  const totals = parts && view.isCompared ? totalsOf(drawing) : [];
  if (points.length === 0) {
    return (
      <Card>
        <Empty icon={Gauge} title={monitoringTexts.noPoints} />
      </Card>
    );
  }
  return (
    <>
      <Text textStyle="xs" color="fg.subtle" mb="3">
        {canOpen ? `${parts ? texts.openPartHint : texts.openHint} ${texts.hint}` : texts.hint}
      </Text>
      <SimpleGrid columns={{ base: 1, xl: 2 }} gap="4">
        {panelsOf(drawing, view).map((panel, at) => [
          <PanelCard
            key={panel.title}
            panel={panel}
            drawing={drawing}
            view={view}
            marks={marks}
            height={at === 0 && parts ? Math.max(HEIGHT, ROW_HEIGHT * (parts.length + totals.length + 1)) : HEIGHT}
            choosePeriod={choosePeriod}
          />,
          at === 0 && parts && (
            <PartList key="parts" parts={parts} totals={totals} by={view.by} among={partsAmong} onChoose={filterBy} />
          ),
        ])}
      </SimpleGrid>
    </>
  );
});
