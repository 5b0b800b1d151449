import { setTimeout as delay } from 'node:timers/promises';
import { BACKWARDS, END, type EventStoreDBClient, FORWARDS, jsonEvent, START } from '@eventstore/db-client';
import pg from 'pg';
import { clientFactoryOf, closeClient } from '../src/eventstore/client.ts';
import { openReadAllRpc } from '../src/eventstore/readAllRpc.ts';
import { openResponseSource } from '../src/eventstore/responseSource.ts';
import { residentBytes } from './support/cpu.ts';
import { report, reportRatio } from './support/figures.ts';
import { settings } from './support/settings.ts';
import { startStoreProcess } from './support/storeProcess.ts';

/**
 * Reads all events of a large embedded event store: forwards, backwards, filtered, and by a subscription that catches up while events
 * are appended, beside readers that read nothing. The limit is a client of PostgreSQL that selects the same rows in pages. The store
 * has a process of its own, so that its memory is measured without that of the clients.
 */

const { events, idle } = settings({ events: 1_000_000, idle: 4 });

const STREAMS = 10;
const BATCH = 500;
const WRITERS = 8;
const PAGE_ROWS = 1_000;
/** How often a subscription checks whether it is done, while it receives nothing. */
const LOOK_AGAIN_MS = 50;
const SAMPLE_MS = 100;
const MEBIBYTE = 1 << 20;

const eventOf = (index: number) =>
  jsonEvent({ type: 'Measured', data: { index, company: 'A company of that name', text: 'x'.repeat(80) } });

const batchOf = (from: number) => Array.from({ length: BATCH }, (_, offset) => eventOf(from + offset));

