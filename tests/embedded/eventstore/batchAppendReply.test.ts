import streams from '@eventstore/db-client/generated/streams_pb.js';
import { describe, expect, it } from 'vitest';
import { writtenReply } from '../../../src/embedded/eventstore/service/batchAppendReply.ts';
import { bytesOf, uuidOf } from './rawCalls.ts';

const correlationId = '6d0dfe1e-1d0d-4b4c-8c3c-0d7c8a1f3b52';
const correlation = bytesOf(uuidOf(correlationId));

describe('the reply to a written batch', () => {
  it.each([
    ['customer-1', 0, 1],
    ['customer-1', 127, 128],
    ['Käse-𝄞', 2 ** 40, 2 ** 52],
    ['x'.repeat(2_000), 5, 7],
    ['nobody', -1, 7],
  ])('is decoded by the client to the same values: %s at revision %s, position %s', (stream, revision, position) => {
    const reply = streams.BatchAppendResp.deserializeBinary(
      writtenReply({ correlation, stream }, { kind: 'written', revision, position }),
    );
    expect(reply.getCorrelationId()?.getString()).toBe(correlationId);
    expect(Buffer.from(reply.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString()).toBe(stream);
    expect(reply.hasError()).toBe(false);
    const success = reply.getSuccess();
    expect(success?.hasNoStream()).toBe(revision === -1);
    expect(success?.hasCurrentRevision() ? success.getCurrentRevision() : undefined).toBe(
      revision === -1 ? undefined : `${revision}`,
    );
    expect(success?.getPosition()?.toObject()).toEqual({ commitPosition: `${position}`, preparePosition: `${position}` });
  });
});
