import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf } from '../../../src/eventstore/connect.ts';
import { failureOf, newStream, readSeats, seatsClaimed } from '../../eventstore/support.ts';
import { openServerFixture, type ServerFixture } from './serverSupport.ts';

/** A thread can only load what `npm test` has built before it runs the tests. */
const compiled = new URL('../../../dist/embedded/eventstore/startWorker.js', import.meta.url);
const isBuilt = existsSync(compiled);

let fixture: ServerFixture;
beforeAll(async () => {
  fixture = await openServerFixture();
});
afterAll(() => fixture.close());

const start = async (databaseUrl: string, socketPath: string) => {
  const { startEventStoreWorker }: typeof import('../../../src/embedded/eventstore/startWorker.ts') = await import(compiled.href);
  return startEventStoreWorker({
    databaseUrl,
    listen: { socketPath },
    log: () => undefined,
    onExit: (reason) => {
      throw new Error(`The thread ended by itself: ${reason}`);
    },
  });
};

describe.skipIf(!isBuilt)('the event store in its own thread (built by npm test)', () => {
  it('serves, and keeps its events over a restart', async () => {
    const stream = newStream();
    for (const seat of [0, 1]) {
      const server = await start(fixture.databaseUrl, fixture.socketPath);
      const client = clientOf(server.connectionString);
      await client.appendToStream(stream, seatsClaimed(1, seat));
      expect(await readSeats(client, stream)).toEqual([0, 1].slice(0, seat + 1));
      await client.dispose();
      await server.close();
    }
  });

  it('reports why it does not start', async () => {
    const url = new URL(fixture.databaseUrl);
    url.pathname = '/no_such_database';
    const failure = await failureOf(start(url.href, `${fixture.socketPath}.2`));
    expect(failure).toHaveProperty('message', expect.stringContaining('no_such_database'));
  });
});
