import { Flex } from '@chakra-ui/react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { InstancesReply, UsageReply } from '../../../../../src/contracts/usage.ts';
import { format } from '../../../lib/format.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { Cable } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Banner, Empty } from '../../../ui/states.tsx';
import { CallQuotaMeter } from '../../callQuotas/index.ts';
import { usageTexts } from '../texts.ts';
import { InstancesTable } from './InstancesTable.tsx';
import { UsageSummary } from './UsageSummary.tsx';

type UsageSectionProps = {
  query: UseQueryResult<UsageReply>;
  days: number;
  /** The address of the usage screen. */
  to: string;
  /** The address of the single calls of the customer. */
  callsTo: string;
};

type NotIncludedProps = { notIncluded: NonNullable<UsageReply['usage']['notIncluded']>; days: number; calls: string | null };

/** Calls to services that the license did not include when they were made. */
const NotIncluded = ({ notIncluded, days, calls }: NotIncludedProps) => (
  <Banner
    tone="warning"
    {...(calls !== null && {
      action: (
        <Link className="text-link" to={`${calls}&entitlement=not_included`}>
          {usageTexts.showCalls}
        </Link>
      ),
    })}
  >
    {usageTexts.notIncluded(
      notIncluded.map(({ service, calls }) => `${usageTexts.services[service]} ${format.whole(calls)}`).join(', '),
      days,
    )}
  </Banner>
);

/** A customer's usage on a screen about the customer. */
export const UsageSection = ({ query, days, to, callsTo }: UsageSectionProps) => {
  const calls = usePermission('calls:read') ? callsTo : null;
  if (query.data) {
    const { usage, callQuota } = query.data;
    const { notIncluded } = usage;
    if (!callQuota && !notIncluded) return <UsageSummary usage={usage} days={days} to={to} calls={calls} />;
    return (
      <Flex direction="column" gap="4">
        {notIncluded && <NotIncluded notIncluded={notIncluded} days={days} calls={calls} />}
        {callQuota && <CallQuotaMeter quota={callQuota} />}
        <UsageSummary usage={usage} days={days} to={to} calls={calls} />
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
export const InstancesSection = ({ query, path }: { query: UseQueryResult<InstancesReply>; path: string }) => (
  <Card>
    <CardHead
      title={usageTexts.instances}
      sub={usageTexts.instancesSub}
      right={<ExportMenu what={usageTexts.exportedInstances} lists={[{ path }]} />}
    />
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
