import { Box, Flex, SimpleGrid, Text } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { ACCOUNT_STATUSES, type AccountStatus } from '../../../../../src/domain/enumerations.ts';
import type { IntegratorId } from '../../../../../src/domain/ids.ts';
import { isMissing } from '../../../api/error.ts';
import { isIntegratorId } from '../../../api/ids.ts';
import type { ScreenAddress } from '../../../lib/lazyScreen.tsx';
import { useAddress } from '../../../lib/listAddress.ts';
import { Allowed, usePermission } from '../../../session/permissions.tsx';
import { BackLink } from '../../../ui/BackLink.tsx';
import { StatusBadge } from '../../../ui/badges.tsx';
import { DeleteButton } from '../../../ui/DeleteButton.tsx';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Building2, Pencil } from '../../../ui/icons.ts';
import { NotFound } from '../../../ui/NotFound.tsx';
import { notify } from '../../../ui/notify.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { AsOf, AsOfBanner, HistoryCard, LastChange, useAsOf } from '../../history/index.ts';
import { integratorTexts } from '../../integrators/index.ts';
import { StatementButton } from '../../statements/index.ts';
import { integratorQuery } from '../api/integrator.ts';
import { IntegratorCustomers, integratorCustomersQuery } from './IntegratorCustomers.tsx';
import { IntegratorFacts, WhiteLabelFacts } from './IntegratorFacts.tsx';

const LIST = '/admin/service-integrators';

const EditIntegratorModal = lazyDialog(async () => (await import('./EditIntegratorModal.tsx')).EditIntegratorModal);
const DeleteIntegratorDialog = lazyDialog(async () => (await import('./DeleteIntegratorDialog.tsx')).DeleteIntegratorDialog);

/** Requests the service integrator of the address before the screen is rendered. */
export const prefetchIntegrator = (queries: QueryClient, { params, search }: ScreenAddress): void => {
  if (!isIntegratorId(params.integratorId)) return;
  void queries.prefetchQuery(integratorQuery(params.integratorId));
  void queries.prefetchQuery(integratorCustomersQuery(params.integratorId, search));
};

const Missing = () => (
  <NotFound
    title={integratorTexts.notFound}
    hint={integratorTexts.notFoundHint}
    icon={Building2}
    to={LIST}
    back={integratorTexts.back}
  />
);

/** The form with the status that the address asks for; that is removed from it, so that a reload does not open the form again. */
const useAskedStatus = (isLoaded: boolean) => {
  const dialog = useDialog();
  const [status, setStatus] = useState<AccountStatus>();
  const { address, change } = useAddress();
  const mayWrite = usePermission('integrators:write');
  const asked = ACCOUNT_STATUSES.find((one) => one === address.get('status'));
  const { open } = dialog;
  useEffect(() => {
    if (asked === undefined || !isLoaded) return;
    setStatus(asked);
    if (mayWrite) open();
    change({ status: '' });
  }, [asked, isLoaded, mayWrite, open, change]);
  return { dialog, status };
};

/** The screen until the service integrator is loaded. */
const Unnamed = ({ children }: { children: ReactNode }) => (
  <>
    <PageHead title={integratorTexts.one} back={<BackLink to={LIST}>{integratorTexts.back}</BackLink>} />
    {children}
  </>
);

const Detail = ({ id }: { id: IntegratorId }) => {
  const navigate = useNavigate();
  const { data, error, isFetching, refetch } = useQuery(integratorQuery(id));
  // While the address has a moment, the screen shows nothing of now, and offers no change.
  const { at } = useAsOf();
  const [startsAtMoment] = useState(at !== null);
  const edit = useDialog();
  const remove = useDialog();
  const asked = useAskedStatus(data !== undefined);

  if (isMissing(error) && !remove.isMounted) return <Missing />;
  if (!data && error) {
    return (
      <Unnamed>
        <ErrorState
          error={error}
          fallback={integratorTexts.loadOneFailed}
          onRetry={refetch}
          isRetrying={isFetching}
          height="60vh"
        />
      </Unnamed>
    );
  }
  if (!data) {
    return (
      <Unnamed>
        <Loading label={integratorTexts.loadingOne} height="60vh" />
      </Unnamed>
    );
  }

  const { integrator, etag } = data;
  const source = { kind: 'integrator', id, path: `/api/admin/service-integrators/${id}` } as const;
  const isBlocked = integrator.customerCount > 0;
  const asOf = <AsOf source={source} createdAt={integrator.createdAt} takesFocus={at !== null && !startsAtMoment} />;
  const leave = () => {
    notify.success(integratorTexts.deleted);
    void navigate(LIST, { replace: true });
  };
  return (
    <>
      <AsOfBanner kind="integrator" />
      <PageHead
        title={integrator.companyName}
        sub={
          at === null && (
            <>
              <Flex align="center" gap="2" wrap="wrap" mt="1">
                <StatusBadge status={integrator.status} />
                <span>{integrator.contactEmail}</span>
              </Flex>
              <Box mt="1">
                <LastChange source={source} />
              </Box>
            </>
          )
        }
        back={<BackLink to={LIST}>{integratorTexts.back}</BackLink>}
        actions={
          at === null && (
            <>
              <Allowed to="usage:read">
                <StatementButton path={`${source.path}/statement`} />
              </Allowed>
              <Allowed to="integrators:write">
                <OpenDialogButton dialog={edit} preload={EditIntegratorModal.preload}>
                  <Pencil aria-hidden />
                  {integratorTexts.edit}
                </OpenDialogButton>
              </Allowed>
              <Allowed to="integrators:delete">
                <DeleteButton onClick={remove.open} onIntent={DeleteIntegratorDialog.preload} isDisabled={isBlocked}>
                  {integratorTexts.delete}
                </DeleteButton>
              </Allowed>
            </>
          )
        }
      />
      {isBlocked && at === null && (
        <Text textStyle="xs" color="fg.subtle" mt="-4" mb="5" textAlign={{ md: 'end' }}>
          {integratorTexts.deleteBlocked(integrator.customerCount)}
        </Text>
      )}
      {at !== null ? (
        <>
          {asOf}
          <Box mt="4">
            <HistoryCard source={source} until={at} />
          </Box>
        </>
      ) : (
        <>
          <SimpleGrid columns={{ base: 1, lg: 2 }} gap="4">
            <IntegratorFacts integrator={integrator} />
            <WhiteLabelFacts integrator={integrator} />
          </SimpleGrid>
          <Flex direction="column" gap="4" mt="4">
            <IntegratorCustomers id={id} />
            {asOf}
            <HistoryCard source={source} />
          </Flex>
        </>
      )}
      <EditIntegratorModal dialog={edit} integrator={integrator} etag={etag} />
      <EditIntegratorModal dialog={asked.dialog} integrator={integrator} etag={etag} status={asked.status} />
      <DeleteIntegratorDialog dialog={remove} integrator={integrator} onDeleted={leave} />
    </>
  );
};

/** A service integrator with its account, brand, customers and history, and its state at a time. */
export const IntegratorScreen = () => {
  const { integratorId } = useParams();
  return isIntegratorId(integratorId) ? <Detail key={integratorId} id={integratorId} /> : <Missing />;
};
