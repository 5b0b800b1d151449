import shared, { type UUID } from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { uuidOfHalves } from './uuid.ts';

/** Builders for messages that are sent too rarely to need a hand-written codec. */

export const empty = () => new shared.Empty();

export const streamIdentifier = (stream: string) => new shared.StreamIdentifier().setStreamName(Buffer.from(stream));

export const streamName = (identifier: { getStreamName_asU8(): Uint8Array } | undefined): string =>
  identifier ? Buffer.from(identifier.getStreamName_asU8()).toString() : '';

export const uuidText = (id: UUID | undefined): string => {
  const halves = id?.getStructured();
  if (!halves) return id?.getString() ?? '';
  return uuidOfHalves(BigInt(halves.getMostSignificantBits()), BigInt(halves.getLeastSignificantBits()));
};

export const uuid = (id: string) => new shared.UUID().setString(id);

const bytesOf = (response: { serializeBinary(): Uint8Array }): Buffer => Buffer.from(response.serializeBinary());

export const encodeConfirmation = (subscriptionId: string): Buffer =>
  bytesOf(
    new streams.ReadResp().setConfirmation(new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(subscriptionId)),
  );

export const encodeCheckpoint = (position: number): Buffer => {
  const checkpoint = new streams.ReadResp.Checkpoint().setCommitPosition(String(position)).setPreparePosition(String(position));
  return bytesOf(new streams.ReadResp().setCheckpoint(checkpoint));
};

export const encodeStreamNotFound = (stream: string): Buffer => {
  const notFound = new streams.ReadResp.StreamNotFound().setStreamIdentifier(streamIdentifier(stream));
  return bytesOf(new streams.ReadResp().setStreamNotFound(notFound));
};

export const encodeCaughtUp = (): Buffer => bytesOf(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()));

export const encodeFellBehind = (): Buffer => bytesOf(new streams.ReadResp().setFellBehind(new streams.ReadResp.FellBehind()));
