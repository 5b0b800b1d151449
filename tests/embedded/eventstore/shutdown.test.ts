import type { EventStoreDBClient } from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { RunningEventStore } from '../../../src/embedded/eventstore/server.ts';
import { clientOf } from '../../../src/eventstore/connect.ts';
import { failureOf, newStream, seatClaimed } from '../../eventstore/support.ts';
import { until } from '../../support/eventually.ts';
import { itAtLength } from '../../support/tiers.ts';
import { batchOf, bytesOf, type RawClient, rawClientOf, repliesTo } from './rawCalls.ts';
import { openServerFixture, type ServerFixture } from './serverSupport.ts';

let fixture: ServerFixture;
let server: RunningEventStore;
let client: EventStoreDBClient;
let raw: RawClient;
beforeEach(async () => {
  fixture = await openServerFixture();
  server = await fixture.start();
  client = clientOf(server.connectionString);
  raw = rawClientOf(fixture.socketPath);
});
afterEach(async () => {
  raw.close();
  await client.dispose();
  await server.close();
  await fixture.close();
});

const unavailable = { code: status.UNAVAILABLE };

/** Blocks every write until the test ends, or `release` is called. */
const blockWrites = async (): Promise<{ blocked: () => Promise<void>; release: () => Promise<void> }> => {
  const blocker = new Client({ connectionString: fixture.databaseUrl });
  await blocker.connect();
  await blocker.query('begin');
  await blocker.query('lock table eventstore.event in exclusive mode');
  let ended: Promise<void> | undefined;
  const release = (): Promise<void> => {
    ended ??= blocker.end();
    return ended;
  };
  onTestFinished(release);
  const isWaiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return { blocked: () => until(async () => (await blocker.query(isWaiting)).rowCount === 1), release };
};

describe('a server that is closed', () => {
  it('replies UNAVAILABLE to appends that arrive during the last writes, and writes accepted ones', async () => {
    const { blocked, release } = await blockWrites();
    const accepted = repliesTo(raw, [bytesOf(batchOf(newStream()))]);
    await blocked();
    const closed = server.close();
    expect(await failureOf(client.deleteStream(newStream()))).toMatchObject({ type: 'unavailable' });
    await release();
    expect((await accepted)[0]?.hasSuccess()).toBe(true);
    await closed;
  });

  it('ends the call of a batch whose last chunk is missing as UNAVAILABLE', async () => {
    const call = repliesTo(raw, [bytesOf(batchOf(newStream())), bytesOf(batchOf(newStream()).setIsFinal(false))]);
    const failure = failureOf(call);
    await client.appendToStream(newStream(), seatClaimed(1));
    await server.close();
    expect(await failure).toMatchObject(unavailable);
  });

  itAtLength('replies to all batches while PostgreSQL hangs', async () => {
    const { blocked, release } = await blockWrites();
    const requests = Array.from({ length: 3 }, () => bytesOf(batchOf(newStream())));
    const answered = repliesTo(raw, requests);
    await blocked();
    await server.close();
    expect((await answered).map((reply) => reply.getError()?.getMessage())).toEqual(['Timeout', 'Timeout', 'Timeout']);
    await release();
  });
});
