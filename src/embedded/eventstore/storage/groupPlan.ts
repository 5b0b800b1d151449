import { randomUUID } from 'node:crypto';
import {
  describedStream,
  isMetastream,
  metastreamOf,
  NO_REVISION,
  type ProposedEvent,
  type StoredEvent,
  TOMBSTONE_REVISION,
  ticksOf,
} from './event.ts';
import type { WrittenId, WrittenPosition, WrittenRange } from './eventReader.ts';
import type { Operation, OperationResult } from './operation.ts';
import { headOf, isTombstoned, type StreamHead, wasNeverWritten } from './streamHead.ts';
import { isSoftDeleted, parseStreamMetadata, recreatedFrom, SOFT_DELETED_JSON } from './streamMetadata.ts';

/** The committed state that the operations of a group depend on. Heads by described stream. */
export type Committed = Readonly<{
  heads: ReadonlyMap<string, StreamHead>;
  /** Finds a recently written event of a stream by its id. */
  recent: (stream: string, id: string) => WrittenPosition | undefined;
  /** The events in the ranges that `repeatedRange` returned, by `writtenKey`. */
  written: ReadonlyMap<string, WrittenId>;
  lastPosition: number;
}>;

/** The events of one transaction, and the outcome of each operation once it commits. */
export type GroupPlan = Readonly<{
  events: readonly StoredEvent[];
  heads: ReadonlyMap<string, StreamHead>;
  outcomes: readonly OperationResult[];
}>;

const NO_BYTES = Buffer.alloc(0);

export const writtenKey = (stream: string, revision: number): string => `${revision}@${stream}`;

const exactRevision = ({ expected }: Operation): number | undefined => {
  if (expected === 'no_stream') return NO_REVISION;
  return typeof expected === 'number' ? expected : undefined;
};

/** The revisions that a retried append would have written. */
export const repeatedRange = (operation: Operation, heads: ReadonlyMap<string, StreamHead>): WrittenRange | undefined => {
  const described = heads.get(describedStream(operation.stream));
  const expected = exactRevision(operation);
  if (operation.kind !== 'append' || !described || expected === undefined) return undefined;
  const head = headOf(operation.stream, described);
  if (isTombstoned(head) || expected >= head.revision) return undefined;
  return { stream: operation.stream, first: expected + 1, last: expected + operation.events.length };
};

