import type { QueryClient } from '@tanstack/react-query';
import type { Presence } from '../../../src/contracts/live.ts';
import { topic } from '../../../src/contracts/topics.ts';
import type { UsersReply } from '../../../src/contracts/users.ts';

const showsUsers = (data: unknown): data is UsersReply => typeof data === 'object' && data !== null && 'users' in data;

/** Shows at once in every list of users that somebody came or went; untouched rows keep their identity. */
export const applyPresence = (queries: QueryClient, { userId, connected }: Presence): void => {
  queries.setQueriesData<unknown>({ queryKey: topic.users() }, (data: unknown) => {
    if (!showsUsers(data)) return data;
    const found = data.users.some((user) => user.id === userId && user.currentlyConnected !== connected);
    if (!found) return data;
    return { ...data, users: data.users.map((user) => (user.id === userId ? { ...user, currentlyConnected: connected } : user)) };
  });
};
