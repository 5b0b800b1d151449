import type { EventData } from '@eventstore/db-client';
import type { ExpectedRevision } from './port.ts';
import { BatchAppendReq } from './protobufMessages.ts';

/** `deadlineMs` is a duration, so that the clocks of server and store may differ; `correlationId` is a UUID. */
export type BatchAppend = Readonly<{
  correlationId: string;
  stream: string;
  expected: ExpectedRevision;
  deadlineMs: number;
  events: readonly EventData[];
}>;

const NO_BYTES = Buffer.alloc(0);

const bytesOf = (value: unknown): Uint8Array => {
  if (value === undefined) return NO_BYTES;
  return value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value));
};

const expectationOf = (expected: ExpectedRevision) => {
  if (expected === 'any') return { any: {} };
  return expected === 'no_stream' ? { noStream: {} } : { revision: Number(expected) };
};

/** Encodes `event_store.client.streams.BatchAppendReq` with a whole append in one chunk. */
export const encodeBatchAppend = ({ correlationId, stream, expected, deadlineMs, events }: BatchAppend): Uint8Array =>
  BatchAppendReq.encode({
    correlationId: { text: correlationId },
    options: {
      stream: { name: stream },
      ...expectationOf(expected),
      deadline: { seconds: Math.floor(deadlineMs / 1_000), nanos: (deadlineMs % 1_000) * 1_000_000 },
    },
    events: events.map(({ id, type, contentType, data, metadata }) => ({
      id: { text: id },
      properties: { type, 'content-type': contentType },
      metadata: bytesOf(metadata),
      data: bytesOf(data),
    })),
    isFinal: true,
  }).finish();
