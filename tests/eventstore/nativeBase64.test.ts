import { jsonEvent } from '@eventstore/db-client';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import protobuf from 'google-protobuf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../../src/eventstore/nativeBase64.ts';
import { collect, type EventStoreUnderTest, newStream, openEventStore } from './support.ts';

let store: EventStoreUnderTest;
beforeAll(async () => {
  store = await openEventStore();
});
afterAll(() => store.close());

const texts = ['', 'a', 'ab', 'abc', 'Käse ⚙ 𝄞', '"\\', '\u0000\u001f', 'x'.repeat(100_000)];

describe('JSON that goes to the store', () => {
  it.each(texts.map((text) => [text.slice(0, 12), text]))('arrives as it was: %s', async (_, text) => {
    const stream = newStream();
    await store.client.appendToStream(stream, jsonEvent({ type: 'Said', data: { text }, metadata: { text } }));
    const [read] = await collect(store.client.readStream(stream));
    expect(read?.event).toMatchObject({ isJson: true, data: { text }, metadata: { text } });
  });
});

describe('bytes of a protobuf message', () => {
  it.each(['', 'YQ==', 'YWI=', 'YWJj', '/+8='])('are decoded from %s to an array of bytes of their own', (base64) => {
    const message = new streams.AppendReq.ProposedMessage().setData(base64);
    expect(message.getData_asU8()).toEqual(new Uint8Array(Buffer.from(base64, 'base64')));
    expect(message.getData_asU8().constructor).toBe(Uint8Array);
    expect(protobuf.Message.bytesAsB64(message.getData_asU8())).toBe(base64);
  });

  it('are left as they are', () => {
    const bytes = new Uint8Array([1, 2, 3]);
    expect(new streams.AppendReq.ProposedMessage().setData(bytes).getData_asU8()).toBe(bytes);
  });
});
