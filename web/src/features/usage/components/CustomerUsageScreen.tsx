import { Button } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { CustomerReply } from '../../../../../src/contracts/customers.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { isCustomerId } from '../../../api/ids.ts';
import type { ScreenAddress } from '../../../lib/lazyScreen.tsx';
import { usePermission } from '../../../session/permissions.tsx';
import { BackLink } from '../../../ui/BackLink.tsx';
import { Activity } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Empty } from '../../../ui/states.tsx';
import { customersUsageQuery, customerUsage, usageQuery } from '../api/usage.ts';
import { usageScreenTexts as texts } from '../screenTexts.ts';
import { CustomersUsage } from './CustomersUsage.tsx';
import { preloadCharts, UsageView } from './UsageView.tsx';
import { choiceIn } from './usageAddress.ts';
import { callsAt } from './usageCalls.ts';

type Area = 'admin' | 'service-integrator';

const CALLS: Record<Area, string> = { admin: '/admin/monitoring/calls', 'service-integrator': '/service-integrator/calls' };

const nameQuery = (area: Area, id: CustomerId) => ({
  queryKey: [...topic.customer(id), 'name', area],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const path = `/api/${area}/customers/${id}`;
    return (await api.get<CustomerReply>(path, { signal, fallback: texts.customerFailed })).customer.name;
  },
});

const prefetchOf =
  (area: Area) =>
  (queries: QueryClient, { search }: ScreenAddress): void => {
    const id = search.get('customer') ?? '';
    if (!isCustomerId(id)) {
      if (area === 'service-integrator') void queries.prefetchQuery(customersUsageQuery(choiceIn(search)));
      return;
    }
    void queries.prefetchQuery(usageQuery(customerUsage(area, id), choiceIn(search)));
    void queries.prefetchQuery(nameQuery(area, id));
    preloadCharts();
  };

/** Requests the usage of the customer of the address before an administrator's screen is rendered. */
export const prefetchAdminUsage = prefetchOf('admin');
/** Requests the usage of the customer of the address before a service integrator's screen is rendered. */
export const prefetchIntegratorUsage = prefetchOf('service-integrator');

const OfCustomer = ({ area, id }: { area: Area; id: CustomerId }) => {
  const { data: name } = useQuery(nameQuery(area, id));
  const path = `/${area}/customers/${id}`;
  const isAllowed = usePermission('calls:read');
  const callsOf = useMemo(() => (isAllowed ? callsAt(CALLS[area], { customer: id }) : null), [isAllowed, area, id]);
  return (
    <UsageView
      source={customerUsage(area, id)}
      title={texts.title}
      owner={{ name: name ?? '…', to: path }}
      sub={name === undefined ? texts.sub : texts.ofCustomer(name)}
      back={<BackLink to={path}>{texts.backToCustomer}</BackLink>}
      callsOf={callsOf}
    />
  );
};

const CustomerUsage = ({ area }: { area: Area }) => {
  const [address] = useSearchParams();
  const id = address.get('customer') ?? '';
  if (isCustomerId(id)) return <OfCustomer key={id} area={area} id={id} />;
  const action = (
    <Button asChild variant="outline" size="sm">
      <Link to={`/${area}/customers`}>{texts.customers}</Link>
    </Button>
  );
  return (
    <>
      <PageHead title={texts.title} sub={texts.sub} />
      <Empty icon={Activity} title={texts.noCustomer} hint={texts.noCustomerHint} height="60vh" action={action} />
    </>
  );
};

/** The API calls of a customer, for administrators. */
export const AdminUsageScreen = () => <CustomerUsage area="admin" />;

/** The API calls of one of its customers, for a service integrator; without one those of all. */
export const IntegratorUsageScreen = () => {
  const [address] = useSearchParams();
  return isCustomerId(address.get('customer') ?? '') ? <CustomerUsage area="service-integrator" /> : <CustomersUsage />;
};
