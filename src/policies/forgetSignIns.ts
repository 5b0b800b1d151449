import { ownerOf } from '../commands/streams.ts';
import { SIGN_IN_RETENTION_DAYS } from '../domain/limits.ts';
import type { EventStore } from '../eventstore/port.ts';
import type { Policy } from './engine/policy.ts';

const DAY_MS = 86_400_000;

/** Deletes each day's sign-ins after the retention period, and destroys the key that sealed the addresses of that day. */
export const forgetSignIns = ({
  events,
  destroyKey,
}: {
  events: Pick<EventStore, 'deleteStream'>;
  destroyKey: (day: string) => Promise<void>;
}): Policy => ({
  name: 'forgetSignIns',
  categories: ['signIns'],
  react: async ({ stream, revision, meta }, { notes }) => {
    if (revision > 0n) return;
    const dayEnd = Date.parse(`${meta.at.slice(0, 10)}T00:00:00Z`) + DAY_MS;
    await notes.put(stream, '', new Date(dayEnd + SIGN_IN_RETENTION_DAYS * DAY_MS));
  },
  onDue: async ({ key }) => {
    await events.deleteStream(key as `signIns-${string}`);
    await destroyKey(ownerOf.signIns(key));
  },
});
