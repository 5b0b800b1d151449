import type { EventStoreDBClient } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { Client, type ClientReadableStream, credentials } from '@grpc/grpc-js';
import type { Position } from './port.ts';

const READ = '/event_store.client.streams.Streams/Read';

/** Says that several responses may come in one message. Only the embedded store knows what it means. */
const SEVERAL_A_MESSAGE = 'several-a-message';

/** A checkpoint at least each so many events that do not concern us (times the server's window of 32). */
const CHECKPOINT_INTERVAL = 32;

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

const asIs = (message: Buffer): Buffer => message;

/**
 * Subscribes to `$all` as the client does, over the client's own connection and with its credentials, but hands on the messages as they
 * come. The events that follow a position, of streams whose names begin with one of the prefixes. Throws when there is no connection to be had.
 */
export const callAll = async (
  client: EventStoreDBClient,
  { after, prefixes }: { after: Position | null; prefixes: readonly string[] },
): Promise<ClientReadableStream<Buffer>> => {
  // biome-ignore lint/complexity/useLiteralKeys: the client keeps its channel protected
  const channelOverride = await client['getChannel']();
  // biome-ignore lint/complexity/useLiteralKeys: and the headers and credentials of a call
  const [metadata, options] = client['callArguments']({}, { deadline: Infinity });
  metadata.set(SEVERAL_A_MESSAGE, 'true');
  const request = Buffer.from(new streams.ReadReq().setOptions(optionsOf(after, prefixes)).serializeBinary());
  // The channel has the credentials; those given here are not used.
  const grpc = new Client('', credentials.createInsecure(), { channelOverride });
  return grpc.makeServerStreamRequest(READ, asIs, asIs, request, metadata, options);
};
