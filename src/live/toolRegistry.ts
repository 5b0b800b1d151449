import type { SeatKind } from '../domain/enumerations.ts';
import type { ConnectionId, CustomerId, IntegratorId } from '../domain/ids.ts';
import type { ToolSocket } from './toolSocket.ts';

/** The tools of a customer that are connected to this node, and the last frames sent to them, as JSON. */
export type ToolsOfCustomer = Readonly<{
  customerId: CustomerId;
  sockets: Set<ToolSocket>;
  lastSent: {
    /** To which the customer belonged at the last push. */
    integratorId?: IntegratorId;
    theme?: string;
    term?: string;
    entitlements?: string;
    callQuota?: string;
    seats: Partial<Record<SeatKind, string>>;
    requests: ReadonlySet<string>;
  };
}>;

export type ToolRegistry = Readonly<{
  /** The socket that uses the id now. */
  get: (connectionId: ConnectionId) => ToolSocket | undefined;
  /** Replaces an older socket with the same id. */
  add: (socket: ToolSocket) => void;
  /** False if another socket uses its id, or none. */
  remove: (socket: ToolSocket) => boolean;
  all: () => ToolSocket[];
  ofCustomer: (customerId: string) => ToolsOfCustomer | undefined;
  customers: () => Iterable<ToolsOfCustomer>;
  count: () => number;
}>;

/** Which tools are connected to this node, by connection and by customer. */
export const createToolRegistry = (): ToolRegistry => {
  const open = new Map<ConnectionId, ToolSocket>();
  const byCustomer = new Map<string, ToolsOfCustomer>();

  const leaveCustomer = (socket: ToolSocket): void => {
    const { customerId } = socket.connection;
    const customer = byCustomer.get(customerId);
    if (customer?.sockets.delete(socket) && customer.sockets.size === 0) byCustomer.delete(customerId);
  };

  return {
    get: (connectionId) => open.get(connectionId),
    add: (socket) => {
      const { connectionId, customerId } = socket.connection;
      const before = open.get(connectionId);
      if (before) leaveCustomer(before);
      open.set(connectionId, socket);
      const customer = byCustomer.get(customerId) ?? {
        customerId,
        sockets: new Set(),
        lastSent: { seats: {}, requests: new Set() },
      };
      byCustomer.set(customerId, customer);
      customer.sockets.add(socket);
    },
    remove: (socket) => {
      const { connectionId } = socket.connection;
      if (open.get(connectionId) !== socket) return false;
      open.delete(connectionId);
      leaveCustomer(socket);
      return true;
    },
    all: () => [...open.values()],
    ofCustomer: (customerId) => byCustomer.get(customerId),
    customers: () => byCustomer.values(),
    count: () => open.size,
  };
};
