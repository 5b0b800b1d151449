import type { ConnectionId, CustomerId, IntegratorId, UserId } from '../../domain/ids.ts';
import { defineTable, text, timestamptz, uuid } from './defineTable.ts';

/** Open sockets of the command-line tool over all nodes. */
export const openConnectionTable = defineTable('live.connection', {
  key: ['connection_id'],
  columns: {
    connection_id: uuid<ConnectionId>(),
    user_id: uuid<UserId>(),
    customer_id: uuid<CustomerId>(),
    integrator_id: uuid<IntegratorId>(),
    /** The process that holds the socket. */
    node: text(),
    connected_at: timestamptz(),
    /** A node that crashed renews no lease: the connection ends then. */
    lease_until: timestamptz(),
  },
});

/** The last use of floating seats by users whose tool is not connected now, by the clock of the node that saw it. */
export const seatUseTable = defineTable('live.seat_use', {
  key: ['user_id'],
  columns: { user_id: uuid<UserId>(), customer_id: uuid<CustomerId>(), used_at: timestamptz() },
});
