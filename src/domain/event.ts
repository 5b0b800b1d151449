import type { ApiTokenId, SessionId, UserId } from './ids.ts';
import type { SignInMethod } from './signIns/methods.ts';

/** A fact in the past tense. Data holds what happened, never totals; time, actor and ids of the command travel in `EventMeta`. */
export type DomainEvent<Type extends string = string, Data extends object = object> = Readonly<{
  type: Type;
  data: Readonly<Data>;
}>;

/** Who may cause an event: an audience of sessions, a user of the tool, or a policy (`system`). */
export type ActorKind = 'admin' | 'integrator' | 'customer' | 'user' | 'system';

/**
 * The originator of a command; `id` is the integrator's, customer's or user's id, 'admin', or the name of a policy. `userId` is the named
 * user; absent where a key signed in. `tokenId` is the API token that sent the request. `sessionId`, `method` and `address` are those of the
 * request; a request by an API token has no session, nor does the sign-in of a tool, and recorded calls have none of them. The address is personal data: it is sealed in the store, so
 * recorded events have it among their envelopes only.
 */
export type Actor = Readonly<{
  kind: ActorKind;
  id: string;
  userId?: UserId;
  tokenId?: ApiTokenId;
  sessionId?: SessionId;
  method?: SignInMethod;
  address?: string;
}>;

/**
 * The metadata of every event. `at` is ISO-8601 UTC. `traceparent` is the span that appended it; absent where no trace is recorded.
 * `reverts` is the id of the event whose change a command took back.
 */
export type EventMeta = Readonly<{
  actor: Actor;
  commandId: string;
  correlationId: string;
  causationId: string | null;
  at: string;
  traceparent?: string;
  reverts?: string;
}>;

/** Replaces a sealed field whose data key was destroyed. */
export const ERASED = '[erased]';
