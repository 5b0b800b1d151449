import type { StoredEvent } from '../storage/event.ts';
import type { AllPage } from '../storage/store.ts';

/** Asks for the next page while the one before is being sent. A page that nobody takes may fail unheard. */
const ahead = <Page>(load: () => Promise<Page>): Promise<Page> => {
  const page = load();
  page.catch(() => undefined);
  return page;
};

/** Pages of `$all` after position `after` until all up to `until` were looked at. Not loaded ahead once `wanted` events were. */
export async function* allPages(
  after: number,
  until: number,
  wanted: number,
  load: (after: number) => Promise<AllPage>,
): AsyncGenerator<AllPage, void, void> {
  let position = after;
  let loaded = 0;
  let next: Promise<AllPage> | undefined;
  while (position < until) {
    const page: AllPage = await (next ?? load(position));
    // Only a database that lost what it had committed could bring us here.
    if (page.through <= position) return;
    position = page.through;
    loaded += page.events.length;
    next = position < until && loaded < wanted ? ahead(() => load(page.through)) : undefined;
    yield page;
  }
}

/** Pages of events, each from where the one before ended, until one is empty. Not loaded ahead once `wanted` events were. */
export async function* eventPages(
  first: number,
  wanted: number,
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
    next = loaded < wanted ? ahead(() => load(from)) : undefined;
    yield page;
  }
}
