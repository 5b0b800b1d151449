import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkDatabase, checkEventStore, StoreUnreachable } from '../../src/bootstrap/storeChecks.ts';
import { createAuthority } from '../support/certificates.ts';
import { openFakeEventStore } from '../support/fakeEventStore.ts';
import { failures } from '../support/fakeEventStoreMessages.ts';
import { inDatabase } from '../support/inDatabase.ts';
import { openServer } from '../support/server.ts';
import { openStores, type TestStores } from '../support/stores.ts';
import { describeAtLength } from '../support/tiers.ts';

const SECRET = 'correct-horse';
/** Enough for a reply on a busy machine. */
const timeouts = { giveUpAfterMs: 0, attemptMs: 30_000 };
/** For a reply that never comes. */
const SHORT_MS = 1_000;

/** A login with a password, of all databases of the cluster. */
const LOGIN = `unreachable_${randomBytes(8).toString('hex')}`;
let stores: TestStores;
const open = new Set<Server>();
const sockets = new Set<Socket>();

const asAdmin = (statement: string) => inDatabase(stores.databaseUrl, (client) => client.query(statement));

beforeAll(async () => {
  stores = await openStores();
  await asAdmin(`create role ${LOGIN} login password 'another'`);
});

afterAll(async () => {
  try {
    await asAdmin(`drop role ${LOGIN}`);
  } finally {
    await stores.close();
  }
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const server of open) await new Promise((resolve) => server.close(resolve));
  open.clear();
});

const listen = async (server: Server): Promise<number> => {
  open.add(server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

/** A port on which nothing listens. */
const closedPort = async (): Promise<number> => {
  const server = createServer();
  const port = await listen(server);
  open.delete(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
};

const lineOf = async (check: Promise<void>): Promise<string> => {
  const error = await check.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StoreUnreachable);
  const { message } = error as StoreUnreachable;
  expect(message).not.toContain('\n');
  expect(message).not.toContain(SECRET);
  return message;
};

/** The database of the tests with another login, name or setting. */
const databaseWith = (change: Partial<Pick<URL, 'username' | 'password' | 'pathname'>>): string =>
  Object.assign(new URL(stores.databaseUrl), change).href;

const NO_REPLY = /no reply/;

describe('a DATABASE_URL without a database', () => {
  it.each<[string, () => Promise<string> | string, RegExp]>([
    ['a refused port', async () => `postgres://u:${SECRET}@127.0.0.1:${await closedPort()}/kept`, /connection refused/],
    [
      'an unknown host',
      () => `postgres://u:${SECRET}@no-such-host.invalid/kept`,
      /(unknown host name|host name could not be resolved)/,
    ],
    ['a wrong password', () => databaseWith({ username: LOGIN, password: SECRET }), /wrong user or password/],
    ['an unknown user', () => databaseWith({ username: 'unknown', password: SECRET }), /wrong user or password/],
    ['a missing database', () => databaseWith({ pathname: '/no_such_database' }), /the database does not exist/],
    [
      'a server without TLS',
      async () => {
        const refusing = createServer((socket) => socket.once('data', () => socket.end('N')));
        return `postgres://u:${SECRET}@127.0.0.1:${await listen(refusing)}/kept?sslmode=require`;
      },
      /does not speak TLS/,
    ],
    [
      'something that is no PostgreSQL',
      async () => `postgres://u:${SECRET}@127.0.0.1:${await listen(createHttpServer((_, reply) => reply.end()))}/kept`,
      /terminated|no reply|reset/,
    ],
    ['something that never answers', async () => `postgres://u:${SECRET}@127.0.0.1:${await listen(createServer())}/kept`, NO_REPLY],
  ])('is explained in one line: %s', async (_, urlOf, reason) => {
    const attemptMs = reason.source === NO_REPLY.source ? SHORT_MS : timeouts.attemptMs;
    const line = await lineOf(checkDatabase('DATABASE_URL', await urlOf(), { ...timeouts, attemptMs }));
    expect(line).toMatch(/^DATABASE_URL: /);
    expect(line).toMatch(reason);
    expect(line).toMatch(/Tried PostgreSQL at .+, database \S+, user \S+\./);
  });

  it('is accepted with one', async () => {
    await checkDatabase('DATABASE_URL', stores.databaseUrl, timeouts);
  });
});

describe('an EVENTSTORE_URL without an event store', () => {
  const { issue } = createAuthority();

  it.each<[string, () => Promise<string> | string, RegExp]>([
    ['a refused port', async () => `esdb://u:${SECRET}@127.0.0.1:${await closedPort()}?tls=false`, /connection refused/],
    [
      'an unknown host',
      () => `esdb://u:${SECRET}@no-such-host.invalid:2113?tls=false`,
      /(unknown host name|host name could not be resolved)/,
    ],
    ['a missing socket', () => 'esdb+unix:///no/such/eventstore.sock', /the socket does not exist/],
    [
      'a certificate that nobody vouches for',
      async () => `esdb://u:${SECRET}@127.0.0.1:${await listen(createTlsServer(issue(['127.0.0.1'])))}?tls=true`,
      /TLS certificate is not accepted/,
    ],
    [
      'a server without TLS',
      async () => `esdb://u:${SECRET}@127.0.0.1:${await listen(createHttpServer((_, reply) => reply.end()))}?tls=true`,
      /does not speak TLS|reset|EPROTO/,
    ],
    [
      'something that is no EventStoreDB',
      async () => `esdb://u:${SECRET}@127.0.0.1:${await listen(createHttpServer((_, reply) => reply.end()))}?tls=false`,
      /the server is not EventStoreDB/,
    ],
  ])('is explained in one line: %s', async (_, urlOf, reason) => {
    const line = await lineOf(checkEventStore(await urlOf(), timeouts));
    expect(line).toMatch(/^EVENTSTORE_URL: /);
    expect(line).toMatch(reason);
    expect(line).toContain('Tried an event store at ');
  });

  it('is accepted with one', async () => {
    await checkEventStore(stores.eventStoreUrl, { ...timeouts, appends: true });
  });
});

describeAtLength('a start on an unreachable store', () => {
  it('exits with 1 and one line that names the variable', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-unreachable-'));
    const child = spawn(process.execPath, ['dist/bootstrap/main.js'], {
      env: {
        PATH: process.env.PATH,
        DATA_DIR: dataDir,
        PORT: '0',
        DATABASE_URL: databaseWith({ password: SECRET }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    expect(child.exitCode).toBe(1);
    expect(err).toMatch(/^DATABASE_URL: wrong user or password [^\n]+\n$/);
    expect(out + err).not.toContain(SECRET);
    await rm(dataDir, { recursive: true });
  });
});

describe('a start with an EVENTSTORE_URL whose user has no right', () => {
  it.each([
    ['to read $all', 'read', /^EVENTSTORE_URL: .* may not read \$all\./],
    ['to append', 'append', /may not append to storeIdentity\./],
  ] as const)('%s fails and says so', async (_, call, reason) => {
    const fake = await openFakeEventStore();
    onTestFinished(fake.close);
    fake.script[call] = () => failures.accessDenied();
    const start = openServer({ EVENTSTORE_URL: fake.url });
    await expect(start).rejects.toThrow(reason);
  });
});
