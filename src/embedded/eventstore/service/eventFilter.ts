import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from '../storage/event.ts';
import type { PrefixFilter } from '../storage/eventReader.ts';
import { invalidArgument } from './callError.ts';
import { searchFor } from './regularExpression.ts';

/** `storage` is the part that PostgreSQL evaluates. `checkpointInterval` is in events examined. */
export type EventFilter = Readonly<{
  matches: (event: StoredEvent) => boolean;
  storage: PrefixFilter | undefined;
  checkpointInterval: number;
}>;

/** The default of the client's maximum search window, in events. */
const SEARCH_WINDOW = 32;

/** Throws `invalidArgument` for a regular expression that `searchFor` does not accept. Options without an expression match all events. */
export const eventFilterOf = (options: ReadReq.Options.FilterOptions | undefined): EventFilter | undefined => {
  if (!options) return undefined;
  const window = options.hasMax() ? options.getMax() : SEARCH_WINDOW;
  const checkpointInterval = Math.max(1, window * Math.max(1, options.getCheckpointintervalmultiplier()));
  const byType = options.getEventType();
  const on = byType ? 'type' : 'stream';
  const expression = byType ?? options.getStreamIdentifier();
  const pattern = expression?.getRegex();
  const prefixes = expression?.getPrefixList() ?? [];
  if (pattern) {
    const isMatch = searchFor(pattern);
    return { matches: (event) => isMatch(event[on]), storage: undefined, checkpointInterval };
  }
  if (prefixes.length === 0) return { matches: () => true, storage: undefined, checkpointInterval };
  if (prefixes.some((prefix) => prefix.includes('\0'))) throw invalidArgument('A prefix cannot contain NUL');
  return {
    matches: (event) => prefixes.some((prefix) => event[on].startsWith(prefix)),
    storage: { on, prefixes },
    checkpointInterval,
  };
};
