import { Box, Button, Flex, SimpleGrid } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo } from 'react';
import type { Usage } from '../../../../../src/contracts/usage.ts';
import { format } from '../../../lib/format.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { DailyChart, LatencyChart } from '../../../ui/charts/lazyCharts.tsx';
import { useDialog } from '../../../ui/dialogs.tsx';
import { ExportItem } from '../../../ui/ExportItem.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { Activity, Cable } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import type { ScreenOwner } from '../../../ui/screenTitle.ts';
import { Banner, Empty } from '../../../ui/states.tsx';
import { CallQuotaMeter } from '../../callQuotas/index.ts';
import { callTexts } from '../../calls/index.ts';
import { StatementModal, statementTexts } from '../../statements/index.ts';
import { isCounted, queryOf, type UsageChoice } from '../api/choice.ts';
import { type UsageSource, usageQuery } from '../api/usage.ts';
import { usageScreenTexts as texts } from '../screenTexts.ts';
import { usageTexts } from '../texts.ts';
import { FirstSteps } from './FirstSteps.tsx';
import { InstancesTable } from './InstancesTable.tsx';
import { WeekCard } from './LazyWeekCard.tsx';
import { PartsCard } from './PartsCard.tsx';
import { RangeControls } from './RangeControls.tsx';
import { UsageBand } from './UsageBand.tsx';
import { UsageCharts } from './UsageCharts.tsx';
import { UsageFilters } from './UsageFilters.tsx';
import { useUsageChoice } from './usageAddress.ts';
import { type CallsOf, callsWith, namedParts } from './usageCalls.ts';

export { UsageFigureGrid } from './UsageBand.tsx';

/** Loads the charts before the screen is rendered. */
export const preloadCharts = (): void => {
  DailyChart.preload();
  LatencyChart.preload();
  WeekCard.preload();
};

/** The range in words. */
export const rangeOf = ({ custom, days }: UsageChoice): string =>
  custom ? `${format.day(custom.from)} – ${format.day(custom.to)}` : usageTexts.lastDays(days);

/** The id of the card with the instances. */
const INSTANCES = 'instances';

type InstancesProps = { usage: Usage; path: string | null; range: string; onChoose: (instanceUrl: string) => void };

const Instances = ({ usage, path, range, onChoose }: InstancesProps) => (
  <Card id={INSTANCES} scrollMarginTop="20">
    <CardHead
      title={usageTexts.instances}
      sub={texts.instancesSub(range)}
      right={path && <ExportMenu what={usageTexts.exportedInstances} lists={[{ path, label: texts.allTime }]} />}
    />
    {usage.instanceUsage.length > 0 ? (
      <InstancesTable rows={usage.instanceUsage} onChoose={onChoose} />
    ) : (
      <Box borderTopWidth="1px" borderColor="border">
        <Empty icon={Cable} title={usageTexts.noInstances} hint={usageTexts.noInstancesHint} height="220px" />
      </Box>
    )}
  </Card>
);

type BreakdownsProps = { usage: Usage; callsOf: CallsOf | null; filterBy: ReturnType<typeof useUsageChoice>['filterBy'] };

const Breakdowns = ({ usage, callsOf, filterBy }: BreakdownsProps) => {
  const { operations, services, users, reasons } = useMemo(() => namedParts(usage, callsOf), [usage, callsOf]);
  const { totalApiCalls, totalErrors } = usage;
  return (
    <SimpleGrid columns={{ base: 1, xl: 2 }} gap="4" alignItems="start">
      <PartsCard of="operations" parts={operations} total={totalApiCalls} onChoose={(key) => filterBy('operation', key)} />
      {users && <PartsCard of="users" parts={users} total={totalApiCalls} onChoose={(key) => filterBy('userId', key)} />}
      <PartsCard of="services" parts={services} total={totalApiCalls} onChoose={(key) => filterBy('service', key)} />
      <PartsCard of="reasons" parts={reasons} total={totalErrors} onChoose={(key) => filterBy('reason', key)} />
    </SimpleGrid>
  );
};

