import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { BACKWARDS } from '@eventstore/db-client';
import pg from 'pg';
import { createAppender } from '../eventstore/appender.ts';
import { clientFactoryOf, closeClient } from '../eventstore/client.ts';
import { clientOf } from '../eventstore/connect.ts';
import { checkAppends } from '../eventstore/identity.ts';
import { describeOutage, outageOf, READ_ALL } from '../eventstore/outage.ts';
import { EventStoreUnavailable } from '../eventstore/port.ts';
import { withTimeout } from '../eventstore/retry.ts';
import { seedsOf } from '../eventstore/seeds.ts';
import type { Config } from './config.ts';

/** One line: the variable that names a store, what was tried, why it failed, and what to do. It holds no password. */
export class StoreUnreachable extends Error {
  override readonly name = 'StoreUnreachable';
}

/** The store replied that it cannot serve yet; it is tried again. */
class StillStarting extends Error {
  override readonly name = 'StillStarting';
}

type WaitLimits = Readonly<{
  /** How long a store that may only be starting is tried again, ms. */
  giveUpAfterMs?: number;
  /** How long one attempt may take, ms. */
  attemptMs?: number;
}>;

const GIVE_UP_AFTER_MS = 10_000;
const ATTEMPT_MS = 5_000;
const RETRY_MS = 250;
const OLDEST_POSTGRES = 14;

/** What stands for a failure, by the code of the system, of TLS or of PostgreSQL. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'the host name could not be resolved',
  ETIMEDOUT: 'no reply',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the host',
  ENOENT: 'the socket does not exist',
  EACCES: 'permission to open the socket denied',
  '28P01': 'wrong user or password',
  '28000': 'the server does not accept this user from this host',
  '3D000': 'the database does not exist',
  '42501': 'permission to connect to the database denied',
  '53300': 'the server has no free connections',
  '57P03': 'the server is starting or stopping',
};

/** Error codes that may be temporary while a store starts. */
const PASSING = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  '53300',
  '57P03',
]);

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;
const NO_ANSWER = /timeout expired|timed? ?out|No answer within/i;

type Failure = Readonly<{ reason: string; passes: boolean }>;

const failureOf = (thrown: unknown): Failure => {
  if (thrown instanceof StillStarting) return { reason: thrown.message, passes: true };
  // A host name with several addresses gives one error for each.
  const error = thrown instanceof AggregateError ? thrown.errors[0] : thrown;
  const { code = '', message = String(error) } = error instanceof Error ? (error as Error & { code?: string }) : {};
  const known = REASONS[code];
  if (known !== undefined) return { reason: `${known} (${code})`, passes: PASSING.has(code) };
  if (CERTIFICATE.test(code)) return { reason: `its TLS certificate is not accepted (${code})`, passes: false };
  if (NO_ANSWER.test(message)) return { reason: 'no reply', passes: true };
  if (/^(ERR_SSL|EPROTO)/.test(code)) return { reason: `it does not speak TLS (${code})`, passes: false };
  if (message.includes('does not support SSL')) return { reason: 'it does not speak TLS', passes: false };
  return { reason: message.split('\n')[0] ?? '', passes: false };
};

/** Retries the attempt until it succeeds, fails permanently, or times out. Throws the error of one line. */
const attempting = async (
  attempt: () => Promise<void>,
  { giveUpAfterMs = GIVE_UP_AFTER_MS }: WaitLimits,
  line: (reason: string) => string,
): Promise<void> => {
  const giveUpAt = performance.now() + giveUpAfterMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof StoreUnreachable) throw error;
      const { reason, passes } = failureOf(error);
      if (!passes) throw new StoreUnreachable(line(reason));
      if (performance.now() >= giveUpAt) {
        throw new StoreUnreachable(line(giveUpAfterMs > 0 ? `${reason} for ${Math.round(giveUpAfterMs / 1000)} s` : reason));
      }
      await delay(RETRY_MS);
    }
  }
};

/** Connects to PostgreSQL once. Throws `StoreUnreachable`. */
export const checkDatabase = async (
  variable: 'DATABASE_URL' | 'DATABASE_OWNER_URL',
  url: string,
  limits: WaitLimits = {},
): Promise<void> => {
  const make = (): pg.Client =>
    new pg.Client({
      connectionString: url,
      application_name: 'latchkey',
      connectionTimeoutMillis: limits.attemptMs ?? ATTEMPT_MS,
    });
  let known: pg.Client;
  try {
    known = make();
  } catch {
    throw new StoreUnreachable(`${variable} is not a valid connection string. Use postgres://user:password@host:port/database.`);
  }
  const { host, port, database, user } = known;
  const where = host.startsWith('/') ? `the socket in ${host}` : `${host}:${port}`;
  const tried = `Tried PostgreSQL at ${where}, database ${database}, user ${user}`;
  const line = (reason: string): string =>
    `${variable}: ${reason}. ${tried}. Check the address and the login, and that PostgreSQL is running.`;
  const attempt = async (): Promise<void> => {
    const client = make();
    client.on('error', () => undefined); // the attempt itself reports it
    try {
      await client.connect();
      const { rows } = await client.query<{ version: number }>(
        `select current_setting('server_version_num')::int / 10000 as version`,
      );
      const version = rows[0]?.version ?? 0;
      if (version < OLDEST_POSTGRES) {
        throw new StoreUnreachable(
          `${variable}: ${tried} and found version ${version}. Use PostgreSQL ${OLDEST_POSTGRES} or newer.`,
        );
      }
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  await attempting(attempt, limits, line);
};

type Node = Readonly<{ name: string; dial: () => Promise<void> }>;

const dialed = (socket: ReturnType<typeof connect>, ready: 'connect' | 'secureConnect', ms: number): Promise<void> =>
  withTimeout(
    ms,
    new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.once(ready, () => resolve());
    }),
  ).finally(() => socket.destroy());

