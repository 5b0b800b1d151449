import type { Commands } from '../commands/commands.ts';
import { completeMove, withdrawFormer } from '../commands/moveCustomer.ts';
import { ownerOf, streams } from '../commands/streams.ts';
import type { CustomerId } from '../domain/ids.ts';
import type { StreamName } from '../eventstore/port.ts';
import { type Policy, policyOn } from './engine/policy.ts';

/** How long a node may take from the beginning of a move to its end. */
const GRACE_MS = 60_000;

const keyOf = (integratorStream: string, customerId: CustomerId): string => `${integratorStream} ${streams.customer(customerId)}`;

/**
 * Completes the moves of customers that a crash broke off: after `graceMs` where the customer has not moved yet, and immediately where
 * its former service integrator still has it.
 */
export const finishMoves = ({ commands, graceMs = GRACE_MS }: { commands: Commands; graceMs?: number }): Policy =>
  policyOn({
    name: 'finishMoves',
    eventTypes: ['CustomerMoveBegun', 'CustomerWithdrawn', 'CustomerMovedAway', 'CustomerMoved'],
    react: async (recorded, { notes, metaFor }) => {
      const { event, stream, meta } = recorded;
      switch (event.type) {
        case 'CustomerMoveBegun':
          return notes.put(keyOf(stream, event.data.customerId), stream, new Date(Date.parse(meta.at) + graceMs));
        case 'CustomerWithdrawn':
          return notes.remove(keyOf(stream, event.data.customerId));
        case 'CustomerMovedAway': {
          const { integratorId } = event.data;
          return withdrawFormer(commands, { customerId: ownerOf.customer(stream), integratorId, meta: metaFor(recorded) });
        }
        case 'CustomerMoved':
          return notes.remove(keyOf(streams.integrator(event.data.integratorId), ownerOf.customer(stream)));
      }
    },
    onDue: async ({ key, value }, { metaFor }) => {
      const customer = key.slice(value.length + 1) as StreamName;
      const moving = { customerId: ownerOf.customer(customer), integratorId: ownerOf.integrator(value), meta: metaFor(null) };
      await completeMove(commands, moving);
    },
  });
