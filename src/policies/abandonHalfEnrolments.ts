import type { Commands } from '../commands/commands.ts';
import { ownerOf, streams } from '../commands/streams.ts';
import { type Policy, policyOn } from './engine/policy.ts';

/** How long a node may take from enrolling a customer to registering it. */
const GRACE_MS = 60_000;

/**
 * If a customer is enrolled with its integrator but not registered after `graceMs`, a crash interrupted its creation, and no client got
 * a reply. The policy closes the customer, so that a slow node can no longer register it, and then withdraws it.
 */
export const abandonHalfEnrolments = ({ commands, graceMs = GRACE_MS }: { commands: Commands; graceMs?: number }): Policy =>
  policyOn({
    name: 'abandonHalfEnrolments',
    eventTypes: ['CustomerEnrolled', 'CustomerRegistered', 'CustomerWithdrawn'],
    react: async ({ event, stream, meta }, { notes }) => {
      switch (event.type) {
        case 'CustomerEnrolled':
          return notes.put(streams.customer(event.data.customerId), stream, new Date(Date.parse(meta.at) + graceMs));
        case 'CustomerRegistered':
        case 'CustomerWithdrawn':
          return notes.remove(streams.customer(event.data.customerId));
      }
    },
    onDue: async ({ key, value }, { metaFor }) => {
      const customerId = ownerOf.customer(key);
      const integratorId = ownerOf.integrator(value);
      const abandoned = await commands.customers.handle({ type: 'AbandonEnrolment', data: { customerId }, meta: metaFor(null) });
      if (!abandoned.accepted || abandoned.state.status !== 'deleted') return;
      await commands.integrators.handle({ type: 'WithdrawCustomer', data: { integratorId, customerId }, meta: metaFor(null) });
    },
  });
