import { Box, Button, Flex, Grid, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import type { Usage } from '../../../../../src/contracts/usage.ts';
import { format } from '../../../lib/format.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { ChartKey } from '../../../ui/charts/chartParts.tsx';
import { DailyChart } from '../../../ui/charts/lazyCharts.tsx';
import { Link } from '../../../ui/Link.tsx';
import { usageTexts } from '../texts.ts';

const { stats } = usageTexts;
const CHART_HEIGHT = 336;

const Figure = ({ label, children, detail }: { label: string; children: ReactNode; detail?: string | null }) => (
  <Box px={{ base: '4', md: '5' }} py="3.5" minW="0" data-stat={label}>
    <Text textStyle="xs" color="fg.subtle">
      {label}
    </Text>
    <Text textStyle="xl" fontWeight="semibold" fontVariantNumeric="tabular-nums" mt="0.5">
      {children}
    </Text>
    {detail && (
      <Text textStyle="xs" color="fg.subtle">
        {detail}
      </Text>
    )}
  </Box>
);

type UsageSummaryProps = {
  usage: Usage;
  days: number;
  /** The address of the usage screen. */
  to: string;
  /** The address of the single calls; null where the session may not see them. */
  calls: string | null;
};

/** The calls of a range by day, the figures of the whole range, and a link to all about them. */
export const UsageSummary = ({ usage, days, to, calls }: UsageSummaryProps) => (
  <Card display="flex" flexDirection="column" justifyContent="space-between" h="full">
    <CardHead
      title={usageTexts.title(days)}
      sub={usageTexts.zone(usage.zone)}
      right={
        <Flex gap="4" align="center" wrap="wrap">
          <ChartKey color="chart-1" label={usageTexts.successful} />
          <ChartKey color="chart-6" label={usageTexts.failed} />
          <Button asChild size="sm" variant="outline">
            <Link to={to}>{usageTexts.details}</Link>
          </Button>
        </Flex>
      }
    />
    <DailyChart label={usageTexts.chart(usageTexts.lastDays(days))} daily={usage.daily} calls={calls} height={CHART_HEIGHT} />
    <Grid templateColumns={{ base: '1fr 1fr', md: '1fr 1fr 1.4fr 1fr' }} mt="3" borderTopWidth="1px" borderColor="border" pb="1">
      <Figure label={stats.calls}>{format.whole(usage.totalApiCalls)}</Figure>
      <Figure label={stats.successRate} detail={`${stats.errorRate} ${format.percent(usage.errorRate, 2)}`}>
        {usage.totalApiCalls > 0 ? format.percent(1 - usage.errorRate, 2) : usageTexts.none}
      </Figure>
      <Figure
        label={stats.avgResponseTime}
        detail={usage.totalApiCalls > 0 ? `p95 ${format.duration(usage.p95)} · p99 ${format.duration(usage.p99)}` : null}
      >
        {usage.totalApiCalls > 0 ? format.duration(usage.avgResponseTime) : usageTexts.none}
      </Figure>
      <Figure label={stats.peakDay} detail={usage.peakUsageDay ? usageTexts.calls(format.whole(usage.peakUsageCalls)) : null}>
        {usage.peakUsageDay ? format.day(usage.peakUsageDay) : usageTexts.none}
      </Figure>
    </Grid>
  </Card>
);
