import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { StoredEvent } from '../../src/embedded/eventstore/storage/event.ts';
import { insertOf } from '../../src/embedded/eventstore/storage/eventRow.ts';
import { createTables } from '../../src/embedded/eventstore/storage/schema.ts';
import { startPostgres } from '../../src/embedded/postgres/server.ts';

/** Starts an embedded PostgreSQL with the product's settings in a temporary folder, which `stop` removes. */
export const startBarePostgres = async (): Promise<{ url: string; pid: number; stop: () => Promise<void> }> => {
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-bench-postgres-'));
  const { url, pid, stop } = await startPostgres({ directory, databases: ['bench'], log: () => undefined });
  return {
    url: url('bench', 'superuser'),
    pid,
    stop: async () => {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

/**
 * The limit of every append: inserts events with the given payloads by the event store's own statement, `group` events a transaction,
 * sequentially. Resolves to events a second.
 */
export const rawInsertRate = async (
  databaseUrl: string,
  { payloads, group, seconds }: { payloads: readonly Buffer[]; group: number; seconds: number },
): Promise<number> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await createTables(client, 'latchkey_owner');
    await client.query('truncate eventstore.event');
    const metadata = Buffer.from(JSON.stringify({ actor: { kind: 'user', id: randomUUID() }, commandId: randomUUID(), codec: 1 }));
    const stream = `apiCalls-${randomUUID()}.20260131`;
    let position = 0;
    const begun = performance.now();
    const isOver = (): boolean => performance.now() - begun >= seconds * 1000;
    while (!isOver()) {
      const events = Array.from({ length: group }, (): StoredEvent => {
        position += 1;
        const data = payloads[position % payloads.length] ?? Buffer.alloc(0);
        const at = { stream, revision: position - 1, position, created: `${Date.now()}0000` };
        return { ...at, id: randomUUID(), type: 'ApiCallsRecorded', isJson: false, data, metadata };
      });
      await client.query(insertOf(events));
    }
    return position / ((performance.now() - begun) / 1000);
  } finally {
    await client.end();
  }
};