/** The nodes that a connection string names. Their credentials are left out. */
const nodesOf = (url: string, ms: number): Node[] => {
  const { seeds, tls } = seedsOf(url);
  return seeds.map((seed) => {
    if ('path' in seed) return { name: `the socket ${seed.path}`, dial: () => dialed(connect({ path: seed.path }), 'connect', ms) };
    const { host, port } = seed;
    const dial = async (): Promise<void> => {
      if (!tls) return dialed(connect({ host, port }), 'connect', ms);
      const ca = tls.ca();
      const secure = connectTls({
        host,
        port,
        ...(/[a-z]/i.test(host) && !host.includes(':') ? { servername: host } : {}),
        ALPNProtocols: ['h2'],
        rejectUnauthorized: tls.verify,
        ...(ca && { ca }),
      });
      return dialed(secure, 'secureConnect', ms);
    };
    return { name: `${host}:${port}`, dial };
  });
};

/** Reads one event of `$all`, as subscriptions do. */
const readOne = async (url: string, ms: number): Promise<void> => {
  const client = clientOf(url);
  const reading = async (): Promise<void> => {
    for await (const _ of client.readAll({ direction: BACKWARDS, maxCount: 1 })) break;
  };
  try {
    await withTimeout(ms, reading());
  } finally {
    await closeClient(client);
  }
};

/** Why the user of `url` may not append; null if it may. What else prevents an append may pass, and ends no start. */
const appendsDenied = async (url: string, ms: number): Promise<string | null> => {
  const connect = clientFactoryOf(url);
  const appender = createAppender({ connect, attemptTimeoutMs: ms, retryTimeoutMs: ms, positionOf: async () => 0n });
  try {
    await checkAppends(appender);
    return null;
  } catch (error) {
    return error instanceof EventStoreUnavailable && error.outage === 'access_denied' ? error.message : null;
  } finally {
    await appender.close();
  }
};

/**
 * Connects to the event store once, reads from it, and checks with `appends` the right to append. `name` is the variable or option that
 * names it. Throws `StoreUnreachable`.
 */
export const checkEventStore = async (
  url: string,
  { name = 'EVENTSTORE_URL', appends = false, ...limits }: WaitLimits & { name?: string; appends?: boolean } = {},
): Promise<void> => {
  const ms = limits.attemptMs ?? ATTEMPT_MS;
  let nodes: Node[];
  try {
    await closeClient(clientOf(url));
    nodes = nodesOf(url, ms);
  } catch {
    throw new StoreUnreachable(`${name} is not a valid connection string. Use esdb://user:password@host:port?tls=true.`);
  }
  const tried = `Tried an event store at ${nodes.map((node) => node.name).join(', ')}`;
  const advice = 'Check the address, tls= and the login, and that EventStoreDB is running.';
  const line = (reason: string): string => `${name}: ${reason}. ${tried}. ${advice}`;
  const attempt = async (): Promise<void> => {
    await Promise.any(nodes.map(({ dial }) => dial()));
    await readOne(url, ms).catch((error: unknown) => {
      const outage = outageOf(error);
      if (outage === 'access_denied') throw new StoreUnreachable(`${name}: ${describeOutage(outage, READ_ALL)} ${tried}.`);
      if (outage === 'unauthenticated') throw new StoreUnreachable(line('wrong user or password'));
      if (outage === 'no_leader' || outage === 'busy') throw new StillStarting(describeOutage(outage, READ_ALL));
      throw new StoreUnreachable(line('the server is not EventStoreDB'));
    });
  };
  await attempting(attempt, limits, line);
  const denied = appends && (await appendsDenied(url, ms));
  if (denied) throw new StoreUnreachable(`${name}: ${denied} ${tried}.`);
};

/** Connects to each store that a variable names, before anything is started. See `checkEventStore`. Throws `StoreUnreachable`. */
export const checkGivenStores = async (
  { databaseUrl, databaseOwnerUrl, eventStoreUrl }: Pick<Config, 'databaseUrl' | 'databaseOwnerUrl' | 'eventStoreUrl'>,
  checks: WaitLimits & { appends?: boolean } = {},
): Promise<void> => {
  await Promise.all([
    databaseUrl && checkDatabase('DATABASE_URL', databaseUrl, checks),
    databaseUrl && databaseOwnerUrl && checkDatabase('DATABASE_OWNER_URL', databaseOwnerUrl, checks),
    eventStoreUrl && checkEventStore(eventStoreUrl, checks),
  ]);
};
