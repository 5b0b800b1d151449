import shared from '@eventstore/db-client/generated/shared_pb.js';
import statusMessages from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import wellKnown from 'google-protobuf/google/protobuf/empty_pb.js';
import { streamIdentifier } from '../codec/messages.ts';
import { prependBytes, prependLength, prependNumber, prependString, writerOf, writtenBytes } from '../codec/protobuf.ts';
import { type ExpectedRevision, NO_REVISION } from '../storage/event.ts';
import type { Written } from '../storage/operation.ts';

/** The batch that a reply is for: its correlation id as the client sent it, and its stream, which the client requires in errors. */
export type BatchAddress = Readonly<{ correlation: Buffer; stream: string }>;

const NO_FIELDS = Buffer.alloc(0);
const FIXED_PART = 128;

/** Encodes the reply to a successful append, eight times as fast as the generated class. */
export const writtenReply = ({ correlation, stream }: BatchAddress, { revision, position }: Written): Buffer => {
  const writer = writerOf(correlation.length + 3 * stream.length + FIXED_PART);
  const end = writer.at;
  prependString(writer, 3, stream);
  prependLength(writer, 4, end);
  const endOfSuccess = writer.at;
  prependNumber(writer, 2, position);
  prependNumber(writer, 1, position);
  prependLength(writer, 3, endOfSuccess);
  if (revision === NO_REVISION) prependBytes(writer, 2, NO_FIELDS);
  else prependNumber(writer, 1, revision);
  prependLength(writer, 3, endOfSuccess);
  prependBytes(writer, 1, correlation);
  return writtenBytes(writer);
};

type Detail = Readonly<{ name: string; message: { serializeBinary(): Uint8Array } }>;

const errorReply = ({ correlation, stream }: BatchAddress, code: number, text: string, { name, message }: Detail): Buffer => {
  const detail = new any.Any();
  detail.pack(message.serializeBinary(), `event_store.client.${name}`);
  const reply = new streams.BatchAppendResp()
    .setCorrelationId(shared.UUID.deserializeBinary(correlation))
    .setStreamIdentifier(streamIdentifier(stream))
    .setError(new statusMessages.Status().setCode(code).setMessage(text).setDetails(detail));
  return Buffer.from(reply.serializeBinary());
};

export const wrongExpectedRevisionReply = (to: BatchAddress, expected: ExpectedRevision, current: number): Buffer => {
  const message = new shared.WrongExpectedVersion();
  if (current === NO_REVISION) message.setCurrentNoStream(new wellKnown.Empty());
  else message.setCurrentStreamRevision(String(current));
  if (expected === 'any') message.setExpectedAny(new wellKnown.Empty());
  else if (expected === 'no_stream') message.setExpectedNoStream(new wellKnown.Empty());
  else if (expected === 'stream_exists') message.setExpectedStreamExists(new wellKnown.Empty());
  else message.setExpectedStreamPosition(String(expected));
  return errorReply(to, status.ALREADY_EXISTS, 'WrongExpectedVersion', { name: 'WrongExpectedVersion', message });
};

export const streamDeletedReply = (to: BatchAddress): Buffer => {
  const message = new shared.StreamDeleted().setStreamIdentifier(streamIdentifier(to.stream));
  return errorReply(to, status.NOT_FOUND, 'StreamDeleted', { name: 'StreamDeleted', message });
};

export const maximumAppendSizeReply = (to: BatchAddress, bytes: number): Buffer => {
  const message = new shared.MaximumAppendSizeExceeded().setMaxappendsize(bytes);
  return errorReply(to, status.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', { name: 'MaximumAppendSizeExceeded', message });
};

/** The deadline has passed, or the commit's outcome is unknown. A retry with the same event ids is safe. */
export const timeoutReply = (to: BatchAddress): Buffer =>
  errorReply(to, status.DEADLINE_EXCEEDED, 'Timeout', { name: 'Timeout', message: new shared.Timeout() });

/** The server holds too many unfinished batches. A retry with the same event ids is safe. */
export const tooBusyReply = (to: BatchAddress): Buffer =>
  errorReply(to, status.RESOURCE_EXHAUSTED, 'Server Is Busy', { name: 'Timeout', message: new shared.Timeout() });

export const badRequestReply = (to: BatchAddress, text: string): Buffer =>
  errorReply(to, status.INVALID_ARGUMENT, text, { name: 'BadRequest', message: new shared.BadRequest().setMessage(text) });

export const unknownErrorReply = (to: BatchAddress): Buffer =>
  errorReply(to, status.UNKNOWN, 'Unknown', { name: 'Unknown', message: new shared.Unknown() });
