import { randomUUID } from 'node:crypto';
import {
  AccessDeniedError,
  type AppendResult,
  convertToCommandError,
  type EventData,
  type EventStoreDBClient,
  MaxAppendSizeExceededError,
  StreamDeletedError,
} from '@eventstore/db-client';
import shared, { type UUID } from '@eventstore/db-client/generated/shared_pb.js';
import service from '@eventstore/db-client/generated/streams_grpc_pb.js';
import messages, { type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Metadata } from '@grpc/grpc-js';
import { DAY_MS } from '../domain/time.ts';
import { encodeBatchAppend } from './batchAppendRequest.ts';
import { clientInternals } from './clientInternals.ts';
import { AppendTimeout } from './outage.ts';
import type { ExpectedRevision } from './port.ts';
import { COALESCING_HEADER } from './readAllRpc.ts';

/** The limit of a gRPC message. The store checks its own, lower, limit of an append. */
const MAX_REQUEST_BYTES = 16 << 20;

/** A `BatchAppend` RPC with at most one pending append. `send` rejects once the RPC has ended. */
type AppendRpc = Readonly<{
  hasEnded: () => boolean;
  /** Sends no further append. */
  end: () => void;
  send: (correlationId: string, request: Uint8Array) => Promise<BatchAppendResp>;
}>;

type PendingReply = Readonly<{
  correlationId: string;
  resolve: (reply: BatchAppendResp) => void;
  reject: (error: unknown) => void;
}>;

export type AppendOptions = Readonly<{ expected: ExpectedRevision; deadlineMs: number }>;

/** For appends by methods of the client, which send the deadline by the own clock: longer than clocks differ. */
export const PUBLIC_DEADLINE_MS = DAY_MS;

/** Accepts that a reply acknowledges the appends before it, too. Only the embedded store supports it. */
const CUMULATIVE_HEADER = 'cumulative-replies';

