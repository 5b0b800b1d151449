import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { SignInsChartReply } from '../../../../../src/contracts/signIns.ts';
import { DAY_MS } from '../../../../../src/domain/time.ts';
import { format } from '../../../lib/format.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { ChartKey, type Series } from '../../../ui/charts/chartParts.tsx';
import { TimeChart } from '../../../ui/charts/lazyCharts.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { type SignInFilter, type SignInsPath, signInsChartQuery } from '../api/signIns.ts';
import { signInTexts } from '../texts.ts';

const { chart: texts } = signInTexts;
const HEIGHT = 180;
const CARD_HEIGHT = '300px';

const OUTCOMES = ['accepted', 'rejected', 'throttled'] as const;
const COLORS = { accepted: 'chart-2', rejected: 'chart-6', throttled: 'chart-3' } as const;
const series: readonly Series[] = OUTCOMES.map((key) => ({ key, name: texts[key], color: COLORS[key] }));

type Points = SignInsChartReply['points'];

const totalOf = (points: Points, outcome: (typeof OUTCOMES)[number]): number =>
  points.reduce((sum, point) => sum + point[outcome], 0);

/** The chart as a table, for screen readers. */
const AsTable = ({ points }: { points: Points }) => (
  <Box srOnly>
    <table>
      <caption>{texts.table}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.time}</th>
          {OUTCOMES.map((outcome) => (
            <th key={outcome} scope="col">
              {texts[outcome]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {points
          .filter((point) => OUTCOMES.some((outcome) => point[outcome] > 0))
          .map((point) => (
            <tr key={point.at}>
              <th scope="row">{format.dateTime(point.at)}</th>
              {OUTCOMES.map((outcome) => (
                <td key={outcome}>{point[outcome]}</td>
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  </Box>
);

type OnPeriod = (from: string, to: string) => void;
type ChartProps = SignInsChartReply & { isLastDay: boolean; onPeriod: OnPeriod };

/** A short period is named with its times. */
const rangeOf = (from: string, to: string, isShort: boolean): string =>
  isShort ? texts.range(format.dateTime(from), format.zoned(to)) : texts.range(format.date(from), format.date(to));

const Chart = ({ from, to, seconds, points, isLastDay, onPeriod }: ChartProps) => {
  const drawn = points.map(({ at, ...counts }) => ({ at: Date.parse(at), ...counts }));
  const [first, last] = [drawn[0], drawn.at(-1)];
  const span = first && last ? Math.max(last.at - first.at, 1) : DAY_MS;
  const isShort = span <= 2 * DAY_MS;
  const choose = (start: number, end: number): void =>
    onPeriod(new Date(start).toISOString(), new Date(end + seconds * 1000 - 1).toISOString());
  return (
    <Box minH={CARD_HEIGHT}>
      <CardHead
        title={texts.title}
        sub={isLastDay ? texts.lastDay : rangeOf(from, to, isShort)}
        right={
          <Flex gap="4" wrap="wrap">
            {series.map(({ key, name, color }, at) => (
              <ChartKey key={key} color={color} label={name} value={format.whole(totalOf(points, OUTCOMES[at] ?? 'accepted'))} />
            ))}
          </Flex>
        }
      />
      <Box pb="3">
        <TimeChart
          label={texts.label}
          points={drawn}
          series={series}
          span={span}
          height={HEIGHT}
          formatTick={(_age, at) => (isShort ? format.hour(at) : format.shortDate(at))}
          {...(!isShort && { formatLabel: (at: number | string) => format.zoned(new Date(at).toISOString()) })}
          onPoint={(at) => choose(at, at)}
          onSelect={choose}
        />
        <Flex px={{ base: '4', md: '5' }} gap="3" align="center" wrap="wrap" minH="8" className="no-print">
          <Text textStyle="xs" color="fg.subtle">
            {texts.openHint}
          </Text>
          {!isLastDay && (
            <Button size="xs" variant="outline" onClick={() => onPeriod('', '')}>
              {texts.anyTime}
            </Button>
          )}
        </Flex>
      </Box>
      <AsTable points={points} />
    </Box>
  );
};

type SignInsChartProps = {
  path: SignInsPath;
  filter: SignInFilter;
  /** Called with the moments of a point or a selection; with empty texts for no period. */
  onPeriod: OnPeriod;
};

/** Accepted and rejected sign-ins of the filter over time, live. */
export const SignInsChart = ({ path, filter, onPeriod }: SignInsChartProps) => (
  <Card as="section" aria-label={texts.title} mb="4">
    <QueryView
      query={useQuery(signInsChartQuery(path, filter))}
      loading={texts.loading}
      fallback={texts.loadFailed}
      height={CARD_HEIGHT}
    >
      {(reply) => <Chart {...reply} isLastDay={!filter.from && !filter.to} onPeriod={onPeriod} />}
    </QueryView>
  </Card>
);
