import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../src/embedded/eventstore/storage/event.ts';
import { type Tail, tailOf } from '../../../src/embedded/eventstore/storage/tail.ts';

const eventAt = (position: number): StoredEvent => ({
  position,
  stream: 'license-1',
  revision: position,
  id: '00000000-0000-4000-8000-000000000001',
  type: 'SeatClaimed',
  isJson: true,
  data: Buffer.alloc(100),
  metadata: Buffer.alloc(0),
  created: '0',
});

const eventsFrom = (first: number, count: number): StoredEvent[] => Array.from({ length: count }, (_, at) => eventAt(first + at));
const positions = (tail: Tail, after: number): number[] | undefined => tail.after(after, 3)?.map(({ position }) => position);

describe('the newest events in memory', () => {
  it('are those after a position, or undefined if some of them were evicted', () => {
    const tail = tailOf(10, 1 << 20);
    tail.reset(100);
    tail.append(eventsFrom(101, 8));
    expect(positions(tail, 100)).toEqual([101, 102, 103]);
    expect(positions(tail, 106)).toEqual([107, 108]);
    expect(positions(tail, 108)).toEqual([]);
    expect(positions(tail, 99)).toBeUndefined();
  });

  it('are limited by their number', () => {
    const tail = tailOf(8, 1 << 20);
    tail.reset(0);
    for (const event of eventsFrom(1, 9)) tail.append([event]);
    expect(positions(tail, 2)).toBeUndefined();
    expect(positions(tail, 3)).toEqual([4, 5, 6]);
  });

  it('are limited by their size', () => {
    const tail = tailOf(1_000, 8 * 400);
    tail.reset(0);
    for (const event of eventsFrom(1, 9)) tail.append([event]);
    expect(positions(tail, 2)).toBeUndefined();
    expect(positions(tail, 3)).toEqual([4, 5, 6]);
  });

  it('are only those after the scavenged ones', () => {
    const tail = tailOf(10, 1 << 20);
    tail.reset(100);
    tail.append(eventsFrom(101, 8));
    tail.forget(104);
    expect(positions(tail, 103)).toBeUndefined();
    expect(positions(tail, 104)).toEqual([105, 106, 107]);
    tail.append(eventsFrom(109, 1));
    expect(positions(tail, 107)).toEqual([108, 109]);
    tail.forget(500);
    expect([positions(tail, 108), positions(tail, 109), tail.lastPosition()]).toEqual([undefined, [], 109]);
  });
});
