import { randomUUID } from 'node:crypto';
import { END, type EventStoreDBClient, jsonEvent, NO_STREAM, StreamDeletedError, StreamNotFoundError } from '@eventstore/db-client';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningEventStore } from '../../../src/embedded/eventstore/server.ts';
import { clientOf } from '../../../src/eventstore/connect.ts';
import { scavengeStore } from '../../../src/eventstore/scavenge.ts';
import { collect, failureOf, newStream, readSeats, seatClaimed, seatsClaimed } from '../../eventstore/support.ts';
import { openServerFixture, type ServerFixture } from './serverSupport.ts';

let fixture: ServerFixture;
let server: RunningEventStore;
let client: EventStoreDBClient;
let tables: pg.Client;
beforeAll(async () => {
  fixture = await openServerFixture();
  server = await fixture.start();
  client = clientOf(server.connectionString);
  tables = new pg.Client({ connectionString: fixture.databaseUrl });
  await tables.connect();
});
afterAll(async () => {
  await tables.end();
  await client.dispose();
  await server.close();
  await fixture.close();
});

const never = new AbortController().signal;
const scavenge = () => scavengeStore(server.connectionString, never);

/** Appends an unrelated event, because a scavenge never removes the last event of the store. */
const appendLast = () => client.appendToStream(newStream(), seatClaimed(0));

/** The revisions of a stream in the tables. */
const kept = async (stream: string): Promise<string[]> => {
  const { rows } = await tables.query({
    text: 'select revision from eventstore.event where stream = $1 order by revision',
    values: [stream],
    rowMode: 'array',
  });
  return rows.flat();
};

/** Restarts the server, so that it has no state but the tables. */
const restart = async (): Promise<void> => {
  await client.dispose();
  await server.close();
  server = await fixture.start();
  client = clientOf(server.connectionString);
};

const filled = async (count: number): Promise<string> => {
  const stream = newStream();
  await client.appendToStream(stream, seatsClaimed(count));
  return stream;
};

