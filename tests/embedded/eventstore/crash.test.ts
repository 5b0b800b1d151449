import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf } from '../../../src/eventstore/connect.ts';
import { newStream, readSeats, seatsClaimed } from '../../eventstore/support.ts';
import type { Script } from '../../support/scripts.ts';
import { appendPersistently, openServerFixture, type ServerFixture } from './serverSupport.ts';

const WRITERS = 12;
/** `npm run test:proofs` sets more. */
const KILLS = Number(process.env.STORE_KILLS ?? 1);
const BATCH = 5;

let fixture: ServerFixture;
let server: Script;
const start = async (): Promise<string> => {
  const started = await fixture.startProcess();
  server = started.server;
  return started.connectionString;
};

beforeAll(async () => {
  fixture = await openServerFixture();
});
afterAll(async () => {
  await server.end('SIGKILL');
  await fixture.close();
});

describe('a server that is killed repeatedly during appends', () => {
  it.each(['any revision', 'the exact revision'] as const)(
    'loses no acknowledged event and stores no retried event twice, expecting %s',
    async (expecting) => {
      const client = clientOf(await start());
      let acknowledged = 0;
      let done = false;
      const write = async (stream: string): Promise<{ stream: string; seats: number; attempts: number }> => {
        let seats = 0;
        let attempts = 0;
        while (!done) {
          const expected = expecting === 'any revision' ? 'any' : seats === 0 ? 'no_stream' : BigInt(seats - 1);
          attempts += await appendPersistently(() => client, stream, seatsClaimed(BATCH, seats), expected);
          seats += BATCH;
          acknowledged += BATCH;
        }
        return { stream, seats, attempts };
      };
      const writing = Array.from({ length: WRITERS }, () => write(newStream()));
      for (let kill = 0; kill < KILLS; kill++) {
        const enough = acknowledged + 400;
        while (acknowledged < enough) await new Promise((resolve) => setImmediate(resolve));
        await server.end('SIGKILL');
        await start();
      }
      done = true;
      const written = await Promise.all(writing);
      await server.end('SIGKILL');
      await start();

      for (const { stream, seats } of written) {
        expect(await readSeats(client, stream)).toEqual(Array.from({ length: seats }, (_, seat) => seat));
      }
      expect(written.some(({ seats, attempts }) => attempts > seats / BATCH)).toBe(true);
      await client.dispose();
      await server.end('SIGKILL');
    },
  );
});
