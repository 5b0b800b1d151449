import type { QueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Usage } from '../../../../../src/contracts/usage.ts';
import type { ScreenAddress } from '../../../lib/lazyScreen.tsx';
import { usePermission } from '../../../session/permissions.tsx';
import { prefetchAsCustomer, useCustomerSession } from '../../../session/session.ts';
import { type OwnCalls, portalUsage, usageQuery } from '../api/usage.ts';
import { usageScreenTexts as texts } from '../screenTexts.ts';
import { preloadCharts, UsageView } from './UsageView.tsx';
import { choiceIn } from './usageAddress.ts';
import { callsAt } from './usageCalls.ts';

const prefetchOf =
  (of: OwnCalls) =>
  (queries: QueryClient, { search }: ScreenAddress): void => {
    prefetchAsCustomer(queries, ({ id }) => void queries.prefetchQuery(usageQuery(portalUsage(id, of), choiceIn(search))));
    preloadCharts();
  };

/** Requests the usage in the range of the address before the screen is rendered. */
export const prefetchUsage = prefetchOf('customer');
/** Requests the usage of the signed-in named user before the screen is rendered. */
export const prefetchMyUsage = prefetchOf('user');

const CALLS = {
  customer: { path: '/portal/usage/calls', needs: 'calls:read' },
  user: { path: '/portal/my-usage/calls', needs: 'ownUsage:read' },
} as const;

const PortalUsage = ({ of, title, sub }: { of: OwnCalls; title: string; sub: string }) => {
  const { id, totalApiCalls } = useCustomerSession();
  const mayRecord = usePermission('calls:record');
  const { path, needs } = CALLS[of];
  const isAllowed = usePermission(needs);
  const callsOf = useMemo(() => (isAllowed ? callsAt(path) : null), [isAllowed, path]);
  const isUnused = (usage: Usage): boolean =>
    mayRecord && usage.totalApiCalls === 0 && usage.apiCallsLast30Days === 0 && (of === 'user' || totalApiCalls === 0);
  return <UsageView source={portalUsage(id, of)} title={title} sub={sub} isUnused={isUnused} callsOf={callsOf} />;
};

/** A customer's API calls. */
export const UsageScreen = () => <PortalUsage of="customer" title={texts.title} sub={texts.sub} />;

/** The API calls of the named user of the session. */
export const MyUsageScreen = () => <PortalUsage of="user" title={texts.myTitle} sub={texts.mySub} />;
