import { Box, Flex } from '@chakra-ui/react';
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
const CARD_HEIGHT = '268px';

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

type ChartProps = SignInsChartReply & { isLastDay: boolean };

const Chart = ({ from, to, points, isLastDay }: ChartProps) => {
  const drawn = points.map(({ at, ...counts }) => ({ at: Date.parse(at), ...counts }));
  const [first, last] = [drawn[0], drawn.at(-1)];
  const span = first && last ? Math.max(last.at - first.at, 1) : DAY_MS;
  const isShort = span <= 2 * DAY_MS;
  return (
    <Box minH={CARD_HEIGHT}>
      <CardHead
        title={texts.title}
        sub={isLastDay ? texts.lastDay : texts.range(format.date(from), format.date(to))}
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
        />
      </Box>
      <AsTable points={points} />
    </Box>
  );
};

type SignInsChartProps = { path: SignInsPath; filter: SignInFilter };

/** Accepted and rejected sign-ins of the filter over time, live. */
export const SignInsChart = ({ path, filter }: SignInsChartProps) => (
  <Card as="section" aria-label={texts.title} mb="4">
    <QueryView
      query={useQuery(signInsChartQuery(path, filter))}
      loading={texts.loading}
      fallback={texts.loadFailed}
      height={CARD_HEIGHT}
    >
      {(reply) => <Chart {...reply} isLastDay={!filter.from && !filter.to} />}
    </QueryView>
  </Card>
);
