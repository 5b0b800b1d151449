import { CLOSE } from '../contracts/cli.ts';
import type { Actor } from '../domain/event.ts';
import type { CustomerId, UserId } from '../domain/ids.ts';
import type { HttpDeps } from '../http/deps.ts';
import { claimSeatOrDeny } from '../http/floatingSeats.ts';
import { problemOf } from '../http/requests/errors.ts';
import { workable } from '../http/tool.ts';
import type { ToolsOfCustomer } from './toolRegistry.ts';
import { send, type ToolSocket } from './toolSocket.ts';

type Deps = Pick<HttpDeps, 'commands' | 'seatUses' | 'seatDenials' | 'now' | 'newId'>;
type Owner = Readonly<{ customerId: CustomerId; userId: UserId }>;

export type FloatingSeats = Readonly<{
  /** Takes or keeps the seat of a tool that connects. Throws `HttpProblem`. */
  take: (owner: Owner, actor: Actor) => Promise<void>;
  /**
   * Makes sure that every connected tool of a customer holds a seat: a tool whose lease has ended takes one again, and is disconnected if
   * its seat was released by another user, or if none is free.
   */
  enforce: (tools: ToolsOfCustomer) => Promise<void>;
  /** A tool disconnects: from now on its seat is unused. Costs nothing where seats are named. */
  left: (owner: Owner) => Promise<void>;
}>;

const RELEASED = 'Your floating seat was released. Run latchkey connect to take one again.';

/** The floating seats of tools that connect to this node. */
export const createFloatingSeats = (deps: Deps): FloatingSeats => {
  /** Customers whose tools took floating seats at this node. */
  const floating = new Set<CustomerId>();

  const take = async ({ customerId, userId }: Owner, actor: Actor): Promise<void> => {
    floating.add(customerId);
    const { customer, user } = workable((await deps.commands.customers.load(customerId)).state, userId);
    const commandId = deps.newId();
    const meta = {
      actor,
      commandId,
      correlationId: commandId,
      causationId: null,
      at: new Date(deps.now()).toISOString(),
    } as const;
    await claimSeatOrDeny(deps, customer, user, { meta });
  };

  const disconnect = ({ ws }: ToolSocket, code: string, reason: string): void => {
    send(ws, { type: 'revoked', reason });
    ws.close(CLOSE.forbidden, code);
  };

  return {
    take,
    left: async ({ customerId, userId }) => {
      if (floating.has(customerId)) await deps.seatUses.noteIfKnown(userId);
    },
    enforce: async ({ customerId, sockets }) => {
      const { state: leases } = await deps.commands.seatLeases.load(customerId);
      for (const socket of [...sockets]) {
        const { userId } = socket.connection;
        if (leases.kinds.has(userId)) continue;
        if (leases.released.has(userId)) {
          disconnect(socket, 'seat_released', RELEASED);
          continue;
        }
        await take({ customerId, userId }, socket.actor).catch((error: unknown) => {
          const problem = problemOf(error);
          if (!problem || problem.status === 503) throw error;
          disconnect(socket, problem.code, problem.message);
        });
      }
    },
  };
};
