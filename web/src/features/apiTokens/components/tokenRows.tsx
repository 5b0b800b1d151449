import type { ApiToken } from '../../../../../src/contracts/apiTokens.ts';
import type { TeamId } from '../../../../../src/domain/ids.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import type { Column } from '../../../ui/DataTable.tsx';
import { lazyDialog, useDialog } from '../../../ui/dialogs.tsx';
import { ItemAction } from '../../../ui/ItemAction.tsx';
import { Trash2 } from '../../../ui/icons.ts';
import { Time } from '../../../ui/Time.tsx';
import { apiTokenTexts as texts } from '../texts.ts';

const { columns: headers } = texts;

const RevokeTokenDialog = lazyDialog(async () => (await import('./RevokeTokenDialog.tsx')).RevokeTokenDialog);

export const tokenKey = ({ tokenId }: ApiToken): string => tokenId;

const Name = ({ name, networks }: ApiToken) => (
  <>
    <div>{name}</div>
    {networks.length > 0 && <div className="caption">{texts.from(networks)}</div>}
  </>
);

const Scopes = ({ scopes }: ApiToken) => <span title={scopes.join('\n')}>{texts.scopeCount(scopes.length)}</span>;

const creatorOf = ({ createdBy }: ApiToken): string => (createdBy === null ? texts.key : (createdBy.name ?? texts.removedUser));

const REVOKERS = { user: texts.removedUser, key: texts.key, policy: texts.automatically } as const;

/** Who changed the token last: it was created, or revoked since. */
const Changed = (token: ApiToken) => (
  <>
    <div>
      {texts.createdBy(creatorOf(token))} <Time at={token.createdAt} as="date" />
    </div>
    {token.revokedBy && (
      <div className="caption">
        {texts.revokedBy(token.revokedBy.name ?? REVOKERS[token.revokedBy.kind])} <Time at={token.revokedAt} as="date" />
      </div>
    )}
  </>
);

const LastUse = ({ lastUse }: ApiToken) =>
  lastUse === null ? (
    texts.unused
  ) : (
    <>
      <Time at={lastUse.at} as="ago" />
      <div className="caption">{lastUse.address}</div>
    </>
  );

const State = ({ state, expiresAt }: ApiToken) => (
  <>
    <StatusBadge status={state === 'revoked' ? 'inactive' : state}>{texts.states[state]}</StatusBadge>
    {state !== 'revoked' && (
      <div className="caption">
        {texts.until} <Time at={expiresAt} as="date" />
      </div>
    )}
  </>
);

const RevokeButton = ({ teamId, token }: { teamId: TeamId; token: ApiToken }) => {
  const dialog = useDialog();
  if (token.state === 'revoked') return null;
  return (
    <>
      <ItemAction
        label={texts.revoke}
        name={texts.revokeOf(token.name)}
        icon={Trash2}
        onPress={dialog.open}
        opens={RevokeTokenDialog}
        isDestructive
      />
      <RevokeTokenDialog dialog={dialog} teamId={teamId} token={token} />
    </>
  );
};

/** The columns for API tokens, and their rows where the screen is too narrow for a table. */
export const tokenRows = (teamId: TeamId, mayRevoke: boolean) => {
  const columns: readonly Column<ApiToken>[] = [
    { header: headers.name, sort: 'name', by: ({ name }) => name, cell: Name },
    {
      header: headers.scopes,
      tone: 'muted',
      sort: 'scopes',
      by: ({ scopes }) => scopes.length,
      isDescendingFirst: true,
      cell: Scopes,
    },
    {
      header: headers.changed,
      tone: 'muted',
      sort: 'changed',
      by: ({ createdAt, revokedAt }) => revokedAt ?? createdAt,
      isDescendingFirst: true,
      cell: Changed,
    },
    {
      header: headers.lastUse,
      tone: 'muted',
      sort: 'lastUse',
      by: ({ lastUse }) => lastUse?.at ?? null,
      isDescendingFirst: true,
      cell: LastUse,
    },
    { header: headers.state, sort: 'expires', by: ({ revokedAt, expiresAt }) => revokedAt ?? expiresAt, cell: State },
    ...(mayRevoke
      ? [
          {
            header: headers.actions,
            isHeaderHidden: true,
            align: 'end',
            cell: (token: ApiToken) => <RevokeButton teamId={teamId} token={token} />,
          } as const,
        ]
      : []),
  ];
  const item = (token: ApiToken) => (
    <>
      <Name {...token} />
      <div className="item-facts">
        <div>
          <State {...token} />
        </div>
        <div className="end">
          <div className="caption">{headers.lastUse}</div>
          <LastUse {...token} />
        </div>
      </div>
      <div className="caption">
        <Changed {...token} />
      </div>
      {mayRevoke && <RevokeButton teamId={teamId} token={token} />}
    </>
  );
  return { columns, item };
};
