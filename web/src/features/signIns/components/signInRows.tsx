import type { SignInEntry } from '../../../../../src/contracts/signIns.ts';
import { format } from '../../../lib/format.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import type { Column } from '../../../ui/DataTable.tsx';
import { Link } from '../../../ui/Link.tsx';
import { Time } from '../../../ui/Time.tsx';
import { signInTexts as texts } from '../texts.ts';

const { columns: headers } = texts;
const PATHS = { customer: '/admin/customers', integrator: '/admin/service-integrators' } as const;
/** The statuses whose colors the outcomes have. */
const TONES = { accepted: 'active', rejected: 'error', throttled: 'warning' } as const;

export const signInKey = ({ id }: SignInEntry): string => id;

type AccountProps = { row: SignInEntry; hasLinks: boolean };

const Account = ({ row: { account, audience, outcome }, hasLinks }: AccountProps) => {
  if (account === null) return audience === 'admin' && outcome === 'accepted' ? texts.administrator : texts.unknownAccount;
  if (account.name === null) return texts.deletedAccount;
  if (account.kind === 'administration') return account.name;
  return (
    <>
      {hasLinks ? (
        <Link className="text-link" to={`${PATHS[account.kind]}/${account.id}`}>
          {account.name}
        </Link>
      ) : (
        account.name
      )}
      {account.username && <div className="caption">{account.username}</div>}
    </>
  );
};

/** What a narrow column cuts off. */
const namesOf = ({ account }: SignInEntry): string | undefined =>
  [account?.name, account?.username].filter(Boolean).join(', ') || undefined;

const SignInOutcome = (row: SignInEntry) => {
  const reason = texts.reason(row);
  return (
    <>
      <StatusBadge status={TONES[row.outcome]}>{texts.outcomes[row.outcome]}</StatusBadge>
      {reason && row.outcome === 'rejected' && <div className="caption">{reason}</div>}
    </>
  );
};

const Attempts = ({ count, keys }: SignInEntry) => (
  <>
    {format.whole(count)}
    {keys > 1 && <div className="caption">{texts.keys(keys)}</div>}
  </>
);

const methodOf = ({ method }: SignInEntry): string => (method === null ? texts.none : texts.methods[method]);

const addressOf = ({ address, count }: SignInEntry): string => address ?? (count > 1 ? texts.manyAddresses : texts.none);

/** Where the column of the method is hidden, the method is below the audience. */
const Audience = (row: SignInEntry) => (
  <>
    {texts.audiences[row.audience]}
    <div className="caption instead">{methodOf(row)}</div>
  </>
);

const columnsOf = (hasLinks: boolean): readonly Column<SignInEntry>[] => [
  { header: headers.time, cell: (row) => <Time at={row.at} /> },
  { header: headers.outcome, cell: SignInOutcome },
  { header: headers.audience, cell: Audience },
  {
    header: headers.account,
    cell: (row) => (
      <div className="clip" title={namesOf(row)}>
        <Account row={row} hasLinks={hasLinks} />
      </div>
    ),
  },
  { header: headers.method, tone: 'muted', isSecondary: true, cell: methodOf },
  { header: headers.address, cell: (row) => <code className="mono">{addressOf(row)}</code> },
  {
    header: headers.fingerprint,
    tone: 'muted',
    isExtra: true,
    cell: (row) => <code className="mono">{row.fingerprint ?? texts.none}</code>,
  },
  { header: headers.attempts, align: 'end', cell: Attempts },
];

/** A sign-in where the screen is too narrow for a table. */
const itemOf = (hasLinks: boolean) => (row: SignInEntry) => (
  <>
    <div className="item-facts">
      <div>
        <SignInOutcome {...row} />
      </div>
      <div className="end">
        <span className="caption">
          <Time at={row.at} />
        </span>
      </div>
    </div>
    <div className="item-facts">
      <div>
        <div className="caption">
          {texts.audiences[row.audience]}
          {row.method !== null && `, ${methodOf(row)}`}
        </div>
        <Account row={row} hasLinks={hasLinks} />
      </div>
      <div className="end">
        <div className="caption">{headers.address}</div>
        <code className="mono">{addressOf(row)}</code>
      </div>
      <div className="end">
        <div className="caption">{headers.attempts}</div>
        <Attempts {...row} />
      </div>
    </div>
  </>
);

/** The rows of the list for administrators, whose accounts are links. */
export const rowsWithLinks = { columns: columnsOf(true), item: itemOf(true) };
/** The rows of the list for others. */
export const rowsWithoutLinks = { columns: columnsOf(false), item: itemOf(false) };
