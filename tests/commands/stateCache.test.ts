import { describe, expect, it } from 'vitest';
import { createStateCache } from '../../src/commands/stateCache.ts';

describe('the cache of folded states', () => {
  it('drops what was used longest ago', () => {
    const cache = createStateCache<string>({ maxStreams: 2 });
    cache.put('customer-a', { state: 'a', revision: 0n, asOf: 1 });
    cache.put('customer-b', { state: 'b', revision: 0n, asOf: 1 });
    cache.get('customer-a');
    cache.put('customer-c', { state: 'c', revision: 0n, asOf: 1 });
    expect(cache.get('customer-a')).toEqual({ state: 'a', revision: 0n, asOf: 1 });
    expect(cache.get('customer-b')).toBeUndefined();
    expect(cache.get('customer-c')).toBeDefined();
  });

  it('counts long streams for what they are, and keeps the one in use', () => {
    const cache = createStateCache<string>({ maxEvents: 100 });
    cache.put('customer-a', { state: 'a', revision: 49n, asOf: 1 });
    cache.put('customer-b', { state: 'b', revision: 49n, asOf: 1 });
    cache.put('customer-b', { state: 'b', revision: 50n, asOf: 1 });
    expect(cache.get('customer-a')).toBeUndefined();
    expect(cache.get('customer-b')).toBeDefined();
    cache.put('customer-c', { state: 'c', revision: 1_000n, asOf: 1 });
    expect(cache.get('customer-b')).toBeUndefined();
    expect(cache.get('customer-c')).toBeDefined();
  });

  it('does not go back', () => {
    const cache = createStateCache<string>();
    cache.put('customer-a', { state: 'new', revision: 5n, asOf: 1 });
    cache.put('customer-a', { state: 'old', revision: 4n, asOf: 1 });
    expect(cache.get('customer-a')).toEqual({ state: 'new', revision: 5n, asOf: 1 });
  });
});
