import type { DomainEvent } from '../event.ts';
import type { ConnectionId, CustomerId, UserId } from '../ids.ts';

/** Why a tool's socket ended: by the tool, because its lease expired, or because its session ended. */
export type DisconnectReason = 'closed' | 'lost' | 'revoked';

export type UserAuthenticated = DomainEvent<'UserAuthenticated', { userId: UserId; customerId: CustomerId }>;
/** `node` names the API node that holds the socket. */
export type UserConnected = DomainEvent<
  'UserConnected',
  { userId: UserId; customerId: CustomerId; connectionId: ConnectionId; node: string }
>;
export type UserDisconnected = DomainEvent<
  'UserDisconnected',
  { userId: UserId; customerId: CustomerId; connectionId: ConnectionId; reason: DisconnectReason }
>;

/** The events of a user's activity, which are recorded without a decision. */
export type UserActivityEvent = UserAuthenticated | UserConnected | UserDisconnected;
