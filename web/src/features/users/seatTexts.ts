import type { Seat, SeatDenials } from '../../../../src/contracts/seats.ts';
import { format } from '../../lib/format.ts';

const reasons = {
  seat_limit_reached: 'no seat was free',
  customer_suspended: 'the customer is suspended',
  customer_churned: 'the license has ended',
  license_expired: 'the license has expired',
  user_suspended: 'the user is suspended',
  user_inactive: 'the user is inactive',
  role_not_allowed: 'stakeholders may not use the tool',
} satisfies Record<SeatDenials['reason'], string>;

export const seatTexts = {
  title: 'Seats',
  sub: (customer: string): string => `Who holds the seats of ${customer}, and how they use them`,
  portalSub: 'Who holds the seats of your license, and how they use them',
  back: { customer: 'Back to the customer', users: 'Back to users', customers: 'Back to customers' },
  kinds: { developer: 'Developer seats', stakeholder: 'Stakeholder seats' } satisfies Record<Seat['kind'], string>,
  kind: { developer: 'Developer', stakeholder: 'Stakeholder' } satisfies Record<Seat['kind'], string>,
  full: 'All seats of a kind are taken. Release one, or allocate more.',
  /** Who shares floating developer seats, and when one becomes free. */
  shared: (users: number, minutes: number): string => {
    const who = users === 1 ? '1 active user shares' : `${format.whole(users)} active users share`;
    const time = minutes === 1 ? '1 minute' : `${format.whole(minutes)} minutes`;
    return `${who} the floating developer seats. A seat becomes free ${time} after the last use.`;
  },
  notEnforced: 'Limits are not enforced: users above the limit get a seat too.',
  denials: 'Denied seats of the last 7 days',
  denied: ({ kind, reason, persons, attempts }: SeatDenials): string => {
    const who = persons === 1 ? '1 person was' : persons === 0 ? 'Others were' : `${persons} persons were`;
    return `${who} denied a ${kind} seat in the last 7 days: ${reasons[reason]} (${attempts} ${attempts === 1 ? 'attempt' : 'attempts'})`;
  },
  showDenials: { admin: 'Show in the audit', integrator: 'Show in the audit', portal: 'Show who was denied' },
  search: 'Search seats',
  searchHint: 'Search username or email',
  filterKind: 'Filter by kind',
  filterIdle: 'Filter by idle time',
  all: 'All',
  anyUse: 'Any',
  idleFor: (days: string): string => `Idle ${days}+ days`,
  list: 'Seats',
  noun: 'seats',
  loading: 'Loading seats',
  loadFailed: 'Failed to load seats',
  none: 'No seat is taken',
  noneHint: 'A user takes a seat with the first sign-in of the command-line tool.',
  noneFound: 'No seats found',
  noneFoundHint: 'Try another username or email, or clear the filters.',
  clearFilters: 'Clear filters',
  missing: {
    admin: { title: 'Customer not found', hint: 'It may have been deleted, or the address is wrong.' },
    integrator: {
      title: 'Customer not found',
      hint: 'It may have been deleted or moved to another service integrator, or the address is wrong.',
    },
    /** Of a customer that the screen has shown. */
    gone: {
      title: 'No longer your customer',
      hint: 'It was deleted or moved to another service integrator.',
    },
  },
  columns: {
    holder: 'Holder',
    kind: 'Seat',
    since: 'Since',
    idle: 'Idle since',
    freeAt: 'Free at',
    lastCall: 'Last call',
    machine: 'Machine',
    actions: 'Actions',
  },
  connected: 'Connected',
  whileConnected: 'Held while connected',
  own: 'Named seat',
  freeAt: 'Free at',
  release: 'Release',
  releaseOf: (username: string): string => `Release the seat of ${username}`,
  releasing: 'Releasing…',
  released: (username: string): string => `The floating seat of ${username} is free`,
  releaseFailed: 'Failed to release the seat',
  releaseHint: 'Deactivating, suspending or removing the user releases the seat.',
  freeHint: 'Releasing disconnects the tool. The user stays active, and takes a seat again with the next use.',
} as const;
