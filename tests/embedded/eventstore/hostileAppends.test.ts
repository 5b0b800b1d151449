import type { EventStoreDBClient } from '@eventstore/db-client';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { failureOf, newStream, readSeats, seatClaimed } from '../../eventstore/support.ts';
import { batchOf, bytesOf, openRawFixture, type RawClient, type RawFixture, repliesTo } from './rawCalls.ts';

let fixture: RawFixture;
let client: EventStoreDBClient;
let raw: RawClient;
beforeAll(async () => {
  fixture = await openRawFixture();
  ({ client, raw } = fixture);
});
afterAll(() => fixture.close());

const LARGEST = 2n ** 63n - 1n;

const batchAt = (stream: string, revision: bigint) => {
  const batch = batchOf(stream);
  batch.getOptions()?.setStreamPosition(String(revision));
  return bytesOf(batch);
};

const errorOf = async (request: Buffer): Promise<string | undefined> =>
  (await repliesTo(raw, [request]))[0]?.getError()?.getMessage();

/** Twenty appends of other clients in the same turn, and so in the same commit group. */
const appendBeside = async (hostile: () => Promise<unknown>): Promise<unknown[]> => {
  const streams = Array.from({ length: 20 }, () => newStream());
  const [, ...results] = await Promise.allSettled([
    hostile(),
    ...streams.map((stream) => client.appendToStream(stream, seatClaimed(1))),
  ]);
  return results.map(({ status }) => status);
};
const ALL_WRITTEN = Array.from({ length: 20 }, () => 'fulfilled');

describe('an impossible expected revision', () => {
  it('fails only its own append, also on a tombstoned stream', async () => {
    const stream = newStream();
    await client.appendToStream(stream, seatClaimed(1));
    await client.tombstoneStream(stream);
    expect(await appendBeside(() => errorOf(batchAt(stream, LARGEST)))).toEqual(ALL_WRITTEN);
    expect(await errorOf(batchAt(stream, LARGEST))).toBe('StreamDeleted');
  });

  it.each([2n ** 53n, 2n ** 62n, LARGEST])('of %s is a wrong expected version', async (revision) => {
    const stream = newStream();
    await client.appendToStream(stream, seatClaimed(1));
    expect(await errorOf(batchAt(stream, revision))).toBe('WrongExpectedVersion');
    expect(await failureOf(client.deleteStream(stream, { expectedRevision: revision }))).toMatchObject({
      type: 'wrong-expected-version',
    });
  });

  it('is a bad request above 2^63', async () => {
    expect(await errorOf(batchAt(newStream(), 2n ** 63n + 2n ** 62n))).toMatch('revision');
  });

  it('may be the largest number of the protocol, which means no stream', async () => {
    const stream = newStream();
    expect(await errorOf(batchAt(stream, 2n ** 64n - 1n))).toBeUndefined();
    expect(await errorOf(batchAt(stream, 2n ** 64n - 1n))).toBe('WrongExpectedVersion');
  });
});

describe('a request with a number of more than ten bytes', () => {
  it('fails the call and no append of another client', async () => {
    const overlong = Buffer.from([0x12, 14, 0x10, ...Array.from({ length: 12 }, () => 0xff), 0x01]);
    expect(await appendBeside(() => failureOf(repliesTo(raw, [overlong])))).toEqual(ALL_WRITTEN);
    expect(await failureOf(repliesTo(raw, [overlong]))).toMatchObject({ details: expect.stringContaining('deserializing') });
  });
});

describe('an event that PostgreSQL rejects', () => {
  it('fails only its own append', async () => {
    const tables = new Client({ connectionString: fixture.databaseUrl });
    await tables.connect();
    onTestFinished(() => tables.end());
    await tables.query(`alter table eventstore.event add constraint test check (type <> 'Refused')`);
    const stream = newStream();
    const refused = () => client.appendToStream(stream, { ...seatClaimed(1), type: 'Refused' });
    expect(await appendBeside(() => failureOf(refused()))).toEqual(ALL_WRITTEN);
    expect(await failureOf(refused())).toMatchObject({ type: 'unknown' });
    await tables.query('alter table eventstore.event drop constraint test');
    await client.appendToStream(stream, seatClaimed(2));
    expect(await readSeats(client, stream)).toEqual([2]);
  });
});
