import {
  AccessDeniedError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { EventStoreUnavailable } from './port.ts';

const LONGEST_PAUSE_MS = 1_000;

/** The store has answered: asking again would be answered the same. */
export const isAnswer = (error: unknown): boolean =>
  error instanceof WrongExpectedVersionError ||
  error instanceof StreamNotFoundError ||
  error instanceof StreamDeletedError ||
  error instanceof AccessDeniedError ||
  error instanceof InvalidArgumentError ||
  error instanceof MaxAppendSizeExceededError;

const pauseOf = (attempt: number): number => Math.min(LONGEST_PAUSE_MS, 25 * 2 ** attempt) * (0.5 + Math.random() / 2);

/** Tries again, ever more slowly, until it works, is answered with an error, or `giveUpAfterMs` are over: then `EventStoreUnavailable`. */
export const untilAnswered = async <T>(giveUpAfterMs: number, work: () => Promise<T>): Promise<T> => {
  const until = performance.now() + giveUpAfterMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (isAnswer(error)) throw error;
      const pause = pauseOf(attempt);
      if (performance.now() + pause >= until) throw new EventStoreUnavailable('The event store is unreachable', { cause: error });
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
};

/** The result, or an error once `ms` are over; what was started is not stopped. */
export const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
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
