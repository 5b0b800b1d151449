import shared, { type UUID } from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { uuidOfHalves } from './uuid.ts';

/** Builders for messages that are sent too rarely to need a hand-written codec. */

export const empty = () => new shared.Empty();

/** The protobuf message that names a stream. */
export const streamIdentifier = (stream: string) => new shared.StreamIdentifier().setStreamName(Buffer.from(stream));

/** The name in a stream identifier; empty if there is none. */
export const streamName = (identifier: { getStreamName_asU8(): Uint8Array } | undefined): string =>
  identifier ? Buffer.from(identifier.getStreamName_asU8()).toString() : '';

/** A UUID as text, from either of its two protobuf forms; empty if there is none. */
export const uuidText = (id: UUID | undefined): string => {
  const halves = id?.getStructured();
  if (!halves) return id?.getString() ?? '';
  return uuidOfHalves(BigInt(halves.getMostSignificantBits()), BigInt(halves.getLeastSignificantBits()));
};

/** The protobuf message of a UUID in its text form. */
export const uuid = (id: string) => new shared.UUID().setString(id);

const bytesOf = (response: { serializeBinary(): Uint8Array }): Buffer => Buffer.from(response.serializeBinary());

/** The first response of a subscription. */
export const encodeConfirmation = (subscriptionId: string): Buffer =>
  bytesOf(
    new streams.ReadResp().setConfirmation(new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(subscriptionId)),
  );

/** A response that says up to which position events were examined. */
export const encodeCheckpoint = (position: number): Buffer => {
  const checkpoint = new streams.ReadResp.Checkpoint().setCommitPosition(String(position)).setPreparePosition(String(position));
  return bytesOf(new streams.ReadResp().setCheckpoint(checkpoint));
};

/** The only response of a read of a stream that does not exist. */
export const encodeStreamNotFound = (stream: string): Buffer => {
  const notFound = new streams.ReadResp.StreamNotFound().setStreamIdentifier(streamIdentifier(stream));
  return bytesOf(new streams.ReadResp().setStreamNotFound(notFound));
};

/** A response that says that live events follow. */
export const encodeCaughtUp = (): Buffer => bytesOf(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()));

/** A response that says that stored events follow again, since the reader was too slow. */
export const encodeFellBehind = (): Buffer => bytesOf(new streams.ReadResp().setFellBehind(new streams.ReadResp.FellBehind()));
