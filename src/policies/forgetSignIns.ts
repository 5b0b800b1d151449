import { ownerOf } from '../commands/streams.ts';
import { DAY_MS } from '../domain/time.ts';
import type { EventStore } from '../eventstore/port.ts';
import { type Policy, policyOn } from './engine/policy.ts';

/** When the UTC day of a stream ended, ms since 1970. */
const endOfDay = (stream: string): number => {
  const day = ownerOf.signIns(stream);
  return Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6, 8))) + DAY_MS;
};

/**
 * Deletes each day's sign-ins after the retention period, and destroys the key that sealed the addresses of that day. It looks at each
 * day once a day, so that another retention period also applies to days before its change.
 * `destroyKey` also destroys the keys of earlier days, which have events of sessions of the day before and no sign-in.
 */
export const forgetSignIns = ({
  events,
  destroyKey,
  retentionDays,
}: {
  events: Pick<EventStore, 'deleteStream'>;
  destroyKey: (day: string) => Promise<void>;
  retentionDays: number;
}): Policy =>
  policyOn({
    name: 'forgetSignIns',
    eventTypes: ['SignInsRecorded'],
    react: async ({ stream, revision }, { notes }) => {
      if (revision === 0n) await notes.put(stream, '', new Date(endOfDay(stream)));
    },
    onDue: async ({ key }, { notes, now }) => {
      const end = endOfDay(key) + retentionDays * DAY_MS;
      if (now() < end) return notes.put(key, '', new Date(Math.min(end, now() + DAY_MS)));
      await events.deleteStream(key as `signIns-${string}`);
      await destroyKey(ownerOf.signIns(key));
    },
  });
