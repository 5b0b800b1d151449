import { Flex } from '@chakra-ui/react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { InstancesReply, UsageReply } from '../../../../../src/contracts/usage.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { Cable } from '../../../ui/icons.ts';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty } from '../../../ui/states.tsx';
import { CallQuotaMeter } from '../../callQuotas/index.ts';
import { usageTexts } from '../texts.ts';
import { InstancesTable } from './InstancesTable.tsx';
import { UsageSummary } from './UsageSummary.tsx';

type UsageSectionProps = {
  query: UseQueryResult<UsageReply>;
  days: number;
  /** The address of the usage screen. */
  to: string;
};

/** A customer's usage on a screen about the customer. */
export const UsageSection = ({ query, days, to }: UsageSectionProps) => {
  if (query.data) {
    const { usage, callQuota } = query.data;
    if (!callQuota) return <UsageSummary usage={usage} days={days} to={to} />;
    return (
      <Flex direction="column" gap="4">
        <CallQuotaMeter quota={callQuota} />
        <UsageSummary usage={usage} days={days} to={to} />
      </Flex>
    );
  }
  return (
    <Card>
      <QueryView query={query} loading={usageTexts.loading} fallback={usageTexts.loadFailed} height="404px">
        {() => null}
      </QueryView>
    </Card>
  );
};

/** The third-party instances of a customer's calls, of all time. */
export const InstancesSection = ({ query }: { query: UseQueryResult<InstancesReply> }) => (
  <Card>
    <CardHead title={usageTexts.instances} sub={usageTexts.instancesSub} />
    <QueryView query={query} loading={usageTexts.loadingInstances} fallback={usageTexts.instancesFailed} height="200px">
      {({ instances }) =>
        instances.length > 0 ? (
          <InstancesTable rows={instances} />
        ) : (
          <Empty icon={Cable} title={usageTexts.noInstances} hint={usageTexts.noInstancesHint} height="200px" />
        )
      }
    </QueryView>
  </Card>
);
