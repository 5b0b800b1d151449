import type { CliFrame } from '../../contracts/cli.ts';
import { backoffMs } from '../../flow/backoff.ts';
import type { Failure } from '../failure.ts';
import { MAX_WAIT_MS, wait } from '../waiting.ts';
import { type End, NO_SEAT } from './endings.ts';
import { openSession, type SessionOptions } from './session.ts';

/** The options of `latchkey connect`, beside those of a single socket. */
export type PresenceOptions = Readonly<
  Omit<SessionOptions, 'onFrame'> & {
    onFrame: (raw: unknown, frame: CliFrame | null) => void;
    /** Called when the connection is lost, before it is reopened after `retryInMs`. */
    onLost: (failure: Failure, retryInMs: number) => void;
    /** The maximum time without a connection; null for no limit. */
    giveUpAfterMs: number | null;
    /** Whether to try again while no floating seat is free. */
    waitsForSeat: boolean;
  }
>;

const BACKOFF = { firstMs: 500, mostMs: MAX_WAIT_MS } as const;
/** How often a user who waits for a floating seat asks for one. */
const SEAT_RETRY_MS = 15_000;
/** After a restart of the server, all clients reconnect within this time, at a random moment each. */
const RESTART_SPREAD_MS = 3_000;

const delayAfter = ({ restarting }: Extract<End, { kind: 'lost' }>, attempt: number): number =>
  restarting && attempt === 0 ? Math.random() * RESTART_SPREAD_MS : backoffMs(attempt, BACKOFF);

/** Keeps a connection open and reconnects after a loss. Resolves to null if the signal aborts, or to a permanent failure. */
export const keepConnected = async (options: PresenceOptions): Promise<Failure | null> => {
  const { signal, onLost, giveUpAfterMs, waitsForSeat } = options;
  let attempt = 0;
  let disconnectedSince = performance.now();
  while (!signal.aborted) {
    const end = await openSession(options);
    if (end.kind === 'left') return null;
    if (end.kind === 'over') {
      if (!waitsForSeat || end.failure.code !== NO_SEAT) return end.failure;
      if (giveUpAfterMs !== null && performance.now() - disconnectedSince + SEAT_RETRY_MS > giveUpAfterMs) return end.failure;
      onLost(end.failure, SEAT_RETRY_MS);
      await wait(SEAT_RETRY_MS, signal);
      continue;
    }
    if (end.welcomed) {
      attempt = 0;
      disconnectedSince = performance.now();
    }
    const delay = delayAfter(end, attempt);
    if (giveUpAfterMs !== null && performance.now() - disconnectedSince + delay > giveUpAfterMs) return end.failure;
    onLost(end.failure, delay);
    attempt++;
    await wait(delay, signal);
  }
  return null;
};
