import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A function that collects garbage at once: all of it, or that of young objects. */
export const garbageCollection = (): ((options?: { type: 'minor' }) => void) => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
};
