import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { BACKWARDS, END, type EventStoreDBClient } from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEventStore } from '../../../src/embedded/eventstore/server.ts';
import { clientOf } from '../../../src/eventstore/connect.ts';
import { collect, failureOf, newStream, readSeats, seatClaimed, seatsClaimed } from '../../eventstore/support.ts';
import { describeAtLength } from '../../support/tiers.ts';
import { rawClientOf } from './rawCalls.ts';
import { openServerFixture, type ServerFixture } from './serverSupport.ts';

/** Self-signed for localhost, for tests only. */
const key = fileURLToPath(new URL('tls/localhost.key.pem', import.meta.url));
const cert = fileURLToPath(new URL('tls/localhost.cert.pem', import.meta.url));

let fixture: ServerFixture;
const atEnd: (() => Promise<void>)[] = [];
const endsWithTest = (end: () => Promise<void>) => atEnd.unshift(end);

beforeEach(async () => {
  fixture = await openServerFixture();
  endsWithTest(fixture.close);
});
afterEach(async () => {
  for (const end of atEnd.splice(0)) await end();
});

const start = async (): Promise<{ client: EventStoreDBClient; stop: () => Promise<void> }> => {
  const server = await fixture.start();
  const client = clientOf(server.connectionString);
  const stop = async () => {
    await client.dispose();
    await server.close();
  };
  return { client, stop };
};

describe('a restarted store', () => {
  it('has the same identity and events', async () => {
    const stream = newStream();
    const first = await start();
    const [identity] = await collect(first.client.readAll({ maxCount: 1 }));
    const written = await first.client.appendToStream(stream, seatsClaimed(3));
    await first.stop();

    const second = await start();
    endsWithTest(second.stop);
    const [identityNow] = await collect(second.client.readAll({ maxCount: 1 }));
    expect(identityNow?.event?.id).toBe(identity?.event?.id);
    expect(await readSeats(second.client, stream)).toEqual([0, 1, 2]);
    const [last] = await collect(second.client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 }));
    expect(last?.event?.position).toEqual(written.position);
  });

  it('recognizes an append from before the restart', async () => {
    const stream = newStream();
    const events = seatsClaimed(3);
    const first = await start();
    const answer = await first.client.appendToStream(stream, events);
    await first.stop();
    const second = await start();
    endsWithTest(second.stop);
    expect(await second.client.appendToStream(stream, events)).toEqual(answer);
  });
});

describeAtLength('a second server on the same database', () => {
  it('does not start while the first one runs', async () => {
    const first = await start();
    endsWithTest(first.stop);
    const second = startEventStore({
      databaseUrl: fixture.databaseUrl,
      listen: { socketPath: `${fixture.socketPath}.2` },
      log: () => undefined,
    });
    expect(await failureOf(second)).toMatchObject({ name: 'StoreLocked' });
    expect(await first.client.appendToStream(newStream(), seatClaimed(1))).toMatchObject({ success: true });
  });
});

describe('a server that is closed', () => {
  it('replies to every pending append', async () => {
    const server = await fixture.start();
    const client = clientOf(server.connectionString);
    const stream = newStream();
    await client.appendToStream(stream, seatClaimed(0));
    const appends = Promise.allSettled(seatsClaimed(200, 1).map((event) => client.appendToStream(stream, event)));
    await server.close();
    const results = await appends;
    const acknowledged = results.flatMap(({ status }, index) => (status === 'fulfilled' ? [index + 1] : []));
    for (const result of results) {
      if (result.status === 'rejected') expect(['unavailable', 'cancelled', 'deadline-exceeded']).toContain(result.reason.type);
    }
    const again = await start();
    endsWithTest(again.stop);
    expect(await readSeats(again.client, stream)).toEqual(expect.arrayContaining(acknowledged));
    await client.dispose();
  });

  it('ends subscriptions, so that clients reconnect', async () => {
    const server = await fixture.start();
    const client = clientOf(server.connectionString);
    const subscription = client.subscribeToAll();
    const ended = failureOf(collect(subscription));
    await new Promise((resolve) => subscription.once('confirmation', resolve));
    await server.close();
    expect(await ended).toMatchObject({ type: 'unavailable' });
    await client.dispose();
  });
});

