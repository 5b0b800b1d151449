import type { CliFrame } from '../../contracts/cli.ts';
import type { Failure } from '../failure.ts';
import { backoff, wait } from '../waiting.ts';
import type { End } from './endings.ts';
import { holdSession, type SessionOptions } from './session.ts';

export type PresenceOptions = Readonly<
  Omit<SessionOptions, 'onFrame'> & {
    onFrame: (raw: unknown, frame: CliFrame | null) => void;
    /** The connection is gone and is tried again after so long. */
    onLost: (failure: Failure, retryInMs: number) => void;
    /** Gives up after being without a connection for so long; null means never. */
    giveUpAfterMs: number | null;
  }
>;

const FIRST_RETRY_MS = 500;
/** After a restart every client of the server comes back: they spread over this time. */
const RESTART_SPREAD_MS = 3_000;

const delayAfter = ({ restarting }: Extract<End, { kind: 'lost' }>, attempt: number): number =>
  restarting && attempt === 0 ? Math.random() * RESTART_SPREAD_MS : backoff(attempt, FIRST_RETRY_MS);

/** Keeps a connection, opening it again whenever it is lost. Ends with null when the signal aborted, else with why it may not go on. */
export const keepPresence = async (options: PresenceOptions): Promise<Failure | null> => {
  const { signal, onLost, giveUpAfterMs } = options;
  let attempt = 0;
  let aloneSince = performance.now();
  while (!signal.aborted) {
    const end = await holdSession(options);
    if (end.kind === 'left') return null;
    if (end.kind === 'over') return end.failure;
    if (end.welcomed) {
      attempt = 0;
      aloneSince = performance.now();
    }
    const delay = delayAfter(end, attempt);
    if (giveUpAfterMs !== null && performance.now() - aloneSince + delay > giveUpAfterMs) return end.failure;
    onLost(end.failure, delay);
    attempt++;
    await wait(delay, signal);
  }
  return null;
};
