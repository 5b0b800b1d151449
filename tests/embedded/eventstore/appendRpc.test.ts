import { randomUUID } from 'node:crypto';
import { binaryEvent, type EventStoreDBClient, MaxAppendSizeExceededError, StreamDeletedError } from '@eventstore/db-client';
import serverFeatures from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import shared, { type UUID } from '@eventstore/db-client/generated/shared_pb.js';
import service from '@eventstore/db-client/generated/streams_grpc_pb.js';
import messages, { type BatchAppendReq, type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { type handleBidiStreamingCall, Server, ServerCredentials } from '@grpc/grpc-js';
import { Client } from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { supportedMethods } from '../../../src/embedded/eventstore/service/cluster.ts';
import { createAppendRpc } from '../../../src/eventstore/appendRpc.ts';
import { encodeBatchAppend } from '../../../src/eventstore/batchAppendRequest.ts';
import { closeClient } from '../../../src/eventstore/client.ts';
import { clientOf } from '../../../src/eventstore/connect.ts';
import { openOrderedAppends } from '../../../src/eventstore/copy/orderedAppends.ts';
import { failureOf, newStream, readSeats, seatClaimed, seatsClaimed } from '../../eventstore/support.ts';
import { openServerFixture } from './serverSupport.ts';

const TOGETHER = 12;
const options = { expected: 'any', deadlineMs: 10_000 } as const;

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const connected = (connectionString: string): EventStoreDBClient => {
  const client = clientOf(connectionString);
  opened.push(() => closeClient(client));
  return client;
};

/** An event store for this file only, and the transactions that wrote a stream's events. */
const openStore = async () => {
  const fixture = await openServerFixture();
  opened.push(fixture.close);
  const server = await fixture.start();
  opened.push(server.close);
  const database = new Client({ connectionString: fixture.databaseUrl });
  await database.connect();
  opened.push(() => database.end());
  return {
    client: connected(server.connectionString),
    transactionsOf: async (streams: readonly string[]): Promise<number> => {
      const { rows } = await database.query<{ count: number }>(
        'select count(distinct xmin::text)::int as count from eventstore.event where stream = any($1)',
        [streams],
      );
      return rows[0]?.count ?? 0;
    },
  };
};

/** A server that accepts every append, and replies with the id that the test chooses. */
const openFakeServer = async (idOf: (id: string) => UUID): Promise<EventStoreDBClient> => {
  const server = new Server();
  const batchAppend: handleBidiStreamingCall<BatchAppendReq, BatchAppendResp> = (call) => {
    call.on('data', (request: BatchAppendReq) => {
      const position = new messages.BatchAppendResp.Success().setCurrentRevision('7').setNoPosition(new shared.Empty());
      call.write(
        new messages.BatchAppendResp().setCorrelationId(idOf(request.getCorrelationId()?.getString() ?? '')).setSuccess(position),
      );
    });
    call.on('end', () => call.end());
  };
  server.addService({ batchAppend: service.StreamsService.batchAppend }, { batchAppend });
  server.addService(serverFeatures.ServerFeaturesService, {
    getSupportedMethods: (_: unknown, reply: (error: null, methods: ReturnType<typeof supportedMethods>) => void) =>
      reply(null, supportedMethods()),
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  opened.push(async () => server.forceShutdown());
  return connected(`esdb://127.0.0.1:${port}?tls=false`);
};

const asNumbers = (id: string): UUID => {
  const hex = id.replaceAll('-', '');
  const bits = (digits: string): string => BigInt.asIntN(64, BigInt(`0x${digits}`)).toString();
  return new shared.UUID().setStructured(
    new shared.UUID.Structured().setMostSignificantBits(bits(hex.slice(0, 16))).setLeastSignificantBits(bits(hex.slice(16))),
  );
};

describe('concurrent appends', () => {
  it('are written in one transaction, and each has its own reply', async () => {
    const { client, transactionsOf } = await openStore();
    const append = createAppendRpc();
    const streams = Array.from({ length: TOGETHER }, () => newStream());
    const appendAll = (count: number) =>
      Promise.all(streams.map((stream, index) => append(client, stream, seatsClaimed(count + index), options)));
    await appendAll(1); // opens the calls
    const first = await transactionsOf(streams);
    const results = await appendAll(2);
    expect(await transactionsOf(streams)).toBe(first + 1);
    expect(results.map((result) => result.success && result.nextExpectedRevision)).toEqual(
      streams.map((_, index) => BigInt(2 * index + 2)),
    );
  });

  it('fail separately', async () => {
    const { client } = await openStore();
    const append = createAppendRpc();
    const [taken, gone, fresh] = [newStream(), newStream(), newStream()];
    await append(client, taken, [seatClaimed(1)], options);
    await append(client, gone, [seatClaimed(1)], options);
    await client.tombstoneStream(gone);
    const [second, failed, third] = await Promise.all([
      append(client, taken, [seatClaimed(2)], { ...options, expected: 'no_stream' }),
      failureOf(append(client, gone, [seatClaimed(2)], options)),
      append(client, fresh, [seatClaimed(3)], { ...options, expected: 'no_stream' }),
    ]);
    expect(second).toMatchObject({ success: false });
    expect(failed).toBeInstanceOf(StreamDeletedError);
    expect(third).toMatchObject({ success: true, nextExpectedRevision: 0n });
    expect(await readSeats(client, fresh)).toEqual([3]);
  });
});

describe('an oversized append', () => {
  it.each([2, 17])('of %s MiB is refused, and the next one is accepted', async (mebibytes) => {
    const { client } = await openStore();
    const append = createAppendRpc();
    const stream = newStream();
    const large = binaryEvent({ type: 'Large', data: new Uint8Array(mebibytes << 20) });
    expect(await failureOf(append(client, stream, [large], options))).toBeInstanceOf(MaxAppendSizeExceededError);
    expect(await append(client, stream, [seatClaimed(1)], options)).toMatchObject({ success: true, nextExpectedRevision: 0n });
  });
});

describe('a reply', () => {
  it('may contain the id of the append as two numbers', async () => {
    const client = await openFakeServer(asNumbers);
    const result = await createAppendRpc()(client, newStream(), [seatClaimed(1)], options);
    expect(result).toEqual({ success: true, nextExpectedRevision: 7n });
  });

  it('to another append is not accepted', async () => {
    const client = await openFakeServer(() => new shared.UUID().setString(randomUUID()));
    const failure = await failureOf(createAppendRpc()(client, newStream(), [seatClaimed(1)], options));
    expect(failure).toEqual(new Error('The event store replied to an unknown append'));
  });
});

describe('ordered appends', () => {
  it('are one a message for a store that does not accept several', async () => {
    const client = await openFakeServer(asNumbers);
    const { append } = await openOrderedAppends(client);
    const appended = Array.from({ length: TOGETHER }, () => append(newStream(), [seatClaimed(1)], 'any'));
    // Of several requests in one message, the fake server would reply to one only.
    expect(new Set(await Promise.all(appended))).toEqual(new Set([7n]));
  });
});

describe('the request', () => {
  /** Field 7, a `google.protobuf.Duration` of 5 s and 250,000,000 ns, which the client's classes do not have. */
  const DEADLINE = Buffer.from([0x3a, 7, 0x08, 5, 0x10, 0x80, 0xe5, 0x9a, 0x77]);
  const json = {
    id: randomUUID(),
    type: 'Käse ⚙',
    contentType: 'application/json',
    data: { text: 'é'.repeat(300) },
    metadata: undefined,
  } as const;
  const bytes = {
    id: randomUUID(),
    type: 'Bytes',
    contentType: 'application/octet-stream',
    data: Uint8Array.of(0, 255, 1),
    metadata: new TextEncoder().encode('{"at":1}'),
  } as const;

  it.each(['any', 'no_stream', 5_000_000_000n] as const)('equals the request of the client for revision %s', (expected) => {
    const append = {
      correlationId: randomUUID(),
      stream: 'straße-1',
      expected,
      deadlineMs: 5_250,
      events: [json, bytes],
    };
    const read = messages.BatchAppendReq.deserializeBinary(encodeBatchAppend(append));
    const requestOptions = read.getOptions();
    expect(read.getCorrelationId()?.getString()).toBe(append.correlationId);
    expect(read.getIsFinal()).toBe(true);
    expect(Buffer.from(requestOptions?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString()).toBe(append.stream);
    expect(Buffer.from(encodeBatchAppend(append)).includes(DEADLINE)).toBe(true);
    expect([requestOptions?.hasAny(), requestOptions?.hasNoStream(), requestOptions?.getStreamPosition()]).toEqual([
      expected === 'any',
      expected === 'no_stream',
      typeof expected === 'bigint' ? String(expected) : '0',
    ]);
    expect(
      read.getProposedMessagesList().map((event) => ({
        id: event.getId()?.getString(),
        properties: Object.fromEntries(event.getMetadataMap().getEntryList()),
        data: Buffer.from(event.getData_asU8()).toString('latin1'),
        metadata: Buffer.from(event.getCustomMetadata_asU8()).toString(),
      })),
    ).toEqual([
      {
        id: json.id,
        properties: { type: json.type, 'content-type': json.contentType },
        data: Buffer.from(JSON.stringify(json.data)).toString('latin1'),
        metadata: '',
      },
      {
        id: bytes.id,
        properties: { type: bytes.type, 'content-type': bytes.contentType },
        data: '\u0000\u00ff\u0001',
        metadata: '{"at":1}',
      },
    ]);
  });
});
