import type { Commands } from '../commands/commands.ts';
import { ownerOf } from '../commands/streams.ts';
import type { Policy } from './engine/policy.ts';

/** Many licenses expire at the same time: at midnight, or while no server ran. */
const CONCURRENT = 32;

/**
 * Records when a license enters its grace and when it stops working. The state of the license decides, so a late, repeated or concurrent
 * reaction records nothing twice.
 */
export const advanceTerms = ({ commands }: { commands: Pick<Commands, 'customers'> }): Policy => ({
  name: 'advanceTerms',
  categories: ['customer'],
  react: async ({ event, stream }, { notes }) => {
    switch (event.type) {
      case 'LicenseTermSet':
      case 'LicenseRenewed':
      case 'LicenseExtended':
        return notes.put(stream, '', new Date(event.data.expiresAt));
      case 'LicenseEnteredGrace':
        return notes.put(stream, '', new Date(event.data.endsAt));
      case 'LicenseExpired':
      case 'LicenseTermRemoved':
      case 'CustomerDeleted':
        return notes.remove(stream);
      default:
        return;
    }
  },
  concurrentDue: CONCURRENT,
  onDue: async ({ key }, { metaFor }) => {
    const customerId = ownerOf.customer(key);
    await commands.customers.handle({ type: 'AdvanceLicenseTerm', data: { customerId }, meta: metaFor(null) });
  },
});
