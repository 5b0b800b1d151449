import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventData, EventStoreDBClient } from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';
import { type RunningEventStore, startEventStore } from '../../../src/embedded/eventstore/server.ts';
import { compiledScript, type Script, startScript } from '../../support/scripts.ts';
import { openDatabase } from '../../support/stores.ts';

/**
 * The database and the socket of embedded servers that only this test uses, with any store of the run: the test can kill them
 * without an effect on others.
 */
export type ServerFixture = {
  databaseUrl: string;
  socketPath: string;
  start: () => Promise<RunningEventStore>;
  /** Starts a server in a process of its own, which the caller ends. Its clock is so many steps ahead. */
  startProcess: (clockSteps?: number) => Promise<{ server: Script; connectionString: string }>;
  close: () => Promise<void>;
};

const processFile = new URL('eventStoreProcess.ts', import.meta.url);

export const openServerFixture = async (): Promise<ServerFixture> => {
  const [{ databaseUrl, close }, directory] = await Promise.all([openDatabase(), mkdtemp(join(tmpdir(), 'latchkey-fixture-'))]);
  const socketPath = join(directory, 'eventstore.sock');
  return {
    databaseUrl,
    socketPath,
    start: () => startEventStore({ databaseUrl, listen: { socketPath }, log: () => undefined }),
    startProcess: async (clockSteps = 0) => {
      const server = startScript(await compiledScript(processFile), [databaseUrl, socketPath, String(clockSteps)]);
      const [, connectionString = ''] = await server.line(/^ready (\S+)/);
      return { server, connectionString };
    },
    close: async () => {
      await close();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

const RETRYABLE: readonly string[] = ['unavailable', 'cancelled', 'timeout', 'deadline-exceeded'];

/**
 * Whether the outcome of an append is unknown, so that it must be sent again with the same event ids.
 * While it queries the server's features, the client reports gRPC's own error.
 */
export const isRetryable = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null) return false;
  if ('type' in error && typeof error.type === 'string') return RETRYABLE.includes(error.type);
  return 'code' in error && error.code === status.UNAVAILABLE;
};

/** Appends until it is acknowledged; returns the number of attempts. */
export const appendPersistently = async (
  clientNow: () => EventStoreDBClient,
  stream: string,
  events: EventData[],
  expectedRevision: bigint | 'no_stream' | 'any',
): Promise<number> => {
  for (let attempt = 1; ; attempt++) {
    try {
      await clientNow().appendToStream(stream, events, { expectedRevision });
      return attempt;
    } catch (error) {
      if (!isRetryable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
};
