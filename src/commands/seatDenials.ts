import { caseless } from '../domain/caseless.ts';
import type { CustomerId } from '../domain/ids.ts';
import type { SeatDenied } from '../domain/seatDenials/events.ts';
import { type AppendQueueDeps, createAppendQueue } from './appendQueue.ts';
import { streams } from './streams.ts';

type Data = SeatDenied['data'];
/** A sign-in that was refused a seat. */
export type SeatDenial = Omit<Data, 'count' | 'firstAt' | 'lastAt'>;

/** Appends refused seats as events, combined by person, kind and reason. */
export type SeatDenialRecorder = Readonly<{
  /** Returns immediately and never throws: the reply does not depend on it. */
  record: (denial: SeatDenial) => void;
  /** Records the counts so far. */
  close: () => Promise<void>;
}>;

/** Denials of a window: `count` are those after the first, which is an event of its own. */
type Window = { data: Data; openedAt: number; count: number };

const WINDOW_MS = 60_000;
const SENT_AT_ONCE = 100;
/** Persons of a customer that are named within a minute. */
const MAX_PERSONS = 100;

/**
 * Records refused seats, in one stream for each customer: at most two events a minute for a person, a kind and a reason. Persons beyond
 * `MAX_PERSONS` of a customer within a minute are counted together, so that the holder of a license key cannot fill the store. Memory is bounded:
 * what exceeds `kept` while the event store is unavailable is dropped. `now` returns ms since 1970 and `newId` a UUID; `isErased` recognises an
 * append that failed because the customer was erased.
 */
export const createSeatDenialRecorder = ({
  now,
  kept = 10_000,
  ...deps
}: AppendQueueDeps & { now: () => number; kept?: number }): SeatDenialRecorder => {
  const windows = new Map<string, Window>();
  const persons = new Map<CustomerId, number>();
  const queue = createAppendQueue<SeatDenied>(deps, {
    actorId: 'seats',
    kept,
    atOnce: SENT_AT_ONCE,
    beforeSend: () => closeWindows(now() - WINDOW_MS),
  });

  const enqueue = (data: Data): void => {
    queue.add(streams.seatDenials(data.customerId), { type: 'SeatDenied', data }, data.lastAt);
  };

  const keyOf = ({ customerId, userId, username, kind, reason }: SeatDenial): string =>
    JSON.stringify([customerId, userId, username && caseless(username), kind, reason]);

  const record = (denial: SeatDenial): void => {
    const at = now();
    const time = new Date(at).toISOString();
    const isNamed = windows.has(keyOf(denial)) || (persons.get(denial.customerId) ?? 0) < MAX_PERSONS;
    const counted = isNamed ? denial : { ...denial, userId: null, username: null };
    const key = keyOf(counted);
    const known = windows.get(key);
    if (known) {
      known.data = { ...known.data, lastAt: time, firstAt: known.count === 0 ? time : known.data.firstAt };
      known.count += 1;
      return;
    }
    const data = { ...counted, count: 1, firstAt: time, lastAt: time };
    enqueue(data);
    windows.set(key, { data, openedAt: at, count: 0 });
    persons.set(denial.customerId, (persons.get(denial.customerId) ?? 0) + 1);
  };

  const closeWindows = (openedBefore: number): void => {
    for (const [key, { data, openedAt, count }] of windows) {
      if (openedAt > openedBefore) break; // in the order in which they were opened
      windows.delete(key);
      const left = (persons.get(data.customerId) ?? 1) - 1;
      if (left > 0) persons.set(data.customerId, left);
      else persons.delete(data.customerId);
      if (count > 0) enqueue({ ...data, count });
    }
  };

  return {
    record,
    close: () => {
      closeWindows(Number.POSITIVE_INFINITY);
      return queue.close();
    },
  };
};
