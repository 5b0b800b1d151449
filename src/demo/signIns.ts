import { streams } from '../commands/streams.ts';
import type { EventMeta } from '../domain/event.ts';
import type { CustomerId, IntegratorId, UserId } from '../domain/ids.ts';
import type { SignInAudience, SignInOutcome, SignInsRecorded } from '../domain/signIns/events.ts';
import { dayOf } from '../domain/time.ts';
import { newLicenseKey } from '../security/keys.ts';
import type { ToolSignIn } from './customerActions.ts';
import { instantAt, type SeedContext } from './datedActions.ts';

const DAYS = 14;
/** The number of wrong keys that one address may send in a minute before it is throttled. */
const ATTEMPTS = 10;

/** An account that signs in with its key, from one address. */
export type SignInAccount = Readonly<{
  customerId: CustomerId | null;
  integratorId: IntegratorId | null;
  key: string;
  address: string;
  toolSignIns: readonly ToolSignIn[];
}>;

type Entry = Readonly<{ daysAgo: number; data: Omit<SignInsRecorded['data'], 'firstAt' | 'lastAt'> }>;

/** An address that is reserved for documentation, for each number up to 253. */
const addressOf = (number: number): string => `203.0.113.${number + 1}`;

const entryOf = (
  context: SeedContext,
  daysAgo: number,
  {
    audience,
    address,
    account,
    userId = null,
  }: { audience: SignInAudience; address: string; account: SignInAccount; userId?: UserId | null },
): Entry => {
  const { customerId, integratorId, key } = account;
  const fingerprint = context.product.fingerprint(key);
  return {
    daysAgo,
    data: {
      audience,
      outcome: 'accepted',
      reason: null,
      method: 'key',
      address,
      customerId,
      integratorId,
      userId,
      fingerprint,
      keys: 1,
      count: 1,
    },
  };
};

const wrongKeys = (
  { product, keyPrefix }: SeedContext,
  daysAgo: number,
  refused: { audience: SignInAudience; outcome: SignInOutcome; reason: string; address: string; keys: number; count: number },
): Entry => {
  const fingerprint = product.fingerprint(newLicenseKey(keyPrefix));
  return { daysAgo, data: { ...refused, method: 'key', customerId: null, integratorId: null, userId: null, fingerprint } };
};

const acceptedOf = (context: SeedContext, account: SignInAccount): Entry[] => {
  const { random } = context;
  const { customerId, address, toolSignIns } = account;
  const audience = customerId === null ? 'integrator' : 'customer';
  const inConsole = Array.from({ length: random.between(1, 3) }, () =>
    entryOf(context, 0.05 + random.next() * (DAYS - 1), { audience, address, account }),
  );
  const byTools = toolSignIns
    .filter(({ daysAgo }) => daysAgo < DAYS)
    .map(({ daysAgo, userId }) => entryOf(context, daysAgo, { audience: 'cli', address, account, userId }));
  return [...inConsole, ...byTools];
};

const ADMINISTRATION: Omit<SignInAccount, 'key'> = {
  customerId: null,
  integratorId: null,
  address: '198.51.100.7',
  toolSignIns: [],
};

const administratorsOf = (context: SeedContext, adminKey: string): Entry[] => {
  const account = { ...ADMINISTRATION, key: adminKey };
  return Array.from({ length: DAYS }, (_, day) =>
    entryOf(context, day + 0.1 + context.random.next() * 0.3, { audience: 'admin', address: account.address, account }),
  );
};

/** Rejected sign-ins: mistyped keys, and one address that guesses. */
const refusedOf = (context: SeedContext): Entry[] => {
  const mistyped = (daysAgo: number, audience: SignInAudience, reason: string, office: number): Entry =>
    wrongKeys(context, daysAgo, { audience, outcome: 'rejected', reason, address: addressOf(office), keys: 1, count: 1 });
  const guessing = { audience: 'customer', address: '192.0.2.44' } as const;
  return [
    mistyped(10.3, 'customer', 'unknown_license_key', 3),
    mistyped(7.6, 'cli', 'unknown_license_key', 8),
    mistyped(4.4, 'integrator', 'unknown_master_license_key', 40),
    wrongKeys(context, 2.25, { ...guessing, outcome: 'rejected', reason: 'unknown_license_key', keys: ATTEMPTS, count: ATTEMPTS }),
    wrongKeys(context, 2.2499, { ...guessing, outcome: 'throttled', reason: 'too_many_attempts', keys: 16, count: 57 }),
    wrongKeys(context, 1.3, {
      audience: 'admin',
      outcome: 'rejected',
      reason: 'wrong_admin_key',
      address: ADMINISTRATION.address,
      keys: 1,
      count: 2,
    }),
    mistyped(0.21, 'cli', 'unknown_license_key', 12),
  ];
};

/** Appends accepted and rejected sign-ins of the last two weeks, a stream for each day, in the order of their times. */
export const writeSignIns = async (
  context: SeedContext,
  accounts: readonly Omit<SignInAccount, 'address'>[],
  adminKey: string,
): Promise<void> => {
  const entries = [
    ...accounts.flatMap((account, index) => acceptedOf(context, { ...account, address: addressOf(index) })),
    ...administratorsOf(context, adminKey),
    ...refusedOf(context),
  ].sort((one, other) => other.daysAgo - one.daysAgo);
  const days = new Map<string, { event: SignInsRecorded; meta: EventMeta }[]>();
  for (const { daysAgo, data } of entries) {
    const at = instantAt(context, daysAgo);
    const id = context.product.newId();
    const meta: EventMeta = {
      actor: { kind: 'system', id: 'sign-ins' },
      commandId: id,
      correlationId: id,
      causationId: null,
      at,
    };
    const day = dayOf(at);
    const event: SignInsRecorded = { type: 'SignInsRecorded', data: { ...data, firstAt: at, lastAt: at } };
    days.set(day, [...(days.get(day) ?? []), { event, meta }]);
  }
  for (const [day, written] of days) {
    await context.product.events.append(
      streams.signIns(day),
      written.map(({ event }) => event),
      { expected: 'any', meta: written.map(({ meta }) => meta) },
    );
  }
};