/** Downloads what is shown, or the statement of a month. */
const UsageExport = ({ source: { path, statementPath }, choice }: { source: UsageSource; choice: UsageChoice }) => {
  const dialog = useDialog();
  const item = (close: () => void) => (
    <ExportItem
      onClick={() => {
        close();
        dialog.open();
      }}
    >
      {statementTexts.open}
    </ExportItem>
  );
  return (
    <>
      <ExportMenu lists={[{ path, query: queryOf(choice) }]} {...(statementPath !== null && { more: item })} />
      {statementPath !== null && <StatementModal dialog={dialog} path={statementPath} />}
    </>
  );
};

type UsageViewProps = {
  source: UsageSource;
  title: string;
  /** The customer whose calls they are, where it is not that of the session. */
  owner?: ScreenOwner;
  sub: string;
  back?: ReactNode;
  /** Whether there has been no call at all, so that the commands for a first one are shown. */
  isUnused?: (usage: Usage) => boolean;
  /** The lists of single calls; null where the session may not see them. Keeps its identity. */
  callsOf: CallsOf | null;
};

/** API calls of a range of days, limited to chosen parts: by day, in total, by hour of the week and by what they were made of. */
export const UsageView = ({ source, title, owner, sub, back, isUnused, callsOf: allCallsOf }: UsageViewProps) => {
  const chosen = useUsageChoice();
  const { choice, filterBy, last30 } = chosen;
  const { filter } = choice;
  const callsOf = useMemo(() => allCallsOf && callsWith(allCallsOf, filter), [allCallsOf, filter]);
  const chooseInstance = useCallback((instanceUrl: string) => filterBy('instanceUrl', instanceUrl), [filterBy]);
  const query = useQuery(usageQuery(source, choice));
  const range = rangeOf(choice);
  const shown = query.data?.usage;
  return (
    <>
      <PageHead
        title={title}
        {...(owner && { owner })}
        sub={sub}
        {...(back !== undefined && { back })}
        actions={
          <>
            {callsOf !== null && (
              <Button asChild variant="outline" size="sm">
                <Link to={callsOf({})}>
                  <Activity aria-hidden />
                  {callTexts.open}
                </Link>
              </Button>
            )}
            <UsageExport source={source} choice={choice} />
          </>
        }
      />
      <RangeControls {...chosen} shown={shown && { from: shown.from, to: shown.to }} />
      <UsageFilters {...chosen} users={shown?.users ?? null} isCounting={query.isPlaceholderData && isCounted(choice)} />
      <QueryView query={query} loading={usageTexts.loading} fallback={usageTexts.loadFailed} height="60vh">
        {({ usage, callQuota }) =>
          Object.keys(filter).length === 0 && isUnused?.(usage) ? (
            <FirstSteps />
          ) : (
            <Flex
              direction="column"
              gap="4"
              opacity={query.isPlaceholderData ? 0.6 : 1}
              transition="opacity .15s"
              aria-busy={query.isPlaceholderData}
            >
              {usage.countedFrom !== null && (
                <Banner tone="warning">{texts.countedFrom(format.dateTime(usage.countedFrom))}</Banner>
              )}
              {callQuota && <CallQuotaMeter quota={callQuota} />}
              {usage.notIncluded && (
                <Banner tone="warning">
                  {texts.notIncluded(
                    usage.notIncluded
                      .map(({ service, calls }) => `${callTexts.services[service]} ${format.whole(calls)}`)
                      .join(', '),
                  )}
                </Banner>
              )}
              <UsageCharts usage={usage} range={range} callsOf={callsOf} />
              <UsageBand usage={usage} callsOf={callsOf} last30={last30} instances={`#${INSTANCES}`} />
              <Breakdowns usage={usage} callsOf={callsOf} filterBy={filterBy} />
              <WeekCard week={usage.week} zone={usage.zone} daily={usage.daily} callsOf={callsOf} />
              <Instances usage={usage} path={source.instancesPath} range={range} onChoose={chooseInstance} />
            </Flex>
          )
        }
      </QueryView>
    </>
  );
};
