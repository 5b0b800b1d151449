import type { Commands } from '../commands/commands.ts';
import { endUnusedLeases } from '../commands/seatLeases.ts';
import { ownerOf, streams } from '../commands/streams.ts';
import type { CustomerId } from '../domain/ids.ts';
import type { SeatUses } from '../security/seatUses.ts';
import { type Policy, type PolicyContext, policyOn } from './engine/policy.ts';

/** Between two examinations of a customer, so that many leases that end one after another cost little. */
const SHORTEST_MS = 1_000;
const CONCURRENT = 8;

/**
 * Ends the leases of floating seats that nobody uses any more, also those of nodes that crashed, and of users who may not use the tool any
 * more. Each customer with leases has one note, due when a lease can end at the earliest, also one that begins after the note was made.
 */
export const endSeatLeases = ({
  commands,
  seatUses,
}: {
  commands: Pick<Commands, 'customers' | 'seatLeases'>;
  seatUses: Pick<SeatUses, 'of'>;
}): Policy => {
  const examine = async (customerId: CustomerId, { metaFor, notes, now }: PolicyContext): Promise<void> => {
    const key = streams.seatLeases(customerId);
    const { againAt } = await endUnusedLeases({ commands, usesOf: seatUses.of }, customerId, metaFor(null));
    if (againAt !== null) await notes.put(key, '', new Date(Math.max(againAt, now() + SHORTEST_MS)));
  };

  /** Customers without a note have no leases, so events of named seats cost one look at the notes. */
  const examineIfLeased = async (stream: string, context: PolicyContext): Promise<void> => {
    const customerId = ownerOf.customer(stream);
    if (await context.notes.get(streams.seatLeases(customerId))) await examine(customerId, context);
  };

  return policyOn({
    name: 'endSeatLeases',
    eventTypes: [
      'SeatLeased',
      'UserDeactivated',
      'UserSuspended',
      'UserRemoved',
      'UserRoleChanged',
      'CustomerSuspended',
      'CustomerChurned',
      'FloatingSeatsSet',
    ],
    react: async ({ event, stream }, context) => {
      switch (event.type) {
        case 'SeatLeased': {
          const note = await context.notes.get(stream);
          if (!note) await context.notes.put(stream, '', new Date(context.now() + SHORTEST_MS));
          return;
        }
        case 'UserDeactivated':
        case 'UserSuspended':
        case 'UserRemoved':
        case 'UserRoleChanged':
        case 'CustomerSuspended':
        case 'CustomerChurned':
        case 'FloatingSeatsSet':
          return examineIfLeased(stream, context);
      }
    },
    concurrentDue: CONCURRENT,
    onDue: async ({ key }, context) => examine(ownerOf.seatLeases(key), context),
  });
};
