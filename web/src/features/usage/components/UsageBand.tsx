import { Box, SimpleGrid, type SimpleGridProps, Text } from '@chakra-ui/react';
import type { Usage, UsageFigures } from '../../../../../src/contracts/usage.ts';
import { format } from '../../../lib/format.ts';
import { Card } from '../../../ui/Card.tsx';
import { LinkedFigure } from '../../../ui/LinkedFigure.tsx';
import { usageScreenTexts as texts } from '../screenTexts.ts';
import { usageTexts } from '../texts.ts';
import { type CallsOf, countedBy } from './usageCalls.ts';

const { stats } = texts;

/** `to`: the address of what the figure counts, where `#` begins the id of a part of the same screen. */
type FigureProps = { label: string; value: string; detail?: string | null; before?: string | null; to?: string | undefined };

/** A figure of a band, with what it was before. */
export const Figure = ({ label, value, detail, before, to }: FigureProps) => (
  <Box as="article" aria-label={label} px={{ base: '4', md: '5' }} py="3.5" minW="0">
    <Text textStyle="xs" color="fg.muted">
      {label}
    </Text>
    <Text textStyle="xl" fontWeight="semibold" fontVariantNumeric="tabular-nums" mt="0.5" data-stat={label}>
      {to?.startsWith('#') ? (
        <a className="figure-link" href={to}>
          {value}
        </a>
      ) : (
        <LinkedFigure value={value} to={to} />
      )}
    </Text>
    {detail && (
      <Text textStyle="xs" color="fg.subtle">
        {detail}
      </Text>
    )}
    {before && (
      <Text textStyle="xs" color="fg.subtle" fontVariantNumeric="tabular-nums">
        {texts.before(before)}
      </Text>
    )}
  </Box>
);

const shownOf = (figures: UsageFigures) => {
  const hasCalls = figures.totalApiCalls > 0;
  const ofCalls = (value: string): string => (hasCalls ? value : usageTexts.none);
  return {
    totalApiCalls: format.whole(figures.totalApiCalls),
    activeInstances: format.whole(figures.activeInstances),
    avgResponseTime: ofCalls(format.duration(figures.avgResponseTime)),
    peakUsageDay: figures.peakUsageDay ? format.day(figures.peakUsageDay) : usageTexts.none,
    errorRate: format.percent(figures.errorRate, 2),
    successRate: ofCalls(format.percent(1 - figures.errorRate, 2)),
    totalErrors: format.whole(figures.totalErrors),
  };
};

const FIGURES = [
  'totalApiCalls',
  'apiCallsLast30Days',
  'activeInstances',
  'avgResponseTime',
  'peakUsageDay',
  'errorRate',
  'successRate',
  'totalErrors',
] as const;

/** Unknown with a filter. */
const ofLast30Days = ({ apiCallsLast30Days: calls }: Usage): string => (calls === null ? usageTexts.none : format.whole(calls));

export type UsageFigureGridProps = {
  usage: Usage;
  columns: SimpleGridProps['columns'];
  /** The addresses of single calls; null where the session may not see them. */
  callsOf: CallsOf | null;
  /** The address of the usage of the last 30 days; null if they are the range. */
  last30?: string | null;
  /** The address of the list of instances. */
  instances?: string;
};

/** The figures of a range, each with that of the previous period where it is compared. */
export const UsageFigureGrid = ({ usage, columns, callsOf, last30, instances }: UsageFigureGridProps) => {
  const shown = { ...shownOf(usage), apiCallsLast30Days: ofLast30Days(usage) };
  const to: Partial<Record<(typeof FIGURES)[number], string>> = {
    ...countedBy(usage, callsOf, last30),
    ...(instances !== undefined && { activeInstances: instances }),
  };
  const before = usage.previous && { ...shownOf(usage.previous), apiCallsLast30Days: null };
  return (
    <SimpleGrid columns={columns}>
      {FIGURES.map((name) => (
        <Figure
          key={name}
          label={stats[name]}
          value={shown[name]}
          detail={name === 'peakUsageDay' && usage.peakUsageDay ? usageTexts.calls(format.whole(usage.peakUsageCalls)) : null}
          before={before?.[name] ?? null}
          to={shown[name] === usageTexts.none ? undefined : to[name]}
        />
      ))}
    </SimpleGrid>
  );
};

/** The figures of a range in a card. */
export const UsageBand = (props: Omit<UsageFigureGridProps, 'columns'>) => (
  <Card as="section" aria-label={texts.figures}>
    <UsageFigureGrid {...props} columns={{ base: 2, md: 4, '2xl': 8 }} />
  </Card>
);
