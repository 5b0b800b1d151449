import streams, { type AppendReq, type AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { handleClientStreamingCall } from '@grpc/grpc-js';
import { empty, streamName, uuidText } from '../codec/messages.ts';
import { type ExpectedRevision, memoryOf, NO_REVISION, type ProposedEvent } from '../storage/event.ts';
import { StorageUnavailable } from '../storage/eventReader.ts';
import type { Written } from '../storage/operation.ts';
import {
  commitTimeout,
  deadlineExceeded,
  invalidArgument,
  maximumAppendSizeExceeded,
  serverTooBusy,
  serviceErrorOf,
  streamDeleted,
} from './callError.ts';
import { appendSizeOf, checkRecordSize, checkStreamName, expectedRevisionOf, proposedEventOf } from './proposal.ts';
import { report, type Service } from './service.ts';

const NO_BYTES = Buffer.alloc(0);

type Destination = Readonly<{ stream: string; expected: ExpectedRevision }>;

const destinationOf = (options: AppendReq.Options): Destination => {
  const stream = streamName(options.getStreamIdentifier());
  checkStreamName(stream);
  switch (options.getExpectedStreamRevisionCase()) {
    case streams.AppendReq.Options.ExpectedStreamRevisionCase.REVISION:
      return { stream, expected: expectedRevisionOf(Number(options.getRevision())) };
    case streams.AppendReq.Options.ExpectedStreamRevisionCase.NO_STREAM:
      return { stream, expected: 'no_stream' };
    case streams.AppendReq.Options.ExpectedStreamRevisionCase.STREAM_EXISTS:
      return { stream, expected: 'stream_exists' };
    default:
      return { stream, expected: 'any' };
  }
};

const eventOf = (message: AppendReq.ProposedMessage): ProposedEvent => {
  const properties = message.getMetadataMap();
  return proposedEventOf({
    id: uuidText(message.getId()),
    type: properties.get('type'),
    contentType: properties.get('content-type'),
    data: message.getData() ? Buffer.from(message.getData_asU8()) : NO_BYTES,
    metadata: message.getCustomMetadata() ? Buffer.from(message.getCustomMetadata_asU8()) : NO_BYTES,
  });
};

const success = ({ revision, position }: Written): AppendResp => {
  const reply = new streams.AppendResp.Success();
  if (revision === NO_REVISION) reply.setNoStream(empty());
  else reply.setCurrentRevision(String(revision));
  reply.setPosition(new streams.AppendResp.Position().setCommitPosition(String(position)).setPreparePosition(String(position)));
  return new streams.AppendResp().setSuccess(reply);
};

const wrongExpectedVersion = (expected: ExpectedRevision, current: number): AppendResp => {
  const reply = new streams.AppendResp.WrongExpectedVersion();
  if (current === NO_REVISION) reply.setCurrentNoStream(empty());
  else reply.setCurrentRevision(String(current));
  if (expected === 'any') reply.setExpectedAny(empty());
  else if (expected === 'no_stream') reply.setExpectedNoStream(empty());
  else if (expected === 'stream_exists') reply.setExpectedStreamExists(empty());
  else reply.setExpectedRevision(String(expected));
  return new streams.AppendResp().setWrongExpectedVersion(reply);
};

/** `Streams.Append`: the options, then one message per event. All events are written, or none. */
export const append =
  (service: Service): handleClientStreamingCall<AppendReq, AppendResp> =>
  (call, reply) => {
    const { store, maxAppendSize } = service;
    const events: ProposedEvent[] = [];
    let destination: Destination | undefined;
    let bytes = 0;
    let memory = 0;
    let answered = false;
    const free = (): void => {
      store.unreserve(memory);
      memory = 0;
    };
    const answer = (error: unknown, response: AppendResp | null): void => {
      if (answered) return;
      answered = true;
      free();
      if (error) report(service, 'Append', error);
      reply(error ? serviceErrorOf(error) : null, response);
    };

    const receive = (request: AppendReq): void => {
      const options = request.getOptions();
      if (options) destination = destinationOf(options);
      const message = request.getProposedMessage();
      if (!message) return;
      const event = eventOf(message);
      bytes += appendSizeOf(event);
      if (bytes > maxAppendSize) throw maximumAppendSizeExceeded(maxAppendSize);
      const added = memoryOf(event);
      checkRecordSize(memory + added);
      if (!store.reserve(added)) throw serverTooBusy();
      memory += added;
      events.push(event);
    };

    const write = async (): Promise<void> => {
      if (!destination) throw invalidArgument('The stream name is missing');
      const { stream, expected } = destination;
      free();
      const outcome = await store
        .submit({ kind: 'append', stream, expected, events, deadline: undefined })
        .catch((error: unknown) => {
          throw error instanceof StorageUnavailable ? commitTimeout() : error;
        });
      switch (outcome.kind) {
        case 'written':
          return answer(null, success(outcome));
        case 'wrong_expected_revision':
          return answer(null, wrongExpectedVersion(expected, outcome.current));
        case 'stream_deleted':
          throw streamDeleted(stream);
        case 'deadline_exceeded':
          throw deadlineExceeded();
      }
    };

    call.on('data', (request: AppendReq) => {
      if (answered) return;
      try {
        receive(request);
      } catch (error) {
        answer(error, null);
      }
    });
    call.on('end', () => {
      if (!answered) write().catch((error: unknown) => answer(error, null));
    });
    const abandon = (): void => {
      answered = true;
      free();
    };
    call.on('cancelled', abandon);
    call.on('error', abandon);
  };
