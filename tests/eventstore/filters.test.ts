import { randomUUID } from 'node:crypto';
import {
  type AllStreamSubscription,
  eventTypeFilter,
  excludeSystemEvents,
  jsonEvent,
  type Position,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/eventually.ts';
import { type EventStoreUnderTest, newStream, openEventStore, seatsClaimed } from './support.ts';

let store: EventStoreUnderTest;
/** So unusual that no event of others matches our filters. */
const mark = randomUUID().replaceAll('-', '');
const license = (): string => newStream(`license${mark}`);
const user = (): string => newStream(`user${mark}`);

beforeAll(async () => {
  store = await openEventStore();
});
afterAll(() => store.close());

type Seen = { stream: string; type: string; position: bigint };

/** Takes what a subscription delivers until `enough` says so, then ends it. */
const take = async (subscription: AllStreamSubscription, enough: (seen: readonly Seen[]) => boolean): Promise<Seen[]> => {
  const seen: Seen[] = [];
  for await (const { event } of subscription) {
    if (!event) continue;
    seen.push({ stream: event.streamId, type: event.type, position: event.position?.commit ?? 0n });
    if (enough(seen)) break;
  }
  await subscription.unsubscribe();
  return seen;
};

const append = async (stream: string, ...types: string[]): Promise<Position> => {
  const { position } = await store.client.appendToStream(
    stream,
    types.map((type) => jsonEvent({ type, data: {} })),
  );
  if (!position) throw new Error('The append returned no position');
  return position;
};

describe('a subscription to $all', () => {
  it('delivers only streams whose name has a prefix', async () => {
    const [one, other, foreign] = [license(), user(), newStream()];
    await append(one, 'LicenseIssued');
    await append(foreign, 'LicenseIssued');
    await append(other, 'UserRegistered');
    const filter = streamNameFilter({ prefixes: [`license${mark}`, `user${mark}`] });
    const seen = await take(store.client.subscribeToAll({ fromPosition: START, filter }), ({ length }) => length === 2);
    expect(seen.map(({ stream }) => stream)).toEqual([one, other]);
  });

  it('delivers only streams whose name matches a regular expression', async () => {
    const stream = newStream(`license${mark}`);
    await append(stream, 'LicenseIssued', 'SeatsAllocated');
    const filter = streamNameFilter({ regex: `^licen[cs]e${mark}-.*${stream.slice(-6)}$` });
    const seen = await take(store.client.subscribeToAll({ fromPosition: START, filter }), ({ length }) => length === 2);
    expect(seen.map(({ type }) => type)).toEqual(['LicenseIssued', 'SeatsAllocated']);
  });

  it('delivers only events whose type has a prefix, of any stream', async () => {
    const after = await append(license(), 'Ignored');
    await append(license(), `Seat${mark}Claimed`, 'Ignored');
    await append(user(), 'Ignored', `Seat${mark}Released`);
    const filter = eventTypeFilter({ prefixes: [`Seat${mark}`] });
    const seen = await take(store.client.subscribeToAll({ fromPosition: after, filter }), ({ length }) => length === 2);
    expect(seen.map(({ type }) => type)).toEqual([`Seat${mark}Claimed`, `Seat${mark}Released`]);
  });

  it('delivers only events whose type matches a regular expression', async () => {
    const after = await append(license(), 'Ignored');
    await append(license(), `Theme${mark}Created`, `Seat${mark}Claimed`, `Theme${mark}Deleted`);
    const filter = eventTypeFilter({ regex: `^Theme${mark}` });
    const seen = await take(store.client.subscribeToAll({ fromPosition: after, filter }), ({ length }) => length === 2);
    expect(seen.map(({ type }) => type)).toEqual([`Theme${mark}Created`, `Theme${mark}Deleted`]);
  });

  it('can exclude system events', async () => {
    const stream = license();
    const after = await append(stream, 'LicenseIssued');
    await store.client.setStreamMetadata(stream, { maxCount: 10 });
    await append(stream, `Last${mark}`);
    const subscription = store.client.subscribeToAll({ fromPosition: after, filter: excludeSystemEvents() });
    const seen = await take(subscription, (events) => events.some(({ type }) => type === `Last${mark}`));
    expect(seen.filter(({ type }) => type.startsWith('$'))).toEqual([]);
  });

  it('filters new events too', async () => {
    const [one, foreign] = [license(), newStream()];
    const after = await append(one, 'LicenseIssued');
    const subscription = store.client.subscribeToAll({
      fromPosition: after,
      filter: streamNameFilter({ prefixes: [`license${mark}`] }),
    });
    const taken = take(subscription, ({ length }) => length === 2);
    await new Promise((resolve) => subscription.once('confirmation', resolve));
    await append(foreign, 'Ignored');
    await append(one, 'SeatsAllocated');
    await append(one, 'SeatLimitsEnforced');
    expect((await taken).map(({ type }) => type)).toEqual(['SeatsAllocated', 'SeatLimitsEnforced']);
  });
});

describe('checkpoints', () => {
  it('are delivered in ascending order if no event matches', async () => {
    const after = await append(license(), 'LicenseIssued');
    for (let round = 0; round < 4; round++) await store.client.appendToStream(newStream(), seatsClaimed(100));
    const checkpoints: bigint[] = [];
    const subscription = store.client.subscribeToAll({
      fromPosition: after,
      filter: streamNameFilter({
        prefixes: [`nobody${mark}`],
        checkpointInterval: 1,
        checkpointReached: (_, position) => {
          checkpoints.push(position.commit);
        },
      }),
    });
    const delivered = take(subscription, () => true);
    await until(() => checkpoints.some((position) => position >= after.commit + 300n));
    await subscription.unsubscribe();
    expect(await delivered).toEqual([]);
    expect(checkpoints).toEqual([...new Set(checkpoints)].toSorted((a, b) => (a < b ? -1 : 1)));
  });

  it('are never before the last delivered event nor after the next one', async () => {
    const stream = license();
    const after = await append(stream, 'LicenseIssued');
    for (let round = 0; round < 20; round++) {
      await append(stream, 'SeatsAllocated', 'SeatsAllocated', 'SeatsAllocated');
      await store.client.appendToStream(newStream(), seatsClaimed(10));
    }
    const last = await append(stream, `Last${mark}`);
    const steps: { kind: 'event' | 'checkpoint'; at: bigint }[] = [];
    const subscription = store.client.subscribeToAll({
      fromPosition: after,
      filter: streamNameFilter({
        prefixes: [stream],
        checkpointInterval: 1,
        checkpointReached: (_, { commit }) => void steps.push({ kind: 'checkpoint', at: commit }),
      }),
    });
    for await (const { event } of subscription) {
      steps.push({ kind: 'event', at: event?.position?.commit ?? 0n });
      if (event?.position?.commit === last.commit) break;
    }
    await subscription.unsubscribe();
    const checkpoints = steps.filter(({ kind }) => kind === 'checkpoint');
    expect(checkpoints.length).toBeGreaterThan(2);
    const events = steps.filter(({ kind }) => kind === 'event').map(({ at }) => at);
    for (const { at } of checkpoints) {
      // Resuming there must give exactly the events that follow it.
      const resumed = store.client.subscribeToAll({
        fromPosition: { commit: at, prepare: at },
        filter: streamNameFilter({ prefixes: [stream] }),
      });
      const expected = events.filter((position) => position > at);
      if (expected.length === 0) {
        await resumed.unsubscribe();
        continue;
      }
      const seen = await take(resumed, ({ length }) => length === expected.length);
      expect(seen.map(({ position }) => position)).toEqual(expected);
    }
  });
});
