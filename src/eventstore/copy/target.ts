import { randomUUID } from 'node:crypto';
import {
  type AllStreamResolvedEvent,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  jsonEvent,
  type ReadPosition,
  StreamNotFoundError,
} from '@eventstore/db-client';
import { originalOf } from '../copiedMetadata.ts';
import { isForeign } from '../decode.ts';
import type { Position } from '../port.ts';
import type { OrderedAppends } from './orderedAppends.ts';

/** Names the source whose events the target gets, so that a copy of another source cannot continue it. No subscription reads it. */
const STREAM = 'copySource';
const PAGE_EVENTS = 1_000n;

/** The stores are not a source and a target of one copy. The message says what to do. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';
}

const sourceNamed = (data: unknown): unknown =>
  typeof data === 'object' && data !== null && 'source' in data ? data.source : null;

const readSourceName = async (client: EventStoreDBClient): Promise<unknown> => {
  let name: unknown = null;
  try {
    for await (const { event } of client.readStream(STREAM, { maxCount: 1, requiresLeader: true })) name = sourceNamed(event?.data);
  } catch (error) {
    if (!(error instanceof StreamNotFoundError)) throw error;
  }
  return name;
};

const NOT_EMPTY = 'The target is not empty. Copy into a store without events of Latchkey.';

/**
 * The original positions of the newest `count` copied events of the target, ascending. Throws `CopyRefused` if one of the product's
 * events among them is no copy.
 */
const newestCopies = async (
  client: EventStoreDBClient,
  isProduct: (stream: string) => boolean,
  count: number,
): Promise<Position[]> => {
  const positions: Position[] = [];
  let from: ReadPosition = END;
  for (;;) {
    let read = 0;
    const page: AsyncIterable<AllStreamResolvedEvent> = client.readAll({
      direction: BACKWARDS,
      fromPosition: from,
      maxCount: PAGE_EVENTS,
      requiresLeader: true,
    });
    for await (const { event } of page) {
      if (!event) continue;
      read += 1;
      from = event.position;
      if (!isProduct(event.streamId) || event.type.startsWith('$') || positions.length === count) continue;
      const original = originalOf(event.metadata);
      if (original) positions.push(original.position);
      else if (!isForeign(event)) throw new CopyRefused(NOT_EMPTY);
    }
    if (read === 0 || positions.length === count) return positions.reverse();
  }
};

/**
 * Checks that the target is empty or has a copy of the source with the identity `source`, and resolves to the original positions of
 * its newest `count` events, ascending. Throws `CopyRefused`.
 */
export const openTarget = async (
  client: EventStoreDBClient,
  {
    appends,
    source,
    isProduct,
    count,
  }: { appends: OrderedAppends; source: string; isProduct: (stream: string) => boolean; count: number },
): Promise<readonly Position[]> => {
  const named = await readSourceName(client);
  if (named !== null && named !== source)
    throw new CopyRefused('The target has a copy of another event store. Use an empty store.');
  const copies = await newestCopies(client, isProduct, count);
  if (named === source) return copies;
  if (copies.length > 0) throw new CopyRefused(NOT_EMPTY);
  const marker = jsonEvent({ id: randomUUID(), type: 'CopyStarted', data: { source } });
  await appends.append(STREAM, [marker], 'no_stream');
  return [];
};

/**
 * The last event of a stream of the target; null if it has none that can be read, or one of another application. `original` is its
 * revision in the source.
 */
export const lastCopyOf = async (
  client: EventStoreDBClient,
  stream: string,
): Promise<{ revision: bigint; original: bigint } | null> => {
  try {
    const options = { direction: BACKWARDS, fromRevision: END, maxCount: 1, requiresLeader: true } as const;
    let last: { revision: bigint; original: bigint } | null = null;
    for await (const { event } of client.readStream(stream, options)) {
      const original = event && originalOf(event.metadata);
      if (original) last = { revision: event.revision, original: original.revision };
    }
    return last;
  } catch (error) {
    if (error instanceof StreamNotFoundError) return null;
    throw error;
  }
};
