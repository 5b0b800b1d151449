import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { handleServerStreamingCall } from '@grpc/grpc-js';
import { serviceErrorOf } from './callError.ts';
import { readAll } from './readAll.ts';
import { readRequestOf } from './readRequest.ts';
import { readStream } from './readStream.ts';
import { type Responses, responsesOf } from './responses.ts';
import { report, type Service } from './service.ts';
import { subscribeToAll } from './subscribeToAll.ts';
import { subscribeToStream } from './subscribeToStream.ts';

const answer = async ({ store }: Service, request: ReadReq, responses: Responses): Promise<void> => {
  const read = readRequestOf(request);
  switch (read.kind) {
    case 'readStream':
      return readStream(store, read, responses);
    case 'readAll':
      return readAll(store, read, responses);
    case 'subscribeToStream':
      return subscribeToStream(store, read, responses);
    case 'subscribeToAll':
      return subscribeToAll(store, read, responses);
  }
};

/** `Streams.Read`: reads and catch-up subscriptions, of a stream or of `$all`. */
export const read =
  (service: Service): handleServerStreamingCall<ReadReq, Buffer> =>
  (call) => {
    service.calls.add(call);
    const responses = responsesOf(call);
    answer(service, call.request, responses).then(
      () => {
        if (!responses.isClosed()) call.end();
      },
      (error: unknown) => {
        report(service, 'Read', error);
        if (!responses.isClosed()) call.emit('error', serviceErrorOf(error));
      },
    );
  };
