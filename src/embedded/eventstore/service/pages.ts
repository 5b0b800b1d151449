import type { StoredEvent } from '../storage/event.ts';
import type { AllPage } from '../storage/store.ts';

/** Loads the next page while the current one is being sent. The error of a page that is not read is ignored. */
const prefetch = <Page>(load: () => Promise<Page>): Promise<Page> => {
  const page = load();
  page.catch(() => undefined);
  return page;
};

/** Pages of `$all` after position `after`, up to position `until`. Prefetches until `prefetchLimit` events are loaded. */
export async function* allPages(
  after: number,
  until: number,
  prefetchLimit: number,
  load: (after: number) => Promise<AllPage>,
): AsyncGenerator<AllPage, void, void> {
  let position = after;
  let loaded = 0;
  let next: Promise<AllPage> | undefined;
  while (position < until) {
    const page: AllPage = await (next ?? load(position));
    // Reached only if the database lost committed events.
    if (page.through <= position) return;
    position = page.through;
    loaded += page.events.length;
    next = position < until && loaded < prefetchLimit ? prefetch(() => load(page.through)) : undefined;
    yield page;
  }
}

/** Consecutive pages of events until one is empty. Prefetches until `prefetchLimit` events are loaded. */
export async function* eventPages(
  first: number,
  prefetchLimit: number,
  load: (from: number) => Promise<readonly StoredEvent[]>,
  following: (last: StoredEvent) => number,
): AsyncGenerator<readonly StoredEvent[], void, void> {
  let from = first;
  let loaded = 0;
  let next: Promise<readonly StoredEvent[]> | undefined;
  for (;;) {
    const page = await (next ?? load(from));
    const last = page.at(-1);
    if (!last) return;
    from = following(last);
    loaded += page.length;
    next = loaded < prefetchLimit ? prefetch(() => load(from)) : undefined;
    yield page;
  }
}
