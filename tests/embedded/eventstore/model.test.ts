import { randomUUID } from 'node:crypto';
import { binaryEvent, type EventData, type EventStoreDBClient, START } from '@eventstore/db-client';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf } from '../../../src/eventstore/connect.ts';
import { scavengeStore } from '../../../src/eventstore/scavenge.ts';
import { collect, seatsClaimed } from '../../eventstore/support.ts';
import { until } from '../../support/eventually.ts';
import { type Script, startScript } from '../../support/scripts.ts';
import { isRetryable, openServerFixture, type ServerFixture } from './serverSupport.ts';
import * as model from './streamModel.ts';

/** A longer run is `npm run test:proofs -- model`. */
const OPERATIONS = Number(process.env.MODEL_OPERATIONS ?? 200);
const OPERATIONS_PER_RUN = 100;
const STREAMS = 4;

/** The client cannot delete a stream with the condition that it exists. */
type Removable = Exclude<model.Expected, 'stream_exists'> | 'exact';

type Operation =
  | { kind: 'append'; stream: number; count: number; expected: model.Expected | 'exact'; repeats: boolean }
  | { kind: 'appendAll'; count: number }
  | { kind: 'delete' | 'tombstone'; stream: number; expected: Removable }
  | { kind: 'limit'; stream: number; limits: model.Limits }
  | { kind: 'link'; stream: number; revision: number }
  | { kind: 'scavenge' | 'kill' };

const stream = fc.integer({ min: 0, max: STREAMS - 1 });
const expected = fc.constantFrom<model.Expected | 'exact'>('any', 'any', 'no_stream', 'stream_exists', 'exact', 'exact', 0, 5);
const removable = fc.constantFrom<Removable>('any', 'any', 'no_stream', 'exact', 'exact', 0, 5);
const small = fc.integer({ min: 0, max: 6 });
const limits = fc.record(
  { maxCount: fc.integer({ min: 1, max: 4 }), truncateBefore: small },
  { requiredKeys: [], noNullPrototype: true },
);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      stream,
      count: fc.integer({ min: 0, max: 3 }),
      expected,
      repeats: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('appendAll' as const), count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('delete' as const), stream, expected: removable }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('tombstone' as const), stream, expected: removable }) },
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('limit' as const), stream, limits }) },
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('link' as const), stream, revision: small }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('scavenge' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const) }) },
);

let fixture: ServerFixture;
let server: Script;
let client: EventStoreDBClient;
let url: string;
const start = async (): Promise<void> => {
  server = startScript(new URL('eventStoreProcess.ts', import.meta.url), [fixture.databaseUrl, fixture.socketPath]);
  const [, connectionString = ''] = await server.line(/^ready (\S+)/);
  url = connectionString;
};
beforeAll(async () => {
  fixture = await openServerFixture();
  await start();
  client = clientOf(url);
});
afterAll(async () => {
  await client.dispose();
  await server.end('SIGKILL');
  await fixture.close();
});

/** Repeats a call until its outcome is known: calls fail after a kill until the client has connected again. */
const retried = async <T>(call: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
};

/** The type of an error that the server returned. Rethrows other errors. */
const typeOf = (error: unknown): string => {
  if (!isRetryable(error) && typeof error === 'object' && error !== null && 'type' in error) return String(error.type);
  throw error;
};
/** What the call returns, or the type of its error. */
const outcome = <T>(call: Promise<T>): Promise<T | string> => call.catch(typeOf);

const revisionsOf = (name: string, direction: 'forwards' | 'backwards'): Promise<string | number[]> =>
  retried(() =>
    outcome(
      collect(client.readStream(name, { direction, fromRevision: direction === 'forwards' ? 'start' : 'end' })).then((events) =>
        events.map(({ event }) => Number(event?.revision)),
      ),
    ),
  );

