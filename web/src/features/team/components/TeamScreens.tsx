import { Box, Button } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { TeamReply } from '../../../../../src/contracts/team.ts';
import type { Role } from '../../../../../src/domain/permissions.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { prefetchAsCustomer, prefetchAsIntegrator, useCustomerSession, useIntegratorSession } from '../../../session/session.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { UserPlus, UserRoundCog } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty } from '../../../ui/states.tsx';
import { WholeTable } from '../../../ui/WholeTable.tsx';
import { TEAM_ROOT, teamQuery } from '../api/team.ts';
import { administration, type OwnTeam, teamOfCustomer, teamOfIntegrator } from '../ownTeam.ts';
import { teamTexts as texts } from '../texts.ts';
import { memberKey, memberRows } from './memberRows.tsx';
import { PolicyCard } from './PolicyCard.tsx';
import { ProviderCard } from './ProviderCard.tsx';

const HEIGHT = '360px';

const InviteModal = lazyDialog(async () => (await import('./InviteModal.tsx')).InviteModal);

type InviteButtonProps = { children: string; onClick: () => void };

const InviteButton = ({ children, onClick }: InviteButtonProps) => (
  <Button
    colorPalette="brand"
    aria-haspopup="dialog"
    onClick={onClick}
    onPointerEnter={InviteModal.preload}
    onFocus={InviteModal.preload}
  >
    <UserPlus aria-hidden />
    {children}
  </Button>
);

/** Portal users are invited where they are listed. */
const UsersLink = () => (
  <Button asChild colorPalette="brand">
    <Link to="/portal/users">
      <UserPlus aria-hidden />
      {texts.inviteUsers}
    </Link>
  </Button>
);

type ContentProps = TeamReply & { team: OwnTeam; onInviteOwner: () => void };

const Content = ({ team, members, policy, onInviteOwner }: ContentProps) => {
  const mayInvite = usePermission('members:write');
  const mayRevoke = usePermission('sessions:revoke');
  const hasActions = mayInvite || mayRevoke;
  const { columns, item } = useMemo(() => memberRows(team, hasActions), [team, hasActions]);
  return (
    <>
      <Card as="section" aria-label={texts.members}>
        <CardHead title={texts.members} sub={texts.membersSub} />
        {members.length === 0 ? (
          <Box borderTopWidth="1px" borderColor="border">
            <Empty
              icon={UserRoundCog}
              title={texts.none}
              hint={mayInvite ? texts.noneHint[team.kind] : texts.noneReadOnly}
              height={HEIGHT}
              action={
                mayInvite &&
                (team.kind === 'customer' ? (
                  <UsersLink />
                ) : (
                  <InviteButton onClick={onInviteOwner}>{texts.inviteYourself}</InviteButton>
                ))
              }
            />
          </Box>
        ) : (
          <WholeTable label={texts.table} rows={members} keyOf={memberKey} columns={columns} item={item} />
        )}
      </Card>
      <Box mt="4">
        <PolicyCard team={team} policy={policy} />
      </Box>
      <Box mt="4">
        <ProviderCard team={team} />
      </Box>
    </>
  );
};

/** The named users of a team, and how they sign in. */
const TeamView = ({ team }: { team: OwnTeam }) => {
  const query = useQuery(teamQuery(team));
  const mayInvite = usePermission('members:write');
  const dialog = useDialog();
  const [role, setRole] = useState<Role>('auditor');
  const invite = (first: Role) => {
    setRole(first);
    dialog.open();
  };
  return (
    <>
      <PageHead
        title={texts.titles[team.kind]}
        sub={texts.sub[team.kind]}
        actions={
          <>
            <ExportMenu lists={[{ path: TEAM_ROOT }]} />
            {mayInvite &&
              (team.kind === 'customer' ? (
                <UsersLink />
              ) : (
                <InviteButton onClick={() => invite('auditor')}>{texts.invite}</InviteButton>
              ))}
          </>
        }
      />
      <QueryView query={query} loading={texts.loading} fallback={texts.loadFailed} height={HEIGHT}>
        {(reply) => <Content {...reply} team={team} onInviteOwner={() => invite('owner')} />}
      </QueryView>
      <InviteModal dialog={dialog} team={team} role={role} />
    </>
  );
};

/** Requests the named users before the screen is rendered. */
export const prefetchAdminTeam = (queries: QueryClient): void => void queries.prefetchQuery(teamQuery(administration));
/** Requests the named users before the screen is rendered. */
export const prefetchIntegratorTeam = (queries: QueryClient): void =>
  prefetchAsIntegrator(queries, ({ id }) => void queries.prefetchQuery(teamQuery(teamOfIntegrator(id))));

/** Requests the named users before the screen is rendered. */
export const prefetchCustomerTeam = (queries: QueryClient): void =>
  prefetchAsCustomer(queries, ({ id }) => void queries.prefetchQuery(teamQuery(teamOfCustomer(id))));

/** The named users of the administration. */
export const AdminTeamScreen = () => <TeamView team={administration} />;
/** The named users of the service integrator. */
export const IntegratorTeamScreen = () => {
  const { id } = useIntegratorSession();
  const team = useMemo(() => teamOfIntegrator(id), [id]);
  return <TeamView team={team} />;
};
/** The named users of the customer. */
export const CustomerTeamScreen = () => {
  const { id } = useCustomerSession();
  const team = useMemo(() => teamOfCustomer(id), [id]);
  return <TeamView team={team} />;
};
