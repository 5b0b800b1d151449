import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from './modelOperations.ts';
import { runOperations } from './modelRun.ts';
import { Sequences } from './modelSequences.ts';
import { type ModelStore, openModelStore } from './modelStore.ts';

/** A longer run is `npm run test:proofs -- model`; `FC_SEED` and `FC_PATH` of a failure run its counterexample. */
const SHORT = 150;
const OPERATIONS = Number(process.env.MODEL_OPERATIONS ?? SHORT);
const PATH = process.env.FC_PATH;
const OPERATIONS_PER_RUN = Math.min(200, OPERATIONS);
/** A new store after so many, because each scavenge visits all streams of its store. */
const OPERATIONS_PER_STORE = 4_000;
const DELIVERED_MS = 30_000;
/** Once a run has failed, fast-check runs parts of it to find a short counterexample: for so long, each with this timeout. */
const SHRINKING_MS = 180_000;
const DELIVERED_WHILE_SHRINKING_MS = 3_000;

let store: ModelStore;
beforeAll(async () => {
  store = await openModelStore();
});
afterAll(() => store.close());

const renewStore = async (): Promise<void> => {
  await store.close();
  store = await openModelStore();
};

describe('the embedded event store', () => {
  it('expires events by $maxAge, and a scavenge removes them', async () => {
    const onStream = { stream: 0, joins: false };
    const append = { kind: 'append', ...onStream, count: 2, expected: 'exact', rpc: 'BatchAppend', repeats: false } as const;
    const step = { kind: 'step clock' } as const;
    const subscribe = { kind: 'subscribe', ...onStream, from: 'start' } as const;
    const limit = { kind: 'limit', ...onStream, limits: { maxAge: 1_000 } } as const;
    const link = { kind: 'link', ...onStream, revision: 0 } as const;
    const expiring = [append, limit, link, step, append, step, subscribe, append];
    await runOperations(store, [...expiring, { kind: 'scavenge' }, step, step, append, { kind: 'scavenge' }, append], DELIVERED_MS);
  });

  it(
    `behaves like a pure model in ${OPERATIONS} operations`,
    async () => {
      const kinds: Record<string, number> = {};
      const begun = performance.now();
      let done = 0;
      let inStore = 0;
      let failedAt: number | undefined;
      const run = async (operations: readonly Operation[]): Promise<void> => {
        fc.pre(failedAt === undefined || performance.now() < failedAt + SHRINKING_MS);
        if (inStore >= OPERATIONS_PER_STORE) {
          await renewStore();
          inStore = 0;
        }
        try {
          await runOperations(store, operations, failedAt === undefined ? DELIVERED_MS : DELIVERED_WHILE_SHRINKING_MS);
        } catch (error) {
          failedAt ??= performance.now();
          inStore = OPERATIONS_PER_STORE;
          throw error;
        }
        for (const { kind } of operations) kinds[kind] = (kinds[kind] ?? 0) + 1;
        inStore += operations.length;
        done += operations.length;
        if (OPERATIONS === SHORT || failedAt !== undefined || (inStore < OPERATIONS_PER_STORE && done < OPERATIONS)) return;
        const seconds = Math.round((performance.now() - begun) / 1_000);
        process.stderr.write(`${done} operations in ${seconds} s: ${JSON.stringify(kinds)}\n`);
      };
      await fc.assert(fc.asyncProperty(new Sequences(OPERATIONS_PER_RUN), run), {
        numRuns: Math.ceil(OPERATIONS / OPERATIONS_PER_RUN),
        ...(PATH !== undefined && { path: PATH }),
      });
      if (PATH === undefined) expect(done).toBeGreaterThanOrEqual(OPERATIONS);
    },
    24 * 3_600_000,
  );
});
