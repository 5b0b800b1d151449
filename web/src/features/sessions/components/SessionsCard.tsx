import { Box, Button } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { OpenSession } from '../../../../../src/contracts/sessions.ts';
import { messageOf } from '../../../api/error.ts';
import { usePermission } from '../../../session/permissions.tsx';
import { BusyButton } from '../../../ui/BusyButton.tsx';
import { Badge } from '../../../ui/badges.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { type Column, DataTable } from '../../../ui/DataTable.tsx';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notify.ts';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Time } from '../../../ui/Time.tsx';
import { Who } from '../../../ui/Who.tsx';
import { type SessionScope, sessionsQuery, useRevokeOthers, useRevokeSession } from '../api/sessions.ts';
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
    { header: texts.columns.session, cell: (session) => <Who name={browserOf(session)} detail={addressOf(session)} /> },
    ...(scope === 'tenant' ? [{ header: texts.columns.user, cell: userOf }] : []),
    { header: texts.columns.method, tone: 'muted', cell: methodOf },
    { header: texts.columns.started, tone: 'muted', isSecondary: true, cell: ({ startedAt }) => <Time at={startedAt} /> },
    { header: texts.columns.lastSeen, tone: 'muted', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
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
  return (
    <Card as="section" aria-label={texts[scope]}>
      <CardHead title={texts[scope]} sub={scope === 'own' ? texts.ownSub : texts.tenantSub} />
      <QueryView query={useQuery(sessionsQuery(scope))} loading={texts.loading} fallback={texts.loadFailed} height="160px">
        {({ sessions }) => (
          <>
            <DataTable label={texts.table} rows={sessions} keyOf={sessionKey} columns={columns} item={item} />
            {mayRevoke && sessions.length > 1 && <SignOutOthers scope={scope} />}
          </>
        )}
      </QueryView>
    </Card>
  );
};
