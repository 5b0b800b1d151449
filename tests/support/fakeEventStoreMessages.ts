import { randomUUID } from 'node:crypto';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import messages, { type BatchAppendReq, type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { status as code, Metadata } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';

/** `position` and `revision` are small enough for numbers, `created` is in ms. */
export type FakeEvent = Readonly<{
  id: string;
  stream: string;
  type: string;
  revision: number;
  position: number;
  data: Buffer;
  metadata: Buffer;
  created: number;
}>;

type Failure = Readonly<{ code: code; details: string; metadata: Metadata }>;

const failure = (status: code, details: string, headers: Readonly<Record<string, string>> = {}): Failure => {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return { code: status, details, metadata };
};

/** Ends a call with an error. */
export const sendError = (call: { emit: (event: 'error', error: Failure) => unknown }, error: Failure): void => {
  call.emit('error', error);
};

/** The errors of EventStoreDB, with the codes, texts and trailers that versions 23.10 and 24.10 send. */
export const failures = {
  accessDenied: () => failure(code.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' }),
  unauthenticated: () => failure(code.UNAUTHENTICATED, 'Unauthenticated'),
  consumerTooSlow: () =>
    failure(code.ABORTED, 'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.'),
  notReady: () => failure(code.UNAVAILABLE, 'Server Is Not Ready'),
  noLeader: () => failure(code.UNKNOWN, 'No leader info available in response'),
  notLeader: (port: number) =>
    failure(code.NOT_FOUND, 'Leader info available', {
      exception: 'not-leader',
      'leader-endpoint-host': '127.0.0.1',
      'leader-endpoint-port': String(port),
    }),
  unexpectedResult: () => failure(code.UNKNOWN, 'Unexpected ReadStreamResult: Error'),
} as const;

const bytesOf = (response: { serializeBinary(): Uint8Array }): Buffer => Buffer.from(response.serializeBinary());

const appendError = (request: BatchAppendReq, type: string, text: string): BatchAppendResp =>
  new messages.BatchAppendResp()
    .setCorrelationId(request.getCorrelationId())
    .setStreamIdentifier(request.getOptions()?.getStreamIdentifier())
    .setError(
      new status.Status().setMessage(text).setDetails(new any.Any().setTypeUrl(`type.googleapis.com/event_store.client.${type}`)),
    );

const { ReadResp } = messages;

export const replies = {
  success: (request: BatchAppendReq, last: FakeEvent | undefined): BatchAppendResp => {
    const success = new messages.BatchAppendResp.Success();
    if (last) {
      const position = new shared.AllStreamPosition()
        .setCommitPosition(String(last.position))
        .setPreparePosition(String(last.position));
      success.setCurrentRevision(String(last.revision)).setPosition(position);
    } else success.setNoStream(new shared.Empty()).setNoPosition(new shared.Empty());
    return new messages.BatchAppendResp()
      .setCorrelationId(request.getCorrelationId())
      .setStreamIdentifier(request.getOptions()?.getStreamIdentifier())
      .setSuccess(success);
  },
  wrongExpectedVersion: (request: BatchAppendReq) => appendError(request, 'WrongExpectedVersion', 'WrongExpectedVersion'),
  accessDenied: (request: BatchAppendReq) => appendError(request, 'AccessDenied', 'Access Denied'),
  timeout: (request: BatchAppendReq) => appendError(request, 'Timeout', 'Timeout'),
  noLeader: (request: BatchAppendReq) => appendError(request, 'Empty', 'No leader info available in response'),
  confirmation: (): Buffer =>
    bytesOf(new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID()))),
  caughtUp: (): Buffer => bytesOf(new ReadResp().setCaughtUp(new ReadResp.CaughtUp())),
  fellBehind: (): Buffer => bytesOf(new ReadResp().setFellBehind(new ReadResp.FellBehind())),
  streamNotFound: (stream: string): Buffer =>
    bytesOf(
      new ReadResp().setStreamNotFound(
        new ReadResp.StreamNotFound().setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream))),
      ),
    ),
} as const;

/** The reply with an event, in ticks of 100 ns since 1970. */
export const readEventOf = ({ id, stream, type, revision, position, data, metadata, created }: FakeEvent): Buffer => {
  const recorded = new ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(id))
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)))
    .setStreamRevision(String(revision))
    .setPreparePosition(String(position))
    .setCommitPosition(String(position))
    .setCustomMetadata(metadata)
    .setData(data);
  const properties = { type, created: `${created}0000`, 'content-type': 'application/json' };
  for (const [key, value] of Object.entries(properties)) recorded.getMetadataMap().set(key, value);
  return bytesOf(new ReadResp().setEvent(new ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(String(position))));
};
