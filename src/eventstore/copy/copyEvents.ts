import { setTimeout as delay } from 'node:timers/promises';
import type { EventData, EventStoreDBClient } from '@eventstore/db-client';
import type { StreamCategory } from '../../domain/events.ts';
import { clientFactoryOf, closeClient } from '../client.ts';
import { withOriginal } from '../copiedMetadata.ts';
import { isForeign, type StoredEvent } from '../decode.ts';
import { readIdentity } from '../identity.ts';
import type { Position } from '../port.ts';
import { createReader } from '../reader.ts';
import { prefixOf } from '../subscription.ts';
import { eventOfBytes, type OrderedAppends, openOrderedAppends } from './orderedAppends.ts';
import { readToEnd } from './source.ts';
import { copyStreamMetadata } from './streamMetadata.ts';
import { CopyRefused, lastCopyOf, openTarget } from './target.ts';

/** Appended, but not yet acknowledged. A resumed copy looks for gaps among as many of the target's newest events. */
const MAX_IN_FLIGHT_EVENTS = 4_000;
const MAX_BATCH_EVENTS = 500;
/** Above it, the next batch could exceed the maximum. */
const FULL_EVENTS = MAX_IN_FLIGHT_EVENTS - MAX_BATCH_EVENTS;
/** Below the default limit of a server, 1 MiB. */
const MAX_BATCH_BYTES = 256 << 10;
const RETRY_TIMEOUT_MS = 10_000;
const MAX_FAILURES = 5;
const RETRY_PAUSE_MS = 1_000;

export type CopyOptions = Readonly<{
  /** Connection strings for `clientOf`. */
  from: string;
  to: string;
  /** The streams to copy. */
  categories: readonly StreamCategory[];
  signal: AbortSignal;
  /** Called with the number of events that this call has copied so far. */
  onProgress: (events: number) => void;
}>;

type Source = StoredEvent & { position: { commit: Position } };
type Batch = { stream: string; firstRevision: bigint; events: EventData[]; bytes: number };

const copyOf = ({ id, type, contentType, data, metadata, position, revision, created }: Source): EventData => {
  const storedAt = (created ?? new Date(0)).toISOString();
  return eventOfBytes(id, type, {
    contentType,
    data: data as Uint8Array,
    metadata: withOriginal(metadata as Buffer, { position: position.commit, revision, storedAt }),
  });
};

const sizeOf = ({ data, metadata, type }: EventData): number =>
  (data as Uint8Array).length + (metadata as Uint8Array).length + type.length;

/** Sends batches in order, with a bounded number of unacknowledged events. */
const createSender = (appends: OrderedAppends, target: EventStoreDBClient, onCopied: (events: number) => void) => {
  const revisions = new Map<string, bigint>();
  let inFlight = 0;
  let failure: unknown = null;
  let wake = (): void => undefined;

  const settle = async (below: number): Promise<void> => {
    while (inFlight > below && failure === null) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (failure !== null) throw failure;
  };

  const lookUpRevision = async ({ stream, firstRevision }: Batch): Promise<bigint | 'no_stream'> => {
    const last = await lastCopyOf(target, stream);
    if (last && last.original >= firstRevision) throw new Error('Appends of an interrupted copy still reach the target');
    return last?.revision ?? 'no_stream';
  };

  const fail = (error: unknown): null => {
    failure ??= error;
    wake();
    return null;
  };

  /** Resolves to the revision of the last event, or to null after a failure. */
  const append = ({ stream, events }: Batch, expected: bigint | 'no_stream'): Promise<bigint | null> => {
    // Only this number is kept until the reply, and not the events.
    const count = events.length;
    inFlight += count;
    return appends.append(stream, events, expected).then((revision) => {
      inFlight -= count;
      onCopied(count);
      wake();
      return revision;
    }, fail);
  };

  /** A stream whose first event is not the next one: the events before it are in the target, or were removed from the source. */
  const sendLater = async (batch: Batch): Promise<void> => {
    const expected = await lookUpRevision(batch);
    const appended = append(batch, expected);
    const revision = expected === 'no_stream' ? await appended : expected + BigInt(batch.events.length);
    if (revision !== null) revisions.set(batch.stream, revision);
    await settle(FULL_EVENTS);
  };

  return {
    /** Returns a promise only if the caller has to wait, because most batches of some copies have one event. */
    send: (batch: Batch): Promise<void> | void => {
      if (failure !== null) throw failure;
      const { stream, events, firstRevision } = batch;
      const known = revisions.get(stream);
      if (known === undefined && firstRevision !== 0n) return sendLater(batch);
      revisions.set(stream, (known ?? -1n) + BigInt(events.length));
      void append(batch, known ?? 'no_stream');
      if (inFlight > FULL_EVENTS) return settle(FULL_EVENTS);
    },
    /** Resolves when all batches are acknowledged. */
    finish: () => settle(0),
  };
};