const fill = async (client: EventStoreDBClient): Promise<void> => {
  let next = 0;
  const write = async (): Promise<void> => {
    for (let from = next; from < events; from = next) {
      next += BATCH;
      await client.appendToStream(`bench-${(from / BATCH) % STREAMS}`, batchOf(from));
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
};

/** Runs `read`, which resolves to the number of events. Resolves to events a second. */
const rateOf = async (read: () => Promise<number>): Promise<number> => {
  const begun = performance.now();
  const count = await read();
  return (count * 1000) / (performance.now() - begun);
};

const readAll = (client: EventStoreDBClient, direction: typeof FORWARDS | typeof BACKWARDS) => async (): Promise<number> => {
  let count = 0;
  const fromPosition = direction === FORWARDS ? START : END;
  for await (const { event } of client.readAll({ direction, fromPosition })) if (event?.streamId.startsWith('bench-')) count += 1;
  if (count !== events) throw new Error(`${count} events were read instead of ${events}`);
  return count;
};

/** Subscribes to streams with the prefix. Resolves to the number of events once `isDone`. */
const subscribe = async (
  client: EventStoreDBClient,
  prefix: string,
  isDone: (count: number, isLive: boolean) => boolean,
): Promise<number> => {
  let wake = (): void => undefined;
  const source = await openResponseSource(client, { after: null, prefixes: [prefix], requiresLeader: true }, () => wake());
  let count = 0;
  let isLive = false;
  let position = -1n;
  while (!isDone(count, isLive)) {
    const responses = source.take();
    for (const response of responses) {
      isLive ||= response.kind === 'caughtUp';
      if (response.kind !== 'event' || !response.event.position) continue;
      if (response.event.position.commit <= position) throw new Error('An event was repeated, or is out of order');
      position = response.event.position.commit;
      count += 1;
    }
    if (responses.length > 0) continue;
    if (source.hasEnded()) throw source.failure() ?? new Error('The subscription ended');
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    await Promise.race([woken, delay(LOOK_AGAIN_MS)]);
  }
  source.cancel();
  return count;
};

/** A subscription to all events, while a writer appends until the subscription has caught up. */
const catchUp = (client: EventStoreDBClient, writer: EventStoreDBClient) => async (): Promise<number> => {
  let appended = 0;
  let hasCaughtUp = false;
  const write = async (): Promise<void> => {
    for (; !hasCaughtUp || appended === 0; appended++) {
      await writer.appendToStream('bench-live', eventOf(appended));
      await delay(5);
    }
  };
  const writing = write();
  let isWritten = false;
  const count = await subscribe(client, 'bench-', (received, isLive) => {
    if (isLive && !hasCaughtUp) {
      hasCaughtUp = true;
      void writing.then(() => {
        isWritten = true;
      });
    }
    return isWritten && received >= events + appended;
  });
  if (count !== events + appended) throw new Error(`${count} events were received instead of ${events + appended}`);
  return count;
};

/** Takes nothing. Without the listener, gRPC's client would not wait for a reader and buffer all events in this process. */
const openIdleReader = async (client: EventStoreDBClient) => {
  const call = await openReadAllRpc(client, { after: null, prefixes: ['bench-'], requiresLeader: true });
  return call?.on('readable', () => undefined);
};

const COLUMNS = 'position, stream, revision, id, type, is_json, data, metadata, created';

/** Selects all rows in pages by their position. */
const select =
  (client: pg.Client, { order, filter = 'true' }: { order: 'asc' | 'desc'; filter?: string }) =>
  async (): Promise<number> => {
    const comparison = order === 'asc' ? '>' : '<';
    let [count, after] = [0, order === 'asc' ? '0' : String(Number.MAX_SAFE_INTEGER)];
    for (;;) {
      const { rows } = await client.query<{ position: string }>({
        name: `${order} ${filter}`,
        text: `select ${COLUMNS} from eventstore.event where position ${comparison} $1 and ${filter} order by position ${order} limit ${PAGE_ROWS}`,
        values: [after],
      });
      count += rows.length;
      const last = rows.at(-1);
      if (!last || rows.length < PAGE_ROWS) return count;
      after = last.position;
    }
  };

const store = await startStoreProcess();
// Clients of one factory have separate connections: the readers that read nothing would use up the window of a shared one.
const connect = clientFactoryOf(store.url);
const [client, writer, idling] = [connect(), connect(), connect()];
const sql = new pg.Client({ connectionString: store.databaseUrl });
await sql.connect();
const peaks = { store: 0, clients: 0 };
const sampling = setInterval(() => {
  peaks.store = Math.max(peaks.store, residentBytes(store.pid));
  peaks.clients = Math.max(peaks.clients, residentBytes(process.pid));
}, SAMPLE_MS);
/** Reports the store's memory, and starts new maxima. */
const reportMemory = async (when: string): Promise<void> => {
  const { store: peak, clients } = peaks;
  const { resident, heap, external } = await store.memory();
  report(`  memory of the store at most, ${when}`, peak / MEBIBYTE, 'MiB');
  report('    … after a garbage collection', resident / MEBIBYTE, 'MiB');
  report('    … of which used heap', heap / MEBIBYTE, 'MiB');
  report('    … of which buffers', external / MEBIBYTE, 'MiB');
  report('    memory of the clients at most', clients / MEBIBYTE, 'MiB');
  Object.assign(peaks, { store: 0, clients: 0 });
};
try {
  const appended = await rateOf(async () => {
    await fill(client);
    return events;
  });
  report(`append of ${events} events, ${BATCH} at a time`, appended, 'events/s');
  await reportMemory('while appending');
  await sql.query('vacuum analyze eventstore.event');
  const calls = await Promise.all(Array.from({ length: idle }, () => openIdleReader(idling)));
  const filter = `stream like 'bench-3%'`;
  const cases = [
    { name: 'forwards, by the client', read: readAll(client, FORWARDS), limit: select(sql, { order: 'asc' }) },
    { name: 'backwards, by the client', read: readAll(client, BACKWARDS), limit: select(sql, { order: 'desc' }) },
    {
      name: 'filtered, one of ten events',
      read: () => subscribe(client, 'bench-3', (_, isLive) => isLive),
      limit: select(sql, { order: 'asc', filter }),
    },
    { name: 'catch-up into live', read: catchUp(client, writer), limit: select(sql, { order: 'asc' }) },
  ];
  for (const { name, read, limit } of cases) {
    const rate = await rateOf(read);
    await reportMemory(`with ${idle} readers that read nothing`);
    reportRatio(name, rate, 'SELECT in pages', await rateOf(limit), 'events/s');
  }
  for (const call of calls) call?.on('error', () => undefined).cancel();
} finally {
  clearInterval(sampling);
  await sql.end();
  for (const used of [client, writer, idling]) await closeClient(used);
  await store.stop();
}
