import { describe, expect, it } from 'vitest';
import { createStateCache } from '../../src/commands/stateCache.ts';

describe('the cache of folded states', () => {
  it('evicts the least recently used state', () => {
    const cache = createStateCache<string>({ maxStreams: 2 });
    cache.put('customer-a', { state: 'a', revision: 0n, asOf: 1 });
    cache.put('customer-b', { state: 'b', revision: 0n, asOf: 1 });
    cache.get('customer-a');
    cache.put('customer-c', { state: 'c', revision: 0n, asOf: 1 });
    expect(cache.get('customer-a')).toEqual({ state: 'a', revision: 0n, asOf: 1 });
    expect(cache.get('customer-b')).toBeUndefined();
    expect(cache.get('customer-c')).toBeDefined();
  });

  it('weighs states by the length of their streams, and keeps the one in use', () => {
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

  it('does not replace a state by an older one', () => {
    const cache = createStateCache<string>();
    cache.put('customer-a', { state: 'new', revision: 5n, asOf: 1 });
    cache.put('customer-a', { state: 'old', revision: 4n, asOf: 1 });
    expect(cache.get('customer-a')).toEqual({ state: 'new', revision: 5n, asOf: 1 });
  });
});
