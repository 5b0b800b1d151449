import { Box, Flex, SimpleGrid, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Seat, SeatDay, SeatUtilization } from '../../../../../src/contracts/seats.ts';
import { SEAT_KINDS } from '../../../../../src/domain/enumerations.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { SEAT_RANGES, UNLIMITED_SEATS } from '../../../../../src/domain/limits.ts';
import type { Area } from '../../../areas.ts';
import { format } from '../../../lib/format.ts';
import { localDayOf } from '../../../lib/listAddress.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { ChartKey } from '../../../ui/charts/chartParts.tsx';
import { SeatChart } from '../../../ui/charts/lazyCharts.tsx';
import { FilterButtons } from '../../../ui/FilterBar.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { CustomRangeFields } from '../../usage/index.ts';
import { utilizationQuery } from '../api/utilization.ts';
import { utilizationTexts as texts } from '../utilizationTexts.ts';
import type { useUtilizationChoice } from './utilizationAddress.ts';

const HEIGHT = 220;
const OPTIONS = [
  ...SEAT_RANGES.map((range) => ({ value: String(range), label: texts.ranges[range] })),
  { value: 'custom', label: texts.custom },
];

const limitText = (limit: number | null): string =>
  limit === UNLIMITED_SEATS ? texts.unlimited : limit === null ? '–' : format.whole(limit);

/** The chart as a table, for screen readers. Days without numbers are left out. */
const AsTable = ({ kind, days }: { kind: Seat['kind']; days: readonly SeatDay[] }) => (
  <Box srOnly>
    <table>
      <caption>{texts.table(kind)}</caption>
      <thead>
        <tr>
          {[texts.day, texts.peak, texts.average, texts.limit, texts.denied].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days
          .filter(({ peak }) => peak !== null)
          .map(({ day, peak, average, limit, denials }) => (
            <tr key={day}>
              <th scope="row">{format.day(day)}</th>
              <td>{peak}</td>
              <td>{average}</td>
              <td>{limitText(limit)}</td>
              <td>{denials}</td>
            </tr>
          ))}
      </tbody>
    </table>
  </Box>
);

/** Where the changes of a customer's seats are listed. The portal has no audit page. */
const historyPath = {
  admin: (id: CustomerId) => `/admin/audit?customer=${id}&`,
  integrator: (id: CustomerId) => `/service-integrator/audit?customer=${id}&`,
  portal: () => '/portal/team/activity?',
} satisfies Record<Area, (id: CustomerId) => string>;

/** The last moment of a day, which lasts until before `to`. */
const lastOf = (to: string): Date => new Date(Date.parse(to) - 1);

/** The address of what happened to the seats on a day; null for users who may not see it. */
const useHistoryOf = (area: Area, id: CustomerId) => {
  const historyOf = useCallback(
    ({ from, to }: SeatDay) => `${historyPath[area](id)}search=seat&from=${localDayOf(from)}&to=${localDayOf(lastOf(to))}`,
    [area, id],
  );
  return usePermission('history:read') ? historyOf : null;
};

type OfKindProps = { kind: Seat['kind']; utilization: SeatUtilization; historyOf: ReturnType<typeof useHistoryOf> };

const OfKind = ({ kind, utilization, historyOf }: OfKindProps) => {
  const { days, forecast } = utilization[kind];
  const isEmpty = days.every(({ peak }) => peak === null);
  const hasDenials = days.some(({ denials }) => denials > 0);
  return (
    <Box as="section" aria-label={texts.chart(kind)} minW="0">
      <Flex align="baseline" justify="space-between" columnGap="4" rowGap="1" wrap="wrap" mb="2">
        <Text as="h3" textStyle="sm" fontWeight="semibold">
          {texts.kinds[kind]}
        </Text>
        <Flex gap="4" wrap="wrap">
          <ChartKey color="chart-1" label={texts.peak} />
          <ChartKey color="chart-3" label={texts.average} />
          <ChartKey color="chart-axis" label={texts.limit} isDashed />
          {hasDenials && <ChartKey color="chart-6" label={texts.denied} />}
        </Flex>
      </Flex>
      {isEmpty ? (
        <Flex align="center" justify="center" h={`${HEIGHT}px`} textStyle="sm" color="fg.muted" textAlign="center">
          {texts.nothing}
        </Flex>
      ) : (
        <SeatChart
          label={texts.chart(kind)}
          days={days}
          names={texts}
          deniedNote={texts.deniedNote}
          historyOf={historyOf}
          height={HEIGHT}
        />
      )}
      <AsTable kind={kind} days={days} />
      <Text textStyle="sm" color="fg.muted" mt="2" data-forecast={kind}>
        {texts.forecast(kind, forecast)}
      </Text>
    </Box>
  );
};

type CardProps = { area: Area; id: CustomerId; chosen: ReturnType<typeof useUtilizationChoice> };

/** How the seats of each kind were used on the days of a range, and when they reach their limit. */
export const SeatUtilizationCard = ({ area, id, chosen: { choice, chooseDays, chooseCustom } }: CardProps) => {
  const query = useQuery(utilizationQuery(area, id, choice));
  const shown = query.data?.utilization;
  const historyOf = useHistoryOf(area, id);
  const choose = (value: string): void => {
    if (value !== 'custom') chooseDays(value);
    else if (!choice.custom && shown) chooseCustom({ from: shown.from, to: shown.to });
  };
  return (
    <Card as="section" aria-label={texts.title} mb="4">
      <CardHead title={texts.title} sub={texts.zone(choice.zone)} />
      <Box px={{ base: '4', md: '5' }} pb="5">
        <Flex align="center" columnGap="4" rowGap="2" wrap="wrap" mb="4" className="no-print">
          <FilterButtons
            label={texts.range}
            value={choice.custom ? 'custom' : String(choice.days)}
            onChange={choose}
            options={OPTIONS}
          />
          {choice.custom && <CustomRangeFields range={choice.custom} onChange={chooseCustom} />}
        </Flex>
        <QueryView query={query} loading={texts.loading} fallback={texts.loadFailed} height="284px">
          {({ utilization }) => (
            <SimpleGrid
              columns={{ base: 1, xl: 2 }}
              gap="6"
              opacity={query.isPlaceholderData ? 0.6 : 1}
              transition="opacity .15s"
              aria-busy={query.isPlaceholderData}
            >
              {SEAT_KINDS.map((kind) => (
                <OfKind key={kind} kind={kind} utilization={utilization} historyOf={historyOf} />
              ))}
            </SimpleGrid>
          )}
        </QueryView>
      </Box>
    </Card>
  );
};
