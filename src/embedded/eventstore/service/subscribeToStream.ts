import { randomUUID } from 'node:crypto';
import { encodeCaughtUp, encodeConfirmation } from '../codec/messages.ts';
import { NO_REVISION, TOMBSTONE_REVISION } from '../storage/event.ts';
import { signal } from '../storage/signal.ts';
import type { Store } from '../storage/store.ts';
import { isTombstoned } from '../storage/streamHead.ts';
import { type ReadableRange, readableRange } from '../storage/streamMetadata.ts';
import { streamDeleted } from './callError.ts';
import { eventSender } from './eventSender.ts';
import { eventPages } from './pages.ts';
import type { ReadRequest } from './readRequest.ts';
import type { Responses } from './responses.ts';

const PAGE_EVENTS = 500;
/** The metadata of a stream limits reads and catching up, but not the events that are written while a subscription is live. */
const EVERY_EVENT: ReadableRange = { firstRevision: 0, isReadable: () => true };

/**
 * Sends the readable events of a stream after a revision, past and future. Throws `streamDeleted` once the stream is
 * tombstoned; a live subscription gets the tombstone event first.
 */
export const subscribeToStream = async (
  store: Store,
  { stream, from, resolveLinks, ids }: ReadRequest & { kind: 'subscribeToStream' },
  responses: Responses,
): Promise<void> => {
  const commits = signal();
  responses.onClose(commits.raise);
  responses.onClose(store.onCommit(commits.raise, stream));
  const send = eventSender(store, responses, { resolveLinks, ids });
  const head = await store.head(stream);
  if (isTombstoned(head)) throw streamDeleted(stream);
  let revision = from === 'start' ? NO_REVISION : from === 'end' ? head.revision : from;
  let isLive = false;

  await responses.send(encodeConfirmation(randomUUID()));
  while (!responses.isClosed()) {
    const { metadata, revision: last } = await store.head(stream);
    const { firstRevision, isReadable } = isLive ? EVERY_EVENT : readableRange(metadata, last, Date.now());
    const pages = eventPages(
      Math.max(revision + 1, Math.min(firstRevision, last + 1)),
      Number.POSITIVE_INFINITY,
      async (next) => (next > last ? [] : store.streamForward(stream, next, PAGE_EVENTS)),
      (event) => event.revision + 1,
    );
    for await (const page of pages) {
      for (const event of page) {
        if (responses.isClosed()) return;
        if (isReadable(event)) await send(event);
        revision = event.revision;
        if (revision === TOMBSTONE_REVISION) throw streamDeleted(stream);
      }
    }
    if (!isLive) {
      isLive = true;
      // The unreadable events at the end of the stream are not new ones.
      revision = Math.max(revision, last);
      await responses.send(encodeCaughtUp());
    }
    await commits.raised();
  }
};
