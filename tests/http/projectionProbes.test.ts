import { describe, expect, it } from 'vitest';
import { projectionProbes } from '../../src/http/health.ts';

const group = { position: '1', node: 'first', heartbeatAt: null };

describe('the check of read models', () => {
  it('says how far each group is behind, in the unit that is read at a glance', async () => {
    const monitoring = {
      projections: async () => [
        { ...group, group: 'main' as const, lagMs: 2_424_442 },
        { ...group, group: 'usage' as const, lagMs: 350, node: null },
      ],
      parked: async () => [],
    };
    expect(await projectionProbes({ monitoring }, () => 0).projections()).toEqual({
      status: 'critical',
      message: 'Read models are behind',
      details: 'main: 41 min behind, on first; usage: 350 ms behind, not running on any node',
    });
  });
});
