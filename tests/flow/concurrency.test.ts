import { describe, expect, it } from 'vitest';
import { forEachConcurrently, limitConcurrency } from '../../src/flow/concurrency.ts';

const busy = (): Error => new Error('busy');

/** Work that the test ends in the order in which it started. */
const openWork = () => {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => (): Promise<string> => {
    started.push(name);
    return new Promise((resolve) => ends.push(() => resolve(name)));
  };
  /** Ends the work that started first, and lets the next begin. */
  const endOne = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { started, work, endOne };
};

describe('limited concurrency', () => {
  it('runs work in order up to its limit, and rejects what exceeds its queue', async () => {
    const { started, work, endOne } = openWork();
    const limit = limitConcurrency({ concurrent: 2, maxWaiting: 3, busy });
    const results = ['1', '2', '3', '4', '5'].map((name) => limit.run(work(name)));
    await expect(limit.run(work('6'))).rejects.toThrow('busy');
    expect(started).toEqual(['1', '2']);
    expect(limit.waiting()).toBe(3);
    await endOne();
    expect(started).toEqual(['1', '2', '3']);
    results.push(limit.run(work('7')));
    for (let index = 0; index < 5; index++) await endOne();
    expect(await Promise.all(results)).toEqual(['1', '2', '3', '4', '5', '7']);
    expect(started).toEqual(['1', '2', '3', '4', '5', '7']);
  });

  it('lets keys take turns, and rejects the newest of the key with the most if the queue is full', async () => {
    const { started, work, endOne } = openWork();
    const limit = limitConcurrency({ concurrent: 1, maxWaiting: 3, busy });
    const flood = ['1', '2', '3', '4'].map((name) => limit.run(work(name), { key: 'flood' }));
    const last = expect(flood[3]).rejects.toThrow('busy');
    const other = limit.run(work('other'), { key: 'other' });
    await last;
    for (let index = 0; index < 4; index++) await endOne();
    await Promise.all([...flood.slice(0, 3), other]);
    expect(started).toEqual(['1', '2', 'other', '3']);
  });

  it('rejects work whose turn does not come in time, and runs what is behind it', async () => {
    const { started, work, endOne } = openWork();
    const limit = limitConcurrency({ concurrent: 1, busy });
    const first = limit.run(work('first'));
    await expect(limit.run(work('late'), { timeoutMs: 1 })).rejects.toThrow('busy');
    expect(limit.waiting()).toBe(0);
    await endOne();
    await first;
    const next = limit.run(work('next'));
    await endOne();
    expect(await next).toBe('next');
    expect(started).toEqual(['first', 'next']);
  });

  it('goes on after work that failed', async () => {
    const limit = limitConcurrency({ concurrent: 1, busy });
    const failed = limit.run(() => Promise.reject(new Error('broken')));
    const next = limit.run(async () => 'next');
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('next');
  });

  it('takes an item of a list only when its work can start', async () => {
    const { started, work, endOne } = openWork();
    const taken: string[] = [];
    function* names(): Generator<string> {
      for (const name of ['1', '2', '3', '4']) {
        taken.push(name);
        yield name;
      }
    }
    const done = forEachConcurrently(names(), 2, (name) => work(name)());
    expect(taken).toEqual(['1', '2']);
    await endOne();
    expect(taken).toEqual(['1', '2', '3']);
    for (let index = 0; index < 3; index++) await endOne();
    await done;
    expect(started).toEqual(['1', '2', '3', '4']);
  });
});
