import { Box, Button, GridItem, SimpleGrid } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { type ComponentType, useMemo } from 'react';
import type { AccountReply, TeamMember } from '../../../../../src/contracts/team.ts';
import { areaRoot } from '../../../areas.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { prefetchAsCustomer, prefetchAsIntegrator, useCustomerSession, useIntegratorSession } from '../../../session/session.ts';
import { Badge, StatusBadge } from '../../../ui/badges.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { type DialogState, lazyDialog, OpenDialogButton, useDialog } from '../../../ui/dialogs.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { KeyRound } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { PageHead } from '../../../ui/PageHead.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty } from '../../../ui/states.tsx';
import { Time } from '../../../ui/Time.tsx';
import { LazySessionsCard } from '../../sessions/index.ts';
import { administration, type OwnTeam, teamOfCustomer, teamOfIntegrator, teamTexts } from '../../team/index.ts';
import { accountQuery } from '../api/account.ts';
import { type Proof, proofOf } from '../proof.ts';
import { accountTexts as texts } from '../texts.ts';
import { PasskeysCard } from './PasskeysCard.tsx';

const HEIGHT = '320px';
const AREA_OF = { administration: 'admin', integrator: 'integrator', customer: 'portal' } as const;

const confirmations = () => import('./ConfirmModals.tsx');
const ChangePasswordModal = lazyDialog(async () => (await import('./ChangePasswordModal.tsx')).ChangePasswordModal);
const TurnOnModal = lazyDialog(async () => (await import('./TurnOnModal.tsx')).TurnOnModal);
const TurnOffModal = lazyDialog(async () => (await confirmations()).TurnOffModal);
const UnlinkModal = lazyDialog(async () => (await confirmations()).UnlinkModal);
const NewCodesModal = lazyDialog(async () => (await confirmations()).NewCodesModal);

type DialogProps = { dialog: DialogState; team: OwnTeam; email: string; hasPassword: boolean; proof: Proof };

type DialogButtonProps = {
  children: string;
  dialog: DialogState;
  form: ComponentType<DialogProps> & { preload: () => void };
};

const DialogButton = ({ children, dialog, form }: DialogButtonProps) => (
  <OpenDialogButton dialog={dialog} preload={form.preload} size="xs">
    {children}
  </OpenDialogButton>
);

const About = ({ member: { name, email, role, joinedAt }, team }: { member: TeamMember; team: OwnTeam }) => (
  <Card as="section" aria-label={texts.about}>
    <CardHead title={texts.about} sub={texts.aboutSub[team.kind]} />
    <Facts>
      <Fact label={texts.facts.name}>{name}</Fact>
      <Fact label={texts.facts.email}>{email}</Fact>
      <Fact label={texts.facts.role}>
        <Badge tone={role === 'owner' || role === 'admin' ? 'violet' : 'brand'}>{teamTexts.roles[role]}</Badge>
      </Fact>
      <Fact label={texts.facts.joined}>
        <Time at={joinedAt} />
      </Fact>
    </Facts>
  </Card>
);

type SignInProps = { team: OwnTeam; member: TeamMember; recoveryCodesLeft: number; proof: Proof };

