import { sql } from 'kysely';
import { ownerOf, streams } from '../../commands/streams.ts';
import { userId as userIdOf } from '../../contracts/fields.ts';
import type { InvitationEmail } from '../../contracts/team.ts';
import type { Database } from '../../database/database.ts';
import type { TeamId, UserId } from '../../domain/ids.ts';
import { teamIdOf } from '../../domain/team/teamId.ts';

/** The name of the policy, under which its notes are kept. */
export const POLICY = 'sendEmails';

/** The start of the keys of invitations. */
export const INVITATION = 'invitation:';

const STATES = ['pending', 'sent', 'failed'] as const;
/** Whether an email still has to be sent. Sent and failed ones are kept for a while. */
type EmailState = (typeof STATES)[number];

/**
 * An email to a member about an event of the team. It names both and contains no personal data. `attempts` are those that failed, and
 * `reason` is why the last one did.
 */
export type Entry = Readonly<{
  state: EmailState;
  attempts: number;
  teamId: TeamId;
  /** Whether the event is one of the alerts. */
  isAlert: boolean;
  revision: bigint;
  userId: UserId;
  reason: string;
}>;

/** Alerts are events of no team: the administration's is notified of them. */
const streamOf = ({ teamId, isAlert }: Pick<Entry, 'teamId' | 'isAlert'>): string =>
  isAlert ? streams.alerts : streams.team(teamId);

/** The text of a note. It begins with the state, by which entries are counted. */
export const textOf = ({ state, attempts, revision, userId, reason, ...of }: Entry): string =>
  [state, attempts, streamOf(of), revision, userId, reason].join(' ');

/** The entry of a note's text. */
export const entryOf = (text: string): Entry => {
  const [name, attempts, stream = '', revision = '', userId, ...reason] = text.split(' ');
  const state = STATES.find((known) => known === name);
  if (!state) throw new Error(`${text} is no entry of the outbox`);
  return {
    state,
    attempts: Number(attempts),
    teamId: stream === streams.alerts ? teamIdOf({ kind: 'administration' }) : ownerOf.team(stream),
    isAlert: stream === streams.alerts,
    revision: BigInt(revision),
    userId: userIdOf.parse(userId),
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
  return new Map(entries.map((entry) => [entry.userId, invitationEmailOf(entry)]));
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
