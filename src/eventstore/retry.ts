import {
  AccessDeniedError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { backoffMs } from '../flow/backoff.ts';
import { type Access, describeOutage, outageOf } from './outage.ts';
import { EventStoreUnavailable } from './port.ts';

const BACKOFF = { firstMs: 25, mostMs: 1_000 } as const;

/** Whether the error is a reply of the store, which a retry would not change. */
export const isStoreReply = (error: unknown): boolean =>
  error instanceof WrongExpectedVersionError ||
  error instanceof StreamNotFoundError ||
  error instanceof StreamDeletedError ||
  error instanceof AccessDeniedError ||
  error instanceof InvalidArgumentError ||
  error instanceof MaxAppendSizeExceededError;

const unavailable = (error: unknown, access: Access): EventStoreUnavailable => {
  const outage = outageOf(error);
  return new EventStoreUnavailable(describeOutage(outage, access), { cause: error, outage });
};

/**
 * Retries with exponential backoff and jitter. Throws a reply of the store immediately, and `EventStoreUnavailable` if access is denied
 * or after `retryTimeoutMs`.
 */
export const withRetries = async <T>(retryTimeoutMs: number, access: Access, work: () => Promise<T>): Promise<T> => {
  const deadline = performance.now() + retryTimeoutMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AccessDeniedError) throw unavailable(error, access);
      if (isStoreReply(error)) throw error;
      const delay = backoffMs(attempt, BACKOFF);
      if (performance.now() + delay >= deadline) throw unavailable(error, access);
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
};

/** Rejects after `ms` milliseconds. Does not stop the work. */
export const withTimeout = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No reply within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};
