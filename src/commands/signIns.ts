import type { CustomerId, IntegratorId, UserId } from '../domain/ids.ts';
import type { SignInAudience, SignInOutcome, SignInsRecorded } from '../domain/signIns/events.ts';
import type { SignInMethod } from '../domain/signIns/methods.ts';
import { dayOf } from '../domain/time.ts';
import { type AppendQueueDeps, createAppendQueue } from './appendQueue.ts';
import { streams } from './streams.ts';

/** A sign-in attempt. `network` is the wider network of the address. */
export type SignIn = Readonly<{
  audience: SignInAudience;
  outcome: SignInOutcome;
  reason: string | null;
  method: SignInMethod | null;
  address: string | null;
  network: string | null;
  customerId: CustomerId | null;
  integratorId: IntegratorId | null;
  userId: UserId | null;
  fingerprint: string | null;
}>;

/** Appends sign-ins as events, combined by address, outcome and account. */
export type SignInRecorder = Readonly<{
  /** Returns immediately and never throws: a sign-in does not fail because it cannot be recorded. */
  record: (signIn: SignIn) => void;
  /** Sign-ins lost since the start because the event store was unavailable for too long. */
  lost: () => number;
  /** Records the counts so far. */
  close: () => Promise<void>;
}>;

type Data = SignInsRecorded['data'];
type Counted = { data: Data; fingerprints: Set<string>; openedAt: number; count: number };

const WINDOW_MS = 60_000;
/** The most entries counted by address within a minute, and then by network; further ones count as from an unknown address. */
const COUNTED = { accepted: 5_000, addresses: 1_000, networks: 1_000 } as const;
const KEYS = 16;
const SENT_AT_ONCE = 500;

/**
 * Records sign-ins in the event store, one stream per day: the first of an address, audience and outcome within a second, and those that
 * follow within a minute as one event with their count. Memory is bounded, whatever is sent. `now` returns ms since 1970 and `newId` a
 * UUID; `isErased` recognises an append that failed because the account that it names was erased: that event is left out.
 */
export const createSignInRecorder = ({
  now,
  kept = 10_000,
  ...deps
}: AppendQueueDeps & {
  now: () => number;
  /** The most events that wait for the event store. */
  kept?: number;
}): SignInRecorder => {
  const counted = new Map<string, Counted>();
  let lost = 0;
  const queue = createAppendQueue<SignInsRecorded>(deps, {
    actorId: 'sign-ins',
    kept,
    atOnce: SENT_AT_ONCE,
    beforeSend: () => closeWindows(now() - WINDOW_MS),
  });

  const enqueue = (data: Data): void => {
    const stream = streams.signIns(dayOf(data.lastAt));
    lost += queue.add(stream, { type: 'SignInsRecorded', data }, data.lastAt)?.data.count ?? 0;
  };

  /** The network instead of the address if too many addresses are counted; null if too many networks are. */
  const addressOf = ({ address, network, outcome }: SignIn): string | null => {
    const most = outcome === 'accepted' ? COUNTED.accepted : COUNTED.addresses;
    if (counted.size < most) return address;
    return counted.size < most + COUNTED.networks ? network : null;
  };

  const keyOf = ({ audience, outcome, reason, method, customerId, integratorId, userId }: SignIn, address: string | null): string =>
    JSON.stringify([audience, outcome, reason, method, address, customerId, integratorId, userId]);

  const record = (signIn: SignIn): void => {
    const at = now();
    const time = new Date(at).toISOString();
    const known = counted.get(keyOf(signIn, signIn.address));
    const address = known ? signIn.address : addressOf(signIn);
    const key = keyOf(signIn, address);
    const same = counted.get(key);
    const { fingerprint } = signIn;
    if (same) {
      if (fingerprint !== null && same.fingerprints.size < KEYS) same.fingerprints.add(fingerprint);
      same.data = { ...same.data, fingerprint, lastAt: time, firstAt: same.count === 0 ? time : same.data.firstAt };
      same.count += 1;
      return;
    }
    const { audience, outcome, reason, method, customerId, integratorId, userId } = signIn;
    const keys = fingerprint === null ? 0 : 1;
    const data: Data = {
      audience,
      outcome,
      reason,
      method,
      address,
      customerId,
      integratorId,
      userId,
      fingerprint,
      keys,
      count: 1,
      firstAt: time,
      lastAt: time,
    };
    enqueue(data);
    counted.set(key, { data, fingerprints: new Set(), openedAt: at, count: 0 });
  };

  const closeWindows = (openedBefore: number): void => {
    for (const [key, { data, fingerprints, openedAt, count }] of counted) {
      if (openedAt > openedBefore) break; // in the order in which they were opened
      counted.delete(key);
      if (count > 0) enqueue({ ...data, count, keys: fingerprints.size });
    }
  };

  return {
    record,
    lost: () => lost,
    close: () => {
      closeWindows(Number.POSITIVE_INFINITY);
      return queue.close();
    },
  };
};
