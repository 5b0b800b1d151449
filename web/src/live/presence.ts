import type { QueryClient } from '@tanstack/react-query';
import type { Presence } from '../../../src/contracts/live.ts';
import { topic } from '../../../src/contracts/topics.ts';
import type { UsersReply } from '../../../src/contracts/users.ts';
import type { UserId } from '../../../src/domain/ids.ts';

/** Between two drawings, when many come and go. */
const GAP_MS = 250;

const showsUsers = (data: unknown): data is UsersReply => typeof data === 'object' && data !== null && 'users' in data;

/**
 * Shows in every list of users that somebody came or went: the first at once, those who follow together, each as they were
 * last. Untouched rows keep their identity.
 */
export const createPresence = (queries: QueryClient): ((presence: Presence) => void) => {
  const waiting = new Map<UserId, boolean>();
  let timer = 0;
  let shownAt = Number.NEGATIVE_INFINITY;

  const show = (): void => {
    const isHere = new Map(waiting);
    const isNews = ({ id, currentlyConnected }: UsersReply['users'][number]): boolean =>
      (isHere.get(id) ?? currentlyConnected) !== currentlyConnected;
    waiting.clear();
    timer = 0;
    shownAt = performance.now();
    queries.setQueriesData<unknown>({ queryKey: topic.users() }, (data: unknown) => {
      if (!showsUsers(data) || !data.users.some(isNews)) return data;
      const users = data.users.map((user) => (isNews(user) ? { ...user, currentlyConnected: !user.currentlyConnected } : user));
      return { ...data, users };
    });
  };

  return ({ userId, connected }) => {
    waiting.set(userId, connected);
    if (timer !== 0) return;
    const wait = shownAt + GAP_MS - performance.now();
    if (wait > 0) timer = window.setTimeout(show, wait);
    else show();
  };
};
