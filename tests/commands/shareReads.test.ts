import { describe, expect, it } from 'vitest';
import { shareReads } from '../../src/commands/shareReads.ts';

/** Reads that the test ends; each resolves to its number. */
const heldReads = () => {
  const begun: { name: string; end: (failure?: Error) => void }[] = [];
  const read = shareReads((name: string) => {
    const number = begun.length + 1;
    return new Promise<number>((resolve, reject) => {
      begun.push({ name, end: (failure) => (failure ? reject(failure) : resolve(number)) });
    });
  });
  return { begun, read };
};

describe('shared reads', () => {
  it('serve the calls before they began, and no later call', async () => {
    const { begun, read } = heldReads();
    const first = read('a');
    const [second, third] = [read('a'), read('a')];
    expect(begun).toHaveLength(1);
    begun[0]?.end();
    expect(await first).toBe(1);
    const fourth = read('a');
    expect(begun).toHaveLength(2);
    begun[1]?.end();
    expect([await second, await third]).toEqual([2, 2]);
    begun[2]?.end();
    expect(await fourth).toBe(3);
    expect(begun).toHaveLength(3);
  });

  it('are separate for each name', () => {
    const { begun, read } = heldReads();
    void read('a');
    void read('b');
    expect(begun.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('fail for all callers that share one, and are repeated for the next', async () => {
    const { begun, read } = heldReads();
    const [first, second, third] = [read('a'), read('a'), read('a')];
    const failed = Promise.allSettled([first, second, third]);
    begun[0]?.end(new Error('lost'));
    await expect(first).rejects.toThrow('lost');
    begun[1]?.end(new Error('lost again'));
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    const later = read('a');
    begun[2]?.end();
    expect(await later).toBe(3);
  });
});
