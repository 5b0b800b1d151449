import { describe, expect, it } from 'vitest';
import { createSeatDenialRecorder, type SeatDenial } from '../../src/commands/seatDenials.ts';
import { streams } from '../../src/commands/streams.ts';
import type { SeatDenied } from '../../src/domain/seatDenials/events.ts';
import { type EventStore, EventStoreUnavailable } from '../../src/eventstore/port.ts';
import { customerIdOf, userIdOf } from '../support/builders/ids.ts';

const AT = Date.parse('2026-01-31T12:00:00.000Z');

const denial = (overrides: Partial<SeatDenial> = {}): SeatDenial => ({
  customerId: customerIdOf(),
  userId: null,
  username: 'eve',
  kind: 'developer',
  reason: 'seat_limit_reached',
  ...overrides,
});

/** A recorder on a store that keeps what is appended; `failure` is what an append to a stream throws. */
const open = () => {
  const appended: { stream: string; data: SeatDenied['data'] }[] = [];
  const errors: unknown[] = [];
  const state = { now: AT, failure: (_: string): Error | undefined => undefined, id: 0 };
  const append = (async (stream: string, events: readonly SeatDenied[]) => {
    const failure = state.failure(stream);
    if (failure) throw failure;
    appended.push(...events.map(({ data }) => ({ stream, data })));
    return { ok: true, position: 1n, revision: 0n };
  }) as unknown as EventStore['append'];
  const recorder = createSeatDenialRecorder({
    events: { append },
    now: () => state.now,
    newId: () => `00000000-0000-4000-8000-${String(state.id++).padStart(12, '0')}`,
    isErased: (error) => error instanceof RangeError,
    onError: (error) => errors.push(error),
  });
  return { recorder, appended, errors, state };
};

describe('refused seats', () => {
  it('of one person, kind and reason are one event and then one more a minute with the others', async () => {
    const { recorder, appended, state } = open();
    for (const username of ['eve', 'Eve', 'EVE', 'eve']) {
      recorder.record(denial({ username }));
      state.now += 1_000;
    }
    recorder.record(denial({ reason: 'customer_suspended' }));
    recorder.record(denial({ userId: userIdOf('ada'), username: null }));
    await recorder.close();
    expect(appended.map(({ stream }) => stream)).toEqual(appended.map(() => streams.seatDenials(customerIdOf())));
    expect(appended.map(({ data }) => [data.username, data.userId, data.reason, data.count, data.firstAt, data.lastAt])).toEqual([
      ['eve', null, 'seat_limit_reached', 1, '2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00.000Z'],
      ['eve', null, 'customer_suspended', 1, '2026-01-31T12:00:04.000Z', '2026-01-31T12:00:04.000Z'],
      [null, userIdOf('ada'), 'seat_limit_reached', 1, '2026-01-31T12:00:04.000Z', '2026-01-31T12:00:04.000Z'],
      ['eve', null, 'seat_limit_reached', 3, '2026-01-31T12:00:01.000Z', '2026-01-31T12:00:03.000Z'],
    ]);
  });

  it('of more than 100 persons of a customer within a minute are counted together', async () => {
    const { recorder, appended } = open();
    for (let person = 0; person < 5_000; person++) recorder.record(denial({ username: `person-${person}` }));
    recorder.record(denial({ customerId: customerIdOf('other') }));
    await recorder.close();
    const own = appended.filter(({ data }) => data.customerId === customerIdOf());
    expect(own).toHaveLength(102);
    expect(own.reduce((sum, { data }) => sum + data.count, 0)).toBe(5_000);
    expect(own.at(-1)?.data).toMatchObject({ username: null, userId: null, count: 4_899 });
    expect(appended.find(({ data }) => data.customerId === customerIdOf('other'))?.data.username).toBe('eve');
  });

  it('are dropped if the customer was erased, and reported if they cannot be stored', async () => {
    const { recorder, appended, errors, state } = open();
    recorder.record(denial());
    recorder.record(denial({ customerId: customerIdOf('other') }));
    state.failure = (stream) => (stream === streams.seatDenials(customerIdOf()) ? new RangeError('erased') : undefined);
    await recorder.close();
    expect([appended.map(({ data }) => data.customerId), errors]).toEqual([[customerIdOf('other')], []]);
    const unavailable = open();
    unavailable.recorder.record(denial());
    unavailable.state.failure = () => new EventStoreUnavailable('down');
    await unavailable.recorder.close();
    expect(unavailable.errors).toHaveLength(1);
  });
});
