import { type EventStoreDBClient, StreamNotFoundError } from '@eventstore/db-client';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { RunningEventStore } from '../../../src/embedded/eventstore/server.ts';
import { clientOf } from '../../../src/eventstore/connect.ts';
import { collect, failureOf, newStream, readSeats, seatClaimed, seats, seatsClaimed } from '../../eventstore/support.ts';
import { eventually, until } from '../../support/eventually.ts';
import { itAtLength } from '../../support/tiers.ts';
import { batchOf, bytesOf, rawClientOf } from './rawCalls.ts';
import { appendPersistently, isRetryable, openServerFixture, type ServerFixture } from './serverSupport.ts';

let fixture: ServerFixture;
let server: RunningEventStore;
let client: EventStoreDBClient;
let operator: pg.Client;

/** Ends every connection of the event store to PostgreSQL; other test files have connections to the same server. */
const cutOff = () =>
  operator.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'eventstore%'`);

beforeAll(async () => {
  fixture = await openServerFixture();
  server = await fixture.start();
  client = clientOf(server.connectionString);
  operator = new pg.Client({ connectionString: fixture.databaseUrl });
  await operator.connect();
});
afterAll(async () => {
  await client.dispose();
  await operator.end();
  await server.close();
  await fixture.close();
});

describe('a store that loses PostgreSQL', () => {
  it('fails pending requests with retryable errors, and continues when it is back', async () => {
    let acknowledged = 0;
    let done = false;
    const write = async (stream: string) => {
      let count = 0;
      while (!done) {
        await appendPersistently(() => client, stream, seatsClaimed(3, count), 'any');
        count += 3;
        acknowledged += 3;
      }
      return { stream, count };
    };
    const writing = Array.from({ length: 16 }, () => write(newStream()));
    for (let cut = 0; cut < 2; cut++) {
      const enough = acknowledged + 300;
      await until(() => acknowledged >= enough);
      await cutOff();
    }
    const enough = acknowledged + 300;
    await until(() => acknowledged >= enough);
    done = true;
    for (const { stream, count } of await Promise.all(writing)) {
      expect(await readSeats(client, stream)).toEqual(Array.from({ length: count }, (_, seat) => seat));
    }
  });

  it('writes nothing that follows a failed batch on the same call', async () => {
    const raw = rawClientOf(fixture.socketPath);
    onTestFinished(raw.close);
    const [failed, later] = [newStream(), newStream()];
    const call = raw.batchAppend();
    const messages: unknown[] = [];
    call.on('data', (reply: BatchAppendResp) => messages.push(reply.getError()?.getMessage() ?? 'written'));
    call.on('error', (error: Error) => messages.push(error.message));
    await operator.query('begin; lock table eventstore.event in exclusive mode');
    call.write(bytesOf(batchOf(failed)));
    await eventually(
      () => operator.query(`select from pg_locks where relation = 'eventstore.event'::regclass and not granted`),
      ({ rowCount }) => rowCount === 1,
    );
    await cutOff();
    await operator.query('commit');
    await appendPersistently(() => client, newStream(), [seatClaimed(0)], 'any');
    call.write(bytesOf(batchOf(later)));
    await until(() => messages.length === 2);
    expect(messages).toEqual(['Timeout', expect.stringContaining('UNAVAILABLE')]);
    for (const stream of [failed, later]) expect(await failureOf(readSeats(client, stream))).toBeInstanceOf(StreamNotFoundError);
  });

  it('loses no event of a live subscription', async () => {
    const stream = newStream();
    await client.appendToStream(stream, seatClaimed(0));
    const subscription = client.subscribeToStream(stream);
    const taken: unknown[] = [];
    subscription.on('data', (event) => taken.push(...seats([event])));
    await until(() => taken.length === 1);
    for (let seat = 1; seat <= 20; seat++) {
      if (seat % 5 === 0) await cutOff();
      await appendPersistently(() => client, stream, [seatClaimed(seat)], BigInt(seat - 1));
    }
    await until(() => taken.length === 21);
    await subscription.unsubscribe();
    expect(taken).toEqual(Array.from({ length: 21 }, (_, seat) => seat));
  });

  itAtLength('continues a read, or fails it', async () => {
    const stream = newStream();
    await appendPersistently(() => client, stream, seatsClaimed(3_000), 'any');
    const { length } = await collect(client.readAll());
    for (let cut = 0; cut < 3; cut++) {
      const read = collect(client.readAll()).then(
        (events) => events.length,
        (error: unknown) => error,
      );
      await cutOff();
      expect(await read).toSatisfy((outcome) => outcome === length || isRetryable(outcome));
    }
    expect(await collect(client.readAll())).toHaveLength(length);
  });

  it('leaves no gap in the positions', async () => {
    const positions = (await collect(client.readAll())).map(({ event }) => event?.position?.commit);
    expect(positions).toEqual(positions.map((_, index) => BigInt(index + 1)));
  });
});
