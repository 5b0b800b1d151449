import { Box, Flex, SimpleGrid, Text } from '@chakra-ui/react';
import { memo } from 'react';
import type { Health, HealthCheck, Metrics } from '../../../../../src/contracts/monitoring.ts';
import { format } from '../../../lib/format.ts';
import { FigureLink } from '../../../session/permissions.tsx';
import { StatusBadge } from '../../../ui/badges.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { CircleCheck, Gauge, Info, Server } from '../../../ui/icons.ts';
import { StatCard } from '../../../ui/StatCard.tsx';
import { Empty } from '../../../ui/states.tsx';
import { monitoringTexts } from '../texts.ts';
import { checkId, nameOf } from './checkName.ts';

const { overall, summary, metrics: metricTexts } = monitoringTexts;

/** A status that is neither healthy nor degraded is critical. */
const overallStatus = (status: string): string => (status === 'healthy' || status === 'degraded' ? status : 'critical');

const Count = ({ label, count }: { label: string; count: number }) => (
  <Box as="span" whiteSpace="nowrap">
    <Text as="span" color="fg" fontWeight="semibold" fontVariantNumeric="tabular-nums">
      {format.whole(count)}
    </Text>{' '}
    {label}
  </Box>
);

/** When the server started. */
const startOf = ({ uptime }: Health): string => new Date(Date.now() - uptime * 1000).toISOString();

/** The health of the server, in four figures. */
export const HealthOverview = memo(({ health }: { health: Health }) => (
  <SimpleGrid columns={{ base: 2, xl: 4 }} gap={{ base: '3', md: '4' }}>
    <StatCard
      label={overall.status}
      icon={CircleCheck}
      hint={monitoringTexts.checkedEvery}
      value={
        <Flex minH={{ base: '30px', md: '34px' }} align="center" letterSpacing="normal">
          <StatusBadge isLarge status={overallStatus(health.status)} />
        </Flex>
      }
    />
    <StatCard
      label={overall.uptime}
      icon={Server}
      value={format.uptime(health.uptime)}
      hint={monitoringTexts.since(format.dateTime(startOf(health)))}
    />
    <StatCard label={overall.version} icon={Info} value={health.version} hint={monitoringTexts.running} />
    <StatCard
      label={overall.summary}
      icon={Gauge}
      value={format.whole(Object.keys(health.checks).length)}
      hint={
        <Flex columnGap="3" wrap="wrap">
          <Count label={summary.healthy} count={health.summary.healthy} />
          <Count label={health.summary.warnings === 1 ? summary.warning : summary.warnings} count={health.summary.warnings} />
          <Count label={summary.critical} count={health.summary.critical} />
        </Flex>
      }
    />
  </SimpleGrid>
));

const Check = ({ name, check }: { name: string; check: HealthCheck }) => (
  <Flex
    as="li"
    id={checkId(name)}
    scrollMarginTop="20"
    px={{ base: '4', md: '5' }}
    py="3"
    borderTopWidth="1px"
    borderColor="border.muted"
    align="center"
    gap="4"
  >
    <Box flex="1" minW="0">
      <Text textStyle="sm" fontWeight="medium" _firstLetter={{ textTransform: 'uppercase' }}>
        {nameOf(name)}
      </Text>
      <Text textStyle="xs" color="fg.subtle" overflowWrap="anywhere">
        {check.message}
        {check.details && ` · ${check.details}`}
      </Text>
    </Box>
    <Text textStyle="xs" color="fg.muted" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
      <span className="visually-hidden">{monitoringTexts.responseTime} </span>
      {format.duration(check.responseTime)}
    </Text>
    <Flex w="22" justify="flex-end">
      <StatusBadge status={check.status} />
    </Flex>
  </Flex>
);

/** One row per check. */
export const HealthChecks = memo(({ health }: { health: Health }) => {
  const checks = Object.entries(health.checks);
  return (
    <Card>
      <CardHead title={monitoringTexts.checks} />
      {checks.length === 0 ? (
        <Empty icon={Server} title={monitoringTexts.noHealth} height="200px" />
      ) : (
        <Box as="ul" listStyleType="none">
          {checks.map(([name, check]) => (
            <Check key={name} name={name} check={check} />
          ))}
        </Box>
      )}
    </Card>
  );
});

type CountFactProps = { label: string; count: number; filter?: string };

const CallsFact = ({ label, count, filter = '' }: CountFactProps) => (
  <Fact label={label}>
    <FigureLink needs="calls:read" to={`/admin/monitoring/calls${filter}`}>
      {format.whole(count)}
    </FigureLink>
  </Fact>
);

const CustomersFact = ({ label, count, filter = '' }: CountFactProps) => (
  <Fact label={label}>
    <FigureLink needs="customers:read" to={`/admin/customers${filter}`}>
      {format.whole(count)}
    </FigureLink>
  </Fact>
);

/** Totals of calls and customers. */
export const MetricsPanel = memo(({ metrics }: { metrics: Metrics }) => (
  <SimpleGrid columns={1} gap="4">
    <Card>
      <CardHead title={metricTexts.apiCalls} sub={metricTexts.allTime} />
      <Facts>
        <CallsFact label={metricTexts.total} count={metrics.apiCalls.total} />
        <CallsFact label={metricTexts.successful} count={metrics.apiCalls.successful} filter="?outcome=successful" />
        <CallsFact label={metricTexts.failed} count={metrics.apiCalls.failed} filter="?outcome=failed" />
        <Fact label={metricTexts.avgDuration}>{format.duration(metrics.apiCalls.avgDuration)}</Fact>
      </Facts>
    </Card>
    <Card>
      <CardHead title={metricTexts.customers} />
      <Facts>
        <CustomersFact label={metricTexts.total} count={metrics.customers.total} />
        <CustomersFact label={metricTexts.active} count={metrics.customers.active} filter="?status=active" />
        <CustomersFact label={metricTexts.suspended} count={metrics.customers.suspended} filter="?status=suspended" />
        <CustomersFact
          label={metricTexts.churned}
          count={metrics.customers.total - metrics.customers.active - metrics.customers.suspended}
          filter="?status=churned"
        />
      </Facts>
    </Card>
  </SimpleGrid>
));
