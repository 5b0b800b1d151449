import { randomUUID } from 'node:crypto';
import messages from '@eventstore/db-client/generated/streams_pb.js';
import { expect, it, onTestFinished } from 'vitest';
import type { Responses } from '../../../src/embedded/eventstore/service/responses.ts';
import { subscribeToAll } from '../../../src/embedded/eventstore/service/subscribeToAll.ts';
import { openStore } from '../../../src/embedded/eventstore/storage/store.ts';
import { newStream } from '../../eventstore/support.ts';
import { until } from '../../support/eventually.ts';
import { openDatabase } from '../../support/stores.ts';

const { ContentCase } = messages.ReadResp;
const ignore = (): void => undefined;

const openOwnStore = async () => {
  const { databaseUrl, close } = await openDatabase();
  onTestFinished(close);
  const store = await openStore({ databaseUrl, ownerUrl: databaseUrl }, ignore);
  onTestFinished(store.close);
  const event = () => ({
    id: randomUUID(),
    type: 'SeatClaimed',
    isJson: true,
    data: Buffer.from('{}'),
    metadata: Buffer.alloc(0),
  });
  return {
    store,
    append: (stream: string) => store.submit({ kind: 'append', stream, expected: 'any', events: [event()], deadline: undefined }),
    remove: (stream: string) => store.submit({ kind: 'delete', stream, expected: 'any', deadline: undefined }),
  };
};

/** A client that reads nothing between `pause` and `resume`. */
const slowClient = () => {
  const received: number[] = [];
  const listeners: (() => void)[] = [];
  let isClosed = false;
  let resumed: Promise<void> | undefined;
  let resume = ignore;
  const responses: Responses = {
    digestsData: false,
    send: (response) => {
      received.push(messages.ReadResp.deserializeBinary(response).getContentCase());
      return resumed;
    },
    flush: ignore,
    scratch: undefined,
    isClosed: () => isClosed,
    onClose: (listener) => void listeners.push(listener),
  };
  return {
    received,
    responses,
    pause: () => {
      resumed = new Promise((resolve) => {
        resume = resolve;
      });
    },
    resume: () => {
      resumed = undefined;
      resume();
    },
    close: () => {
      isClosed = true;
      for (const listener of listeners) listener();
    },
  };
};

it('notifies a slow subscriber that it fell behind, when its next event is no longer in memory', async () => {
  const { store, append, remove } = await openOwnStore();
  const { received, responses, pause, resume, close } = slowClient();
  const request = { kind: 'subscribeToAll', from: 'end', resolveLinks: false, ids: 'text', filter: undefined } as const;
  const ended = subscribeToAll(store, request, responses);
  await until(() => received.at(-1) === ContentCase.CAUGHT_UP);

  pause();
  await append(newStream());
  await until(() => received.at(-1) === ContentCase.EVENT);
  const removed = newStream();
  await append(removed);
  await remove(removed);
  await store.scavenge(new AbortController().signal); // evicts what it removes, and what is before that
  resume();
  await until(() => received.at(-1) === ContentCase.CAUGHT_UP);
  close();
  await ended;

  const { CONFIRMATION, CAUGHT_UP, EVENT, FELL_BEHIND } = ContentCase;
  expect(received).toEqual([CONFIRMATION, CAUGHT_UP, EVENT, FELL_BEHIND, EVENT, CAUGHT_UP]);
});
