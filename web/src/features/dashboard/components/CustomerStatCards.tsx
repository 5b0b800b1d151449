import type { DashboardStats } from '../../../../../src/contracts/stats.ts';
import type { CustomerManager } from '../../../api/customersPath.ts';
import { areaRoot } from '../../../areas.ts';
import { format } from '../../../lib/format.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { Delta } from '../../../ui/Delta.tsx';
import { Activity, Users, Zap } from '../../../ui/icons.ts';
import { StatCard } from '../../../ui/StatCard.tsx';
import { customerStatTexts as texts } from '../customerStatTexts.ts';

/** The number of entries that were added in the last 30 days. */
export const GainedDelta = ({ count }: { count: number }) => (
  <Delta value={format.whole(count)} text={texts.newThisMonth} direction={count > 0 ? 'up' : 'none'} />
);

const CallsDelta = ({ stats }: { stats: DashboardStats }) => {
  const { apiCallsLast30Days: now, apiCallsPrevious30Days: before } = stats;
  if (before === 0) return <Delta value={format.short(now)} text={texts.noneBefore} />;
  const change = (now - before) / before;
  return <Delta value={format.percent(Math.abs(change), 1)} text={texts.versusBefore} direction={change >= 0 ? 'up' : 'down'} />;
};

const calls = { admin: '/admin/monitoring/calls', integrator: '/service-integrator/calls' } as const;

type CustomerStatCardsProps = { stats: DashboardStats; manager: CustomerManager };

/** The cards of customers, active customers and API calls, each with its last 30 days and a link to what it counts. */
export const CustomerStatCards = ({ stats, manager }: CustomerStatCardsProps) => {
  const { trend } = stats;
  const list = usePermission('customers:read') ? `${areaRoot[manager]}/customers` : undefined;
  const readsCalls = usePermission('calls:read');
  const activeShare = stats.totalCustomers > 0 ? stats.activeCustomers / stats.totalCustomers : 0;
  return (
    <>
      <StatCard
        label={texts.totalCustomers}
        icon={Users}
        value={format.whole(stats.totalCustomers)}
        hint={<GainedDelta count={stats.newCustomersLast30Days} />}
        trend={trend.map(({ customers }) => customers)}
        to={list}
      />
      <StatCard
        label={texts.activeCustomers}
        icon={Zap}
        value={format.whole(stats.activeCustomers)}
        hint={<Delta value={format.percent(activeShare)} text={texts.ofAllCustomers} />}
        trend={trend.map(({ activeCustomers }) => activeCustomers)}
        color="chart-5"
        to={list && `${list}?status=active`}
      />
      <StatCard
        label={texts.totalApiCalls}
        icon={Activity}
        value={format.whole(stats.totalApiCalls)}
        hint={<CallsDelta stats={stats} />}
        trend={trend.map(({ apiCalls }) => apiCalls)}
        color="chart-2"
        to={readsCalls ? calls[manager] : undefined}
      />
    </>
  );
};
