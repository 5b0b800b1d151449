import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { streams } from '../../../src/commands/streams.ts';
import type { CustomerId } from '../../../src/domain/ids.ts';
import { createEventStore } from '../../../src/eventstore/adapter.ts';
import type { EventStore, StreamName } from '../../../src/eventstore/port.ts';
import { metaOf } from '../../support/builders/command.ts';
import { seatLimitsEnforced } from '../../support/builders/customer.ts';
import { type FakeEventStore, openFakeEventStore } from '../../support/fakeEventStore.ts';
import { fixedSealing } from '../../support/fixedSealing.ts';

/** A fake that ends with the test. */
export const openFake = async (options: { port?: number } = {}): Promise<FakeEventStore> => {
  const fake = await openFakeEventStore(options);
  onTestFinished(fake.close);
  return fake;
};

/** The adapter on a fake, which ends with the test. */
export const openAdapter = (
  url: string,
  limits: { attemptTimeoutMs?: number; retryTimeoutMs?: number; leaderCheckMs?: number } = {},
): EventStore => {
  const events = createEventStore({ url, sealing: fixedSealing, ...limits });
  onTestFinished(events.close);
  return events;
};

export const newCustomerStream = (): StreamName => streams.customer(randomUUID() as CustomerId);

/** Appends `count` events to a stream. */
export const appendTo = (events: EventStore, stream: StreamName, count = 1) =>
  events.append(
    stream,
    Array.from({ length: count }, () => seatLimitsEnforced()),
    { expected: 'any', meta: metaOf() },
  );

/** What the promise rejects with. */
export const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => {
      throw new Error('It was expected to fail');
    },
    (error: unknown) => error,
  );
