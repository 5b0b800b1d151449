import pg from 'pg';
import { isBinary, readBinaryResults } from './binary.ts';

type Done = (error: Error | undefined, result: unknown) => void;
/** What pg's overloads of `query` have in common. */
type Run = (this: pg.Client, config: unknown, values?: unknown, done?: unknown) => unknown;

const run = pg.Client.prototype.query as Run;

const isSubmittable = (config: unknown): boolean => typeof config === 'object' && config !== null && 'submit' in config;

const withFormat = (config: unknown): unknown =>
  typeof config === 'string' && isBinary(config) ? { text: config, binary: true, queryMode: 'extended' } : config;

/**
 * pg's client, with promises that set the callback of a query when it is constructed. Those of pg set it afterwards, and V8 then keeps
 * the rows of each query until the next full garbage collection (decision 94). It also reads results of `BINARY` statements.
 */
export const Client: typeof pg.Client = class extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    readBinaryResults((this as unknown as { connection: pg.Connection }).connection);
  }

  override query(...given: never[]): never {
    const [first, values, done]: unknown[] = given;
    const config = withFormat(first);
    if (done !== undefined || typeof values === 'function' || isSubmittable(config)) {
      return run.call(this, config, values, done) as never;
    }
    const result = new Promise((resolve, reject) => {
      const settle: Done = (error, found) => (error ? reject(error) : resolve(found));
      run.call(this, config, values, settle);
    });
    // The stack is that of the caller, not of the socket.
    return result.catch((error: Error) => {
      Error.captureStackTrace(error);
      throw error;
    }) as never;
  }
};
