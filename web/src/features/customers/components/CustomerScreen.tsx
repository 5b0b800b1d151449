import { Box, Button, Flex, SimpleGrid } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { isMissing } from '../../../api/error.ts';
import { isCustomerId } from '../../../api/ids.ts';
import { format } from '../../../lib/format.ts';
import type { ScreenAddress } from '../../../lib/lazyScreen.tsx';
import { Allowed } from '../../../session/permissions.tsx';
import { BackLink } from '../../../ui/BackLink.tsx';
import { Badge, StatusBadge } from '../../../ui/badges.tsx';
import { DeleteButton } from '../../../ui/DeleteButton.tsx';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Activity, Pencil, Users } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { NotFound } from '../../../ui/NotFound.tsx';
import { notify } from '../../../ui/notify.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { CallQuotaBadge, CallQuotaNotice } from '../../callQuotas/index.ts';
import { callsAddress, callTexts } from '../../calls/index.ts';
import { EntitlementsCard } from '../../entitlements/index.ts';
import { AsOf, AsOfBanner, HistoryCard, LastChange, useAsOf } from '../../history/index.ts';
import { LazyPlanOffer } from '../../plans/index.ts';
import { RecordsCard } from '../../records/index.ts';
import { TermBadge, TermCard } from '../../terms/index.ts';
import { customerInstancesQuery, customerUsageQuery, InstancesSection, UsageSection } from '../../usage/index.ts';
import { customerQuery } from '../api/customers.ts';
import { customerTexts } from '../texts.ts';
import { CustomerFacts, CustomerStats } from './CustomerFacts.tsx';

const USAGE_DAYS = 30;
const LIST = '/admin/customers';

const EditCustomerModal = lazyDialog(async () => (await import('./EditCustomerModal.tsx')).EditCustomerModal);
const DeleteCustomerDialog = lazyDialog(async () => (await import('./DeleteCustomerDialog.tsx')).DeleteCustomerDialog);

/** Requests the customer of the address before the screen is rendered. */
export const prefetchCustomer = (queries: QueryClient, { params }: ScreenAddress): void => {
  if (!isCustomerId(params.customerId)) return;
  void queries.prefetchQuery(customerQuery(params.customerId));
  void queries.prefetchQuery(customerUsageQuery(params.customerId, USAGE_DAYS));
  void queries.prefetchQuery(customerInstancesQuery(params.customerId));
};

const Missing = () => (
  <NotFound title={customerTexts.notFound} hint={customerTexts.notFoundHint} icon={Users} to={LIST} back={customerTexts.back} />
);

/** The screen until the customer is loaded. */
const Unnamed = ({ children }: { children: ReactNode }) => (
  <>
    <PageHead title={customerTexts.one} back={<BackLink to={LIST}>{customerTexts.back}</BackLink>} />
    {children}
  </>
);

