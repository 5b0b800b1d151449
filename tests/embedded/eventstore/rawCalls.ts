import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import messages from '@eventstore/db-client/generated/streams_pb.js';
import { Client, type ClientDuplexStream, credentials } from '@grpc/grpc-js';

const asIs = (bytes: Buffer): Buffer => bytes;

export type RawClient = {
  client: Client;
  /** A `BatchAppend` call that sends bytes, so that a test can send what no client does. */
  batchAppend: () => ClientDuplexStream<Buffer, BatchAppendResp>;
  close: () => void;
};

/** A gRPC client without the checks of the EventStoreDB client. */
export const rawClientOf = (socketPath: string): RawClient => {
  const client = new Client(`unix:${socketPath}`, credentials.createInsecure());
  return {
    client,
    batchAppend: () =>
      client.makeBidiStreamRequest('/event_store.client.streams.Streams/BatchAppend', asIs, (bytes) =>
        messages.BatchAppendResp.deserializeBinary(bytes),
      ),
    close: () => client.close(),
  };
};

export const bytesOf = (request: BatchAppendReq): Buffer => Buffer.from(request.serializeBinary());

/** Sends the requests on one call and returns `count` replies. Rejects with the error of the call. */
export const repliesTo = (raw: RawClient, requests: readonly Buffer[], count = requests.length): Promise<BatchAppendResp[]> =>
  new Promise((resolve, reject) => {
    const replies: BatchAppendResp[] = [];
    const call = raw.batchAppend();
    call.on('data', (reply: BatchAppendResp) => {
      if (replies.push(reply) === count) call.end();
    });
    call.on('end', () => resolve(replies));
    call.on('error', reject);
    for (const request of requests) call.write(request);
  });
