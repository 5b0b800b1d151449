import { Box, Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { MachineRequest } from '../../../../../src/contracts/machines.ts';
import type { UserId } from '../../../../../src/domain/ids.ts';
import type { Permission } from '../../../../../src/domain/permissions.ts';
import { messageOf } from '../../../api/error.ts';
import type { Area } from '../../../areas.ts';
import { Allowed, usePermission } from '../../../session/permissions.tsx';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { Check, X } from '../../../ui/icons.ts';
import { notify } from '../../../ui/notify.ts';
import { Time } from '../../../ui/Time.tsx';
import { machineRequestsQuery, useDecideRequest } from '../api/machines.ts';
import { usersRootOf } from '../api/users.ts';
import { machineTexts as texts } from '../machineTexts.ts';

const RejectMachineDialog = lazyDialog(async () => (await import('./MachineDialogs.tsx')).RejectMachineDialog);

/** The path of the calls on the requests of a user, and the permission to decide them. */
type Deciding = { rootOf: (user: UserId) => string; needs: Permission };

type DecisionProps = { request: MachineRequest; root: string };

const Approve = ({ request, root }: DecisionProps) => {
  const change = useDecideRequest(root, request.id, 'approve');
  const press = () =>
    change.mutate(undefined, {
      onSuccess: () => notify.success(texts.approved(request.username)),
      onError: (error) => notify.error(messageOf(error, texts.decideFailed)),
    });
  return (
    <BusyButton
      size="xs"
      variant="solid"
      aria-label={texts.of(texts.approve, request.code)}
      onClick={press}
      isBusy={change.isPending}
      busyLabel={texts.approving}
    >
      <Check aria-hidden />
      {texts.approve}
    </BusyButton>
  );
};

const Reject = ({ request, root }: DecisionProps) => {
  const dialog = useDialog();
  return (
    <>
      <OpenDialogButton
        dialog={dialog}
        preload={RejectMachineDialog.preload}
        size="xs"
        aria-label={texts.of(texts.reject, request.code)}
      >
        <X aria-hidden />
        {texts.reject}
      </OpenDialogButton>
      <RejectMachineDialog dialog={dialog} request={request} root={root} />
    </>
  );
};

const Request = ({ request, saysCustomer, rootOf, needs }: Deciding & { request: MachineRequest; saysCustomer: boolean }) => (
  <Flex
    as="li"
    gap="4"
    px={{ base: '4', md: '5' }}
    py="3"
    align="center"
    justify="space-between"
    wrap="wrap"
    borderTopWidth="1px"
    borderColor="border.muted"
  >
    <Box minW="0" flex="1 1 240px">
      <Text textStyle="sm" overflowWrap="anywhere">
        <b>{request.name ?? request.machineId}</b> {texts.wantsToSignIn(request.username)}
        {saysCustomer && `, ${request.customerName}`}
      </Text>
      <Text textStyle="xs" color="fg.subtle">
        <Time at={request.requestedAt} />
      </Text>
    </Box>
    <Text as="span" textStyle="md" fontWeight="semibold" className="mono" aria-label={texts.of(texts.code, request.code)}>
      {request.code}
    </Text>
    <Allowed to={needs}>
      <Flex gap="2">
        <Approve request={request} root={rootOf(request.userId)} />
        <Reject request={request} root={rootOf(request.userId)} />
      </Flex>
    </Allowed>
  </Flex>
);

type RequestsCardProps = Deciding & {
  requests: readonly MachineRequest[];
  saysCustomer: boolean;
  /** Where the list can be exported. */
  path?: string;
};

/** Machines that wait for approval; nothing if there are none. */
export const RequestsCard = ({ requests, path, ...deciding }: RequestsCardProps) =>
  requests.length > 0 && (
    <Card as="section" aria-label={texts.requests} mb="4">
      <CardHead
        title={texts.requests}
        sub={texts.requestsSub}
        right={path && <ExportMenu what={texts.exportedRequests} lists={[{ path }]} />}
      />
      <Box as="ul" listStyleType="none">
        {requests.map((request) => (
          <Request key={request.id} request={request} {...deciding} />
        ))}
      </Box>
    </Card>
  );

/** Machines of all users that wait for approval. */
export const MachineRequests = ({ area }: { area: Area }) => {
  const { data } = useQuery({ ...machineRequestsQuery(area), enabled: usePermission('machines:read') });
  const rootOf = (user: UserId): string => `${usersRootOf(area)}/${user}`;
  return (
    <RequestsCard
      requests={data?.requests ?? []}
      path={`${usersRootOf(area)}/machine-requests`}
      saysCustomer={area !== 'portal'}
      rootOf={rootOf}
      needs="machines:approve"
    />
  );
};
