import type { Actor } from '../domain/event.ts';
import type { UserActivityEvent } from '../domain/userActivity/events.ts';
import type { HttpDeps } from '../http/deps.ts';

/** Events that wait while the store is slow or away; beyond them the oldest are given up. */
const MAX_WAITING = 50_000;
const AT_ONCE = 16;
const ATTEMPTS = 5;
const RETRY_MS = 1_000;

type Waiting = { event: UserActivityEvent; actor: Actor; at: string; attempts: number };

/** Records who came and went in the background: a socket waits for nothing, and presence itself lives in the leases. */
export const createPresenceEvents = ({
  recordUserActivity,
  now,
  newId,
  onError,
}: Pick<HttpDeps, 'recordUserActivity' | 'now' | 'newId'> & { onError: (error: unknown) => void }): {
  add: (event: UserActivityEvent, actor: Actor) => void;
  /** Waits until everything that can be written is. */
  drain: () => Promise<void>;
} => {
  let waiting: Waiting[] = [];
  const running = new Set<Promise<void>>();
  let draining = false;

  const record = async (one: Waiting): Promise<void> => {
    const commandId = newId();
    const meta = {
      actor: one.actor,
      commandId,
      correlationId: commandId,
      causationId: null,
      at: one.at,
    };
    try {
      await recordUserActivity(one.event, meta);
    } catch (error) {
      one.attempts += 1;
      if (draining || one.attempts >= ATTEMPTS) return onError(error);
      setTimeout(() => {
        waiting.push(one);
        pump();
      }, RETRY_MS).unref();
    }
  };

  const pump = (): void => {
    while (running.size < AT_ONCE) {
      const one = waiting.shift();
      if (!one) return;
      const run = record(one).finally(() => {
        running.delete(run);
        pump();
      });
      running.add(run);
    }
  };

  return {
    add: (event, actor) => {
      if (waiting.length >= MAX_WAITING) waiting = waiting.slice(waiting.length / 2);
      waiting.push({ event, actor, at: new Date(now()).toISOString(), attempts: 0 });
      pump();
    },
    drain: async () => {
      draining = true;
      while (running.size > 0) await Promise.all(running);
    },
  };
};
