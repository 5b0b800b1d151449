import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Log, reasonOf } from '../log.ts';
import { type ProposedEvent, ticksOf } from '../storage/event.ts';
import type { Scavenged } from '../storage/scavenge.ts';
import type { Store } from '../storage/store.ts';

/** The scavenges of a server, one at a time. */
export type Scavenging = Readonly<{
  /** Begins one unless one is under way; its id either way. */
  start: () => Readonly<{ id: string; isNew: boolean }>;
  /** Ends the one with that id where it stands. False when it is not under way. */
  stop: (id: string) => boolean;
  /** Ends what is under way, and begins no other. */
  close: () => Promise<void>;
}>;

export type Schedule = Readonly<{ firstAfterMs: number; everyMs: number }>;

/** Not while the product starts; then daily, as often as anybody deletes what has to be gone soon. */
export const DAILY: Schedule = { firstAfterMs: 10 * 60_000, everyMs: 24 * 60 * 60_000 };

type Result = 'Success' | 'Stopped' | 'Errored';

type Running = Readonly<{ id: string; stopping: AbortController; ended: Promise<void> }>;

/** How often somebody who waits for its end is told of it before they are given up; PostgreSQL may be away meanwhile. */
const TELL_ATTEMPTS = 60;
const TELL_AGAIN_MS = 1_000;

const NOTHING: Scavenged = { events: 0, bytes: 0, through: 0 };
const TICKS_A_SECOND = 10_000_000;

/** The stream that tells of a scavenge, as EventStoreDB names it. */
const scavengeStream = (id: string): string => `$scavenges-${id}`;

const jsonEvent = (type: string, data: object): ProposedEvent => ({
  id: randomUUID(),
  type,
  isJson: true,
  data: Buffer.from(JSON.stringify(data)),
  metadata: Buffer.alloc(0),
});

/** A duration as .NET writes it. */
const timeSpanOf = (milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  const ticks = Number(ticksOf(milliseconds)) % TICKS_A_SECOND;
  return `${parts.join(':')}.${String(ticks).padStart(7, '0')}`;
};

/**
 * Scavenges by schedule and when asked to. One that was asked for tells of its beginning and its end in a stream, as those of
 * EventStoreDB do; the others only in the log, when they found something.
 */
export const scavengingOf = (store: Store, log: Log, { firstAfterMs, everyMs }: Schedule): Scavenging => {
  const closing = new AbortController();
  let running: Running | undefined;

  const tell = (id: string, type: string, data: object): Promise<unknown> =>
    store.submit({
      kind: 'append',
      stream: scavengeStream(id),
      expected: 'any',
      events: [jsonEvent(type, { scavengeId: id, ...data })],
      deadline: undefined,
    });

  const run = async (id: string, isAsked: boolean, signal: AbortSignal): Promise<void> => {
    const begun = performance.now();
    let outcome: { scavenged: Scavenged; result: Result; error: string };
    try {
      if (isAsked) await tell(id, '$scavengeStarted', {});
      const scavenged = await store.scavenge(signal);
      outcome = { scavenged, result: signal.aborted ? 'Stopped' : 'Success', error: '' };
      const { events, bytes } = scavenged;
      if (events > 0)
        log('info', `A scavenge removed ${events} events of ${bytes} bytes${signal.aborted ? ', and was stopped' : ''}`);
    } catch (error) {
      outcome = { scavenged: NOTHING, result: 'Errored', error: reasonOf(error) };
      log('warn', `A scavenge failed: ${reasonOf(error)}`);
    }
    if (!isAsked) return;
    const { scavenged, result, error } = outcome;
    const timeTaken = timeSpanOf(performance.now() - begun);
    const completed = { result, error, timeTaken, spaceSaved: scavenged.bytes, eventsRemoved: scavenged.events };
    for (let attempt = 1; ; attempt++) {
      try {
        await tell(id, '$scavengeCompleted', completed);
        return;
      } catch (failure) {
        if (attempt === TELL_ATTEMPTS || closing.signal.aborted) throw failure;
        await delay(TELL_AGAIN_MS, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  };

  const begin = (isAsked: boolean): Running => {
    const [id, stopping] = [randomUUID(), new AbortController()];
    const ended = run(id, isAsked, stopping.signal)
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
