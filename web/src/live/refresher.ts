import type { QueryClient } from '@tanstack/react-query';
import type { Topic } from '../../../src/contracts/topics.ts';
import { refetchTopic } from '../api/refetchTopic.ts';
import { sessionKey } from '../api/sessionKey.ts';
import type { Area } from '../areas.ts';

/** Minimum time between two refetches of the same topic; a slow reply or a hidden tab extends it. */
const MIN_GAP_MS = 250;
const HIDDEN_GAP_MS = 5000;
const GAP_PER_REPLY = 4;

type Pending = { running: boolean; again: boolean; notBefore: number };

/** The first word of the topic whose changes also change the area's session: in the portal, of its customer. */
const sessionWord: Record<Area, string | null> = { admin: null, portal: 'customer', integrator: 'integrator' };

/**
 * Turns changed topics into refetches of the queries below them. The first change is refetched immediately, later ones are
 * batched. A topic is never refetched while its last refetch is pending, so that a slow server is not overloaded. Topics
 * without a query are ignored.
 */
export const createRefresher = (area: Area, queries: QueryClient): ((topics: readonly Topic[]) => void) => {
  const pending = new Map<string, Pending>();

  const run = async (topic: Topic, state: Pending): Promise<void> => {
    state.running = true;
    const startedAt = performance.now();
    await refetchTopic(queries, topic).catch(() => undefined);
    const took = performance.now() - startedAt;
    state.notBefore = performance.now() + (document.hidden ? HIDDEN_GAP_MS : Math.max(MIN_GAP_MS, took * GAP_PER_REPLY));
    state.running = false;
    if (state.again) schedule(topic, state);
  };

  const schedule = (topic: Topic, state: Pending): void => {
    if (state.running) {
      state.again = true;
      return;
    }
    const wait = Math.max(0, state.notBefore - performance.now());
    state.again = false;
    state.running = true;
    window.setTimeout(() => void run(topic, state), wait);
  };

  const refreshOne = (topic: Topic): void => {
    const name = topic.join('/');
    if (queries.getQueryCache().findAll({ queryKey: topic }).length === 0) {
      if (!pending.get(name)?.running) pending.delete(name);
      return;
    }
    const state = pending.get(name) ?? { running: false, again: false, notBefore: 0 };
    pending.set(name, state);
    schedule(topic, state);
  };

  return (topics) => {
    const everything = topics.some((topic) => topic.length === 0);
    if (everything) return refreshOne([]);
    for (const topic of topics) refreshOne(topic);
    if (topics.some(([first]) => first === sessionWord[area])) refreshOne(sessionKey);
  };
};
