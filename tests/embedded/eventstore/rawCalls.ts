import { randomUUID } from 'node:crypto';
import type { EventStoreDBClient } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendReq, BatchAppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import messages from '@eventstore/db-client/generated/streams_pb.js';
import { Client, type ClientDuplexStream, credentials } from '@grpc/grpc-js';
import { clientOf } from '../../../src/eventstore/connect.ts';
import { openServerFixture } from './serverSupport.ts';

const asIs = (bytes: Buffer): Buffer => bytes;

export type RawClient = {
  client: Client;
  /** A `BatchAppend` call that sends bytes, so that a test can send what no client does. */
  batchAppend: () => ClientDuplexStream<Buffer, BatchAppendResp>;
  read: (request: ReadReq) => Promise<ReadResp[]>;
  /** Calls any method with an empty request. */
  call: (path: string, kind: 'unary' | 'stream') => Promise<void>;
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
    read: (request) =>
      new Promise((resolve, reject) => {
        const responses: ReadResp[] = [];
        client
          .makeServerStreamRequest(
            '/event_store.client.streams.Streams/Read',
            bytesOf,
            messages.ReadResp.deserializeBinary,
            request,
          )
          .on('data', (response: ReadResp) => responses.push(response))
          .on('end', () => resolve(responses))
          .on('error', reject);
      }),
    call: (path, kind) =>
      new Promise((resolve, reject) => {
        const empty = Buffer.alloc(0);
        if (kind === 'unary') client.makeUnaryRequest(path, asIs, asIs, empty, (error) => (error ? reject(error) : resolve()));
        else client.makeServerStreamRequest(path, asIs, asIs, empty).on('error', reject).on('end', resolve).resume();
      }),
    close: () => client.close(),
  };
};

export type RawFixture = { databaseUrl: string; client: EventStoreDBClient; raw: RawClient; close: () => Promise<void> };

/** A running server with a database of its own, the official client and a raw one. */
export const openRawFixture = async (): Promise<RawFixture> => {
  const fixture = await openServerFixture();
  const server = await fixture.start();
  const client = clientOf(server.connectionString);
  const raw = rawClientOf(fixture.socketPath);
  return {
    databaseUrl: fixture.databaseUrl,
    client,
    raw,
    close: async () => {
      raw.close();
      await client.dispose();
      await server.close();
      await fixture.close();
    },
  };
};

export const uuidOf = (id: string) => new shared.UUID().setString(id);

export const proposedEvent = (id: string = randomUUID(), type = 'SeatClaimed', data: Uint8Array = Buffer.from('{"seat":1}')) => {
  const event = new messages.BatchAppendReq.ProposedMessage().setId(uuidOf(id)).setData(data);
  event.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return event;
};

const optionsOf = (stream: string) =>
  new messages.BatchAppendReq.Options().setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)));

/** A batch in one chunk. */
export const batchOf = (stream: string, events = [proposedEvent()]): BatchAppendReq =>
  new messages.BatchAppendReq()
    .setCorrelationId(uuidOf(randomUUID()))
    .setOptions(optionsOf(stream))
    .setProposedMessagesList(events)
    .setIsFinal(true);

export const bytesOf = (message: { serializeBinary(): Uint8Array }): Buffer => Buffer.from(message.serializeBinary());

/** Sends the requests on one call and returns `count` replies. Rejects with the error of a call that ends before. */
export const repliesTo = (raw: RawClient, requests: readonly Buffer[], count = requests.length): Promise<BatchAppendResp[]> =>
  new Promise((resolve, reject) => {
    const replies: BatchAppendResp[] = [];
    const call = raw.batchAppend();
    call.on('data', (reply: BatchAppendResp) => {
      if (replies.push(reply) === count) call.end();
    });
    call.on('end', () => resolve(replies));
    call.on('error', (error) => (replies.length === count ? resolve(replies) : reject(error)));
    for (const request of requests) call.write(request);
  });
