import { format } from '../../lib/format.ts';

/** A number with its noun in the singular or the plural. */
export const counted = (n: number, one: string, many: string): string => `${format.whole(n)} ${n === 1 ? one : many}`;

/** A list of words as a part of a sentence. */
export const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

export const impactTexts = {
  loading: 'Counting affected users and connections…',
  loadFailed: 'Failed to count affected users and connections',
  uncounted: 'The number of affected users and connections is not available.',
  effects: 'Effects',
  cancel: 'Cancel',

  suspendTitle: (name: string): string => `Suspend ${name}?`,
  churnTitle: (name: string): string => `Mark ${name} as churned?`,
  seatsTitle: (name: string): string => `Reduce the seats of ${name}?`,
  enforceTitle: (name: string): string => `Enforce the seat limits of ${name}?`,
  nameTitle: (name: string): string => `Give each developer of ${name} a named seat?`,
  suspend: 'Suspend',
  churn: 'Mark as churned',
  reduce: 'Reduce seats',
  enforce: 'Enforce limits',
  nameSeats: 'Use named seats',

  disconnected: (n: number): string => `${counted(n, 'connected CLI', 'connected CLIs')} will be disconnected.`,
  portalEnded: (n: number): string => `${counted(n, 'portal session', 'portal sessions')} will be signed out.`,
  names: ({ count: all, names }: { count: number; names: readonly string[] }): string =>
    all > names.length ? `${names.join(', ')} and ${format.whole(all - names.length)} more` : joined(names),
  nameOf: (name: string, owner: string): string => `${name} (${owner})`,
  allUsers: 'Show all users',
  allCustomers: 'Show all customers',
  memberSessionsEnded: (n: number): string => `${counted(n, 'session', 'sessions')} of this user will be signed out.`,
  tokensRefused: (n: number): string => `${counted(n, 'API token', 'API tokens')} will be refused.`,
  tokensEnded: (n: number): string => `${counted(n, 'API token', 'API tokens')} will stop working.`,
  seatReleased: (seat: string): string => `The ${seat} seat will be released.`,
  seatClaimed: (seat: string): string => `A ${seat} seat will be taken.`,
  seatsReleased: (n: number, seat: string): string => `${counted(n, `${seat} seat`, `${seat} seats`)} will be released.`,
  seatsFreed: (n: number): string =>
    `${counted(n, 'floating seat becomes', 'floating seats become')} free. ${n === 1 ? 'Its user stays' : 'Their users stay'} active.`,
  seatsClaimed: (n: number, seat: string): string => `${counted(n, `${seat} seat`, `${seat} seats`)} will be taken.`,
  severalUsersLockedOut: (n: number): string => `${counted(n, 'user', 'users')} can't sign in until you activate them.`,
  usersDisconnected: (n: number): string => `${counted(n, 'user', 'users')} will be disconnected.`,
  usersRefused: (n: number, reason: string): string => `${counted(n, 'user', 'users')} can't be changed: ${reason}`,
  userDisconnected: 'The connected CLI will be disconnected.',
  machinesRefused: (n: number): string => `${counted(n, 'machine', 'machines')} can't sign in.`,
  severalSessionsEnded: (n: number): string =>
    `${counted(n, 'session', 'sessions')} of these service integrators will be signed out.`,
  sessionsEnded: (n: number): string => `${counted(n, 'session', 'sessions')} of this service integrator will be signed out.`,
  usersLockedOut: (n: number): string => `${counted(n, 'user', 'users')} can't sign in until you reactivate the customer.`,
  usersOfSeveralLockedOut: (n: number): string =>
    `${counted(n, 'user', 'users')} can't sign in until you reactivate their customers.`,
  licenseLocksOut: (n: number): string => `${counted(n, 'user', 'users')} can't sign in, because the license expires.`,
  noSignIn: "The customer can't sign in until you reactivate it.",
  integratorUsersLockedOut: (n: number): string => `${counted(n, 'named user', 'named users')} can't sign in.`,
  integratorUsersRemoved: (n: number): string => `${counted(n, 'named user', 'named users')} can't sign in any more.`,
  severalIntegratorsNoSignIn: "The service integrators can't sign in until you reactivate them.",
  integratorNoSignIn: "The service integrator can't sign in until you reactivate it.",
  exceeding: (n: number, limit: number, seats: string): string =>
    `${counted(n, 'user exceeds', 'users exceed')} the limit of ${counted(limit, `${seats} seat`, `${seats} seats`)}.`,
  seatsTaken: (n: number, limit: number, seat: string): string =>
    `${format.whole(n)} of ${counted(limit, `${seat} seat`, `${seat} seats`)} ${n === 1 ? 'is' : 'are'} taken.`,
  seatsFull: (n: number, seat: string): string =>
    `${counted(n, `${seat} seat is`, `${seat} seats are`)} taken, and none is free. New users are rejected until one is.`,
  seatsUnlimited: (n: number, seat: string): string =>
    `${counted(n, `${seat} seat is`, `${seat} seats are`)} taken, of any number.`,
  seatsShared: (n: number, limit: number, seat: string): string =>
    `${counted(n, 'user shares', 'users share')} ${counted(limit, `floating ${seat} seat`, `floating ${seat} seats`)}.`,
  ofCustomer: (customer: string, text: string): string => `${customer}: ${text}`,
  seatsKept: 'They keep their seats. New users are rejected until enough seats are free.',
  seatsNotEnforced: 'Seat limits are not enforced, so no users are rejected.',
  removed: ({ users, credentials, apiCalls }: { users: number; credentials: number; apiCalls: number }): string | null => {
    const parts = [
      ...(users > 0 ? [counted(users, 'user', 'users')] : []),
      ...(credentials > 0 ? [counted(credentials, 'credential', 'credentials')] : []),
      ...(apiCalls > 0 ? [counted(apiCalls, 'recorded API call', 'recorded API calls')] : []),
    ];
    return parts.length > 0 ? `${joined(parts)} will be removed.` : null;
  },
  themesRemoved: (n: number): string => `${counted(n, 'custom theme', 'custom themes')} will be removed.`,
  customersKeep: (n: number): string => `${counted(n, 'customer keeps', 'customers keep')} access.`,
  noNewCustomers: 'No new customers can be created for it.',
  domainReleased: (domain: string): string => `The custom domain ${domain} will be released.`,
  brandingRemoved: 'White-label branding will be turned off.',
} as const;