const Detail = ({ id }: { id: CustomerId }) => {
  const navigate = useNavigate();
  const { data, error, isFetching, refetch } = useQuery(customerQuery(id));
  const usage = useQuery(customerUsageQuery(id, USAGE_DAYS));
  const instances = useQuery(customerInstancesQuery(id));
  // While the address has a moment, the screen shows nothing of now, and offers no change.
  const { at } = useAsOf();
  const [startsAtMoment] = useState(at !== null);
  const edit = useDialog();
  const remove = useDialog();

  if (isMissing(error) && !remove.isMounted) return <Missing />;
  if (!data && error) {
    return (
      <Unnamed>
        <ErrorState error={error} fallback={customerTexts.loadOneFailed} onRetry={refetch} isRetrying={isFetching} height="60vh" />
      </Unnamed>
    );
  }
  if (!data) {
    return (
      <Unnamed>
        <Loading label={customerTexts.loadingOne} height="60vh" />
      </Unnamed>
    );
  }

  const { customer, etag } = data;
  const source = { kind: 'customer', id, path: `/api/admin/customers/${id}` } as const;
  const leave = () => {
    notify.success(customerTexts.deleted);
    void navigate(LIST, { replace: true });
  };
  return (
    <>
      <AsOfBanner kind="customer" />
      <PageHead
        title={customer.name}
        sub={
          at === null && (
            <>
              <Flex align="center" gap="2" wrap="wrap" mt="1">
                <StatusBadge status={customer.status} />
                <TermBadge customer={customer} />
                <CallQuotaBadge customer={customer} />
                {customer.deletionRequestedAt && (
                  <Badge tone="red">{customerTexts.deletionRequested(format.date(customer.deletionRequestedAt))}</Badge>
                )}
                <span>{customer.contactEmail}</span>
              </Flex>
              <Box mt="1">
                <LastChange source={source} />
              </Box>
            </>
          )
        }
        back={<BackLink to={LIST}>{customerTexts.back}</BackLink>}
        actions={
          at === null && (
            <>
              <Allowed to="calls:read">
                <Button asChild variant="outline">
                  <Link to={callsAddress('/admin/monitoring/calls', { customer: id })}>
                    <Activity aria-hidden />
                    {callTexts.open}
                  </Link>
                </Button>
              </Allowed>
              <Allowed to="users:read">
                <Button asChild variant="outline">
                  <Link to={`${LIST}/${id}/seats`}>
                    <Users aria-hidden />
                    {customerTexts.seats}
                  </Link>
                </Button>
              </Allowed>
              <Allowed to="customers:write">
                <OpenDialogButton dialog={edit} preload={EditCustomerModal.preload}>
                  <Pencil aria-hidden />
                  {customerTexts.edit}
                </OpenDialogButton>
              </Allowed>
              <Allowed to="customers:delete">
                <DeleteButton onClick={remove.open} onIntent={DeleteCustomerDialog.preload}>
                  {customerTexts.delete}
                </DeleteButton>
              </Allowed>
            </>
          )
        }
      />
      {at === null && <CallQuotaNotice customer={customer} />}
      {at !== null ? (
        <>
          <AsOf source={source} createdAt={customer.createdAt} takesFocus={!startsAtMoment} />
          <Box mt="4">
            <HistoryCard source={source} until={at} />
          </Box>
        </>
      ) : (
        <>
          {customer.plan && <LazyPlanOffer manager="admin" customer={customer} />}
          <CustomerStats customer={customer} />
          <SimpleGrid columns={{ base: 1, xl: 3 }} gap="4" mt="4">
            <Flex direction="column" gap="4">
              <CustomerFacts customer={customer} />
              <TermCard manager="admin" customer={customer} etag={etag} />
              <EntitlementsCard manager="admin" customer={customer} etag={etag} />
              <RecordsCard manager="admin" customer={customer} etag={etag} />
            </Flex>
            <Box gridColumn={{ xl: 'span 2' }} minW="0" alignSelf="start">
              <UsageSection
                query={usage}
                days={USAGE_DAYS}
                to={`/admin/usage?customer=${id}`}
                callsTo={callsAddress('/admin/monitoring/calls', { customer: id })}
              />
            </Box>
          </SimpleGrid>
          <Box mt="4">
            <InstancesSection query={instances} path={`/api/admin/customers/${id}/instances`} />
          </Box>
          <Flex direction="column" gap="4" mt="4">
            <AsOf source={source} createdAt={customer.createdAt} takesFocus={false} />
            <HistoryCard source={source} />
          </Flex>
        </>
      )}
      <EditCustomerModal dialog={edit} customer={customer} etag={etag} />
      <DeleteCustomerDialog dialog={remove} customer={customer} onDeleted={leave} />
    </>
  );
};

/** A customer: figures, facts, usage, instances, history, and its state at a time. */
export const CustomerScreen = () => {
  const { customerId } = useParams();
  return isCustomerId(customerId) ? <Detail key={customerId} id={customerId} /> : <Missing />;
};
