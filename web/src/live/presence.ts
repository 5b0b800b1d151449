import type { Query, QueryClient } from '@tanstack/react-query';
import type { Presence } from '../../../src/contracts/live.ts';
import { topic } from '../../../src/contracts/topics.ts';
import type { UsersReply } from '../../../src/contracts/users.ts';
import type { UserId } from '../../../src/domain/ids.ts';

/** So many drawings at once, and then one a gap: when many come and go, they are drawn together. */
const AT_ONCE = 4;
const GAP_MS = 250;
/** Longer than any answer takes that was asked for before somebody came or went. */
const REMEMBERED_MS = 30_000;

type Told = { connected: boolean; heardAt: number };

const showsUsers = (data: unknown): data is UsersReply => typeof data === 'object' && data !== null && 'users' in data;

/** The list with what was told of its users since then; untouched rows, and an untouched list, keep their identity. */
const withNews = (data: unknown, told: ReadonlyMap<UserId, Told>, since: number): unknown => {
  if (!showsUsers(data)) return data;
  const isNews = ({ id, currentlyConnected }: UsersReply['users'][number]): boolean => {
    const known = told.get(id);
    return known !== undefined && known.heardAt >= since && known.connected !== currentlyConnected;
  };
  if (!data.users.some(isNews)) return data;
  const users = data.users.map((user) => (isNews(user) ? { ...user, currentlyConnected: !user.currentlyConnected } : user));
  return { ...data, users };
};

/**
 * Shows in every list of users that somebody came or went: at once, or many together, each as they were last. An answer that was under
 * way meanwhile may be of before: what was told since it was asked for is shown in it as well.
 */
export const createPresence = (queries: QueryClient): ((presence: Presence) => void) => {
  const cache = queries.getQueryCache();
  const told = new Map<UserId, Told>();
  const askedAt = new WeakMap<Query, number>();
  let left = AT_ONCE;
  let timer = 0;
  let isWaiting = false;

  const drawIn = (query: Query): void => {
    const { data } = query.state;
    const newer = withNews(data, told, askedAt.get(query) ?? Number.NEGATIVE_INFINITY);
    if (newer !== data) queries.setQueryData<unknown>(query.queryKey, newer);
  };

  const draw = (): void => {
    isWaiting = left === 0;
    if (isWaiting) return;
    left -= 1;
    if (timer === 0) timer = window.setTimeout(regain, GAP_MS);
    for (const query of cache.findAll({ queryKey: topic.users() })) drawIn(query);
  };

  const regain = (): void => {
    left += 1;
    timer = left < AT_ONCE ? window.setTimeout(regain, GAP_MS) : 0;
    const oldest = performance.now() - REMEMBERED_MS;
    for (const [id, { heardAt }] of told) if (heardAt < oldest) told.delete(id);
    if (isWaiting) draw();
  };

  cache.subscribe((event) => {
    if (event.type !== 'updated' || event.query.queryKey[0] !== topic.users()[0]) return;
    if (event.action.type === 'fetch') askedAt.set(event.query, performance.now());
    if (event.action.type === 'success' && !event.action.manual) drawIn(event.query);
  });

  return ({ userId, connected }) => {
    told.set(userId, { connected, heardAt: performance.now() });
    draw();
  };
};
