import { Box, Button, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { OpenSession } from '../../../../../src/contracts/sessions.ts';
import { messageOf } from '../../../api/error.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import { Badge } from '../../../ui/badges.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import type { Column } from '../../../ui/DataTable.tsx';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { TableViewMenu } from '../../../ui/listMenus.tsx';
import { useIsWide } from '../../../ui/media.ts';
import { notify } from '../../../ui/notify.ts';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Time } from '../../../ui/Time.tsx';
import { useTableView } from '../../../ui/tableView.ts';
import { Who } from '../../../ui/Who.tsx';
import { WholeTable } from '../../../ui/WholeTable.tsx';
import { SESSIONS_ROOT, type SessionScope, sessionsQuery, useRevokeOthers, useRevokeSession } from '../api/sessions.ts';
import { sessionTexts as texts } from '../texts.ts';

const ConfirmDialog = lazyDialog(async () => (await import('../../../ui/ConfirmDialog.tsx')).ConfirmDialog);

const sessionKey = ({ sessionId }: OpenSession): string => sessionId;
const browserOf = ({ browser }: OpenSession): string => browser ?? texts.unknownBrowser;
const addressOf = ({ address }: OpenSession): string => address ?? texts.unknownAddress;
const methodOf = ({ method }: OpenSession): string => (method === null ? texts.unknownMethod : texts.methods[method]);
const userOf = ({ userId, name }: OpenSession): string => name ?? (userId === null ? texts.key : '');

const SignOutButton = ({ session, scope }: { session: OpenSession; scope: SessionScope }) => {
  const revoke = useRevokeSession(scope);
  const signOut = () =>
    revoke.mutate(session.sessionId, {
      onSuccess: () => notify.success(texts.signedOut),
      onError: (error) => notify.error(messageOf(error, texts.signOutFailed)),
    });
  return (
    <BusyButton
      size="xs"
      variant="outline"
      aria-label={texts.signOutLabel(browserOf(session), addressOf(session))}
      isBusy={revoke.isPending}
      busyLabel={texts.signingOut}
      onClick={signOut}
    >
      {texts.signOut}
    </BusyButton>
  );
};

const rowsOf = (scope: SessionScope, mayRevoke: boolean) => {
  const Action = (session: OpenSession) => {
    if (session.isCurrent) return <Badge tone="brand">{texts.current}</Badge>;
    return mayRevoke && <SignOutButton session={session} scope={scope} />;
  };
  const columns: readonly Column<OpenSession>[] = [
    {
      header: texts.columns.session,
      sort: 'browser',
      by: browserOf,
      cell: (session) => <Who name={browserOf(session)} detail={addressOf(session)} />,
    },
    ...(scope === 'tenant' ? [{ header: texts.columns.user, sort: 'user', by: userOf, cell: userOf }] : []),
    { header: texts.columns.method, tone: 'muted', sort: 'method', by: methodOf, cell: methodOf },
    {
      header: texts.columns.started,
      tone: 'muted',
      isSecondary: true,
      sort: 'started',
      by: ({ startedAt }) => startedAt,
      isDescendingFirst: true,
      cell: ({ startedAt }) => <Time at={startedAt} />,
    },
    {
      header: texts.columns.lastSeen,
      tone: 'muted',
      sort: 'lastSeen',
      by: ({ lastSeenAt }) => lastSeenAt,
      isDescendingFirst: true,
      cell: ({ lastSeenAt }) => <Time at={lastSeenAt} />,
    },
    { header: texts.columns.actions, isHeaderHidden: true, align: 'end', cell: Action },
  ];
  const item = (session: OpenSession) => (
    <>
      <Who name={browserOf(session)} detail={addressOf(session)} right={<Action {...session} />} />
      <div className="item-facts">
        <div>
          <div className="caption">{scope === 'tenant' ? userOf(session) : texts.columns.method}</div>
          {methodOf(session)}
        </div>
        <div className="end">
          <div className="caption">{texts.columns.lastSeen}</div>
          <Time at={session.lastSeenAt} />
        </div>
      </div>
    </>
  );
  return { columns, item };
};

const SignOutOthers = ({ scope }: { scope: SessionScope }) => {
  const revoke = useRevokeOthers(scope);
  const dialog = useDialog();
  const isOwn = scope === 'own';
  const signOut = () =>
    revoke.mutate(undefined, {
      onSuccess: () => {
        notify.success(texts.othersSignedOut);
        dialog.close();
      },
      onError: (error) => isOwn && notify.error(messageOf(error, texts.signOutFailed)),
    });
  return (
    <Box px={{ base: '4', md: '5' }} py="4">
      <Button
        size="sm"
        variant="outline"
        loading={isOwn && revoke.isPending}
        {...(!isOwn && { 'aria-haspopup': 'dialog' })}
        onClick={isOwn ? signOut : dialog.open}
      >
        {isOwn ? texts.signOutOthers : texts.signOutEveryone}
      </Button>
      <ConfirmDialog
        dialog={dialog}
        title={texts.signOutEveryone}
        confirmLabel={texts.signOutEveryone}
        busyLabel={texts.signingOut}
        isBusy={revoke.isPending}
        error={revoke.error ? messageOf(revoke.error, texts.signOutFailed) : undefined}
        onConfirm={signOut}
      >
        {texts.signOutEveryoneQuestion}
      </ConfirmDialog>
    </Box>
  );
};

/** The open sessions of the user, or of the whole tenant, and what ends them. */
export const SessionsCard = ({ scope }: { scope: SessionScope }) => {
  const mayRevokeOwn = usePermission('ownSession:end');
  const mayRevokeAll = usePermission('sessions:revoke');
  const mayRevoke = scope === 'own' ? mayRevokeOwn : mayRevokeAll;
  const { columns, item } = useMemo(() => rowsOf(scope, mayRevoke), [scope, mayRevoke]);
  const view = useTableView('sessions', columns);
  const isWide = useIsWide();
  return (
    <Card as="section" aria-label={texts[scope]}>
      <CardHead
        title={texts[scope]}
        sub={scope === 'own' ? texts.ownSub : texts.tenantSub}
        right={
          <Flex gap="3">
            {isWide && <TableViewMenu view={view} />}
            {scope === 'own' && <ExportMenu what={texts.exported} lists={[{ path: SESSIONS_ROOT.own }]} />}
          </Flex>
        }
      />
      <QueryView query={useQuery(sessionsQuery(scope))} loading={texts.loading} fallback={texts.loadFailed} height="160px">
        {({ sessions }) => (
          <>
            <WholeTable
              label={texts.table}
              rows={sessions}
              keyOf={sessionKey}
              columns={view.columns}
              isCompact={view.isCompact}
              item={item}
            />
            {mayRevoke && sessions.length > 1 && <SignOutOthers scope={scope} />}
          </>
        )}
      </QueryView>
    </Card>
  );
};
