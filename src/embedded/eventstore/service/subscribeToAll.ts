import { randomUUID } from 'node:crypto';
import { encodeCaughtUp, encodeCheckpoint, encodeConfirmation, encodeFellBehind } from '../codec/messages.ts';
import { signal } from '../storage/signal.ts';
import type { AllPage, Store } from '../storage/store.ts';
import { eventSender } from './eventSender.ts';
import { allPages } from './pages.ts';
import type { ReadRequest } from './readRequest.ts';
import type { Responses } from './responses.ts';

const PAGE_EVENTS = 1000;

/**
 * Sends every matching event after a position, past and future, once and in order. A filtered subscription also gets checkpoints:
 * one per `checkpointInterval` examined events and one when it has caught up, so that it can resume there.
 */
export const subscribeToAll = async (
  store: Store,
  { from, filter, resolveLinks, ids }: ReadRequest & { kind: 'subscribeToAll' },
  responses: Responses,
): Promise<void> => {
  const commits = signal();
  responses.onClose(commits.raise);
  responses.onClose(store.onCommit(commits.raise));
  const send = eventSender(store, responses, { resolveLinks, ids });
  const interval = filter?.checkpointInterval ?? Number.POSITIVE_INFINITY;
  let position = from === 'start' ? 0 : from === 'end' ? store.lastPosition() : from;
  let checkpoint = position;
  let hasCheckpoint = false;

  // Positions count examined events, apart from the gaps of scavenged ones.
  const isDue = (lookedAt: number): boolean => lookedAt - checkpoint >= interval;
  const sendCheckpoint = async (lookedAt: number): Promise<void> => {
    checkpoint = lookedAt;
    hasCheckpoint = true;
    await responses.send(encodeCheckpoint(lookedAt));
  };
  const sendPage = async ({ events, through }: AllPage): Promise<void> => {
    for (const event of events) {
      if (responses.isClosed()) return;
      if (filter && !filter.matches(event)) continue;
      if (isDue(event.position - 1)) await sendCheckpoint(event.position - 1);
      const sent = send(event);
      if (sent) await sent;
      if (isDue(event.position)) await sendCheckpoint(event.position);
    }
    position = through;
    if (isDue(position)) await sendCheckpoint(position);
  };

  await responses.send(encodeConfirmation(randomUUID()));
  const load = (after: number) => store.allForward(after, PAGE_EVENTS, filter?.storage);
  let isLive = false;
  while (!responses.isClosed()) {
    for await (const page of allPages(position, store.lastPosition(), Number.POSITIVE_INFINITY, load)) {
      if (isLive && !page.fromMemory) {
        isLive = false;
        await responses.send(encodeFellBehind());
      }
      await sendPage(page);
      if (responses.isClosed()) return;
    }
    if (position < store.lastPosition()) continue;
    if (!isLive) {
      isLive = true;
      if (filter && (position > checkpoint || !hasCheckpoint)) await sendCheckpoint(position);
      await responses.send(encodeCaughtUp());
    }
    await commits.raised();
  }
};
