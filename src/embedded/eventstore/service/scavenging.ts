import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Log, reasonOf } from '../log.ts';
import { type ProposedEvent, ticksOf } from '../storage/event.ts';
import type { Scavenged } from '../storage/scavenge.ts';
import type { Store } from '../storage/store.ts';

/** Runs the scavenges of a server, one at a time. */
export type Scavenging = Readonly<{
  /** Starts a scavenge unless one is running. Returns the id of the running scavenge. */
  start: () => Readonly<{ id: string; isNew: boolean }>;
  /** Stops the scavenge with that id. Returns false when it is not running. */
  stop: (id: string) => boolean;
  /** Stops the running scavenge and starts no other. */
  close: () => Promise<void>;
}>;

export type Schedule = Readonly<{ firstAfterMs: number; everyMs: number }>;

/** Ten minutes after the start, so that startup is not slowed, then daily. */
export const DAILY: Schedule = { firstAfterMs: 10 * 60_000, everyMs: 24 * 60 * 60_000 };

type Result = 'Success' | 'Stopped' | 'Errored';

type Running = Readonly<{ id: string; stopping: AbortController; ended: Promise<void> }>;

/** Retries of recording the result, because PostgreSQL may be temporarily unavailable. */
const RECORD_ATTEMPTS = 60;
const RECORD_RETRY_MS = 1_000;

const NOTHING: Scavenged = { events: 0, bytes: 0, through: 0 };
const TICKS_PER_SECOND = 10_000_000;

/** The stream with the events of a scavenge, as EventStoreDB names it. */
const scavengeStream = (id: string): string => `$scavenges-${id}`;

const jsonEvent = (type: string, data: object): ProposedEvent => ({
  id: randomUUID(),
  type,
  isJson: true,
  data: Buffer.from(JSON.stringify(data)),
  metadata: Buffer.alloc(0),
});

/** A duration in the format of .NET's `TimeSpan`. */
const timeSpanOf = (milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  const ticks = Number(ticksOf(milliseconds)) % TICKS_PER_SECOND;
  return `${parts.join(':')}.${String(ticks).padStart(7, '0')}`;
};

/**
 * Runs scavenges on a schedule and on request. A requested scavenge records its start and its result in a stream, as EventStoreDB does;
 * a scheduled one only logs what it removed.
 */
export const scavengingOf = (store: Store, log: Log, { firstAfterMs, everyMs }: Schedule): Scavenging => {
  const closing = new AbortController();
  let running: Running | undefined;

  const record = (id: string, type: string, data: object): Promise<unknown> =>
    store.submit({
      kind: 'append',
      stream: scavengeStream(id),
      expected: 'any',
      events: [jsonEvent(type, { scavengeId: id, ...data })],
      deadline: undefined,
    });

  const run = async (id: string, isRequested: boolean, signal: AbortSignal): Promise<void> => {
    const begun = performance.now();
    let outcome: { scavenged: Scavenged; result: Result; error: string };
    try {
      if (isRequested) await record(id, '$scavengeStarted', {});
      const scavenged = await store.scavenge(signal);
      outcome = { scavenged, result: signal.aborted ? 'Stopped' : 'Success', error: '' };
      const { events, bytes } = scavenged;
      if (events > 0)
        log('info', `A scavenge removed ${events} events of ${bytes} bytes${signal.aborted ? ', and was stopped' : ''}`);
    } catch (error) {
      outcome = { scavenged: NOTHING, result: 'Errored', error: reasonOf(error) };
      log('warn', `A scavenge failed: ${reasonOf(error)}`);
    }
    if (!isRequested) return;
    const { scavenged, result, error } = outcome;
    const timeTaken = timeSpanOf(performance.now() - begun);
    const completed = { result, error, timeTaken, spaceSaved: scavenged.bytes, eventsRemoved: scavenged.events };
    for (let attempt = 1; ; attempt++) {
      try {
        await record(id, '$scavengeCompleted', completed);
        return;
      } catch (failure) {
        if (attempt === RECORD_ATTEMPTS || closing.signal.aborted) throw failure;
        await delay(RECORD_RETRY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  };

  const begin = (isRequested: boolean): Running => {
    const [id, stopping] = [randomUUID(), new AbortController()];
    const ended = run(id, isRequested, stopping.signal)
      .catch((error: unknown) => log('warn', `The result of a scavenge could not be recorded: ${reasonOf(error)}`))
      .finally(() => {
        running = undefined;
      });
    return { id, stopping, ended };
  };

  let timer: NodeJS.Timeout | undefined;
  const scheduleAfter = (milliseconds: number): void => {
    timer = setTimeout(() => {
      running ??= begin(false);
      scheduleAfter(everyMs);
    }, milliseconds);
    timer.unref();
  };
  scheduleAfter(firstAfterMs);

  return {
    start: () => {
      if (running) return { id: running.id, isNew: false };
      running = begin(true);
      return { id: running.id, isNew: true };
    },
    stop: (id) => {
      if (running?.id !== id) return false;
      running.stopping.abort();
      return true;
    },
    close: async () => {
      clearTimeout(timer);
      closing.abort();
      running?.stopping.abort();
      await running?.ended;
    },
  };
};
