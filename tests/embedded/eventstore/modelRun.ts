import { randomUUID } from 'node:crypto';
import type { EventStoreDBClient, Position } from '@eventstore/db-client';
import { expect } from 'vitest';
import { collect } from '../../eventstore/support.ts';
import { followAll } from './modelFollowers.ts';
import { groupsOf, type Operation, STREAMS, type StoreOperation, type StreamOperation } from './modelOperations.ts';
import type { ModelStore } from './modelStore.ts';
import { type ModelStream, modelStream, type Written } from './modelStream.ts';

/** All streams are compared after so many operations, and after each kill and scavenge. */
const OPERATIONS_PER_COMPARISON = 50;

/** Waits for all; throws the error of the first that failed. */
const all = async (promises: readonly Promise<unknown>[]): Promise<void> => {
  const failed = (await Promise.allSettled(promises)).find((settled) => settled.status === 'rejected');
  if (failed) throw failed.reason;
};

const passTurns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** The position of the newest event of the store. */
const endOf = async (client: EventStoreDBClient): Promise<Position> => {
  const [newest] = await collect(client.readAll({ direction: 'backwards', fromPosition: 'end', maxCount: 1 }));
  if (!newest?.event) throw new Error('The store has no event');
  return newest.event.position;
};

/**
 * Applies the operations to streams of their own in the store and to the model, and compares after each group the streams that it
 * touched. Throws at the first difference, or when a subscription is not delivered within `withinMs`.
 */
export const runOperations = async (store: ModelStore, operations: readonly Operation[], withinMs: number): Promise<void> => {
  const prefix = `model${randomUUID()}`;
  const begin = await endOf(await store.client());
  const followers = [false, true].map((isFiltered) => followAll(store, prefix, begin, isFiltered));
  /** In the order of `$all`; `latest` is what was written since the last comparison. */
  const written: string[] = [];
  let latest: Written[] = [];
  const streams = Array.from({ length: STREAMS }, (_, index) =>
    modelStream(store, `${prefix}-${index}`, (each) => latest.push(each)),
  );

  /** Applies operations of different streams at the same time. */
  const applyTogether = async (group: readonly StreamOperation[]): Promise<ModelStream[]> => {
    const byStream = new Map<ModelStream, StreamOperation[]>();
    for (const each of group) {
      const stream = streams[each.stream];
      if (stream) byStream.set(stream, [...(byStream.get(stream) ?? []), each]);
    }
    await all(
      [...byStream].map(async ([stream, own]) => {
        for (const each of own) await stream.apply(each);
      }),
    );
    return [...byStream.keys()];
  };
  const kill = async ({ turns, appends }: StoreOperation & { kind: 'kill' }): Promise<void> => {
    await all(streams.map((stream) => stream.unsubscribe()));
    await all([applyTogether(appends), passTurns(turns).then(store.kill)]);
  };
  const scavenge = async (): Promise<void> => {
    await store.scavenge();
    for (const stream of streams) stream.scavenged();
  };

  const compare = async (touched: readonly ModelStream[]): Promise<void> => {
    written.push(...latest.sort((one, other) => Number(one.position - other.position)).map(({ id }) => id));
    latest = [];
    await all([
      ...touched.map((stream) => stream.compare(withinMs)),
      ...followers.map(async (follower) => {
        await follower.reach(written.length, withinMs);
        expect(follower.items).toEqual(written);
      }),
    ]);
  };
  const compareAll = async (): Promise<void> => {
    await compare(streams);
    const client = await store.client();
    const events = (await collect(client.readAll({ fromPosition: begin }))).map(({ event }) => event);
    const own = events.filter((event) => event?.streamId.startsWith(prefix) && event.type === 'SeatClaimed');
    const stored = new Set(streams.flatMap((stream) => stream.stored()));
    expect(own.map((event) => event?.id)).toEqual(written.filter((id) => stored.has(id)));
    const backwards = client.readAll({ direction: 'backwards', fromPosition: 'end', maxCount: events.length });
    expect((await collect(backwards)).map(({ event }) => event?.id)).toEqual(events.map((event) => event?.id).toReversed());
  };

  try {
    let compared = 0;
    let done = 0;
    for (const group of groupsOf(operations)) {
      if ('kind' in group) {
        await (group.kind === 'kill' ? kill(group) : group.kind === 'scavenge' ? scavenge() : store.stepClock());
        done++;
      } else {
        await compare(await applyTogether(group));
        done += group.length;
      }
      if (!('kind' in group) && done < compared + OPERATIONS_PER_COMPARISON) continue;
      await compareAll();
      compared = done;
    }
    await compareAll();
  } finally {
    await all([...followers.map((follower) => follower.stop()), ...streams.map((stream) => stream.unsubscribe())]);
  }
};
