import { sql } from 'kysely';
import { ownerOf, streams } from '../../commands/streams.ts';
import { userId as userIdOf } from '../../contracts/fields.ts';
import type { InvitationEmail } from '../../contracts/team.ts';
import type { Database } from '../../database/database.ts';
import type { CustomerId, TeamId, UserId } from '../../domain/ids.ts';
import { teamIdOf } from '../../domain/team/teamId.ts';
import type { StreamName } from '../../eventstore/port.ts';

/** The name of the policy, under which its notes are kept. */
export const POLICY = 'sendEmails';

/** The start of the names of customers' streams. */
const CUSTOMER = streams.customer('' as CustomerId);

/** The start of the keys of invitations. */
export const INVITATION = 'invitation:';

const STATES = ['pending', 'sent', 'failed'] as const;
/** Whether an email still has to be sent. Sent and failed ones are kept for a while. */
type EmailState = (typeof STATES)[number];

/** Instead of a user: the contact of a customer who has no named users. */
export const CONTACT = 'contact';

/**
 * An email about an event: of the recipient's team, of the alerts, or of the customer. It names both and contains no personal data.
 * `attempts` are those that failed, and `reason` is why the last one did.
 */
export type Entry = Readonly<{
  state: EmailState;
  attempts: number;
  /** The stream of the event. */
  stream: StreamName;
  revision: bigint;
  /** Null for the contact of the customer. */
  userId: UserId | null;
  reason: string;
}>;

/** The team that is notified of the events of a stream. */
export const teamOf = (stream: StreamName): TeamId => {
  if (stream === streams.alerts) return teamIdOf({ kind: 'administration' });
  const customerId = customerOf(stream);
  return customerId ? teamIdOf({ kind: 'customer', customerId }) : ownerOf.team(stream);
};

/** The customer whose stream it is; null for another stream. */
export const customerOf = (stream: StreamName): CustomerId | null =>
  stream.startsWith(CUSTOMER) ? ownerOf.customer(stream) : null;

/** The text of a note. It begins with the state, by which entries are counted. */
export const textOf = ({ state, attempts, stream, revision, userId, reason }: Entry): string =>
  [state, attempts, stream, revision, userId ?? CONTACT, reason].join(' ');

/** The entry of a note's text. */
export const entryOf = (text: string): Entry => {
  const [name, attempts, stream = '', revision = '', userId, ...reason] = text.split(' ');
  const state = STATES.find((known) => known === name);
  if (!state) throw new Error(`${text} is no entry of the outbox`);
  return {
    state,
    attempts: Number(attempts),
    stream: stream as StreamName,
    revision: BigInt(revision),
    userId: userId === CONTACT ? null : userIdOf.parse(userId),
    reason: reason.join(' '),
  };
};

/**
 * How many emails wait, how many of them were tried and why one of them failed, and how many were sent or failed for good in the last
 * 7 days.
 */
export type OutboxCounts = Readonly<Record<EmailState | 'retried', number> & { reason: string | null }>;

const invitationEmailOf = ({ state, attempts }: Entry): InvitationEmail => {
  if (state !== 'pending') return state;
  return attempts === 0 ? 'waiting' : 'delayed';
};

/**
 * The emails of the invitations that are valid now: one that was replaced says nothing about the link that the member needs. A sent or
 * failed one is remembered for 7 days.
 */
export const invitationEmails = async (db: Database, teamId: TeamId): Promise<ReadonlyMap<UserId, InvitationEmail>> => {
  const { rows } = await sql<{ value: string }>`
    select n.value from policy.note n
    join read.member m on n.key = concat(${INVITATION}::text, m.invitation_id) and m.team_id = ${teamId}
    where n.policy = ${POLICY}`.execute(db);
  const entries = rows.map(({ value }) => entryOf(value));
  return new Map(entries.flatMap((entry) => (entry.userId ? [[entry.userId, invitationEmailOf(entry)] as const] : [])));
};

/** Counts the emails of all nodes. */
export const outboxCounts = async (db: Database): Promise<OutboxCounts> => {
  const { rows } = await sql<Omit<OutboxCounts, 'reason'> & { latest: string | null }>`
    select count(*) filter (where value like 'pending %') as pending,
      count(*) filter (where value like 'pending %' and value not like 'pending 0 %') as retried,
      count(*) filter (where value like 'sent %') as sent,
      count(*) filter (where value like 'failed %') as failed,
      max(value) filter (where value like 'pending %' and value not like 'pending 0 %') as latest
    from policy.note where policy = ${POLICY}`.execute(db);
  const { latest = null, ...counts } = rows[0] ?? { pending: 0, retried: 0, sent: 0, failed: 0 };
  return { ...counts, reason: latest === null ? null : entryOf(latest).reason };
};
