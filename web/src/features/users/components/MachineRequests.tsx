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
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { Check, X } from '../../../ui/icons.ts';
import { notify } from '../../../ui/notify.ts';
import { Time } from '../../../ui/Time.tsx';
import { machineRequestsQuery, useDecideRequest } from '../api/machines.ts';
import { usersRootOf } from '../api/users.ts';
import { machineTexts as texts } from '../machineTexts.ts';

const labels = {
  approve: { label: texts.approve, busy: texts.approving, Icon: Check },
  reject: { label: texts.reject, busy: texts.rejecting, Icon: X },
} as const;

/** The path of the calls on the requests of a user, and the permission to decide them. */
type Deciding = { rootOf: (user: UserId) => string; needs: Permission };

type DecisionProps = { request: MachineRequest; root: string; decision: 'approve' | 'reject' };

const Decision = ({ request, root, decision }: DecisionProps) => {
  const change = useDecideRequest(root, request.id, decision);
  const { label, busy, Icon } = labels[decision];
  const press = () =>
    change.mutate(undefined, {
      onSuccess: () => notify.success(decision === 'approve' ? texts.approved(request.username) : texts.rejected),
      onError: (error) => notify.error(messageOf(error, texts.decideFailed)),
    });
  return (
    <BusyButton
      size="xs"
      variant={decision === 'approve' ? 'solid' : 'outline'}
      aria-label={texts.of(label, request.code)}
      onClick={press}
      isBusy={change.isPending}
      busyLabel={busy}
    >
      <Icon aria-hidden />
      {label}
    </BusyButton>
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
        <Decision request={request} root={rootOf(request.userId)} decision="approve" />
        <Decision request={request} root={rootOf(request.userId)} decision="reject" />
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
