import streams, { type ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { streamName } from '../codec/messages.ts';
import type { UuidForm } from '../codec/uuid.ts';
import { invalidArgument } from './callError.ts';
import { type EventFilter, eventFilterOf } from './eventFilter.ts';

/** Where a read starts: a revision or position, or one end of the stream. */
type From = number | 'start' | 'end';

/** `ids` is the form of the events' ids in responses. */
type Common = Readonly<{ from: From; resolveLinks: boolean; ids: UuidForm }>;
type Reading = Common & Readonly<{ backwards: boolean; limit: number }>;

export type ReadRequest =
  | (Reading & Readonly<{ kind: 'readStream'; stream: string }>)
  | (Reading & Readonly<{ kind: 'readAll'; filter: EventFilter | undefined }>)
  | (Common & Readonly<{ kind: 'subscribeToStream'; stream: string }>)
  | (Common & Readonly<{ kind: 'subscribeToAll'; filter: EventFilter | undefined }>);

const LARGEST_NUMBER = 2n ** 64n - 1n;
const LARGEST_REVISION = 2n ** 63n - 1n;

/**
 * Parses a revision or position. The largest number of the protocol stands for the end, as in EventStoreDB. A number that no event
 * reaches is reduced to one that PostgreSQL can compare. Throws `invalidArgument` above 2^63.
 */
const numberFrom = (digits: string): From => {
  const value = BigInt(digits);
  if (value === LARGEST_NUMBER) return 'end';
  if (value > LARGEST_REVISION) throw invalidArgument('The start of the read is larger than any revision or position');
  return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
};

const revisionFrom = (options: ReadReq.Options.StreamOptions): From => {
  if (options.hasStart()) return 'start';
  if (options.hasEnd()) return 'end';
  return options.hasRevision() ? numberFrom(options.getRevision()) : 'start';
};

const positionFrom = (options: ReadReq.Options.AllOptions | undefined): From => {
  if (options?.hasEnd()) return 'end';
  const position = options?.getPosition();
  return position ? numberFrom(position.getCommitPosition()) : 'start';
};

/** Parses a `ReadReq`. Throws `invalidArgument` when it is incomplete. */
export const readRequestOf = (request: ReadReq): ReadRequest => {
  const options = request.getOptions();
  if (!options) throw invalidArgument('The options are missing');
  const resolveLinks = options.getResolveLinks();
  const ids: UuidForm = options.getUuidOption()?.hasStructured() ? 'structured' : 'text';
  const backwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
  const limit = Number(options.getCount());
  const of = options.getStream();
  if (of) {
    const stream = streamName(of.getStreamIdentifier());
    if (stream === '' || stream.includes('\0')) throw invalidArgument('The stream name is missing');
    const common = { from: revisionFrom(of), resolveLinks, ids, stream };
    return options.hasSubscription()
      ? { kind: 'subscribeToStream', ...common }
      : { kind: 'readStream', ...common, backwards, limit };
  }
  const common = { from: positionFrom(options.getAll()), resolveLinks, ids, filter: eventFilterOf(options.getFilter()) };
  return options.hasSubscription() ? { kind: 'subscribeToAll', ...common } : { kind: 'readAll', ...common, backwards, limit };
};
