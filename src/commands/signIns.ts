import type { EventMeta } from '../domain/event.ts';
import type { CustomerId, IntegratorId, UserId } from '../domain/ids.ts';
import type { SignInAudience, SignInOutcome, SignInsRecorded } from '../domain/signIns/events.ts';
import type { SignInMethod } from '../domain/signIns/methods.ts';
import { type EventStore, EventStoreUnavailable } from '../eventstore/port.ts';
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
type Outgoing = { id: string; day: string; event: SignInsRecorded; meta: EventMeta };

const SEND_MS = 1_000;
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
  events,
  now,
  newId,
  isErased,
  onError,
  kept = 10_000,
}: {
  events: Pick<EventStore, 'append'>;
  now: () => number;
  newId: () => string;
  isErased: (error: unknown) => boolean;
  onError: (error: unknown) => void;
  /** The most events that wait for the event store. */
  kept?: number;
}): SignInRecorder => {
  const counted = new Map<string, Counted>();
  const outgoing: Outgoing[] = [];
  let lost = 0;
  let sending: Promise<void> | undefined;

  const enqueue = (data: Data): void => {
    const id = newId();
    const meta = {
      actor: { kind: 'system', id: 'sign-ins' },
      commandId: id,
      correlationId: id,
      causationId: null,
      at: data.lastAt,
    } as const;
    outgoing.push({ id, day: data.lastAt.slice(0, 10), event: { type: 'SignInsRecorded', data }, meta });
    if (outgoing.length > kept) lost += outgoing.shift()?.event.data.count ?? 0;
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

  const append = async (day: string, batch: readonly Outgoing[]): Promise<void> => {
    await events.append(
      streams.signIns(day),
      batch.map(({ event }) => event),
      { expected: 'any', meta: batch.map(({ meta }) => meta), eventIds: batch.map(({ id }) => id) },
    );
  };

  /** The first events of the queue that are of the same day. */
  const nextBatch = (): Outgoing[] => {
    const end = outgoing.findIndex(({ day }) => day !== outgoing[0]?.day);
    return outgoing.slice(0, Math.min(SENT_AT_ONCE, end === -1 ? outgoing.length : end));
  };

  /** Appends the events one by one, because one of them made the append fail. */
  const appendEach = async (batch: readonly Outgoing[]): Promise<void> => {
    for (const one of batch) {
      await append(one.day, [one]).catch((error: unknown) => {
        if (error instanceof EventStoreUnavailable) throw error;
        if (!isErased(error)) onError(error);
      });
      outgoing.splice(outgoing.indexOf(one), 1);
    }
  };

  const send = async (): Promise<void> => {
    while (outgoing.length > 0) {
      const batch = nextBatch();
      try {
        await append(batch[0]?.day ?? '', batch);
      } catch (error) {
        if (error instanceof EventStoreUnavailable) throw error;
        await appendEach(batch);
        continue;
      }
      const sent = new Set(batch);
      outgoing.splice(0, outgoing.length, ...outgoing.filter((one) => !sent.has(one)));
    }
  };

  const sendAll = (): Promise<void> => {
    sending ??= send()
      .catch(onError)
      .finally(() => {
        sending = undefined;
      });
    return sending;
  };

  const timer = setInterval(() => {
    closeWindows(now() - WINDOW_MS);
    if (outgoing.length > 0) void sendAll();
  }, SEND_MS);
  timer.unref();

  return {
    record,
    lost: () => lost,
    close: async () => {
      clearInterval(timer);
      closeWindows(Number.POSITIVE_INFINITY);
      await sending;
      await sendAll();
    },
  };
};
