import type { Commands } from '../commands/commands.ts';
import { ownerOf } from '../commands/streams.ts';
import { isRegistered } from '../domain/customer/state.ts';
import { endOf, nextAnnouncementAt } from '../domain/license/term.ts';
import { type Policy, policyOn } from './engine/policy.ts';

/** Many licenses expire at the same time: at midnight, or while no server ran. */
const CONCURRENT = 32;

/**
 * Announces when a license is about to expire, and records when it enters its grace and when it stops working. The state of the license
 * decides, so a late, repeated or concurrent reaction records nothing twice. Each license has one note, due at its next step.
 */
export const advanceTerms = ({ commands }: { commands: Pick<Commands, 'customers'> }): Policy =>
  policyOn({
    name: 'advanceTerms',
    eventTypes: [
      'LicenseTermSet',
      'LicenseRenewed',
      'LicenseExtended',
      'LicenseExpiryAnnounced',
      'LicenseEnteredGrace',
      'LicenseExpired',
      'LicenseTermRemoved',
      'CustomerDeleted',
    ],
    react: async ({ event, stream, meta }, { notes }) => {
      switch (event.type) {
        case 'LicenseTermSet':
        case 'LicenseRenewed':
        case 'LicenseExtended':
        case 'LicenseExpiryAnnounced':
          return notes.put(stream, '', new Date(nextAnnouncementAt(event.data.expiresAt, meta.at)));
        case 'LicenseEnteredGrace':
          return notes.put(stream, '', new Date(event.data.endsAt));
        case 'LicenseExpired':
        case 'LicenseTermRemoved':
        case 'CustomerDeleted':
          return notes.remove(stream);
      }
    },
    concurrentDue: CONCURRENT,
    onDue: async ({ key }, { metaFor, notes }) => {
      const customerId = ownerOf.customer(key);
      const meta = metaFor(null);
      const outcome = await commands.customers.handle({ type: 'AdvanceLicenseTerm', data: { customerId }, meta });
      if (!outcome.accepted || outcome.position !== null || !isRegistered(outcome.state)) return;
      const { term, termStep } = outcome.state;
      if (term === null || termStep === 'expired') return;
      const next = termStep === 'grace' ? endOf(term) : nextAnnouncementAt(term.expiresAt, meta.at);
      await notes.put(key, '', new Date(next));
    },
  });