describe('a scavenge', () => {
  it('removes every event of a deleted stream, which keeps its revisions', async () => {
    const stream = await filled(700);
    const other = await filled(3);
    await client.deleteStream(stream);
    expect(await scavenge()).toMatchObject({ result: 'success', error: null, eventsRemoved: 700 });
    expect(await kept(stream)).toEqual([]);
    await restart();
    expect(await failureOf(readSeats(client, stream))).toBeInstanceOf(StreamNotFoundError);
    const appended = await client.appendToStream(stream, seatsClaimed(2, 10), { expectedRevision: NO_STREAM });
    expect(appended.nextExpectedRevision).toBe(701n);
    expect(await readSeats(client, stream)).toEqual([10, 11]);
    expect(await readSeats(client, other)).toEqual([0, 1, 2]);
  });

  it('keeps events written after the stream was deleted, and removes them when it is deleted again', async () => {
    const stream = await filled(3);
    await client.deleteStream(stream);
    await client.appendToStream(stream, seatsClaimed(2, 10), { expectedRevision: 2n });
    await scavenge();
    expect(await kept(stream)).toEqual(['3', '4']);
    expect(await readSeats(client, stream)).toEqual([10, 11]);
    await client.deleteStream(stream);
    await scavenge();
    expect(await kept(stream)).toEqual([]);
    await restart();
    expect((await client.appendToStream(stream, seatClaimed(12))).nextExpectedRevision).toBe(5n);
  });

  it('keeps only the tombstone of a tombstoned stream', async () => {
    const [plain, described] = [await filled(3), await filled(3)];
    await client.setStreamMetadata(described, { maxCount: 2 });
    for (const stream of [plain, described]) await client.tombstoneStream(stream);
    await scavenge();
    await restart();
    for (const stream of [plain, described]) {
      expect(await kept(stream)).toEqual(['9223372036854775807']);
      expect(await kept(`$$${stream}`)).toEqual([]);
      expect(await failureOf(client.appendToStream(stream, seatClaimed(1)))).toBeInstanceOf(StreamDeletedError);
    }
  });

  it('removes events beyond the maximum count, maximum age and truncation of a stream', async () => {
    const streams = { count: await filled(10), truncated: await filled(10), old: await filled(10), young: await filled(10) };
    await client.setStreamMetadata(streams.count, { maxCount: 3 });
    await client.setStreamMetadata(streams.truncated, { truncateBefore: 4 });
    await client.setStreamMetadata(streams.old, { maxAge: 60 });
    await client.setStreamMetadata(streams.young, { maxAge: 60 });
    // As if the first seven were ten minutes old.
    await tables.query('update eventstore.event set created = created - 6000000000 where stream = $1 and revision < 7', [
      streams.old,
    ]);
    await appendLast();
    await scavenge();
    const expected = { count: ['7', '8', '9'], truncated: ['4', '5', '6', '7', '8', '9'], old: ['7', '8', '9'] };
    for (const [name, revisions] of Object.entries({ ...expected, young: Array.from({ length: 10 }, (_, at) => `${at}`) })) {
      expect([name, await kept(streams[name as keyof typeof streams])]).toEqual([name, revisions]);
    }
    expect(await readSeats(client, streams.old)).toEqual([7, 8, 9]);
  });

  it.each([{ $maxCount: 0 }, { $maxAge: -1 }])('keeps every event of a stream whose metadata is %j', async (metadata) => {
    const stream = await filled(3);
    await client.appendToStream(`$$${stream}`, jsonEvent({ id: randomUUID(), type: '$metadata', data: { ...metadata } }));
    await appendLast();
    await scavenge();
    expect(await kept(stream)).toEqual(['0', '1', '2']);
  });

  it('keeps the revision of a stream whose events are all too old', async () => {
    const stream = await filled(4);
    await client.setStreamMetadata(stream, { maxAge: 60 });
    await tables.query('update eventstore.event set created = created - 6000000000 where stream = $1', [stream]);
    await scavenge();
    expect(await kept(stream)).toEqual([]);
    await restart();
    expect(await readSeats(client, stream)).toEqual([]);
    expect((await client.appendToStream(stream, seatClaimed(9), { expectedRevision: 3n })).nextExpectedRevision).toBe(4n);
  });

  it('removes metadata that was replaced', async () => {
    const stream = await filled(1);
    for (const maxCount of [5, 4, 3]) await client.setStreamMetadata(stream, { maxCount });
    await scavenge();
    expect(await kept(`$$${stream}`)).toEqual(['2']);
    expect((await client.getStreamMetadata(stream)).metadata).toEqual({ maxCount: 3 });
  });

  it.each(['{"$tb": 2.5}', '{"$maxAge": 1e300}', '{"$maxCount": 1.5, "$tb": 1e18}', '{"$tb": -1}', '[]', 'no JSON'])(
    'does not fail for metadata such as %s',
    async (metadata) => {
      const stream = await filled(4);
      const event = { id: randomUUID(), type: '$metadata', contentType: 'application/octet-stream', data: Buffer.from(metadata) };
      await client.appendToStream(`$$${stream}`, { ...event, contentType: 'application/octet-stream', metadata: undefined });
      const readable = await readSeats(client, stream);
      await appendLast();
      expect(await scavenge()).toMatchObject({ result: 'success' });
      expect((await kept(stream)).length).toBe(readable.length);
      expect(await readSeats(client, stream)).toEqual(readable);
    },
  );

  it('never causes a position to be reused, even if it removes the newest events', async () => {
    const stream = await filled(3);
    await client.setStreamMetadata(stream, { truncateBefore: 1 });
    const { position } = await client.appendToStream(stream, seatClaimed(3));
    await client.setStreamMetadata(stream, { truncateBefore: 100 });
    await scavenge();
    await restart();
    const next = await appendLast();
    expect(next.position?.commit).toBeGreaterThan(position?.commit ?? 0n);
    const ends = await collect(client.readAll({ direction: 'backwards', fromPosition: END, maxCount: 1 }));
    expect(ends[0]?.event?.position.commit).toBe(next.position?.commit);
  });

  it('records its start and end in a stream, as EventStoreDB does', async () => {
    const { id } = await scavenge();
    const recorded = await collect(client.readStream(`$scavenges-${id}`));
    expect(recorded.map(({ event }) => event?.type)).toEqual(['$scavengeStarted', '$scavengeCompleted']);
    expect(recorded[1]?.event?.data).toMatchObject({
      scavengeId: id,
      result: 'Success',
      timeTaken: expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{7}$/),
      spaceSaved: expect.any(Number),
    });
  });
});
