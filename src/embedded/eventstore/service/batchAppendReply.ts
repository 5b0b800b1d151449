import shared from '@eventstore/db-client/generated/shared_pb.js';
import statusMessages from '@eventstore/db-client/generated/status_pb.js';
import streams, { type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import wellKnown from 'google-protobuf/google/protobuf/empty_pb.js';
import { allStreamPosition, streamIdentifier, uuid } from '../codec/messages.ts';
import { type ExpectedRevision, NO_REVISION } from '../storage/event.ts';
import type { Written } from '../storage/operation.ts';

/** Which batch is answered. The client demands the stream's name with an error. */
export type BatchAddress = Readonly<{ correlationId: string; stream: string }>;

const replyTo = ({ correlationId, stream }: BatchAddress): BatchAppendResp =>
  new streams.BatchAppendResp().setCorrelationId(uuid(correlationId)).setStreamIdentifier(streamIdentifier(stream));

export const writtenReply = (to: BatchAddress, { revision, position }: Written): BatchAppendResp => {
  const success = new streams.BatchAppendResp.Success();
  if (revision === NO_REVISION) success.setNoStream(new wellKnown.Empty());
  else success.setCurrentRevision(String(revision));
  if (position === undefined) success.setNoPosition(new wellKnown.Empty());
  else success.setPosition(allStreamPosition(position));
  return replyTo(to).setSuccess(success);
};

type Detail = Readonly<{ name: string; message: { serializeBinary(): Uint8Array } }>;

const errorReply = (to: BatchAddress, code: number, text: string, { name, message }: Detail): BatchAppendResp => {
  const detail = new any.Any();
  detail.pack(message.serializeBinary(), `event_store.client.${name}`);
  return replyTo(to).setError(new statusMessages.Status().setCode(code).setMessage(text).setDetails(detail));
};

export const wrongExpectedRevisionReply = (to: BatchAddress, expected: ExpectedRevision, current: number): BatchAppendResp => {
  const message = new shared.WrongExpectedVersion();
  if (current === NO_REVISION) message.setCurrentNoStream(new wellKnown.Empty());
  else message.setCurrentStreamRevision(String(current));
  if (expected === 'any') message.setExpectedAny(new wellKnown.Empty());
  else if (expected === 'no_stream') message.setExpectedNoStream(new wellKnown.Empty());
  else if (expected === 'stream_exists') message.setExpectedStreamExists(new wellKnown.Empty());
  else message.setExpectedStreamPosition(String(expected));
  return errorReply(to, status.ALREADY_EXISTS, 'WrongExpectedVersion', { name: 'WrongExpectedVersion', message });
};

export const streamDeletedReply = (to: BatchAddress): BatchAppendResp => {
  const message = new shared.StreamDeleted().setStreamIdentifier(streamIdentifier(to.stream));
  return errorReply(to, status.NOT_FOUND, 'StreamDeleted', { name: 'StreamDeleted', message });
};

export const maximumAppendSizeReply = (to: BatchAddress, bytes: number): BatchAppendResp => {
  const message = new shared.MaximumAppendSizeExceeded().setMaxappendsize(bytes);
  return errorReply(to, status.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', { name: 'MaximumAppendSizeExceeded', message });
};

/** The deadline has passed, or the commit's outcome is not known: asking again with the same ids is safe. */
export const timeoutReply = (to: BatchAddress): BatchAppendResp =>
  errorReply(to, status.DEADLINE_EXCEEDED, 'Timeout', { name: 'Timeout', message: new shared.Timeout() });

export const badRequestReply = (to: BatchAddress, text: string): BatchAppendResp =>
  errorReply(to, status.INVALID_ARGUMENT, text, { name: 'BadRequest', message: new shared.BadRequest().setMessage(text) });

export const unknownErrorReply = (to: BatchAddress): BatchAppendResp =>
  errorReply(to, status.UNKNOWN, 'Unknown', { name: 'Unknown', message: new shared.Unknown() });
