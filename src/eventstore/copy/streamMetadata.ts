import { randomUUID } from 'node:crypto';
import { type EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { type Fields, isFields, parsedOf } from '../jsonFields.ts';
import type { Position } from '../port.ts';
import type { OrderedAppends } from './orderedAppends.ts';
import { readToEnd } from './source.ts';
import { lastCopyOf } from './target.ts';

const PREFIX = '$$';

/** The revision before which a deleted stream is truncated is larger than any number that JavaScript represents exactly. */
const isDeletion = (truncateBefore: unknown): boolean =>
  typeof truncateBefore === 'number' && truncateBefore > Number.MAX_SAFE_INTEGER;

/**
 * Deletes and truncates the streams of the target that are deleted or truncated in the source, after the events are copied, so that no
 * append meets a deleted stream. Changes of metadata after `until` are left for the next run.
 */
export const copyStreamMetadata = async (
  source: EventStoreDBClient,
  target: EventStoreDBClient,
  {
    appends,
    prefixes,
    until,
    signal,
  }: { appends: OrderedAppends; prefixes: readonly string[]; until: Position; signal: AbortSignal },
): Promise<void> => {
  const newest = new Map<string, Fields>();
  const systemPrefixes = prefixes.map((prefix) => `${PREFIX}${prefix}`);
  for await (const events of readToEnd(source, { after: null, prefixes: systemPrefixes, signal })) {
    for (const { streamId, type, data, position } of events) {
      if (type !== '$metadata' || position.commit > until) continue;
      const metadata = parsedOf(data as Uint8Array);
      // Stores ignore other metadata, and the limits before it end.
      newest.set(streamId.slice(PREFIX.length), isFields(metadata) ? metadata : {});
    }
  }
  for (const [stream, metadata] of newest) {
    signal.throwIfAborted();
    const last = await lastCopyOf(target, stream);
    if (!last) continue; // deleted by a former run, removed in the source before it was copied, or another application's
    const truncateBefore = metadata.$tb;
    if (isDeletion(truncateBefore)) {
      await target.deleteStream(stream, { expectedRevision: last.revision, requiresLeader: true });
      continue;
    }
    // Revisions are lower in the target if a scavenge had removed the first events.
    const lower = Number(last.original - last.revision);
    const data = typeof truncateBefore === 'number' ? { ...metadata, $tb: Math.max(0, truncateBefore - lower) } : metadata;
    await appends.append(`${PREFIX}${stream}`, [jsonEvent({ id: randomUUID(), type: '$metadata', data })], 'any');
  }
};
