import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openEventReader } from '../../../src/embedded/eventstore/storage/eventReader.ts';
import { openStore } from '../../../src/embedded/eventstore/storage/store.ts';
import { newStream } from '../../eventstore/support.ts';
import { eventually } from '../../support/eventually.ts';
import { openDatabase } from '../../support/stores.ts';

const CONNECTIONS = 4;
const WAITING = 20;
const ignore = (): void => undefined;

it('lets a read wait for a connection without a timeout', async () => {
  const { databaseUrl, close } = await openDatabase();
  onTestFinished(close);
  await (await openStore({ databaseUrl, ownerUrl: databaseUrl }, ignore)).close();
  const operator = new pg.Client({ connectionString: databaseUrl });
  await operator.connect();
  onTestFinished(() => operator.end());
  const reader = openEventReader(databaseUrl, ignore);
  onTestFinished(reader.close);
  await operator.query('begin; lock table eventstore.event in access exclusive mode');

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const reads = Array.from({ length: CONNECTIONS + WAITING }, () => reader.streamForward(newStream(), 0, 1));
  await eventually(
    () => operator.query(`select from pg_locks where relation = 'eventstore.event'::regclass and not granted`),
    ({ rowCount }) => rowCount === CONNECTIONS,
  );
  // A request that waits in the pool has a timer for the timeout of connecting.
  expect(vi.getTimerCount()).toBe(0);
  await operator.query('commit');
  expect(await Promise.all(reads)).toEqual(Array.from(reads, () => []));
});