/** The dialogs stay mounted while a change that they made shows another state: their recovery codes are shown once. */
const SignIn = ({ team, member, recoveryCodesLeft, proof }: SignInProps) => {
  const { email, hasPassword, hasSecondFactor, hasIdentity } = member;
  const password = useDialog();
  const turnOn = useDialog();
  const turnOff = useDialog();
  const newCodes = useDialog();
  const unlink = useDialog();
  const own = { team, email, hasPassword, proof };
  return (
    <Card as="section" aria-label={texts.signIn}>
      <CardHead title={texts.signIn} sub={texts.signInSub} />
      <Facts>
        <Fact label={texts.password}>
          <DialogButton dialog={password} form={ChangePasswordModal}>
            {hasPassword ? texts.changePassword : texts.setPassword}
          </DialogButton>
        </Fact>
        {(hasPassword || hasSecondFactor) && (
          <Fact label={texts.oneTime}>
            <Box me="1" display="flex">
              <StatusBadge status={hasSecondFactor ? 'active' : 'off'}>{hasSecondFactor ? texts.on : texts.off}</StatusBadge>
            </Box>
            {hasSecondFactor ? (
              <DialogButton dialog={turnOff} form={TurnOffModal}>
                {texts.turnOff}
              </DialogButton>
            ) : (
              <DialogButton dialog={turnOn} form={TurnOnModal}>
                {texts.turnOn}
              </DialogButton>
            )}
          </Fact>
        )}
        {hasSecondFactor && (
          <Fact label={texts.recoveryCodes}>
            <Box as="span" me="1">
              {texts.left(recoveryCodesLeft)}
            </Box>
            <DialogButton dialog={newCodes} form={NewCodesModal}>
              {texts.newCodes}
            </DialogButton>
          </Fact>
        )}
        {hasIdentity && (
          <Fact label={texts.identity}>
            <Box me="1" display="flex">
              <StatusBadge status="active">{texts.linked}</StatusBadge>
            </Box>
            <DialogButton dialog={unlink} form={UnlinkModal}>
              {texts.unlink}
            </DialogButton>
          </Fact>
        )}
      </Facts>
      <ChangePasswordModal dialog={password} {...own} />
      <TurnOnModal dialog={turnOn} {...own} />
      <TurnOffModal dialog={turnOff} {...own} />
      <NewCodesModal dialog={newCodes} {...own} />
      <UnlinkModal dialog={unlink} {...own} />
    </Card>
  );
};

const SignedInByKey = ({ team }: { team: OwnTeam }) => {
  const mayReadTeam = usePermission('members:read');
  const area = AREA_OF[team.kind];
  return (
    <Card>
      <Empty
        icon={KeyRound}
        title={texts.byKey}
        hint={texts.byKeyHint}
        height={HEIGHT}
        action={
          mayReadTeam && (
            <Button asChild variant="outline" size="sm">
              <Link to={`${areaRoot[area]}/team`}>{texts.toTeam}</Link>
            </Button>
          )
        }
      />
    </Card>
  );
};

const Content = ({ team, member, recoveryCodesLeft, passkeys }: AccountReply & { team: OwnTeam }) => {
  if (member === null) return <SignedInByKey team={team} />;
  const proof = proofOf(member.hasPassword, passkeys);
  return (
    <SimpleGrid columns={{ base: 1, lg: 2 }} gap="4" alignItems="start">
      <About member={member} team={team} />
      <SignIn team={team} member={member} recoveryCodesLeft={recoveryCodesLeft} proof={proof} />
      <GridItem colSpan={{ base: 1, lg: 2 }} minW="0">
        <PasskeysCard team={team} proof={proof} passkeys={passkeys} />
      </GridItem>
    </SimpleGrid>
  );
};

const AccountView = ({ team }: { team: OwnTeam }) => (
  <>
    <PageHead title={texts.title} sub={texts.sub} />
    <QueryView query={useQuery(accountQuery(team))} loading={texts.loading} fallback={texts.loadFailed} height={HEIGHT}>
      {(reply) => <Content {...reply} team={team} />}
    </QueryView>
    <Box mt="4">
      <LazySessionsCard scope="own" />
    </Box>
  </>
);

/** Requests the account before the screen is rendered. */
export const prefetchAdminAccount = (queries: QueryClient): void => void queries.prefetchQuery(accountQuery(administration));
/** Requests the account before the screen is rendered. */
export const prefetchIntegratorAccount = (queries: QueryClient): void =>
  prefetchAsIntegrator(queries, ({ id }) => void queries.prefetchQuery(accountQuery(teamOfIntegrator(id))));

/** Requests the account before the screen is rendered. */
export const prefetchCustomerAccount = (queries: QueryClient): void =>
  prefetchAsCustomer(queries, ({ id }) => void queries.prefetchQuery(accountQuery(teamOfCustomer(id))));

/** The account of a named user of the administration. */
export const AdminAccountScreen = () => <AccountView team={administration} />;
/** The account of a named user of the service integrator. */
export const IntegratorAccountScreen = () => {
  const { id } = useIntegratorSession();
  const team = useMemo(() => teamOfIntegrator(id), [id]);
  return <AccountView team={team} />;
};
/** The account of a named user of the customer. */
export const CustomerAccountScreen = () => {
  const { id } = useCustomerSession();
  const team = useMemo(() => teamOfCustomer(id), [id]);
  return <AccountView team={team} />;
};
