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
import { encodeBatchAppend } from './batchAppendRequest.ts';
import type { ExpectedRevision } from './port.ts';

/** No store takes a larger message; up to here it says itself what is too much for an append. */
const MAX_BYTES = 16 << 20;

/** A `BatchAppend` call with at most one append on its way. Rejects once the call has ended, and then always. */
type Call = Readonly<{
  isOver: () => boolean;
  ask: (correlationId: string, request: Buffer) => Promise<BatchAppendResp>;
}>;

type Waiting = Readonly<{
  correlationId: string;
  resolve: (reply: BatchAppendResp) => void;
  reject: (error: unknown) => void;
}>;

export type AppendOptions = Readonly<{ expected: ExpectedRevision; deadlineMs: number }>;

const asIs = (bytes: Buffer): Buffer => bytes;

/** Without dashes, since servers answer with the text or with two numbers. */
const hexOf = (id: UUID | undefined): string => {
  const numbers = id?.getStructured();
  if (!numbers) return id?.getString().replaceAll('-', '') ?? '';
  return [numbers.getMostSignificantBits(), numbers.getLeastSignificantBits()]
    .map((bits) => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0'))
    .join('');
};

/** Null where the server knows no such call. */
const openCall = async (client: EventStoreDBClient): Promise<Call | null> => {
  const { StreamsClient, StreamsService } = service;
  // biome-ignore lint/complexity/useLiteralKeys: the client keeps what opens its calls protected
  if (!(await client['supports'](StreamsService.batchAppend))) return null;
  let waiting: Waiting | undefined;
  let reason: unknown;
  const end = (error: unknown): void => {
    reason ??= error;
    waiting?.reject(reason);
    waiting = undefined;
  };
  // biome-ignore lint/complexity/useLiteralKeys: as above
  const open = client['GRPCStreamCreator'](StreamsClient, 'appendToStream', (stub) =>
    stub
      .makeBidiStreamRequest(
        StreamsService.batchAppend.path,
        asIs,
        messages.BatchAppendResp.deserializeBinary,
        // biome-ignore lint/complexity/useLiteralKeys: as above
        ...client['callArguments']({}, { deadline: Number.POSITIVE_INFINITY }),
      )
      .on('data', (reply: BatchAppendResp) => {
        const asked = waiting;
        waiting = undefined;
        if (hexOf(reply.getCorrelationId()) === asked?.correlationId.replaceAll('-', '')) asked.resolve(reply);
        else {
          asked?.reject(new Error('The event store replied to an unknown append'));
          call.cancel();
        }
      })
      .on('error', (error: Error) => end(convertToCommandError(error)))
      .on('end', () => end(new Error('The event store ended the call'))),
  );
  const call = await open();
  return {
    isOver: () => reason !== undefined,
    ask: (correlationId, request) =>
      new Promise((resolve, reject) => {
        if (reason !== undefined) return reject(reason);
        waiting = { correlationId, resolve, reject };
        call.write(request);
      }),
  };
};

const resultOf = (reply: BatchAppendResp, stream: string): AppendResult => {
  const error = reply.getError();
  const details = error?.getDetails();
  switch (details?.getTypeName()) {
    case 'event_store.client.WrongExpectedVersion':
      return { success: false, nextExpectedRevision: -1n };
    case 'event_store.client.StreamDeleted':
      throw StreamDeletedError.fromStreamName(stream);
    case 'event_store.client.AccessDenied':
      throw new AccessDeniedError();
    case 'event_store.client.MaximumAppendSizeExceeded': {
      const limit = details.unpack(shared.MaximumAppendSizeExceeded.deserializeBinary, details.getTypeName());
      throw MaxAppendSizeExceededError.fromMaxAppendSize(limit?.getMaxappendsize() ?? 0);
    }
  }
  const success = reply.getSuccess();
  if (!success) throw new Error(`The event store did not append: ${error?.getMessage() ?? 'no reason given'}`);
  const position = success.getPosition();
  return {
    success: true,
    nextExpectedRevision: BigInt(success.getCurrentRevision()),
    ...(position && { position: { commit: BigInt(position.getCommitPosition()), prepare: BigInt(position.getPreparePosition()) } }),
  };
};

/**
 * Appends over as many calls as there are appends at one time. The client has one call for all, of which gRPC sends and answers one
 * message after the other, each with a write to the socket of its own; what begins together on calls of their own leaves together, so
 * that the store finds it together, writes it in one transaction and answers together.
 */
export const createAppendCalls = () => {
  const idle = new WeakMap<EventStoreDBClient, Call[]>();

  const idleOf = (client: EventStoreDBClient): Call[] => {
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
    const request = encodeBatchAppend({ correlationId, stream, expected, deadline: Date.now() + deadlineMs, events });
    if (request.length > MAX_BYTES) throw MaxAppendSizeExceededError.fromMaxAppendSize(MAX_BYTES);
    const calls = idleOf(client);
    let call: Call | null | undefined = calls.pop();
    while (call?.isOver()) call = calls.pop();
    call ??= await openCall(client);
    if (!call) return client.appendToStream(stream, [...events], { expectedRevision: expected, deadline: deadlineMs });
    const reply = await call.ask(correlationId, request);
    calls.push(call);
    return resultOf(reply, stream);
  };
};
