import type { EventStoreDBClient } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import service from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ClientReadableStream } from '@grpc/grpc-js';
import { clientInternals } from './clientInternals.ts';
import type { Position } from './port.ts';
import { type Response, readResponses } from './readResponse.ts';

const READ = '/event_store.client.streams.Streams/Read';

/** Accepts several responses in one message. Only the embedded store supports it. */
export const COALESCING_HEADER = 'several-a-message';

/** Asks for the SHA-256 of large data. Only the embedded store supports it, and says so by the content type. */
const DIGESTS_HEADER = 'digests-of-data';
/** The content type of event data that is a SHA-256 instead. */
export const DIGEST_CONTENT = 'application/x-sha256';

/** The interval of checkpoints over filtered-out events, in units of the server's search window of 32 events. */
export const CHECKPOINT_INTERVAL = 32;

/** What a subscription to `$all` reads: events after a position, of streams whose names begin with one of the prefixes. */
export type ReadAll = Readonly<{
  after: Position | null;
  prefixes: readonly string[];
  /** Fails on a node that is not the leader. */
  requiresLeader: boolean;
  /** Takes the SHA-256 of large data in place of the data, where the store supports it. */
  digests?: true;
}>;

const optionsOf = (after: Position | null, prefixes: readonly string[]) => {
  const from = new streams.ReadReq.Options.AllOptions();
  if (after === null) from.setStart(new shared.Empty());
  else {
    const position = new streams.ReadReq.Options.Position();
    from.setPosition(position.setCommitPosition(String(after)).setPreparePosition(String(after)));
  }
  const filter = new streams.ReadReq.Options.FilterOptions()
    .setStreamIdentifier(new streams.ReadReq.Options.FilterOptions.Expression().setPrefixList([...prefixes]))
    .setCount(new shared.Empty())
    .setCheckpointintervalmultiplier(CHECKPOINT_INTERVAL);
  return new streams.ReadReq.Options()
    .setAll(from)
    .setSubscription(new streams.ReadReq.Options.SubscriptionOptions())
    .setFilter(filter)
    .setUuidOption(new streams.ReadReq.Options.UUIDOption().setString(new shared.Empty()));
};

const pageOptionsOf = (from: Position, count: number) => {
  const position = new streams.ReadReq.Options.Position().setCommitPosition(String(from)).setPreparePosition(String(from));
  return new streams.ReadReq.Options()
    .setAll(new streams.ReadReq.Options.AllOptions().setPosition(position))
    .setReadDirection(streams.ReadReq.Options.ReadDirection.FORWARDS)
    .setCount(String(count))
    .setNoFilter(new shared.Empty())
    .setUuidOption(new streams.ReadReq.Options.UUIDOption().setString(new shared.Empty()));
};

const asIs = (message: Buffer): Buffer => message;

/** Reads `count` events of `$all` from a position on, that one included. Throws if the client has no protected members. */
export const readPage = async (client: EventStoreDBClient, from: Position, count: number): Promise<Response[]> => {
  const internals = clientInternals(client);
  if (!internals) throw new Error('This version of @eventstore/db-client cannot read events undecoded');
  const [metadata, options] = internals.callArguments({ requiresLeader: true });
  const request = Buffer.from(new streams.ReadReq().setOptions(pageOptionsOf(from, count)).serializeBinary());
  const open = internals.GRPCStreamCreator(service.StreamsClient, 'readAll', (stub) =>
    stub.makeServerStreamRequest(READ, asIs, asIs, request, metadata, options),
  );
  const responses: Response[] = [];
  for await (const message of await open()) readResponses(message, responses);
  return responses;
};

/**
 * Opens a catch-up subscription to `$all` with the client's connection and credentials, and returns the undecoded messages. Null if the
 * client has no protected members. Throws if there is no connection.
 */
export const openReadAllRpc = async (
  client: EventStoreDBClient,
  { after, prefixes, requiresLeader, digests }: ReadAll,
): Promise<ClientReadableStream<Buffer> | null> => {
  const internals = clientInternals(client);
  if (!internals) return null;
  const [metadata, options] = internals.callArguments({ requiresLeader }, { deadline: Number.POSITIVE_INFINITY });
  metadata.set(COALESCING_HEADER, 'true');
  if (digests) metadata.set(DIGESTS_HEADER, 'sha-256');
  const request = Buffer.from(new streams.ReadReq().setOptions(optionsOf(after, prefixes)).serializeBinary());
  const open = internals.GRPCStreamCreator(service.StreamsClient, 'subscribeToAll', (stub) =>
    stub.makeServerStreamRequest(READ, asIs, asIs, request, metadata, options),
  );
  return open();
};
