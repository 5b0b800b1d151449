import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Presence } from '../../src/contracts/live.ts';
import { topic } from '../../src/contracts/topics.ts';
import { createPresence } from '../../web/src/live/presence.ts';
import { customerIdOf, userIdOf } from '../support/builders/ids.ts';

const presence = (user: string, connected: boolean): Presence => ({
  userId: userIdOf(user),
  customerId: customerIdOf('acme'),
  connected,
  at: '2026-01-31T12:00:00.000Z',
});
const row = (user: string, currentlyConnected: boolean) => ({ id: userIdOf(user), currentlyConnected });
const key = [...topic.users(), 'of acme'];

let queries: QueryClient;
let receive: (presence: Presence) => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', { setTimeout });
  queries = new QueryClient({ defaultOptions: { queries: { gcTime: Number.POSITIVE_INFINITY } } });
  receive = createPresence(queries);
});

afterEach(() => {
  queries.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A pending request of a list; the test resolves it. */
const startQuery = () => {
  let reply: (users: ReturnType<typeof row>[]) => void = () => undefined;
  const query = queries.fetchQuery({
    queryKey: key,
    queryFn: () =>
      new Promise((resolve) => {
        reply = (users) => resolve({ users });
      }),
    staleTime: 0,
  });
  return {
    replyWith: async (users: ReturnType<typeof row>[]) => {
      reply(users);
      await query;
    },
  };
};
const shown = () => queries.getQueryData<{ users: ReturnType<typeof row>[] }>(key)?.users.map((user) => user.currentlyConnected);

describe('a change of presence', () => {
  it('is shown immediately, and other rows keep their identity', async () => {
    await startQuery().replyWith([row('ada', false), row('bob', false)]);
    const before = queries.getQueryData<{ users: object[] }>(key)?.users;
    receive(presence('ada', true));
    expect(shown()).toEqual([true, false]);
    expect(queries.getQueryData<{ users: object[] }>(key)?.users[1]).toBe(before?.[1]);
    receive(presence('ada', false));
    expect(shown()).toEqual([false, false]);
  });

  it('is not overwritten by a reply that was pending before', async () => {
    await startQuery().replyWith([row('ada', true)]);
    const late = startQuery();
    await vi.advanceTimersByTimeAsync(20);
    receive(presence('ada', false));
    await late.replyWith([row('ada', true)]);
    expect(shown()).toEqual([false]);
  });

  it('follows a reply that was requested afterwards', async () => {
    await startQuery().replyWith([row('ada', false)]);
    receive(presence('ada', true));
    await vi.advanceTimersByTimeAsync(20);
    await startQuery().replyWith([row('ada', false)]);
    expect(shown()).toEqual([false]);
  });

  it('is batched when there are many changes, and shows the latest of each user', async () => {
    const users = Array.from({ length: 50 }, (_, index) => `user-${index}`);
    await startQuery().replyWith(users.map((user) => row(user, false)));
    let drawn = 0;
    queries.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'success') drawn++;
    });
    for (const user of users) receive(presence(user, true));
    receive(presence('user-49', false));
    await vi.advanceTimersByTimeAsync(250);
    expect(shown()).toEqual(users.map((user) => user !== 'user-49'));
    expect(drawn).toBe(5);
  });
});
