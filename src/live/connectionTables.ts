import type { ConnectionId, CustomerId, IntegratorId, UserId } from '../domain/ids.ts';

export type ConnectionTables = {
  'live.connection': {
    connection_id: ConnectionId;
    user_id: UserId;
    customer_id: CustomerId;
    integrator_id: IntegratorId;
    /** The process that holds the socket. */
    node: string;
    connected_at: Date;
    /** A node that died renews nothing: the connection is over then. */
    lease_until: Date;
  };
};
