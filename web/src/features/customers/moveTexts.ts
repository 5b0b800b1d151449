import type { CustomerMove } from '../../../../src/contracts/customerMoves.ts';
import { format } from '../../lib/format.ts';

const many = (count: number, one: string, several: string): string => `${format.whole(count)} ${count === 1 ? one : several}`;

/** Texts of the move of a customer to another service integrator. */
export const customerMoveTexts = {
  title: 'Move to another service integrator',
  description:
    'The license key stays valid, and nobody is signed out. The former service integrator keeps its audit entries until the move, and sees nothing else of this customer.',
  integrator: 'New service integrator',
  records: 'Take tags, notes, custom fields and external ID along',
  recordsHint: 'The new service integrator can then read what the former one wrote about this customer.',
  loading: 'Loading what the move changes',
  loadFailed: 'Failed to load what the move changes',
  changes: 'Changes',
  along: ({ impact }: CustomerMove): string => {
    const { users, activeDeveloperSeats, activeStakeholderSeats, portalSessions, connections, apiTokens, apiCalls } = impact;
    return [
      many(users, 'user', 'users'),
      many(activeDeveloperSeats + activeStakeholderSeats, 'claimed seat', 'claimed seats'),
      many(portalSessions, 'portal session', 'portal sessions'),
      many(connections, 'connected tool', 'connected tools'),
      many(apiTokens, 'API token', 'API tokens'),
      many(apiCalls, 'recorded API call', 'recorded API calls'),
    ].join(', ');
  },
  comesAlong: 'Moves along',
  nameTaken: ({ to }: CustomerMove): string => `${to.name} has another customer of this name. You can rename this one afterwards.`,
  cancel: 'Cancel',
  confirm: 'Move customer',
  moving: 'Moving…',
  moved: (integrator: string): string => `The customer belongs to ${integrator} now`,
  moveFailed: 'Failed to move the customer',
} as const;