const asIs = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A UUID without dashes. Servers reply with text or with two numbers. */
export const hexOf = (id: UUID | undefined): string => {
  const numbers = id?.getStructured();
  if (!numbers) return id?.getString().replaceAll('-', '') ?? '';
  return [numbers.getMostSignificantBits(), numbers.getLeastSignificantBits()]
    .map((bits) => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0'))
    .join('');
};

/** The correlation id of a request, as `hexOf` returns that of its reply. */
export const replyKeyOf = (correlationId: string): string => correlationId.replaceAll('-', '');

type CallEvents<Message> = Readonly<{
  decode: (message: Buffer) => Message;
  onMessage: (message: Message) => void;
  onEnd: (reason: unknown) => void;
  /**
   * With this function, the store may send several replies in one message, and leave out the reply to a written append whose revision its
   * request implies: a later reply acknowledges it. It is called if the store also accepts several requests in one message, which only
   * the embedded store does: each begins with its correlation id and has all events of its append. That store replies in order.
   */
  onCoalescing?: () => void;
}>;

/** Opens a `BatchAppend` RPC. Null if the server does not support it, or the client has no protected members. */
export const openBatchAppendCall = async <Message>(
  client: EventStoreDBClient,
  { decode, onMessage, onEnd, onCoalescing }: CallEvents<Message>,
) => {
  const { StreamsClient, StreamsService } = service;
  const internals = clientInternals(client);
  if (!internals || !(await internals.supports(StreamsService.batchAppend))) return null;
  const [metadata, options] = internals.callArguments({ requiresLeader: true }, { deadline: Number.POSITIVE_INFINITY });
  if (onCoalescing) for (const header of [COALESCING_HEADER, CUMULATIVE_HEADER]) metadata.set(header, 'true');
  const open = internals.GRPCStreamCreator(StreamsClient, 'appendToStream', (stub) =>
    stub
      .makeBidiStreamRequest(StreamsService.batchAppend.path, asIs, decode, metadata, options)
      .on('metadata', (accepted: Metadata) => accepted.get(COALESCING_HEADER).length > 0 && onCoalescing?.())
      .on('data', onMessage)
      .on('error', (error: Error) => onEnd(convertToCommandError(error)))
      .on('end', () => onEnd(new Error('The event store ended the call'))),
  );
  return open();
};

const openRpc = async (client: EventStoreDBClient): Promise<AppendRpc | null> => {
  let pendingReply: PendingReply | undefined;
  let reason: unknown;
  const call = await openBatchAppendCall(client, {
    decode: messages.BatchAppendResp.deserializeBinary,
    onMessage: (reply) => {
      const pending = pendingReply;
      pendingReply = undefined;
      // The store may reply twice to an append that timed out, the second time with its result.
      if (!pending) return;
      if (hexOf(reply.getCorrelationId()) === replyKeyOf(pending.correlationId)) pending.resolve(reply);
      else {
        pending.reject(new Error('The event store replied to an unknown append'));
        call?.cancel();
      }
    },
    onEnd: (error) => {
      reason ??= error;
      pendingReply?.reject(reason);
      pendingReply = undefined;
    },
  });
  return (
    call && {
      hasEnded: () => reason !== undefined,
      end: () => void call.end(),
      send: (correlationId, request) =>
        new Promise((resolve, reject) => {
          if (reason !== undefined) return reject(reason);
          pendingReply = { correlationId, resolve, reject };
          call.write(request);
        }),
    }
  );
};

/** The result of an append. Throws the store's error, `AppendTimeout` if the outcome is unknown. */
export const resultOf = (reply: BatchAppendResp, stream: string): AppendResult => {
  const error = reply.getError();
  const details = error?.getDetails();
  switch (details?.getTypeName()) {
    case 'event_store.client.WrongExpectedVersion':
      return { success: false, nextExpectedRevision: -1n };
    case 'event_store.client.StreamDeleted':
      throw StreamDeletedError.fromStreamName(stream);
    case 'event_store.client.AccessDenied':
      throw new AccessDeniedError();
    case 'event_store.client.Timeout':
      throw new AppendTimeout('The event store did not commit the append in time');
    case 'event_store.client.MaximumAppendSizeExceeded': {
      const limit = details.unpack(shared.MaximumAppendSizeExceeded.deserializeBinary, details.getTypeName());
      throw MaxAppendSizeExceededError.fromMaxAppendSize(limit?.getMaxappendsize() ?? 0);
    }
  }
  const success = reply.getSuccess();
  if (!success) {
    const reason = error?.getMessage() ?? 'no reason given';
    // Without details in some versions.
    if (reason === 'Timeout') throw new AppendTimeout('The event store did not commit the append in time');
    throw new Error(`The event store did not append: ${reason}`);
  }
  const position = success.getPosition();
  return {
    success: true,
    nextExpectedRevision: BigInt(success.getCurrentRevision()),
    ...(position && { position: { commit: BigInt(position.getCommitPosition()), prepare: BigInt(position.getPreparePosition()) } }),
  };
};

/**
 * Appends with one RPC per concurrent append. The client uses a single RPC, on which gRPC sends and receives one message after the other,
 * each with a separate socket write. On separate RPCs, concurrent appends share socket writes, so the store receives them as a batch
 * and writes them in one transaction.
 */
export const createAppendRpc = () => {
  const idle = new WeakMap<EventStoreDBClient, AppendRpc[]>();

  const idleRpcsOf = (client: EventStoreDBClient): AppendRpc[] => {
    const calls = idle.get(client) ?? [];
    idle.set(client, calls);
    return calls;
  };

  return async (
    client: EventStoreDBClient,
    stream: string,
    events: readonly EventData[],
    { expected, deadlineMs }: AppendOptions,
  ): Promise<AppendResult> => {
    const correlationId = randomUUID();
    const request = encodeBatchAppend({ correlationId, stream, expected, deadlineMs, events });
    if (request.length > MAX_REQUEST_BYTES) throw MaxAppendSizeExceededError.fromMaxAppendSize(MAX_REQUEST_BYTES);
    const calls = idleRpcsOf(client);
    let call: AppendRpc | null | undefined = calls.pop();
    while (call?.hasEnded()) call = calls.pop();
    call ??= await openRpc(client);
    if (!call) {
      const options = { expectedRevision: expected, deadline: PUBLIC_DEADLINE_MS, requiresLeader: true };
      return client.appendToStream(stream, [...events], options);
    }
    const reply = await call.send(correlationId, request);
    try {
      const result = resultOf(reply, stream);
      calls.push(call);
      return result;
    } catch (error) {
      call.end(); // A second reply to this append would be taken for that to the next one.
      throw error;
    }
  };
};
