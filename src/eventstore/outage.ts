import { AccessDeniedError, NotLeaderError } from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';

/**
 * Why the event store does not do what it is asked: `no_leader` while a cluster elects one, `no_quorum` if most of its nodes are down,
 * `timeout` if it replied that a write was not committed in time.
 */
export type Outage = 'access_denied' | 'busy' | 'no_leader' | 'no_quorum' | 'timeout' | 'unauthenticated' | 'unreachable';

/** The reply `Timeout` to an append: the event store may have written the events, or may still write them. */
export class AppendTimeout extends Error {
  override readonly name = 'AppendTimeout';
}

const NO_LEADER = /Server Is Not Ready|No leader info/i;
const BUSY = /Server Is (?:Too )?Busy/i;

/** Classifies the error of a call. EventStoreDB sends most reasons as text only. */
export const outageOf = (error: unknown): Outage => {
  if (error instanceof AccessDeniedError)
    return 'code' in error && error.code === status.UNAUTHENTICATED ? 'unauthenticated' : 'access_denied';
  if (error instanceof AppendTimeout) return 'timeout';
  if (error instanceof NotLeaderError) return 'no_leader';
  const text = error instanceof Error ? error.message : String(error);
  if (NO_LEADER.test(text)) return 'no_leader';
  return BUSY.test(text) ? 'busy' : 'unreachable';
};

const TEXTS: Readonly<Record<Exclude<Outage, 'access_denied'>, string>> = {
  busy: 'The event store is too busy',
  no_leader: 'The event store has no leader: its nodes are starting or elect one',
  no_quorum: 'The event store has no quorum: most of its nodes are down',
  timeout: 'The event store does not commit writes in time: its disk is slow, or followers do not reply',
  unauthenticated: 'The event store does not accept the user or password of EVENTSTORE_URL',
  unreachable: 'The event store is unreachable',
};

/** What a denied call was for. */
export type Access = `${'append to' | 'delete' | 'read'} ${string}`;

/** The right to read `$all`, which subscriptions need. */
export const READ_ALL = 'read $all' satisfies Access;

/** The field of an ACL with the roles that have a right. */
const rolesOf = (access: Access): string => {
  if (access.startsWith('append to')) return '$w';
  return access.startsWith('delete') ? '$d' : '$r';
};

const adviceFor = (access: Access): string =>
  access === READ_ALL
    ? 'Grant it the right with latchkey-admin grant-store-access.'
    : `Add it to ${rolesOf(access)} of $userStreamAcl in the stream $settings, or of $acl in the metadata of the stream if that has one.`;

/** What happened and what to do, for operators. */
export const describeOutage = (outage: Outage, access: Access): string =>
  outage === 'access_denied' ? `The user of EVENTSTORE_URL may not ${access}. ${adviceFor(access)}` : TEXTS[outage];