/** Decides the operations of a group in order. Each one sees the effects of those before it. */
export const planGroup = (operations: readonly Operation[], committed: Committed, now: number): GroupPlan => {
  const events: StoredEvent[] = [];
  const heads = new Map<string, StreamHead>();
  const planned = new Map<string, StoredEvent>();
  const plannedAt = new Map<string, StoredEvent>();
  const created = ticksOf(now);

  const described = (stream: string): StreamHead => {
    const name = describedStream(stream);
    const head = heads.get(name) ?? committed.heads.get(name);
    if (!head) throw new Error(`The head of stream ${name} was not loaded`);
    return head;
  };

  const addEvent = (stream: string, revision: number, { id, type, isJson, data, metadata }: ProposedEvent): number => {
    const position = committed.lastPosition + events.length + 1;
    const event = { position, stream, revision, id, type, isJson, data, metadata, created };
    events.push(event);
    planned.set(id, event);
    return position;
  };

  /** An event of this group by `writtenKey`. Only an append whose expected revision is in the past needs this index. */
  const plannedEventAt = (key: string): StoredEvent | undefined => {
    for (const event of events.slice(plannedAt.size)) plannedAt.set(writtenKey(event.stream, event.revision), event);
    return plannedAt.get(key);
  };

  const advance = (stream: string, revision: number, last: ProposedEvent): void => {
    const head = described(stream);
    // Names the properties, because spreading an object of few costs several times as much.
    heads.set(
      describedStream(stream),
      isMetastream(stream)
        ? { revision: head.revision, metadataRevision: revision, metadata: parseStreamMetadata(last.data, last.isJson) }
        : { revision, metadataRevision: head.metadataRevision, metadata: head.metadata },
    );
  };

  /** Adds a system event and returns its position. */
  const writeSystemEvent = (stream: string, revision: number, type: string, data: Buffer): number => {
    const event = { id: randomUUID(), type, isJson: data.length > 0, data, metadata: NO_BYTES };
    const position = addEvent(stream, revision, event);
    advance(stream, revision, event);
    return position;
  };

  const writeMetadata = (stream: string, json: Buffer): number =>
    writeSystemEvent(metastreamOf(stream), described(stream).metadataRevision + 1, '$metadata', json);

  /** Ends the soft deletion of a stream, whose events from before `revision` stay unreadable. */
  const recreate = (stream: string, revision: number): void => {
    const name = describedStream(stream);
    writeMetadata(name, recreatedFrom(described(name).metadata, revision));
  };

  const refuse = (head: StreamHead): OperationResult => ({ kind: 'wrong_expected_revision', current: head.revision });

  /** The leading events of the append that are already stored: it is a retry if that is all of them. */
  const writtenBefore = (operation: Operation & { kind: 'append' }): readonly WrittenPosition[] => {
    const { stream } = operation;
    const expected = exactRevision(operation);
    const eventAt = (revision: number, id: string): WrittenPosition | undefined => {
      const key = writtenKey(stream, revision);
      const found = plannedEventAt(key) ?? committed.written.get(key);
      return found?.id === id ? found : undefined;
    };
    const before: WrittenPosition[] = [];
    for (const [index, { id }] of operation.events.entries()) {
      const plannedById = planned.get(id);
      const known = plannedById?.stream === stream ? plannedById : committed.recent(stream, id);
      const revision = expected === undefined ? known?.revision : expected + 1 + index;
      const found = revision === undefined || known?.revision === revision ? known : eventAt(revision, id);
      if (!found) break;
      before.push(found);
    }
    return before;
  };

  const append = (operation: Operation & { kind: 'append' }): OperationResult => {
    const { stream } = operation;
    const head = headOf(stream, described(stream));
    const expected = exactRevision(operation);
    const lastEvent = operation.events.at(-1);
    if (lastEvent && (expected === undefined || expected < head.revision)) {
      const before = writtenBefore(operation);
      const last = before.at(-1);
      if (last && before.length === operation.events.length)
        return { kind: 'written', revision: last.revision, position: last.position };
      if (last) return refuse(head);
    }
    const recreatable = lastEvent !== undefined && expected === NO_REVISION && isSoftDeleted(head.metadata);
    if (expected !== undefined && expected !== head.revision && !recreatable) return refuse(head);
    const before = described(stream);
    let revision = head.revision;
    for (const event of operation.events) addEvent(stream, ++revision, event);
    const position = committed.lastPosition + events.length;
    if (lastEvent) advance(stream, revision, lastEvent);
    // Also an append without events ends the deletion, as in EventStoreDB.
    if (isSoftDeleted(before.metadata)) recreate(stream, before.revision + 1);
    return { kind: 'written', revision, position };
  };

  const remove = (operation: Operation & { kind: 'delete' | 'tombstone' }): OperationResult => {
    const { stream } = operation;
    const head = headOf(stream, described(stream));
    const expected = exactRevision(operation);
    const recreatable = expected === NO_REVISION && isSoftDeleted(head.metadata);
    if (expected !== undefined && expected !== head.revision && !recreatable) return refuse(head);
    if (operation.kind === 'tombstone') {
      const position = writeSystemEvent(stream, TOMBSTONE_REVISION, '$streamDeleted', NO_BYTES);
      return { kind: 'written', revision: TOMBSTONE_REVISION, position };
    }
    if (isMetastream(stream) || wasNeverWritten(head)) return refuse(head);
    return { kind: 'written', revision: head.revision, position: writeMetadata(stream, SOFT_DELETED_JSON) };
  };

  const decide = (operation: Operation): OperationResult => {
    const head = headOf(operation.stream, described(operation.stream));
    if (operation.deadline !== undefined && operation.deadline <= now) return { kind: 'deadline_exceeded' };
    if (isTombstoned(head)) return { kind: 'stream_deleted' };
    if (operation.expected === 'stream_exists') {
      if (isSoftDeleted(head.metadata)) return { kind: 'stream_deleted' };
      if (wasNeverWritten(head)) return refuse(head);
    }
    return operation.kind === 'append' ? append(operation) : remove(operation);
  };

  const outcomes = operations.map(decide);
  return { events, heads, outcomes };
};
