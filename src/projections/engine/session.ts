import { Socket } from 'node:net';
import pg from 'pg';
import { Client } from '../../database/client.ts';

/** A statement with its parameters, ready to be sent. */
export type Write = Readonly<{ text: string; values: readonly unknown[] }>;

/** A connection of one runner, for its lock and all its writes. */
export type DatabaseSession = Readonly<{
  /** Executes a prepared statement. Concurrent statements are executed in order. */
  query: <Row extends object>(text: string, values: readonly unknown[]) => Promise<Row[]>;
  /** Executes statements without parameters, separated by semicolons. Resolves to the rows of the last one. */
  execute: <Row extends object>(text: string) => Promise<Row[]>;
  literal: (text: string) => string;
  /** Called before rows of a table are read by a column that is not its key; a build creates the index of it then. */
  beforeLookUp?: (table: string, column: string) => void;
  /** Calls back when the connection is lost. */
  onLost: (handler: (error: Error) => void) => void;
  close: () => Promise<void>;
}>;

const IN_FAILED_TRANSACTION = '25P02';
const { INT8, TIMESTAMPTZ, DATE } = pg.types.builtins;

/** `2026-01-31 12:00:00.12+00` as `2026-01-31T12:00:00.120Z`. The session's time zone is UTC. */
const isoOf = (text: string): string => `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`;

/** Types of rows in memory: times as ISO-8601 text, days as text. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    switch (oid) {
      case INT8:
        return Number;
      case TIMESTAMPTZ:
        return isoOf;
      case DATE:
        return String;
      default:
        return pg.types.getTypeParser(oid, format);
    }
  },
};

/**
 * Settings that end a session soon after its node: PostgreSQL closes a connection without replies, and one whose process hangs, so that
 * another node gets its lock within five seconds. A commit does not wait for the disk: rows and checkpoint are in one transaction, so
 * what a crash of PostgreSQL loses is read from the event store again.
 */
const settings = (idle: string): string => `
  set timezone = 'UTC'; set datestyle = 'ISO'; set search_path = public; set synchronous_commit = off;
  set idle_session_timeout = '${idle}'; set idle_in_transaction_session_timeout = '${idle}';
  set tcp_keepalives_idle = 1; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 3;`;

/** A serving runner must be replaced within seconds. A rebuild may be busy with a whole batch, so it may be silent for a minute. */
const IDLE = { briefly: '4s', 'a while': '60s', forever: '0' } as const;

/** Opens a session. `url` as libpq takes it; `idle` is how long it may do nothing. */
export const openDatabaseSession = async (
  url: string,
  application: string,
  { idle = 'briefly' }: { idle?: keyof typeof IDLE } = {},
): Promise<DatabaseSession> => {
  const socket = new Socket();
  const client = new Client({
    connectionString: url,
    stream: () => socket,
    application_name: application,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    pipeline: true,
    types,
  });
  const names = new Map<string, string>();
  const lostHandlers: ((error: Error) => void)[] = [];
  client.on('error', (error) => {
    for (const handler of lostHandlers) handler(error);
  });
  await client.connect();
  try {
    await client.query(settings(IDLE[idle]));
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }

  let broken: unknown = null;

  /** Statements after a failed one of the transaction fail without a cause of their own, so the first error is thrown. */
  const tracked = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      const result = await work;
      broken = null;
      return result;
    } catch (error) {
      const follows = error instanceof Error && 'code' in error && error.code === IN_FAILED_TRANSACTION;
      if (!follows) broken = error;
      throw follows && broken !== null ? broken : error;
    }
  };

  /** Queries of one tick are sent together, so that PostgreSQL wakes up once. */
  let gathering = false;
  const gather = (): void => {
    if (gathering) return;
    gathering = true;
    socket.cork();
    process.nextTick(() => {
      gathering = false;
      socket.uncork();
    });
  };

  const nameOf = (text: string): string => {
    const known = names.get(text);
    if (known) return known;
    const name = `s${names.size}`;
    names.set(text, name);
    return name;
  };

  return {
    query: async <Row extends object>(text: string, values: readonly unknown[]) => {
      gather();
      const { rows } = await tracked(client.query<Row>({ name: nameOf(text), text, values: [...values] }));
      return rows;
    },
    execute: async <Row extends object>(text: string) => {
      gather();
      const results: pg.QueryResult<Row> | pg.QueryResult<Row>[] = await tracked(client.query<Row>(text));
      return (Array.isArray(results) ? results.at(-1) : results)?.rows ?? [];
    },
    literal: (text) => client.escapeLiteral(text),
    onLost: (handler) => void lostHandlers.push(handler),
    close: () => client.end().catch(() => undefined),
  };
};
