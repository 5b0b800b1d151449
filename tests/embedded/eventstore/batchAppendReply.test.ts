import streams from '@eventstore/db-client/generated/streams_pb.js';
import { describe, expect, it } from 'vitest';
import { writtenReply } from '../../../src/embedded/eventstore/service/batchAppendReply.ts';

const correlationId = '6d0dfe1e-1d0d-4b4c-8c3c-0d7c8a1f3b52';

describe('the answer to a batch that was written', () => {
  it.each([
    ['customer-1', 0, 1],
    ['customer-1', 127, 128],
    ['Käse-𝄞', 2 ** 40, 2 ** 52],
    ['x'.repeat(2_000), 5, undefined],
    ['nobody', -1, undefined],
  ])('is read as it was meant: %s at revision %s, position %s', (stream, revision, position) => {
    const reply = streams.BatchAppendResp.deserializeBinary(
      writtenReply({ correlationId, stream }, { kind: 'written', revision, position }),
    );
    expect(reply.getCorrelationId()?.getString()).toBe(correlationId);
    expect(Buffer.from(reply.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString()).toBe(stream);
    expect(reply.hasError()).toBe(false);
    const success = reply.getSuccess();
    expect([success?.hasNoStream(), success?.hasNoPosition()]).toEqual([revision === -1, position === undefined]);
    expect(success?.hasCurrentRevision() ? success.getCurrentRevision() : undefined).toBe(
      revision === -1 ? undefined : `${revision}`,
    );
    const expected = position === undefined ? undefined : { commitPosition: `${position}`, preparePosition: `${position}` };
    expect(success?.getPosition()?.toObject()).toEqual(expected);
  });
});
