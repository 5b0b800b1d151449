import type { Query, QueryClient } from '@tanstack/react-query';
import type { Presence } from '../../../src/contracts/live.ts';
import { topic } from '../../../src/contracts/topics.ts';
import type { UsersReply } from '../../../src/contracts/users.ts';
import type { UserId } from '../../../src/domain/ids.ts';

/** Token bucket of the updates: this many without a wait, then one per gap. Changes that arrive in a gap are shown together. */
const BURST = 4;
const GAP_MS = 250;
/** Longer than any reply takes that was requested before a change of presence. */
const REMEMBERED_MS = 30_000;

type Change = { connected: boolean; receivedAt: number };

const showsUsers = (data: unknown): data is UsersReply => typeof data === 'object' && data !== null && 'users' in data;

/** The list with the changes of presence since then; unchanged rows, and an unchanged list, keep their identity. */
const withChanges = (data: unknown, changes: ReadonlyMap<UserId, Change>, since: number): unknown => {
  if (!showsUsers(data)) return data;
  const isChanged = ({ id, currentlyConnected }: UsersReply['users'][number]): boolean => {
    const change = changes.get(id);
    return change !== undefined && change.receivedAt >= since && change.connected !== currentlyConnected;
  };
  if (!data.users.some(isChanged)) return data;
  const users = data.users.map((user) => (isChanged(user) ? { ...user, currentlyConnected: !user.currentlyConnected } : user));
  return { ...data, users };
};

/**
 * Shows changes of presence in all lists of users: immediately, or batched when there are many. A reply that was pending when
 * a change arrived may be older than the change: changes since its request are applied to it as well.
 */
export const createPresence = (queries: QueryClient): ((presence: Presence) => void) => {
  const cache = queries.getQueryCache();
  const changes = new Map<UserId, Change>();
  const requestedAt = new WeakMap<Query, number>();
  let tokens = BURST;
  let timer = 0;
  let isWaiting = false;

  const updateQuery = (query: Query): void => {
    const { data } = query.state;
    const newer = withChanges(data, changes, requestedAt.get(query) ?? Number.NEGATIVE_INFINITY);
    if (newer !== data) queries.setQueryData<unknown>(query.queryKey, newer);
  };

  const updateAll = (): void => {
    isWaiting = tokens === 0;
    if (isWaiting) return;
    tokens -= 1;
    if (timer === 0) timer = window.setTimeout(addToken, GAP_MS);
    for (const query of cache.findAll({ queryKey: topic.users() })) updateQuery(query);
  };

  const addToken = (): void => {
    tokens += 1;
    timer = tokens < BURST ? window.setTimeout(addToken, GAP_MS) : 0;
    const oldest = performance.now() - REMEMBERED_MS;
    for (const [id, { receivedAt }] of changes) if (receivedAt < oldest) changes.delete(id);
    if (isWaiting) updateAll();
  };

  cache.subscribe((event) => {
    if (event.type !== 'updated' || event.query.queryKey[0] !== topic.users()[0]) return;
    if (event.action.type === 'fetch') requestedAt.set(event.query, performance.now());
    if (event.action.type === 'success' && !event.action.manual) updateQuery(event.query);
  });

  return ({ userId, connected }) => {
    changes.set(userId, { connected, receivedAt: performance.now() });
    updateAll();
  };
};
