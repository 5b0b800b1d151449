import { type EventStoreDBClient, StreamNotFoundError } from '@eventstore/db-client';
import wellKnown from 'google-protobuf/google/protobuf/timestamp_pb.js';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { newStream, readSeats, seatClaimed } from '../../eventstore/support.ts';
import { batchOf, bytesOf, openRawFixture, type RawClient, type RawFixture, repliesTo } from './rawCalls.ts';

const { Timestamp } = wellKnown;

let fixture: RawFixture;
let client: EventStoreDBClient;
let raw: RawClient;
beforeAll(async () => {
  fixture = await openRawFixture();
  ({ client, raw } = fixture);
});
afterAll(() => fixture.close());

/** Blocks every write until the test, or `release`, ends it. */
const blockWrites = async (): Promise<() => Promise<void>> => {
  const blocker = new Client({ connectionString: fixture.databaseUrl });
  await blocker.connect();
  await blocker.query('begin');
  await blocker.query('lock table eventstore.event in exclusive mode');
  let ended: Promise<void> | undefined;
  const release = () => (ended ??= blocker.end());
  onTestFinished(release);
  return release;
};

describe('the deadline of a batch', () => {
  it('is enforced while PostgreSQL does not respond', async () => {
    const stream = newStream();
    const release = await blockWrites();
    const requests = [batchOf(stream), batchOf(stream)];
    for (const request of requests) request.getOptions()?.setDeadline(Timestamp.fromDate(new Date(Date.now() + 300)));
    const replies = await repliesTo(raw, requests.map(bytesOf));
    expect(replies.map((reply) => reply.getError()?.getMessage())).toEqual(['Timeout', 'Timeout']);
    await release();
    // A batch that was not sent to PostgreSQL before its deadline is not written later.
    await client.appendToStream(newStream(), seatClaimed(1));
    const written = await readSeats(client, stream).catch((error: unknown) => {
      if (error instanceof StreamNotFoundError) return []; // neither was sent in time
      throw error;
    });
    expect(written.length).toBeLessThanOrEqual(2);
  });
});
