import { randomUUID } from 'node:crypto';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import { describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { CustomerId } from '../../src/domain/ids.ts';
import { closeClient } from '../../src/eventstore/client.ts';
import { clientOf } from '../../src/eventstore/connect.ts';
import { openReadAllRpc } from '../../src/eventstore/readAllRpc.ts';
import { type Response, readResponses } from '../../src/eventstore/readResponse.ts';
import { metaOf } from '../support/builders/command.ts';
import { seatLimitsEnforced } from '../support/builders/customer.ts';
import { sharesOneEventStore } from '../support/storeChoice.ts';
import { openStoreFixture, startOf } from './adapterSupport.ts';

const { ReadResp } = streamsPb;
const id = '6d0dfe1e-1d0d-4b4c-8c3c-0d7c8a1f3b52';

/** As the client's own classes write it. */
const written = (response: { serializeBinary(): Uint8Array }): Buffer => Buffer.from(response.serializeBinary());

const eventMessage = ({ stream = 'customer-1', revision = '0', commit = '1', data = '{}', metadata = '' } = {}): Buffer => {
  const recorded = new ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(id))
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)))
    .setStreamRevision(revision)
    .setPreparePosition('7')
    .setCommitPosition(commit)
    .setCustomMetadata(Buffer.from(metadata))
    .setData(Buffer.from(data));
  const properties = { 'content-type': 'application/json', created: '17000000000129999', type: 'SeatsAllocated', later: 'unknown' };
  for (const [key, value] of Object.entries(properties)) recorded.getMetadataMap().set(key, value);
  return written(new ReadResp().setEvent(new ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(commit)));
};

const responsesIn = (...messages: Buffer[]): Response[] => {
  const responses: Response[] = [];
  readResponses(Buffer.concat(messages), responses);
  return responses;
};

const checkpoint = written(
  new ReadResp().setCheckpoint(new ReadResp.Checkpoint().setCommitPosition('18446744073709551615').setPreparePosition('3')),
);
const caughtUp = written(new ReadResp().setCaughtUp(new ReadResp.CaughtUp()));
const confirmation = written(new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation().setSubscriptionId(id)));

describe('messages of a subscription', () => {
  it.each([
    ['customer-1', '0', '1', '{}', ''],
    ['Käse-𝄞', '127', '128', '{"a":1}', '{"b":2}'],
    ['x'.repeat(2_000), '562949953421312', '9007199254740993', 'é'.repeat(300), ''],
    ['nobody', '9223372036854775807', '18446744073709551615', '', ''],
  ])('are decoded: %s at revision %s, position %s', (stream, revision, commit, data, metadata) => {
    expect(responsesIn(eventMessage({ stream, revision, commit, data, metadata }))).toEqual([
      {
        kind: 'event',
        event: {
          id,
          streamId: stream,
          contentType: 'application/json',
          type: 'SeatsAllocated',
          revision: BigInt(revision),
          position: { commit: BigInt(commit) },
          data: Buffer.from(data),
          metadata: Buffer.from(metadata),
          created: new Date(1_700_000_000_012),
        },
      },
    ]);
  });

  it('may contain several responses, with others between them', () => {
    const message = [confirmation, eventMessage({ revision: '1' }), checkpoint, eventMessage({ revision: '2' }), caughtUp];
    expect(responsesIn(...message).map((response) => (response.kind === 'event' ? response.event.revision : response))).toEqual([
      1n,
      { kind: 'checkpoint', position: 18446744073709551615n },
      2n,
      { kind: 'caughtUp' },
    ]);
  });

  it('are rejected if they are truncated at any byte', () => {
    const message = eventMessage();
    for (let length = 1; length < message.length; length++) {
      expect(() => responsesIn(message.subarray(0, length)), `${length} bytes`).toThrow('unreadable');
    }
  });
});

describe('the embedded store', () => {
  const fixture = openStoreFixture();

  it.runIf(!sharesOneEventStore(process.env))('sends many events in one message if the client accepts that', async () => {
    const after = await startOf(fixture);
    const stream = streams.customer(randomUUID() as CustomerId);
    const many = Array.from({ length: 500 }, () => seatLimitsEnforced());
    await fixture.events.append(stream, many, { expected: 'no_stream', meta: metaOf() });
    const client = clientOf(fixture.stores.eventStoreUrl);
    const call = await openReadAllRpc(client, { after, prefixes: [stream], requiresLeader: true });
    if (!call) throw new Error('The client has no protected members');
    call.on('error', () => undefined); // it is cancelled
    const responses: Response[] = [];
    let messages = 0;
    for await (const message of call) {
      messages += 1;
      readResponses(message, responses);
      if (responses.some(({ kind }) => kind === 'caughtUp')) break;
    }
    await closeClient(client);
    const revisions = responses.flatMap((response) => (response.kind === 'event' ? [Number(response.event.revision)] : []));
    expect(revisions).toEqual(many.map((_, revision) => revision));
    expect(messages).toBeLessThan(20);
  });
});
