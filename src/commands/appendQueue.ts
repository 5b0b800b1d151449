import type { EventMeta } from '../domain/event.ts';
import type { AnyEvent } from '../domain/events.ts';
import { type EventStore, EventStoreUnavailable, type StreamName } from '../eventstore/port.ts';

const SEND_MS = 1_000;

/** What an append queue needs. `newId` returns a UUID. */
export type AppendQueueDeps = Readonly<{
  events: Pick<EventStore, 'append'>;
  newId: () => string;
  /** Recognises an append that failed because the owner of its data was erased: that event is left out. */
  isErased: (error: unknown) => boolean;
  onError: (error: unknown) => void;
}>;

type Outgoing<E> = Readonly<{ stream: StreamName; event: E; meta: EventMeta }>;

/** Events that are appended soon after what they record, which does not wait for them. */
export type AppendQueue<E> = Readonly<{
  /** Adds an event that was recorded at a time (ISO-8601 UTC). Returns the oldest event if it was dropped because too many wait. */
  add: (stream: StreamName, event: E, at: string) => E | null;
  /** Stops the timer and appends what waits, unless the store is unavailable. */
  close: () => Promise<void>;
}>;

/**
 * Appends events in their order, once a second, `atOnce` of one stream at a time. While the event store is unavailable they wait: at most
 * `kept`, of which the oldest are dropped. An event that cannot be appended does not keep back the others. `beforeSend` is called before
 * each attempt, and may add events.
 */
export const createAppendQueue = <E extends AnyEvent>(
  { events, newId, isErased, onError }: AppendQueueDeps,
  { actorId, kept, atOnce, beforeSend }: Readonly<{ actorId: string; kept: number; atOnce: number; beforeSend: () => void }>,
): AppendQueue<E> => {
  const waiting: Outgoing<E>[] = [];
  let sending: Promise<void> | undefined;

  const append = async (batch: readonly Outgoing<E>[]): Promise<void> => {
    const [first] = batch;
    if (!first) return;
    await events.append(
      first.stream,
      batch.map(({ event }) => event),
      { expected: 'any', meta: batch.map(({ meta }) => meta), eventIds: batch.map(({ meta }) => meta.commandId) },
    );
  };

  /** The first events that belong to the same stream. */
  const nextBatch = (): Outgoing<E>[] => {
    const end = waiting.findIndex(({ stream }) => stream !== waiting[0]?.stream);
    return waiting.slice(0, Math.min(atOnce, end === -1 ? waiting.length : end));
  };

  /** Others may have been dropped meanwhile. */
  const remove = (sent: readonly Outgoing<E>[]): void => {
    const gone = new Set(sent);
    waiting.splice(0, waiting.length, ...waiting.filter((one) => !gone.has(one)));
  };

  /** Appends the events one by one, because one of them made the append fail. */
  const appendEach = async (batch: readonly Outgoing<E>[]): Promise<void> => {
    for (const one of batch) {
      await append([one]).catch((error: unknown) => {
        if (error instanceof EventStoreUnavailable) throw error;
        if (!isErased(error)) onError(error);
      });
      remove([one]);
    }
  };

  const send = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = nextBatch();
      try {
        await append(batch);
      } catch (error) {
        if (error instanceof EventStoreUnavailable) throw error;
        await appendEach(batch);
        continue;
      }
      remove(batch);
    }
  };

  const sendAll = (): Promise<void> => {
    sending ??= send()
      .catch(onError)
      .finally(() => {
        sending = undefined;
      });
    return sending;
  };

  const timer = setInterval(() => {
    beforeSend();
    if (waiting.length > 0) void sendAll();
  }, SEND_MS);
  timer.unref();

  return {
    add: (stream, event, at) => {
      const id = newId();
      const meta = { actor: { kind: 'system', id: actorId }, commandId: id, correlationId: id, causationId: null, at } as const;
      waiting.push({ stream, event, meta });
      return waiting.length > kept ? (waiting.shift()?.event ?? null) : null;
    },
    close: async () => {
      clearInterval(timer);
      await sending;
      await sendAll();
    },
  };
};
