import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { createSignInRecorder, type SignIn } from '../../src/commands/signIns.ts';
import { streams } from '../../src/commands/streams.ts';
import type { CustomerId } from '../../src/domain/ids.ts';
import type { SignInsRecorded } from '../../src/domain/signIns/events.ts';
import { eventually } from '../support/eventually.ts';
import { fixedSealing } from '../support/fixedSealing.ts';
import { createMemoryEventStore } from '../support/memoryEventStore.ts';

class Erased extends Error {}

const clock = { at: Date.parse('2026-01-31T12:00:00.000Z') };
const errors: unknown[] = [];
const erasedId = '22222222-2222-4222-8222-222222222222' as CustomerId;

const open = (options: { kept?: number } = {}) => {
  const events = createMemoryEventStore({
    ...fixedSealing,
    seal: (text, place) => {
      if (place.owner === `customer:${erasedId}`) throw new Erased();
      return fixedSealing.seal(text, place);
    },
  });
  const recorder = createSignInRecorder({
    events,
    now: () => clock.at,
    newId: randomUUID,
    isErased: (error) => error instanceof Erased,
    onError: (error) => void errors.push(error),
    ...options,
  });
  const recorded = async (day = '2026-01-31'): Promise<SignInsRecorded['data'][]> => {
    const data: SignInsRecorded['data'][] = [];
    for await (const { event } of events.read<SignInsRecorded>(streams.signIns(day))) data.push(event.data);
    return data;
  };
  return { events, recorder, recorded };
};

const signIn = (given: Partial<SignIn> = {}): SignIn => ({
  audience: 'customer',
  outcome: 'rejected',
  reason: 'unknown_license_key',
  method: 'key',
  address: '203.0.113.9',
  network: '203.0.113.0/24',
  customerId: null,
  integratorId: null,
  userId: null,
  fingerprint: 'aaaaaaaaaaaa',
  ...given,
});

afterEach(() => expect(errors.splice(0)).toEqual([]));

describe('sign-ins', () => {
  it('are recorded separately at first, then as one event for each minute with their number', async () => {
    const { recorder, recorded } = open();
    for (let attempt = 0; attempt < 8; attempt++) {
      recorder.record(signIn({ fingerprint: `key ${attempt % 3}` }));
      clock.at += 1_000;
    }
    recorder.record(signIn({ outcome: 'throttled', reason: 'too_many_attempts' }));
    recorder.record(signIn({ address: '203.0.113.10' }));
    await recorder.close();
    expect(await recorded()).toMatchObject([
      { outcome: 'rejected', address: '203.0.113.9', count: 1, keys: 1, fingerprint: 'key 0' },
      { outcome: 'throttled', address: '203.0.113.9', count: 1 },
      { outcome: 'rejected', address: '203.0.113.10', count: 1 },
      { outcome: 'rejected', address: '203.0.113.9', count: 7, keys: 3, fingerprint: 'key 1' },
    ]);
    const [first, , , rest] = await recorded();
    expect(Date.parse(rest?.lastAt ?? '') - Date.parse(first?.firstAt ?? '')).toBe(7_000);
  });

  it('from very many addresses are counted by network, and none is missing', async () => {
    const { recorder, recorded } = open();
    for (let index = 0; index < 5_000; index++) {
      const network = `198.${index >> 8}.${index & 255}`;
      recorder.record(signIn({ address: `${network}.1`, network: `${network}.0/24` }));
    }
    recorder.record(signIn({ outcome: 'accepted', reason: null, address: '192.0.2.1' }));
    await recorder.close();
    const found = await recorded();
    expect(found.length).toBeLessThan(2_010);
    expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(5_001);
    expect(found.some(({ address }) => address?.endsWith('/24'))).toBe(true);
    expect(found.some(({ address }) => address === null)).toBe(true);
    expect(found.find(({ outcome }) => outcome === 'accepted')).toMatchObject({ address: '192.0.2.1' });
  });

  it('wait while the event store is unreachable, up to a limit that is reported', async () => {
    const { events, recorder, recorded } = open({ kept: 50 });
    events.breakDown();
    for (let index = 0; index < 150; index++) recorder.record(signIn({ outcome: 'accepted', address: `address ${index}` }));
    expect(recorder.lost()).toBe(100);
    await eventually(
      async () => errors.length,
      (count) => count > 0,
    );
    errors.length = 0;
    events.mend();
    await recorder.close();
    expect(await recorded()).toHaveLength(50);
  });

  it('of an account that was erased since are dropped, and do not delay others', async () => {
    const { recorder, recorded } = open();
    recorder.record(signIn({ outcome: 'accepted', customerId: erasedId }));
    recorder.record(signIn({ address: '203.0.113.10' }));
    await recorder.close();
    expect(await recorded()).toMatchObject([{ address: '203.0.113.10' }]);
  });

  it('are in the stream of their day', async () => {
    const { recorder, recorded } = open();
    recorder.record(signIn());
    clock.at += 86_400_000;
    recorder.record(signIn({ address: '203.0.113.10' }));
    await recorder.close();
    expect(await recorded()).toHaveLength(1);
    expect(await recorded('2026-02-01')).toMatchObject([{ address: '203.0.113.10' }]);
  });
});
