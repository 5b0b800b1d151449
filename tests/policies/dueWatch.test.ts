import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createDueWatch } from '../../src/policies/engine/dueWatch.ts';
import { dueNotes, notesOf, policiesWithDueNotes } from '../../src/policies/engine/notes.ts';
import { openStoreFixture } from '../eventstoreClient/adapterSupport.ts';
import { until } from '../support/eventually.ts';

const fixture = openStoreFixture();
const never = new AbortController().signal;

/** A watch on the notes of the database, and the policies of each query. */
const openWatch = () => {
  const asked: string[][] = [];
  const watch = createDueWatch({
    policiesWithDueNotes: (policies) => {
      asked.push([...policies]);
      return policiesWithDueNotes(fixture.db, policies, new Date());
    },
    everyMs: 10,
  });
  return { watch, asked };
};

it('finds the policies with due notes by one query for all that wait', async () => {
  const { watch, asked } = openWatch();
  const found: string[] = [];
  const stop = new AbortController();
  const waits = ['first', 'second', 'third'].map((policy) => watch.next(policy, stop.signal).then(() => found.push(policy)));
  await until(() => asked.length > 2);
  expect(found).toEqual([]);
  await notesOf(fixture.db, 'third').put('later', '', new Date(Date.now() + 3_600_000));
  await notesOf(fixture.db, 'second').put('now', '', new Date(0));
  await until(() => found.length > 0);
  expect(found).toEqual(['second']);
  expect(asked[0]).toEqual(['first', 'second', 'third']);
  await until(() => asked.at(-1)?.length === 2);
  expect(await dueNotes(fixture.db, 'second', new Date())).toMatchObject([{ key: 'now' }]);
  stop.abort();
  await Promise.all(waits);
});

it('ends when it is aborted, and then asks no more', async () => {
  const { watch, asked } = openWatch();
  const stop = new AbortController();
  const waits = ['a', 'b'].map((policy) => watch.next(policy, stop.signal));
  await until(() => asked.length > 0);
  stop.abort();
  await Promise.all(waits);
  await watch.next('c', stop.signal);
  const before = asked.length;
  await delay(50);
  expect(asked).toHaveLength(before);
});

it('lets each policy look for itself when the query fails', async () => {
  let queries = 0;
  const failing = async () => {
    queries += 1;
    throw new Error('PostgreSQL is down');
  };
  const watch = createDueWatch({ policiesWithDueNotes: failing, everyMs: 5 });
  await Promise.all(['a', 'b'].map((policy) => watch.next(policy, never)));
  await watch.next('a', never);
  expect(queries).toBe(2);
});

it('waits for one query at a time, and gives up one without a reply', async () => {
  let queries = 0;
  const answer = (policies: readonly string[]): Promise<readonly string[]> => {
    queries += 1;
    return queries === 1 ? new Promise(() => undefined) : Promise.resolve(policies);
  };
  const watch = createDueWatch({ policiesWithDueNotes: answer, everyMs: 5, timeoutMs: 100 });
  await Promise.all(['a', 'b'].map((policy) => watch.next(policy, never)));
  expect(queries).toBe(1);
  await watch.next('a', never);
  expect(queries).toBe(2);
});
