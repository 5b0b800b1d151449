import type { Actor } from '../../domain/event.ts';
import type { AnyEvent, StreamCategory } from '../../domain/events.ts';
import type { CredentialId, CustomerId, IntegratorId, TeamId, UserId } from '../../domain/ids.ts';
import { createInstants } from '../../domain/instant.ts';
import type { Recorded } from '../../eventstore/port.ts';

/** What follows the category in a stream's name. */
export type Subjects = {
  customer: CustomerId;
  integrator: IntegratorId;
  themes: IntegratorId;
  credential: CredentialId;
  userActivity: UserId;
  apiCalls: string;
  adminActivity: string;
  seatDenials: CustomerId;
  seatLeases: CustomerId;
  signIns: string;
  team: TeamId;
  operations: string;
  plans: string;
};

/** An event as projections take it. `at` has milliseconds and a Z. */
export type RecordedEvent<E extends AnyEvent = AnyEvent, Subject extends string = string> = Readonly<{
  event: E;
  category: StreamCategory;
  subject: Subject;
  stream: string;
  revision: bigint;
  position: bigint;
  id: string;
  at: string;
  /** ms since 1970 */
  storedAt: number;
  actor: Actor;
  /** The span that appended it; undefined where no trace is recorded. */
  traceparent?: string | undefined;
  /** Equal for all events that one request caused. */
  correlationId: string;
  /** The id of the event that this one takes back. */
  reverts?: string;
  sealed: Readonly<Record<string, string>>;
}>;

const instants = createInstants();

/**
 * Normalizes an instant to the form in which PostgreSQL returns it, so that rows in memory equal rows that were read. Throws if it is
 * not a valid time.
 */
export const instantOf = (at: string): string => (Number.isNaN(instants.read(at)) ? new Date(at).toISOString() : at);

export const recordedEventOf = ({ event, stream, revision, position, id, meta, storedAt, sealed }: Recorded): RecordedEvent => {
  const dash = stream.indexOf('-');
  return {
    event,
    category: (dash < 0 ? stream : stream.slice(0, dash)) as StreamCategory,
    subject: dash < 0 ? '' : stream.slice(dash + 1),
    stream,
    revision,
    position,
    id,
    at: instantOf(meta.at),
    storedAt,
    actor: meta.actor,
    traceparent: meta.traceparent,
    correlationId: meta.correlationId,
    ...(meta.reverts !== undefined && { reverts: meta.reverts }),
    sealed,
  };
};
