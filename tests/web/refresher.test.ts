import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Topic } from '../../src/contracts/topics.ts';
import { topic } from '../../src/contracts/topics.ts';
import { createRefresher } from '../../web/src/live/refresher.ts';

const key = [...topic.audit(), 'all'];

let queries: QueryClient;
let refresh: (topics: readonly Topic[]) => void;
/** Ends the pending requests, oldest first, with what the server read when each arrived. */
let replies: (() => void)[];
let stored: string;

const queryFn = () =>
  new Promise<string>((resolve) => {
    const read = stored;
    replies.push(() => resolve(read));
  });
const reply = async () => {
  for (const one of replies.splice(0)) one();
  await vi.runAllTimersAsync();
};
const changeTo = async (value: string) => {
  stored = value;
  refresh([topic.audit()]);
  await vi.runAllTimersAsync();
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', { setTimeout });
  vi.stubGlobal('document', { hidden: false });
  queries = new QueryClient({ defaultOptions: { queries: { gcTime: Number.POSITIVE_INFINITY, staleTime: 60_000 } } });
  refresh = createRefresher('admin', queries);
  replies = [];
  stored = 'before';
});

afterEach(() => {
  queries.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('a changed topic', () => {
  it('is refetched for the component that shows it', async () => {
    const observer = new QueryObserver(queries, { queryKey: key, queryFn });
    observer.subscribe(() => undefined);
    await reply();
    await changeTo('after');
    await reply();
    expect(observer.getCurrentResult().data).toBe('after');
  });

  it('is refetched although the first request, which read before the change, is still pending', async () => {
    const observer = new QueryObserver(queries, { queryKey: key, queryFn });
    observer.subscribe(() => undefined);
    await changeTo('after');
    await reply();
    expect(observer.getCurrentResult().data).toBe('before');
    await reply();
    expect(observer.getCurrentResult().data).toBe('after');
  });

  it('leaves data that was requested ahead before the change stale, for the component that shows it later', async () => {
    void queries.prefetchQuery({ queryKey: key, queryFn });
    await changeTo('after');
    await reply();
    expect(queries.getQueryState(key)).toMatchObject({ data: 'before', isInvalidated: true });
  });

  it('is refetched again when it changes during a refetch, once for all changes', async () => {
    const observer = new QueryObserver(queries, { queryKey: key, queryFn });
    observer.subscribe(() => undefined);
    await reply();
    await changeTo('first');
    await changeTo('second');
    await changeTo('third');
    expect(replies).toHaveLength(1);
    await reply();
    expect(replies).toHaveLength(1);
    await reply();
    expect(observer.getCurrentResult().data).toBe('third');
  });
});
