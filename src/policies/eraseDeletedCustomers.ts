import type { Commands } from '../commands/commands.ts';
import { ownerOf, streams } from '../commands/streams.ts';
import type { CustomerEvent } from '../domain/customer/events.ts';
import type { CustomerId, IntegratorId, UserId } from '../domain/ids.ts';
import { DAY_MS, dayOf, daysBetween } from '../domain/time.ts';
import type { EventStore, StreamName } from '../eventstore/port.ts';
import { customerOwner, type Owner, userOwner } from '../security/owner.ts';
import { type Policy, type PolicyContext, policyOn } from './engine/policy.ts';

/** Work that was in progress at the deletion has ended by then, and is erased by a second run. */
const SECOND_LOOK_MS = 60_000;
const CONCURRENT = 8;

const isCredentialStream = (key: string): key is StreamName => key.startsWith('credential-');

type Erasure = { registeredAt: number | null; integratorId: IntegratorId | null; userIds: UserId[] };

/**
 * Deletes the streams of a deleted customer's API calls, credentials, users, refused and leased seats, destroys its data key and those of its users, so that nothing can
 * decrypt what stays of its own stream, and last withdraws it from its integrator, which may then be deleted itself.
 */
export const eraseDeletedCustomers = ({
  commands,
  events,
  destroyKey,
  forgetClaims,
  secondLookMs = SECOND_LOOK_MS,
}: {
  commands: Commands;
  events: Pick<EventStore, 'read' | 'deleteStream'>;
  destroyKey: (owner: Owner) => Promise<void>;
  /** Removes the claims of API calls. */
  forgetClaims: (customerId: CustomerId) => Promise<void>;
  secondLookMs?: number;
}): Policy => {
  const erasureOf = async (customerId: CustomerId): Promise<Erasure> => {
    const erasure: Erasure = { registeredAt: null, integratorId: null, userIds: [] };
    for await (const { event, meta } of events.read<CustomerEvent>(streams.customer(customerId))) {
      if (event.type === 'CustomerRegistered') {
        erasure.registeredAt = Date.parse(meta.at);
        erasure.integratorId = event.data.integratorId;
      } else if (event.type === 'CustomerMoved') erasure.integratorId = event.data.integratorId;
      else if (event.type === 'UserRegistered') erasure.userIds.push(event.data.userId);
    }
    return erasure;
  };

  const doAll = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
    for (let i = 0; i < items.length; i += CONCURRENT) await Promise.all(items.slice(i, i + CONCURRENT).map(work));
  };

  const erase = async (stream: string, { notes, now, metaFor }: PolicyContext): Promise<void> => {
    const customerId = ownerOf.customer(stream);
    const { registeredAt, integratorId, userIds } = await erasureOf(customerId);
    // A day more at both ends: the nodes' clocks may differ around midnight.
    const days = registeredAt === null ? [] : daysBetween(dayOf(registeredAt - DAY_MS), dayOf(now() + DAY_MS));
    const names: StreamName[] = [
      ...days.map((day) => streams.apiCalls(customerId, day)),
      ...(await notes.keysOf(stream)).filter(isCredentialStream),
      ...userIds.map(streams.userActivity),
      streams.seatDenials(customerId),
      streams.seatLeases(customerId),
    ];
    await doAll(names, events.deleteStream);
    await doAll(userIds.map(userOwner), destroyKey);
    await destroyKey(customerOwner(customerId));
    await forgetClaims(customerId);
    if (integratorId === null) return;
    await commands.integrators.handle({ type: 'WithdrawCustomer', data: { integratorId, customerId }, meta: metaFor(null) });
  };

  return policyOn({
    name: 'eraseDeletedCustomers',
    eventTypes: ['CredentialStored', 'CustomerDeleted'],
    react: async ({ event, stream }, context) => {
      if (event.type === 'CredentialStored') return context.notes.put(stream, streams.customer(event.data.customerId));
      await erase(stream, context);
      await context.notes.put(stream, 'second look', new Date(context.now() + secondLookMs));
    },
    onDue: async ({ key }, context) => {
      await erase(key, context);
      for (const credential of await context.notes.keysOf(key)) await context.notes.remove(credential);
    },
  });
};
