import { randomUUID } from 'node:crypto';
import { binaryEvent, type EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import shared, { type UUID } from '@eventstore/db-client/generated/shared_pb.js';
import messages from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata } from '@grpc/grpc-js';
import wellKnown from 'google-protobuf/google/protobuf/empty_pb.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidOfHalves } from '../../../src/embedded/eventstore/codec/uuid.ts';
import { replyKeyOf } from '../../../src/eventstore/appendRpc.ts';
import { type Reply, repliesIn } from '../../../src/eventstore/copy/appendReplies.ts';
import { collect, newStream, readSeats, seatsClaimed } from '../../eventstore/support.ts';
import { until } from '../../support/eventually.ts';
import { batchOf, bytesOf, openRawFixture, proposedEvent, type RawClient, type RawFixture, repliesTo } from './rawCalls.ts';

let fixture: RawFixture;
let client: EventStoreDBClient;
let raw: RawClient;
beforeAll(async () => {
  fixture = await openRawFixture();
  ({ client, raw } = fixture);
});
afterAll(() => fixture.close());

const structuredUuid = (most: string, least: string): UUID =>
  new shared.UUID().setStructured(new shared.UUID.Structured().setMostSignificantBits(most).setLeastSignificantBits(least));
const halves = ['-81985529216486896', '81985529216486895'] as const;
const text = uuidOfHalves(BigInt(halves[0]), BigInt(halves[1]));

describe('a UUID as two numbers', () => {
  it('is the id of an event, and of a batch, whose reply has the same form', async () => {
    const stream = newStream();
    const batch = batchOf(stream, [proposedEvent().setId(structuredUuid(...halves))]).setCorrelationId(structuredUuid(...halves));
    const [reply] = await repliesTo(raw, [bytesOf(batch)]);
    expect(reply?.hasSuccess()).toBe(true);
    expect(reply?.getCorrelationId()?.toObject()).toEqual(structuredUuid(...halves).toObject());
    const [read] = await collect(client.readStream(stream));
    expect(text).toBe('fedcba98-7654-3210-0123-456789abcdef');
    expect(read?.event?.id).toBe(text);
  });

  it('is what a read returns on request', async () => {
    const stream = newStream();
    await repliesTo(raw, [bytesOf(batchOf(stream, [proposedEvent(text)]))]);
    const options = new messages.ReadReq.Options()
      .setStream(
        new messages.ReadReq.Options.StreamOptions()
          .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)))
          .setStart(new shared.Empty()),
      )
      .setCount('1')
      .setNoFilter(new shared.Empty())
      .setUuidOption(new messages.ReadReq.Options.UUIDOption().setStructured(new shared.Empty()));
    const [read] = await raw.read(new messages.ReadReq().setOptions(options));
    expect(read?.getEvent()?.getEvent()?.getId()?.toObject()).toEqual(structuredUuid(...halves).toObject());
  });
});

describe('an event', () => {
  it.each([
    ['the nil UUID', proposedEvent('00000000-0000-0000-0000-000000000000')],
    ['no type', proposedEvent(randomUUID(), '')],
  ])('with %s is a bad request', async (_, event) => {
    const [reply] = await repliesTo(raw, [bytesOf(batchOf(newStream(), [event]))]);
    expect(reply?.getError()?.getDetails()?.getTypeUrl()).toMatch('BadRequest');
  });

  it('counts towards the maximum append size with its data only', async () => {
    const stream = newStream();
    const event = jsonEvent({ type: 'x'.repeat(1_000), data: 'x'.repeat((1 << 20) - 2), metadata: { text: 'x'.repeat(2 << 20) } });
    expect(await client.appendToStream(stream, event)).toMatchObject({ success: true });
  });

  it('has at most 16 MiB of data and metadata', async () => {
    const large = proposedEvent().setCustomMetadata(Buffer.alloc(16 << 20));
    const [reply] = await repliesTo(raw, [bytesOf(batchOf(newStream(), [large]))]);
    expect(reply?.getError()?.getDetails()?.getTypeUrl()).toMatch('BadRequest');
  });
});

describe('batches whose last chunk is missing', () => {
  const chunk = () =>
    bytesOf(batchOf(newStream(), [proposedEvent(randomUUID(), 'Large', Buffer.alloc(900_000))]).setIsFinal(false));

  it('are refused when they use too much memory, and release it when their call ends', async () => {
    for (let round = 0; round < 2; round++) {
      const call = raw.batchAppend();
      const ended = new Promise((resolve) => call.on('error', resolve));
      const refused: (string | undefined)[] = [];
      call.on('data', (reply: InstanceType<typeof messages.BatchAppendResp>) => refused.push(reply.getError()?.getMessage()));
      for (let index = 0; index < 24; index++) call.write(chunk());
      await until(() => refused.length === 6);
      expect(new Set(refused)).toEqual(new Set(['Server Is Busy']));
      // The backlog has capacity for other clients during that time.
      const stream = newStream();
      await client.appendToStream(stream, jsonEvent({ type: 'SeatClaimed', data: { seat: 1 } }));
      expect(await readSeats(client, stream)).toEqual([1]);
      call.cancel();
      await ended;
    }
  });

  it('are written when it arrives', async () => {
    const stream = newStream();
    const first = batchOf(stream).setIsFinal(false);
    const last = new messages.BatchAppendReq()
      .setCorrelationId(first.getCorrelationId())
      .setProposedMessagesList([proposedEvent()])
      .setIsFinal(true);
    const [reply] = await repliesTo(raw, [bytesOf(first), bytesOf(last)], 1);
    expect(reply?.getSuccess()?.getCurrentRevision()).toBe('1');
  });
});