describe('the socket', () => {
  it('is accessible to its owner only', async () => {
    const { stop } = await start();
    endsWithTest(stop);
    expect((await stat(fixture.socketPath)).mode & 0o777).toBe(0o600);
  });

  it('rejects a path that is too long', async () => {
    const socketPath = `/tmp/${'x'.repeat(120)}.sock`;
    const failure = await failureOf(
      startEventStore({ databaseUrl: fixture.databaseUrl, listen: { socketPath }, log: () => undefined }),
    );
    expect(failure).toHaveProperty('message', expect.stringContaining('100 bytes'));
  });
});

describe('a server on TCP', () => {
  const listenOn = async (listen: Parameters<typeof startEventStore>[0]['listen']): Promise<string> => {
    const server = await startEventStore({ databaseUrl: fixture.databaseUrl, listen, log: () => undefined });
    endsWithTest(server.close);
    return server.connectionString;
  };
  const appendsAndReads = async (connectionString: string): Promise<unknown[]> => {
    const client = clientOf(connectionString);
    const stream = newStream();
    await client.appendToStream(stream, seatsClaimed(2));
    const read = await readSeats(client, stream);
    await client.dispose();
    return read;
  };

  it('accepts the connection strings of EventStoreDB and KurrentDB, with and without discovery', async () => {
    const direct = await listenOn({ host: '127.0.0.1', port: 0 });
    expect(direct).toMatch(/^esdb:\/\/127\.0\.0\.1:\d+\?tls=false$/);
    for (const protocol of ['esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover']) {
      expect(await appendsAndReads(direct.replace('esdb', protocol))).toEqual([0, 1]);
    }
  });

  it('serves TLS, to clients that trust its certificate', async () => {
    const connectionString = await listenOn({
      host: 'localhost',
      port: 0,
      tls: { key: await readFile(key), cert: await readFile(cert) },
    });
    expect(connectionString).toMatch(/\?tls=true$/);
    expect(await appendsAndReads(`${connectionString}&tlsCAFile=${encodeURIComponent(cert)}`)).toEqual([0, 1]);
    expect(await failureOf(appendsAndReads(connectionString))).toMatchObject({ code: status.UNAVAILABLE });
  });

  it('does not listen for other machines without TLS', async () => {
    expect(await failureOf(listenOn({ host: '0.0.0.0', port: 0 }))).toHaveProperty('message', expect.stringContaining('TLS'));
  });
});

describe('a name with NUL, which PostgreSQL cannot keep', () => {
  it('is rejected as a bad request, and concurrent appends are written', async () => {
    const { client, stop } = await start();
    endsWithTest(stop);
    const good = newStream();
    const results = await Promise.allSettled([
      client.appendToStream(good, seatClaimed(1)),
      client.appendToStream('a\0b', seatClaimed(1)),
      client.appendToStream(newStream(), { ...seatClaimed(1), type: 'Seat\0Claimed' }),
      client.appendToStream('x'.repeat(3_000), seatClaimed(1)),
      client.appendToStream('$all', seatClaimed(1)),
      client.appendToStream(good, seatClaimed(2)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected', 'rejected', 'fulfilled']);
    expect((await readSeats(client, good)).toSorted()).toEqual([1, 2]);
  });
});

describe('a call that the server does not implement', () => {
  it.each([
    ['persistent_subscriptions.PersistentSubscriptions/Create', 'unary'],
    ['persistent_subscriptions.PersistentSubscriptions/Read', 'stream'],
    ['projections.Projections/Statistics', 'stream'],
    ['users.Users/Create', 'unary'],
    ['monitoring.Monitoring/Stats', 'stream'],
    ['operations.Operations/MergeIndexes', 'unary'],
  ] as const)('ends as UNIMPLEMENTED and names the document that lists the implemented calls: %s', async (method, kind) => {
    const { stop } = await start();
    endsWithTest(stop);
    const raw = rawClientOf(fixture.socketPath);
    endsWithTest(async () => raw.close());
    const failure = await failureOf(raw.call(`/event_store.client.${method}`, kind));
    expect(failure).toMatchObject({ code: status.UNIMPLEMENTED, details: expect.stringContaining('docs/event-store.md') });
  });
});
