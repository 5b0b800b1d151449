import type { Store } from '../storage/store.ts';
import { eventSender } from './eventSender.ts';
import { allPages, eventPages } from './pages.ts';
import type { ReadRequest } from './readRequest.ts';
import type { Responses } from './responses.ts';

const PAGE_EVENTS = 1000;

type Request = ReadRequest & { kind: 'readAll' };

/** Events from the position (inclusive) up to the last commit when the call began. */
async function* forwards(store: Store, { from, filter, limit }: Request) {
  const until = store.lastPosition();
  const after = from === 'start' ? 0 : from === 'end' ? until : Math.max(0, from - 1);
  const pageSize = filter ? PAGE_EVENTS : Math.min(PAGE_EVENTS, limit);
  for await (const { events } of allPages(after, until, limit, (position) =>
    store.allForward(position, pageSize, filter?.storage),
  )) {
    for (const event of events) {
      if (event.position > until) return;
      yield event;
    }
  }
}

/** Events before the position (exclusive), newest first. */
async function* backwards(store: Store, { from, filter, limit }: Request) {
  const before = from === 'start' ? 0 : from === 'end' ? Number.MAX_SAFE_INTEGER : from;
  const pageSize = filter ? PAGE_EVENTS : Math.min(PAGE_EVENTS, limit);
  const load = async (position: number) => (position <= 1 ? [] : store.allBackward(position, pageSize));
  for await (const page of eventPages(before, limit, load, ({ position }) => position)) yield* page;
}

/** Sends the matching events of `$all` in either direction. */
export const readAll = async (store: Store, request: Request, responses: Responses): Promise<void> => {
  const { filter } = request;
  if (request.limit <= 0) return;
  const send = eventSender(store, responses, request);
  let left = request.limit;
  for await (const event of request.backwards ? backwards(store, request) : forwards(store, request)) {
    if (responses.isClosed()) return;
    if (filter && !filter.matches(event)) continue;
    const sent = send(event);
    if (sent) await sent;
    if (--left === 0) return;
  }
};
