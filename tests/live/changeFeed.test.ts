import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Changed } from '../../src/contracts/live.ts';
import { type ChangeFeed, condensed, createChangeFeed } from '../../src/live/changeFeed.ts';

const ROOMS = new Set(['admin', 'customer:1']);
let sent: { room: string | null; changed: Changed }[];
let feed: ChangeFeed;

const change = (topic: string[], ...rooms: string[]) => ({ topic, rooms });

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 31) });
  sent = [];
  feed = createChangeFeed({
    hasRoom: (room) => ROOMS.has(room),
    send: (room, changed) => sent.push({ room, changed }),
    now: Date.now,
  });
});

afterEach(() => {
  feed.stop();
  vi.useRealTimers();
});

describe('the feed of changes', () => {
  it('sends the first change immediately, and only to rooms with a browser', () => {
    feed.take({ position: '7', changes: [change(['customer', '1'], 'admin', 'customer:1', 'integrator:9')] });
    expect(sent).toEqual([
      { room: 'admin', changed: { topics: [['customer', '1']], position: '7' } },
      { room: 'customer:1', changed: { topics: [['customer', '1']], position: '7' } },
    ]);
  });

  it('sends the several changes of one action immediately', () => {
    feed.take({ position: '7', changes: [change(['integrators'], 'admin')] });
    vi.advanceTimersByTime(15);
    feed.take({ position: '8', changes: [change(['customers'], 'admin')] });
    vi.advanceTimersByTime(15);
    feed.take({ position: '9', changes: [change(['stats'], 'admin')] });
    expect(sent.map(({ changed }) => changed.topics)).toEqual([[['integrators']], [['customers']], [['stats']]]);
  });

  it('sends immediately again after a pause', () => {
    for (const round of [0, 1]) {
      for (const position of [1, 2, 3, 4]) {
        feed.take({ position: String(round * 10 + position), changes: [change(['customers'], 'admin')] });
      }
      expect(sent).toHaveLength(round * 4 + 3);
      vi.advanceTimersByTime(5_000);
      expect(sent).toHaveLength(round * 4 + 4);
    }
  });

  it('sends at most five messages a second to a room, each topic once, with the newest position', () => {
    for (let position = 1; position <= 100; position++) {
      feed.take({
        position: String(position),
        changes: [change(['customers'], 'admin'), change(['customer', String(position % 3)], 'admin')],
      });
      vi.advanceTimersByTime(10);
    }
    vi.advanceTimersByTime(1_000);
    expect(sent.length).toBeLessThanOrEqual(6);
    expect(sent.at(-1)?.changed.position).toBe('100');
    expect(sent[3]?.changed.topics).toHaveLength(4);
  });

  it('adds topics without an event to the others, for rooms with a browser', () => {
    for (const _ of [1, 2, 3]) feed.take({ position: '7', changes: [change(['customers'], 'admin')] });
    feed.touch('admin', [['users'], ['customers']]);
    feed.touch('admin', [['users']]);
    feed.touch('integrator:9', [['users']]);
    expect(sent).toHaveLength(3);
    vi.advanceTimersByTime(400);
    expect(sent.slice(3)).toEqual([{ room: 'admin', changed: { topics: [['users'], ['customers']], position: '7' } }]);
    expect(feed.missedSince(7n, ['admin']).topics).not.toContainEqual(['users']);
  });

  it('sends topics without a tenant to all browsers', () => {
    feed.take({ position: '3', changes: [change([], '*')] });
    expect(sent).toEqual([{ room: null, changed: { topics: [[]], position: '3' } }]);
  });

  it('sends a common prefix instead of many topics', () => {
    const many = Array.from({ length: 60 }, (_, index) => ['customer', String(index)]);
    expect(condensed([...many, ['stats']])).toEqual([['customer'], ['stats']]);
    expect(condensed([['customers'], [], ['stats']])).toEqual([[]]);
  });
});

describe('a reconnection', () => {
  it('returns the missed changes of a room, and none of other rooms', () => {
    feed.take({ position: '1', changes: [] });
    vi.advanceTimersByTime(60_000);
    feed.take({ position: '10', changes: [change(['customers'], 'admin')] });
    vi.advanceTimersByTime(20_000);
    feed.take({ position: '11', changes: [change(['stats'], 'admin'), change(['customer', '1'], 'customer:1')] });
    vi.advanceTimersByTime(20_000);
    feed.take({ position: '12', changes: [change(['users'], 'admin')] });
    expect(feed.missedSince(11n, ['admin'])).toEqual({ topics: [['stats'], ['users']], position: '12' });
    expect(feed.missedSince(12n, ['admin']).topics).toEqual([['users']]);
    expect(feed.missedSince(11n, ['customer:1']).topics).toEqual([['customer', '1']]);
  });

  it('includes changes that a slower projection group announced late', () => {
    feed.take({ position: '1', changes: [] });
    vi.advanceTimersByTime(60_000);
    feed.take({ position: '9', changes: [change(['usage', '1'], 'admin')] });
    vi.advanceTimersByTime(1_000);
    feed.take({ position: '20', changes: [change(['customers'], 'admin')] });
    expect(feed.missedSince(20n, ['admin']).topics).toEqual([['usage', '1'], ['customers']]);
  });

  it('returns that everything may have changed if the missed changes are unknown', () => {
    expect(feed.missedSince(5n, ['admin']).topics).toEqual([[]]);
    vi.advanceTimersByTime(60_000);
    feed.take({ position: '10', changes: [change(['customers'], 'admin')] });
    expect(feed.missedSince(99n, ['admin']).topics).toEqual([[]]);
    feed.take({ position: '11', changes: [change(['stats'], 'admin')] });
    vi.advanceTimersByTime(300_000);
    feed.take({ position: '12', changes: [change(['customers'], 'admin')] });
    expect(feed.missedSince(10n, ['admin']).topics).toEqual([[]]);
    expect(feed.missedSince(11n, ['admin']).topics).toEqual([['customers']]);
  });
});

describe('a first connection', () => {
  it('returns the changes since the page was requested, possibly none', () => {
    vi.advanceTimersByTime(60_000);
    expect(feed.missedIn(60_000, ['admin'])).toEqual({ topics: [], position: '0' });
    feed.take({ position: '10', changes: [change(['customers'], 'admin')] });
    vi.advanceTimersByTime(500);
    feed.take({ position: '11', changes: [change(['stats'], 'admin'), change(['customer', '1'], 'customer:1')] });
    vi.advanceTimersByTime(100);
    expect(feed.missedIn(300, ['admin'])).toEqual({ topics: [['stats']], position: '11' });
    expect(feed.missedIn(600, ['admin']).topics).toEqual([['customers'], ['stats']]);
    expect(feed.missedIn(50, ['admin'])).toEqual({ topics: [], position: '11' });
  });

  it('returns that everything may have changed to a screen that is older than the known changes', () => {
    vi.advanceTimersByTime(60_000);
    expect(feed.missedIn(60_001, ['admin']).topics).toEqual([[]]);
    feed.take({ position: '10', changes: [] });
    vi.advanceTimersByTime(300_000);
    feed.take({ position: '11', changes: [] });
    expect(feed.missedIn(300_001, ['admin']).topics).toEqual([[]]);
  });
});
