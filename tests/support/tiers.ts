import { describe, it } from 'vitest';

/** Whether the tests run at length, by `npm run test:proofs`. */
export const IS_AT_LENGTH = process.env.TESTS_AT_LENGTH !== undefined;

/** Registers no test. */
const none = Object.assign(() => undefined, { each: () => () => undefined, runIf: () => () => undefined });

/**
 * `it` for a test that only `npm run test:proofs` runs: it takes long, and shorter tests make the same claim. `scripts/proofs.js` finds the
 * files by this import. Use a file name that ends in `.proof.test.ts` if all tests of a file are such.
 */
export const itAtLength: typeof it = IS_AT_LENGTH ? it : (none as unknown as typeof it);

/** The same for a group of tests. */
export const describeAtLength: typeof describe = IS_AT_LENGTH ? describe : (none as unknown as typeof describe);
