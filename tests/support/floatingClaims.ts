import { randomUUID } from 'node:crypto';
import type { Product } from '../../src/bootstrap/product.ts';
import { streams } from '../../src/commands/streams.ts';
import { type Customer, isRegistered } from '../../src/domain/customer/state.ts';
import type { CustomerId, UserId } from '../../src/domain/ids.ts';
import type { SeatLeaseEvent } from '../../src/domain/seatLeases/events.ts';
import { claimSeatOrDeny } from '../../src/http/floatingSeats.ts';
import { HttpProblem } from '../../src/http/problems/problems.ts';
import { metaOf } from './builders/command.ts';

/** Registers so many developers of a customer with floating seats, by one append; `at` is ISO-8601 UTC. */
export const registerDevelopers = async (
  { commands }: Product,
  customerId: CustomerId,
  count: number,
  at: string,
): Promise<{ customer: Customer; userIds: readonly UserId[] }> => {
  const userIds = Array.from({ length: count }, () => randomUUID() as UserId);
  const registered = await commands.customers.handle(
    userIds.map((userId, n) => ({
      type: 'RegisterUser' as const,
      data: { customerId, userId, username: `u${n}`, email: `u${n}@acme.example`, role: 'developer' as const, machineId: null },
      meta: metaOf({ at }),
    })),
  );
  if (!registered.accepted || !isRegistered(registered.state)) throw new Error('The users were not registered');
  return { customer: registered.state, userIds };
};

/** Users claim floating seats at the same time, each at the next node, as a sign-in of the tool does. The results are in their order. */
export const claimAtOnce = (
  nodes: readonly Product[],
  customer: Customer,
  userIds: readonly UserId[],
  at: string,
): Promise<string[]> =>
  Promise.all(
    userIds.map(async (userId, n) => {
      const user = customer.users.get(userId);
      const node = nodes[n % nodes.length];
      if (!user || !node) throw new Error('Unknown user or node');
      return claimSeatOrDeny(node, customer, user, { meta: metaOf({ at }) }).then(
        () => 'held',
        (error: unknown) => (error instanceof HttpProblem ? error.code : String(error)),
      );
    }),
  );

/** The leases of a customer and their ends, in order. */
export const leaseEventsOf = async ({ events }: Product, customerId: CustomerId): Promise<SeatLeaseEvent[]> => {
  const found: SeatLeaseEvent[] = [];
  for await (const { event } of events.read<SeatLeaseEvent>(streams.seatLeases(customerId))) found.push(event);
  return found;
};

/** Who holds a seat after the events, and the most that were held after any of them. */
export const heldAfter = (events: readonly SeatLeaseEvent[]): { holders: ReadonlySet<UserId>; most: number } => {
  const holders = new Set<UserId>();
  let most = 0;
  for (const { type, data } of events) {
    if (type === 'SeatLeased') holders.add(data.userId);
    else holders.delete(data.userId);
    most = Math.max(most, holders.size);
  }
  return { holders, most };
};
