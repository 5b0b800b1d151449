import { randomUUID } from 'node:crypto';
import type { Appender } from './appender.ts';
import type { Reader } from './reader.ts';

/** No subscription of the product reads it. A copy of the events to another store must leave it out: positions differ there. */
const STREAM = 'storeIdentity';
const TYPE = 'StoreIdentified';

const identityOf = (data: unknown): string => {
  if (typeof data === 'object' && data !== null && 'identity' in data && typeof data.identity === 'string') return data.identity;
  throw new Error(`The first event of ${STREAM} has no identity`);
};

/** The identity of a store; null if no server has started with it. */
export const readIdentity = async (reader: Pick<Reader, 'pages'>): Promise<string | null> => {
  for await (const [event] of reader.pages(STREAM, 0n)) if (event) return identityOf(event.data);
  return null;
};

/** Larger than any revision that `STREAM` has, and exact as a number. */
const NO_REVISION = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Whether the user may append, as far as `$userStreamAcl` says, without writing an event: EventStoreDB checks the right before the
 * expected revision, which never matches. Throws `EventStoreUnavailable` if not, or if the store does not reply.
 */
export const checkAppends = async ({ append }: Pick<Appender, 'append'>): Promise<void> => {
  const event = { id: randomUUID(), type: TYPE, contentType: 'application/json', data: {}, metadata: undefined } as const;
  const appended = await append(STREAM, [event], NO_REVISION);
  if (appended.ok) throw new Error(`${STREAM} has an event that a check appended`);
};

/**
 * The identity of a store: what the first event of a stream of its own says. A process that finds no such event appends it; of several
 * nodes, one succeeds. A store of a former version keeps its identity, which was the id of its first event.
 */
export const createIdentity = ({
  reader,
  appender,
}: {
  reader: Pick<Reader, 'edge' | 'pages'>;
  appender: Pick<Appender, 'append'>;
}): (() => Promise<string>) => {
  const stored = () => readIdentity(reader);
  return async () => {
    const found = await stored();
    if (found !== null) return found;
    const id = randomUUID();
    const identity = (await reader.edge('first'))?.id ?? id;
    const event = { id, type: TYPE, contentType: 'application/json', data: { identity }, metadata: undefined } as const;
    const appended = await appender.append(STREAM, [event], 'no_stream');
    if (appended.ok) return identity;
    const winner = await stored();
    if (winner === null) throw new Error(`${STREAM} has events that cannot be read`);
    return winner;
  };
};