describe('several requests in one message', () => {
  /** Sends one message, and returns the messages of the reply and whether the server accepts several requests in one. */
  const exchange = (message: Buffer, header: Record<string, string>) =>
    new Promise<{ received: Reply[][]; isAccepted: boolean }>((resolve, reject) => {
      const received: Reply[][] = [];
      let isAccepted = false;
      const metadata = Metadata.fromHttp2Headers(header);
      raw.client
        .makeBidiStreamRequest('/event_store.client.streams.Streams/BatchAppend', (bytes: Buffer) => bytes, repliesIn, metadata)
        .on('metadata', (accepted: Metadata) => {
          isAccepted = accepted.get('several-a-message').length > 0;
        })
        .on('data', (replies: Reply[]) => received.push(replies))
        .on('end', () => resolve({ received, isAccepted }))
        .on('error', reject)
        .end(message);
    });

  it('are written in order, and one that fails does not affect the others', async () => {
    const [first, second] = [newStream(), newStream()];
    const failing = batchOf(first);
    failing.getOptions()?.setStreamPosition('5');
    const requests = [batchOf(first), batchOf(second), failing, batchOf(first), batchOf(first, [])];
    const { received, isAccepted } = await exchange(Buffer.concat(requests.map(bytesOf)), { 'several-a-message': 'true' });
    expect(isAccepted).toBe(true);
    expect(received.length).toBeLessThan(requests.length);
    const replies = new Map(received.flat().map((reply) => [reply.key, reply]));
    const ordered = requests.map((request) => replies.get(replyKeyOf(request.getCorrelationId()?.getString() ?? '')));
    expect(ordered.map((reply) => reply && 'revision' in reply && reply.revision)).toEqual([0n, 0n, false, 1n, 1n]);
    expect(ordered[2]).toMatchObject({ other: expect.anything() });
    const positions = await collect(client.readStream(first));
    expect(positions).toHaveLength(2);
  });

  it('have a reply each, except where a later one implies it for a client that accepts that', async () => {
    const [first, second] = [newStream(), newStream()];
    const at = (stream: string, revision: string) => {
      const batch = batchOf(stream);
      if (revision === 'none') batch.getOptions()?.setNoStream(new wellKnown.Empty());
      else batch.getOptions()?.setStreamPosition(revision);
      return batch;
    };
    const requests = [at(first, 'none'), at(second, 'none'), at(first, '5'), at(first, '0'), batchOf(second), at(second, '1')];
    const headers = { 'several-a-message': 'true', 'cumulative-replies': 'true' };
    const { received } = await exchange(Buffer.concat(requests.map(bytesOf)), headers);
    const keys = requests.map((request) => replyKeyOf(request.getCorrelationId()?.getString() ?? ''));
    const replies = received.flat().map((reply) => [keys.indexOf(reply.key), 'revision' in reply ? reply.revision : 'failed']);
    // The fifth expects any revision, so that its request does not imply the revision.
    expect(replies).toEqual([
      [1, 0n],
      [2, 'failed'],
      [4, 1n],
      [5, 2n],
    ]);
    expect(await readSeats(client, first)).toHaveLength(2);
  });

  it('are not offered to a client that does not know the header, whose replies are one a message', async () => {
    const { received, isAccepted } = await exchange(bytesOf(batchOf(newStream())), {});
    expect(isAccepted).toBe(false);
    expect(received.map((replies) => replies.length)).toEqual([1]);
  });
});

describe('metadata of a deleted stream that is ignored', () => {
  it.each([
    ['not JSON', binaryEvent({ type: '$metadata', data: Buffer.from('{"$maxCount":1}') })],
    ['with a wrong type', jsonEvent({ type: '$metadata', data: { $maxCount: 'one' } })],
  ])('leaves only the former events unreadable, if it is %s', async (_, metadata) => {
    const stream = newStream();
    await client.appendToStream(stream, seatsClaimed(2));
    await client.deleteStream(stream);
    await client.appendToStream(`$$${stream}`, metadata);
    await client.appendToStream(stream, seatsClaimed(2, 2));
    expect(await readSeats(client, stream)).toEqual([2, 3]);
  });
});
