import { describe, expect, it } from 'vitest';
import { ofServices, wasIncluded } from '../../src/domain/apiCalls/entitled.ts';

const ms = Date.parse('2026-01-31T12:00:00.000Z');
const call = { position: 100n, ms, service: 'jira' } as const;
const only = (code: string, endsAt: string | null = null) => [{ code, startsAt: null, endsAt }];

describe('the service of a call', () => {
  it('was included, unless the last entitlements before the event and the call leave it out', () => {
    expect(wasIncluded([], call)).toBe(true);
    expect(wasIncluded([{ position: 1n, ms, entitlements: only('azdo') }], call)).toBe(false);
    expect(wasIncluded([{ position: 1n, ms, entitlements: only('jira') }], call)).toBe(true);
    expect(wasIncluded([{ position: 101n, ms, entitlements: only('azdo') }], call)).toBe(true);
    expect(wasIncluded([{ position: 1n, ms: ms + 1, entitlements: only('azdo') }], call)).toBe(true);
    const later = { position: 2n, ms, entitlements: null };
    expect(wasIncluded([{ position: 1n, ms, entitlements: only('azdo') }, later], call)).toBe(true);
  });

  it('was included until before the end of its entitlement', () => {
    const until = (endsAt: string) => wasIncluded([{ position: 1n, ms: 0, entitlements: only('jira', endsAt) }], call);
    expect(until('2026-01-31T12:00:00.001Z')).toBe(true);
    expect(until('2026-01-31T12:00:00.000Z')).toBe(false);
  });

  it('is judged by the entitlements to services', () => {
    expect(ofServices(null)).toBeNull();
    expect(ofServices([...only('jira'), ...only('reports')])).toEqual(only('jira'));
  });
});
