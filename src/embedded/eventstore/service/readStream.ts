import { encodeStreamNotFound } from '../codec/messages.ts';
import type { Store } from '../storage/store.ts';
import { isAbsent, isTombstoned } from '../storage/streamHead.ts';
import { readableRange } from '../storage/streamMetadata.ts';
import { streamDeleted } from './callError.ts';
import { eventSender } from './eventSender.ts';
import { eventPages } from './pages.ts';
import type { ReadRequest } from './readRequest.ts';
import type { Responses } from './responses.ts';

const PAGE_EVENTS = 500;

/** Sends the readable events of a stream, starting at a revision. Throws `streamDeleted` when it is tombstoned. */
export const readStream = async (
  store: Store,
  request: ReadRequest & { kind: 'readStream' },
  responses: Responses,
): Promise<void> => {
  const { stream, backwards, from, limit } = request;
  const head = await store.head(stream);
  if (isTombstoned(head)) throw streamDeleted(stream);
  if (isAbsent(head)) {
    await responses.send(encodeStreamNotFound(stream));
    return;
  }
  const { firstRevision, isReadable } = readableRange(head.metadata, head.revision, Date.now());
  const pageSize = Math.min(PAGE_EVENTS, limit);
  const start = from === 'start' ? 0 : from === 'end' ? Number.POSITIVE_INFINITY : from;
  // No event follows the end, and no readable event precedes the first readable one.
  if (limit <= 0 || (backwards ? start < firstRevision : start > head.revision)) return;
  const pages = backwards
    ? eventPages(
        Math.min(start, head.revision),
        limit,
        async (revision) => (revision < firstRevision ? [] : store.streamBackward(stream, revision, pageSize)),
        ({ revision }) => revision - 1,
      )
    : eventPages(
        Math.max(start, firstRevision),
        limit,
        async (revision) => (revision > head.revision ? [] : store.streamForward(stream, revision, pageSize)),
        ({ revision }) => revision + 1,
      );

  const send = eventSender(store, responses, request);
  let left = limit;
  for await (const page of pages) {
    for (const event of page) {
      if (responses.isClosed()) return;
      if (!isReadable(event)) continue;
      const sent = send(event);
      if (sent) await sent;
      if (--left === 0) return;
    }
  }
};