/** Follows the streams of a run in `$all`, across kills of the server. */
const follow = (names: readonly string[]) => {
  const seen: string[] = [];
  const all = new Set(names);
  let position: { commit: bigint; prepare: bigint } | typeof START = START;
  let isStopping = false;
  let subscription: ReturnType<EventStoreDBClient['subscribeToAll']> | undefined;
  const run = async (): Promise<void> => {
    while (!isStopping) {
      subscription = client.subscribeToAll({ fromPosition: position });
      try {
        for await (const { event } of subscription) {
          if (!event) continue;
          position = event.position;
          if (all.has(event.streamId) && event.type === 'SeatClaimed') seen.push(event.id);
        }
      } catch (error) {
        if (!isRetryable(error) && !isStopping) throw error;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  };
  const running = run();
  return {
    seen,
    stop: async () => {
      isStopping = true;
      await subscription?.unsubscribe();
      await running;
    },
  };
};

const runOperations = async (operations: readonly Operation[]): Promise<void> => {
  const names = Array.from({ length: STREAMS }, () => `model-${randomUUID()}`);
  const linksName = `links-${randomUUID()}`;
  const streams = names.map(() => model.EMPTY);
  const links: { stream: number; revision: number }[] = [];
  const written: string[] = [];
  const follower = follow(names);
  const at = (index: number): model.StreamModel => streams[index] ?? model.EMPTY;
  const nameOf = (index: number): string => names[index] ?? '';

  const sendAppend = (index: number, events: EventData[], wanted: model.Expected): Promise<string | number> => {
    const expectedRevision = typeof wanted === 'number' ? BigInt(wanted) : wanted;
    return retried(() =>
      outcome(client.appendToStream(nameOf(index), events, { expectedRevision }).then((done) => Number(done.nextExpectedRevision))),
    );
  };
  const appendTo = async (index: number, count: number, wanted: model.Expected, repeats: boolean): Promise<void> => {
    const events = seatsClaimed(count);
    const before = at(index);
    const { stream: after, result } = model.append(before, count, wanted);
    const isRecreation = before.isDeleted && before.revision >= 0 && wanted === 'no_stream';
    const sent = await sendAppend(index, events, wanted);
    // The client reports revision 0 for a stream that has no event.
    expect(sent).toBe(result === -1 ? 0 : result);
    streams[index] = after;
    if (typeof result === 'number') written.push(...events.map(({ id }) => id ?? ''));
    // An append without events has no ids by which a repetition is recognized.
    if (repeats && count > 0 && typeof result === 'number') {
      expect(await sendAppend(index, events, wanted)).toBe(isRecreation ? 'wrong-expected-version' : result);
    }
  };
  const check = async (): Promise<void> => {
    for (const [index, name] of names.entries()) {
      const wanted = model.read(at(index));
      expect(await revisionsOf(name, 'forwards')).toEqual(wanted);
      expect(await revisionsOf(name, 'backwards')).toEqual(typeof wanted === 'string' ? wanted : wanted.toReversed());
    }
    const resolved = links.length === 0 ? [] : await retried(() => collect(client.readStream(linksName, { resolveLinkTos: true })));
    expect(resolved.map(({ event }) => event?.revision !== undefined)).toEqual(
      links.map(({ stream: index, revision }) => {
        const readable = model.read(at(index));
        return typeof readable !== 'string' && readable.includes(revision);
      }),
    );
    await until(() => follower.seen.length >= written.length);
    expect(follower.seen).toEqual(written);
  };

  const apply = async (each: Operation): Promise<void> => {
    const exact = <E extends model.Expected>(index: number, wanted: E | 'exact'): E | number | 'no_stream' => {
      const { revision } = at(index);
      if (wanted !== 'exact') return wanted;
      return revision < 0 ? 'no_stream' : revision;
    };
    switch (each.kind) {
      case 'append':
        return appendTo(each.stream, each.count, exact(each.stream, each.expected), each.repeats);
      case 'appendAll': {
        const steps = streams.map((before) => model.append(before, each.count, 'any'));
        const batches = streams.map(() => seatsClaimed(each.count));
        const results = await Promise.all(batches.map((events, index) => sendAppend(index, events, 'any')));
        expect(results).toEqual(steps.map(({ result }) => result));
        for (const [index, { stream: after, result }] of steps.entries()) {
          streams[index] = after;
          if (typeof result === 'number') written.push(...(batches[index] ?? []).map(({ id }) => id ?? ''));
        }
        return;
      }
      case 'delete':
      case 'tombstone': {
        const wanted = exact(each.stream, each.expected);
        const { stream: after, result } = (each.kind === 'delete' ? model.remove : model.tombstone)(at(each.stream), wanted);
        const options = { expectedRevision: typeof wanted === 'number' ? BigInt(wanted) : wanted };
        const name = nameOf(each.stream);
        const sent = await retried(() =>
          outcome(
            (each.kind === 'delete' ? client.deleteStream(name, options) : client.tombstoneStream(name, options)).then(
              () => 'done',
            ),
          ),
        );
        expect(sent).toBe(typeof result === 'number' ? 'done' : result);
        streams[each.stream] = after;
        return;
      }
      case 'limit': {
        const { stream: after, result } = model.setLimits(at(each.stream), each.limits);
        const sent = await retried(() => outcome(client.setStreamMetadata(nameOf(each.stream), each.limits).then(() => 'done')));
        expect(sent).toBe(typeof result === 'number' ? 'done' : result);
        streams[each.stream] = after;
        return;
      }
      case 'link': {
        const link = binaryEvent({ id: randomUUID(), type: '$>', data: Buffer.from(`${each.revision}@${nameOf(each.stream)}`) });
        await retried(() => client.appendToStream(linksName, link));
        links.push({ stream: each.stream, revision: each.revision });
        return;
      }
      case 'scavenge':
        await until(() => follower.seen.length >= written.length);
        await scavengeStore(url, new AbortController().signal);
        for (const [index, before] of streams.entries()) streams[index] = model.scavenged(before);
        return;
      case 'kill': {
        const appended = appendTo(0, 2, 'any', true);
        await server.end('SIGKILL');
        await start();
        return appended;
      }
    }
  };

  try {
    for (const each of operations) {
      await apply(each);
      if (each.kind !== 'link') await check();
    }
  } finally {
    await follower.stop();
  }
};

describe('the embedded event store', () => {
  it(
    `behaves like a pure model in ${OPERATIONS} operations`,
    async () => {
      const sequences = fc.array(operation, { minLength: OPERATIONS_PER_RUN, maxLength: OPERATIONS_PER_RUN, size: 'max' });
      await fc.assert(fc.asyncProperty(sequences, runOperations), {
        numRuns: Math.ceil(OPERATIONS / OPERATIONS_PER_RUN),
        endOnFailure: true,
      });
    },
    24 * 3_600_000,
  );
});
