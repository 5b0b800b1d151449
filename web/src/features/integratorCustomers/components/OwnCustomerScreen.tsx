import { Box, Button, Flex } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import type { CustomerId } from '../../../../../src/domain/ids.ts';
import { customersPath } from '../../../api/customersPath.ts';
import { isMissing } from '../../../api/error.ts';
import { isCustomerId } from '../../../api/ids.ts';
import { format } from '../../../lib/format.ts';
import type { ScreenAddress } from '../../../lib/lazyScreen.tsx';
import { Allowed } from '../../../session/permissions.tsx';
import { BackLink } from '../../../ui/BackLink.tsx';
import { Badge, StatusBadge } from '../../../ui/badges.tsx';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Activity, Pencil, Users } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { NotFound } from '../../../ui/NotFound.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { CallQuotaBadge, CallQuotaNotice } from '../../callQuotas/index.ts';
import { callsAddress, callTexts } from '../../calls/index.ts';
import { AssignThemeButton } from '../../customThemes/index.ts';
import { AsOf, AsOfBanner, HistoryCard, LastChange, useAsOf } from '../../history/index.ts';
import { TermBadge } from '../../terms/index.ts';
import { InstancesSection, UsageSection } from '../../usage/index.ts';
import { ownCustomerInstancesQuery, ownCustomerPath, ownCustomerQuery, ownCustomerUsageQuery } from '../api/integratorCustomers.ts';
import { integratorCustomerTexts as texts } from '../texts.ts';
import { OwnCustomerPanels } from './OwnCustomerPanels.tsx';

const USAGE_DAYS = 30;
const LIST = '/service-integrator/customers';

const EditOwnCustomerModal = lazyDialog(async () => (await import('./EditOwnCustomerModal.tsx')).EditOwnCustomerModal);

/** Requests the customer of the address before the screen is rendered. */
export const prefetchOwnCustomer = (queries: QueryClient, { params: { customerId } }: ScreenAddress): void => {
  if (!isCustomerId(customerId)) return;
  void queries.prefetchQuery(ownCustomerQuery(customerId));
  void queries.prefetchQuery(ownCustomerUsageQuery(customerId));
  void queries.prefetchQuery(ownCustomerInstancesQuery(customerId));
};

/** `isGone`: the screen showed the customer, which was moved or deleted since. */
const Missing = ({ isGone }: { isGone: boolean }) => (
  <NotFound
    title={isGone ? texts.gone : texts.notFound}
    hint={isGone ? texts.goneHint : texts.notFoundHint}
    icon={Users}
    to={LIST}
    back={texts.back}
  />
);

const Detail = ({ id }: { id: CustomerId }) => {
  const { data, error, isFetching, refetch } = useQuery(ownCustomerQuery(id));
  const usage = useQuery(ownCustomerUsageQuery(id));
  const instances = useQuery(ownCustomerInstancesQuery(id));
  // While the address has a moment, the screen shows nothing of now, and offers no change.
  const { at } = useAsOf();
  const [startsAtMoment] = useState(at !== null);
  const edit = useDialog();
  if (isMissing(error)) return <Missing isGone={data !== undefined} />;
  if (!data && error) {
    return <ErrorState error={error} fallback={texts.loadOneFailed} onRetry={refetch} isRetrying={isFetching} height="60vh" />;
  }
  if (!data) return <Loading label={texts.loadingOne} height="60vh" />;
  const { customer, etag } = data;
  const source = { kind: 'customer', id, path: `/api${ownCustomerPath(id)}` } as const;
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
                  <Badge tone="red">{texts.deletionRequested(format.date(customer.deletionRequestedAt))}</Badge>
                )}
                <span>{customer.contactEmail}</span>
              </Flex>
              <Box mt="1">
                <LastChange source={source} />
              </Box>
            </>
          )
        }
        back={<BackLink to={LIST}>{texts.back}</BackLink>}
        actions={
          at === null && (
            <>
              <AssignThemeButton customer={customer} size="md" />
              <Allowed to="calls:read">
                <Button asChild variant="outline">
                  <Link to={callsAddress('/service-integrator/calls', { customer: id })}>
                    <Activity aria-hidden />
                    {callTexts.open}
                  </Link>
                </Button>
              </Allowed>
              <Allowed to="users:read">
                <Button asChild variant="outline">
                  <Link to={`${LIST}/${id}/seats`}>
                    <Users aria-hidden />
                    {texts.seats}
                  </Link>
                </Button>
              </Allowed>
              <Allowed to="customers:write">
                <OpenDialogButton dialog={edit} preload={EditOwnCustomerModal.preload}>
                  <Pencil aria-hidden />
                  {texts.editTitle}
                </OpenDialogButton>
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
        <Flex direction="column" gap="4">
          <div>
            <OwnCustomerPanels customer={customer} etag={etag} />
          </div>
          <UsageSection
            query={usage}
            days={USAGE_DAYS}
            to={`/service-integrator/usage?customer=${id}`}
            callsTo={callsAddress('/service-integrator/calls', { customer: id })}
          />
          <InstancesSection query={instances} path={`${customersPath.integrator}/${id}/instances`} />
          <AsOf source={source} createdAt={customer.createdAt} takesFocus={false} />
          <HistoryCard source={source} />
        </Flex>
      )}
      <EditOwnCustomerModal dialog={edit} customer={customer} etag={etag} />
    </>
  );
};

/** One of an integrator's customers. */
export const OwnCustomerScreen = () => {
  const { customerId } = useParams();
  return isCustomerId(customerId) ? <Detail key={customerId} id={customerId} /> : <Missing isGone={false} />;
};