/** Puts consecutive events of one stream together, and yields what is complete of a page. */
async function* batchesOf(pages: AsyncIterable<readonly Source[]>): AsyncGenerator<readonly Batch[]> {
  let batch: Batch | null = null;
  for await (const page of pages) {
    const complete: Batch[] = [];
    for (const source of page) {
      const event = copyOf(source);
      const size = sizeOf(event);
      const isFull = batch !== null && (batch.events.length === MAX_BATCH_EVENTS || batch.bytes + size > MAX_BATCH_BYTES);
      if (batch && (isFull || batch.stream !== source.streamId)) {
        complete.push(batch);
        batch = null;
      }
      batch ??= { stream: source.streamId, firstRevision: source.revision, events: [], bytes: 0 };
      batch.events.push(event);
      batch.bytes += size;
    }
    yield complete;
  }
  if (batch) yield [batch];
}

/**
 * Leaves out events of the system and of other applications, and those that the target has. Throws `CopyRefused` if the target has
 * later events than a missing one.
 */
async function* missing(pages: AsyncIterable<readonly Source[]>, copied: readonly Position[]): AsyncGenerator<readonly Source[]> {
  const found = new Set(copied);
  const last = copied.at(-1) ?? -1n;
  for await (const page of pages) {
    const rest = page.filter((event) => !event.type.startsWith('$') && !found.has(event.position.commit) && !isForeign(event));
    const gap = rest.find(({ position }) => position.commit < last);
    if (gap) {
      throw new CopyRefused(
        `The target lacks the event at position ${gap.position.commit}, but has later ones: a write to it failed. Copy into an empty store.`,
      );
    }
    yield rest;
  }
}

/** The newest position of the source, and its identity. Throws `CopyRefused` if it cannot be the source of a copy to `to`. */
const examineStores = async ({ from, to }: CopyOptions): Promise<{ head: Position | null; identity: string }> => {
  const readers = [from, to].map((url) => createReader(clientFactoryOf(url), { retryTimeoutMs: RETRY_TIMEOUT_MS }));
  try {
    const [identity, other] = await Promise.all(readers.map(readIdentity));
    if (!identity) {
      throw new CopyRefused('The source is not an event store of Latchkey, or no server of this version has started with it.');
    }
    if (identity === other) throw new CopyRefused('Source and target are the same event store.');
    return { identity, head: (await readers[0]?.edge('newest'))?.position ?? null };
  } finally {
    await Promise.all(readers.map(({ close }) => close()));
  }
};

const copyOnce = async (options: CopyOptions, onCopied: (events: number) => void): Promise<void> => {
  const { from, to, categories, signal } = options;
  const { identity, head } = await examineStores(options);
  const clients = [clientFactoryOf(from)(), clientFactoryOf(to)(), clientFactoryOf(to)()] as const;
  const [source, target, appending] = clients;
  try {
    const prefixes = categories.map(prefixOf);
    const isProduct = (stream: string): boolean => prefixes.some((prefix) => stream.startsWith(prefix));
    const appends = await openOrderedAppends(appending);
    const copied = await openTarget(target, { appends, source: identity, isProduct, count: MAX_IN_FLIGHT_EVENTS });
    const isWhole = copied.length < MAX_IN_FLIGHT_EVENTS;
    const sender = createSender(appends, target, onCopied);
    const pages = readToEnd(source, { after: isWhole ? null : (copied[0] ?? null), prefixes, signal });
    for await (const batches of batchesOf(missing(pages, copied))) {
      for (const batch of batches) {
        const sent = sender.send(batch);
        if (sent) await sent;
      }
    }
    await sender.finish();
    if (head !== null) await copyStreamMetadata(source, target, { appends, prefixes, until: head, signal });
  } finally {
    await Promise.all(clients.map(closeClient));
  }
};

/**
 * Copies the product's events to another event store, in their order, with their ids and stored bytes, and adds the original's place
 * and time to the metadata. Continues an earlier copy after its last event, which is found in the target. The source may be in use:
 * ends with the newest event. Resolves to the number of events that this call has copied. Throws `CopyRefused` if the stores do not
 * fit, and the store's error if it stays unavailable.
 */
export const copyEvents = async (options: CopyOptions): Promise<number> => {
  let copied = 0;
  let failures = 0;
  for (;;) {
    try {
      await copyOnce(options, (events) => {
        copied += events;
        failures = 0;
        options.onProgress(copied);
      });
      return copied;
    } catch (error) {
      if (options.signal.aborted || error instanceof CopyRefused) throw error;
      failures += 1;
      if (failures === MAX_FAILURES) throw error;
      await delay(RETRY_PAUSE_MS);
    }
  }
};
