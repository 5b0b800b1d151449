import { it } from 'vitest';

/** Whether the tests run at length, by `npm run test:proofs`. */
export const IS_AT_LENGTH = process.env.TESTS_AT_LENGTH !== undefined;

const none = (): undefined => undefined;

/**
 * `it` for a test that only `npm run test:proofs` runs: it takes long, and shorter tests of the file make the same claim. `scripts/proofs.js`
 * finds the files by this import. Use a file name that ends in `.proof.test.ts` if all tests of a file are such.
 */
export const itAtLength: typeof it = process.env.TESTS_AT_LENGTH
  ? it
  : Object.assign(none as unknown as typeof it, { each: () => none });
