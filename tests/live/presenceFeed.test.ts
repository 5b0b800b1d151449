import { expect, it } from 'vitest';
import type { Presence } from '../../src/contracts/live.ts';
import type { CustomerId, IntegratorId, UserId } from '../../src/domain/ids.ts';
import type { UserPresence } from '../../src/live/presence.ts';
import { createPresenceFeed } from '../../src/live/presenceFeed.ts';

const INTEGRATOR = '00000000-0000-4000-8000-00000000000a' as IntegratorId;

const feedOf = (rooms: readonly string[]) => {
  const sent: { room: string; presence: Presence }[] = [];
  const touched = new Map<string, Set<string>>();
  const clock = { now: Date.UTC(2026, 0, 31) };
  const notify = createPresenceFeed({
    hasRoom: (room) => rooms.includes(room),
    send: (room, presence) => sent.push({ room, presence }),
    touch: (room, topics) => {
      const known = touched.get(room) ?? new Set();
      touched.set(room, known);
      for (const topic of topics) known.add(topic.join(' '));
    },
    now: () => clock.now,
  });
  return { sent, touched, clock, notify };
};

const gone = (user: number, customer = 1): UserPresence => ({
  userId: `user-${user}` as UserId,
  customerId: `customer-${customer}` as CustomerId,
  integratorId: INTEGRATOR,
  connected: false,
});

it('sends few users one by one, to every room with a browser', () => {
  const { sent, touched, notify } = feedOf(['admin', 'customer:customer-1']);
  notify([gone(1)]);
  const presence = { userId: 'user-1', customerId: 'customer-1', connected: false, at: '2026-01-31T00:00:00.000Z' };
  expect(sent).toEqual([
    { room: 'admin', presence },
    { room: 'customer:customer-1', presence },
  ]);
  expect(touched.size).toBe(0);
});

it('sends list topics when many users connect or disconnect together, counted by room', () => {
  const { sent, touched, clock, notify } = feedOf(['admin', 'customer:customer-3']);
  for (let batch = 0; batch < 100; batch++) notify(Array.from({ length: 100 }, (_, index) => gone(batch * 100 + index, index)));
  expect(sent.filter(({ room }) => room === 'admin').length).toBeLessThan(100);
  expect(sent.filter(({ room }) => room === 'customer:customer-3').length).toBe(50);
  expect(touched.get('admin')).toContain('users');
  expect(touched.get('customer:customer-3')).toEqual(new Set(['users', 'customers', 'customer customer-3']));
  const before = sent.length;
  clock.now += 1_000;
  notify([gone(1)]);
  expect(sent.length).toBe(before + 1);
});
