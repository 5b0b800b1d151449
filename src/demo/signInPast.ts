import { streams } from '../commands/streams.ts';
import type { EventMeta } from '../domain/event.ts';
import type { CustomerId, IntegratorId, UserId } from '../domain/ids.ts';
import type { SignInAudience, SignInOutcome, SignInsRecorded } from '../domain/signIns/events.ts';
import { newLicenseKey } from '../security/keys.ts';
import type { ToolSignIn } from './customerPast.ts';
import { instantAt, type Stage } from './stage.ts';

const DAYS = 14;
/** Wrong keys that one address sends within a minute before it has to wait. */
const ATTEMPTS = 10;

/** An account that signed in with its key, from the address of its office. */
export type SigningIn = Readonly<{
  customerId: CustomerId | null;
  integratorId: IntegratorId | null;
  key: string;
  address: string;
  toolSignIns: readonly ToolSignIn[];
}>;

type Entry = Readonly<{ daysAgo: number; data: Omit<SignInsRecorded['data'], 'firstAt' | 'lastAt'> }>;

/** Addresses for documentation, one for each number up to 253. */
const addressOf = (number: number): string => `203.0.113.${number + 1}`;

const entryOf = (
  stage: Stage,
  daysAgo: number,
  {
    audience,
    address,
    account,
    userId = null,
  }: { audience: SignInAudience; address: string; account: SigningIn; userId?: UserId | null },
): Entry => {
  const { customerId, integratorId, key } = account;
  const fingerprint = stage.product.fingerprint(key);
  return {
    daysAgo,
    data: {
      audience,
      outcome: 'accepted',
      reason: null,
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
  { product, keyPrefix }: Stage,
  daysAgo: number,
  refused: { audience: SignInAudience; outcome: SignInOutcome; reason: string; address: string; keys: number; count: number },
): Entry => {
  const fingerprint = product.fingerprint(newLicenseKey(keyPrefix));
  return { daysAgo, data: { ...refused, customerId: null, integratorId: null, userId: null, fingerprint } };
};

const acceptedOf = (stage: Stage, account: SigningIn): Entry[] => {
  const { random } = stage;
  const { customerId, address, toolSignIns } = account;
  const audience = customerId === null ? 'integrator' : 'customer';
  const inConsole = Array.from({ length: random.between(1, 3) }, () =>
    entryOf(stage, 0.05 + random.next() * (DAYS - 1), { audience, address, account }),
  );
  const byTools = toolSignIns
    .filter(({ daysAgo }) => daysAgo < DAYS)
    .map(({ daysAgo, userId }) => entryOf(stage, daysAgo, { audience: 'cli', address, account, userId }));
  return [...inConsole, ...byTools];
};

const ADMINISTRATION: Omit<SigningIn, 'key'> = {
  customerId: null,
  integratorId: null,
  address: '198.51.100.7',
  toolSignIns: [],
};

const administratorsOf = (stage: Stage, adminKey: string): Entry[] => {
  const account = { ...ADMINISTRATION, key: adminKey };
  return Array.from({ length: DAYS }, (_, day) =>
    entryOf(stage, day + 0.1 + stage.random.next() * 0.3, { audience: 'admin', address: account.address, account }),
  );
};

/** Mistyped keys, and one address that tried many. */
const refusedOf = (stage: Stage): Entry[] => {
  const mistyped = (daysAgo: number, audience: SignInAudience, reason: string, office: number): Entry =>
    wrongKeys(stage, daysAgo, { audience, outcome: 'rejected', reason, address: addressOf(office), keys: 1, count: 1 });
  const guessing = { audience: 'customer', address: '192.0.2.44' } as const;
  return [
    mistyped(10.3, 'customer', 'unknown_license_key', 3),
    mistyped(7.6, 'cli', 'unknown_license_key', 8),
    mistyped(4.4, 'integrator', 'unknown_master_license_key', 40),
    wrongKeys(stage, 2.25, { ...guessing, outcome: 'rejected', reason: 'unknown_license_key', keys: ATTEMPTS, count: ATTEMPTS }),
    wrongKeys(stage, 2.2499, { ...guessing, outcome: 'throttled', reason: 'too_many_attempts', keys: 16, count: 57 }),
    wrongKeys(stage, 1.3, {
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

/** Writes who signed in during the last two weeks, and who could not, a stream a day in the order in which it happened. */
export const writeSignIns = async (
  stage: Stage,
  accounts: readonly Omit<SigningIn, 'address'>[],
  adminKey: string,
): Promise<void> => {
  const entries = [
    ...accounts.flatMap((account, index) => acceptedOf(stage, { ...account, address: addressOf(index) })),
    ...administratorsOf(stage, adminKey),
    ...refusedOf(stage),
  ].sort((one, other) => other.daysAgo - one.daysAgo);
  const days = new Map<string, { event: SignInsRecorded; meta: EventMeta }[]>();
  for (const { daysAgo, data } of entries) {
    const at = instantAt(stage, daysAgo);
    const id = stage.product.newId();
    const meta: EventMeta = {
      actor: { kind: 'system', id: 'sign-ins' },
      commandId: id,
      correlationId: id,
      causationId: null,
      at,
    };
    const day = at.slice(0, 10);
    const event: SignInsRecorded = { type: 'SignInsRecorded', data: { ...data, firstAt: at, lastAt: at } };
    days.set(day, [...(days.get(day) ?? []), { event, meta }]);
  }
  for (const [day, written] of days) {
    await stage.product.events.append(
      streams.signIns(day),
      written.map(({ event }) => event),
      { expected: 'any', meta: written.map(({ meta }) => meta) },
    );
  }
};
