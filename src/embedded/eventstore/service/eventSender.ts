import { hash } from 'node:crypto';
import { encodeReadEvent } from '../codec/readEvent.ts';
import type { UuidForm } from '../codec/uuid.ts';
import { NO_REVISION, type SentEvent, type StoredEvent } from '../storage/event.ts';
import type { Store } from '../storage/store.ts';
import { isAbsent, isTombstoned } from '../storage/streamHead.ts';
import { readableRange } from '../storage/streamMetadata.ts';
import type { ReadRequest } from './readRequest.ts';
import type { Responses } from './responses.ts';

/** Sends one event; resolves when the client is ready for the next. */
export type EventSender = (event: StoredEvent) => Promise<void> | void;

const LINK_TYPE = '$>';
/** Smaller data are sent as they are. */
const LARGE_BYTES = 4 << 10;

const withDigest = (event: StoredEvent): SentEvent =>
  event.data.length < LARGE_BYTES
    ? event
    : { ...event, isDigest: true, data: Buffer.from(hash('sha256', event.data, 'binary'), 'latin1') };
const REVISION = /^\s*[+-]?\d+\s*$/;
const LARGEST_REVISION = 2n ** 63n - 1n;

/** The event with that revision, if a read of its stream would return it; revision -1 is the last event, as in EventStoreDB. */
const readableEvent = async (store: Store, stream: string, revision: number): Promise<StoredEvent | undefined> => {
  if (stream === '' || stream.includes('\0')) return undefined;
  const head = await store.head(stream);
  if (isTombstoned(head) || isAbsent(head)) return undefined;
  const wanted = revision === NO_REVISION ? head.revision : revision;
  const { firstRevision, isReadable } = readableRange(head.metadata, head.revision, Date.now());
  if (wanted < firstRevision || wanted > head.revision) return undefined;
  const [event] = await store.streamForward(stream, wanted, 1);
  return event?.revision === wanted && isReadable(event) ? event : undefined;
};

/** Encodes a `$>` event, whose data is `revision@stream`. One without a revision is an event like any other. */
const encodeLink = async (store: Store, link: StoredEvent, ids: UuidForm): Promise<Buffer> => {
  const [revision = '', ...stream] = link.data.toString().split('@');
  const isLink = REVISION.test(revision) && BigInt(revision) <= LARGEST_REVISION && BigInt(revision) >= -LARGEST_REVISION - 1n;
  if (!isLink) return encodeReadEvent(link, ids);
  return encodeReadEvent(await readableEvent(store, stream.join('@'), Number(revision)), ids, link);
};

export const eventSender = (
  store: Store,
  responses: Responses,
  { resolveLinks, ids }: Pick<ReadRequest, 'resolveLinks' | 'ids'>,
): EventSender => {
  if (responses.digestsData) {
    return (event) => responses.send(encodeReadEvent(withDigest(event), ids, undefined, responses.scratch));
  }
  if (!resolveLinks) return (event) => responses.send(encodeReadEvent(event, ids, undefined, responses.scratch));
  return async (event) => {
    await responses.send(event.type === LINK_TYPE ? await encodeLink(store, event, ids) : encodeReadEvent(event, ids));
  };
};
