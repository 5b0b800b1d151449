import { randomUUID } from 'node:crypto';
import type { AppendResult, EventData, EventStoreDBClient } from '@eventstore/db-client';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { openBatchAppendCall, replyKeyOf, resultOf } from '../appendRpc.ts';
import { encodeBatchAppend } from '../batchAppendRequest.ts';
import type { ExpectedRevision } from '../port.ts';

/** Longer than any outage that the connection survives: appends after one that expired would be written without it. */
const DEADLINE_MS = 3_600_000;

/** Appends that the store commits in the order of the calls, without a wait for the replies in between. */
export type OrderedAppends = Readonly<{
  /** Resolves to the revision of the last event. Rejects if the events were not written, or if that is unknown. */
  append: (stream: string, events: readonly EventData[], expected: ExpectedRevision) => Promise<bigint>;
}>;

/** An event with bytes that are sent as they are. */
export const eventOfBytes = (
  id: string,
  type: string,
  { contentType, data, metadata }: { contentType: string | undefined; data: Uint8Array; metadata: Uint8Array },
): EventData =>
  // The client's type of JSON data excludes bytes, which `encodeBatchAppend` sends unchanged.
  ({ id, type, contentType: contentType ?? '', data, metadata }) as EventData;

type Pending = Readonly<{ stream: string; resolve: (result: AppendResult) => void; reject: (error: unknown) => void }>;

/** All appends share one RPC, because the store commits those of one RPC in their order. */
export const openOrderedAppends = async (client: EventStoreDBClient): Promise<OrderedAppends> => {
  const pending = new Map<string, Pending>();
  let failure: unknown;
  const onReply = (key: string, reply: BatchAppendResp): void => {
    const append = pending.get(key);
    pending.delete(key);
    try {
      append?.resolve(resultOf(reply, append.stream));
    } catch (error) {
      append?.reject(error);
    }
  };
  const onEnd = (reason: unknown): void => {
    failure ??= reason;
    for (const { reject } of pending.values()) reject(failure);
    pending.clear();
  };
  const call = await openBatchAppendCall(client, { onReply, onEnd });
  if (!call) throw new Error('The event store does not support batch appends. Use EventStoreDB 23.10 or newer.');
  return {
    append: async (stream, events, expected) => {
      const correlationId = randomUUID();
      const result = await new Promise<AppendResult>((resolve, reject) => {
        if (failure !== undefined) return reject(failure);
        pending.set(replyKeyOf(correlationId), { stream, resolve, reject });
        call.write(encodeBatchAppend({ correlationId, stream, expected, deadlineMs: DEADLINE_MS, events }));
      });
      if (!result.success) throw new Error(`${stream} of the target has other events than the source`);
      return result.nextExpectedRevision;
    },
  };
};
