import { describe, expect, it } from 'vitest';
import { createInbox } from '../../../src/projections/engine/inbox.ts';

const NEVER_MS = 60_000;

const inboxOf = () => createInbox<number>((weight) => weight, { batches: 2 });
const taking = (batch: number, lingerMs = 0) => ({ waitMs: NEVER_MS, lingerMs: () => lingerMs, batch: () => batch });

describe('an inbox', () => {
  it('returns waiting items in order, at most a batch', async () => {
    const inbox = inboxOf();
    for (const item of [2, 3, 4]) void inbox.put(item);
    expect(await inbox.take(taking(5))).toEqual([2, 3]);
    expect(await inbox.take(taking(5))).toEqual([4]);
    expect(inbox.isEmpty()).toBe(true);
  });

  it('returns an item that is larger than a batch alone', async () => {
    const inbox = inboxOf();
    void inbox.put(9);
    void inbox.put(1);
    expect(await inbox.take(taking(5))).toEqual([9]);
    expect(await inbox.take(taking(5))).toEqual([1]);
  });

  it('waits until a batch is full', async () => {
    const inbox = inboxOf();
    void inbox.put(1);
    const taken = inbox.take(taking(3, NEVER_MS));
    setTimeout(() => {
      void inbox.put(1);
      setTimeout(() => void inbox.put(1), 5);
    }, 5);
    expect(await taken).toEqual([1, 1, 1]);
  });

  it('stops waiting once no more items are expected', async () => {
    const inbox = inboxOf();
    void inbox.put(1);
    const taken = inbox.take(taking(3, NEVER_MS));
    setTimeout(() => inbox.flush(), 5);
    expect(await taken).toEqual([1]);
  });

  it('delays the producer while two batches wait', async () => {
    const inbox = inboxOf();
    void inbox.put(1);
    await inbox.take(taking(2));
    expect(inbox.put(3)).toBeUndefined();
    let hasCapacity = false;
    const capacity = inbox.put(1)?.then(() => {
      hasCapacity = true;
    });
    await Promise.resolve();
    expect(hasCapacity).toBe(false);
    expect(await inbox.take(taking(2))).toEqual([3]);
    await capacity;
    expect(hasCapacity).toBe(true);
  });

  it('returns its items before it reports a failure', async () => {
    const inbox = inboxOf();
    void inbox.put(1);
    inbox.fail(new Error('The subscription ended'));
    expect(await inbox.take(taking(5, NEVER_MS))).toEqual([1]);
    await expect(inbox.take(taking(5))).rejects.toThrow('The subscription ended');
  });
});
