import { describe, expect, it } from 'vitest';
import { boundsOf, isVoided } from '../../src/domain/apiCalls/voids.ts';
import { customerDecider } from '../../src/domain/customer/decider.ts';
import { MAX_VOIDS } from '../../src/domain/limits.ts';
import { apiCallsVoided, customerChurned, customerDeleted, customerRegistered } from '../support/builders/customer.ts';
import { voidApiCalls } from '../support/builders/customerCommands.ts';
import { callVoidIdOf } from '../support/builders/ids.ts';
import { decisionSpec } from '../support/decisionSpec.ts';

const given = decisionSpec(customerDecider);

describe('voiding recorded calls', () => {
  it('is recorded with its range and reason, also of a license that has ended', () => {
    const range = { firstSequence: 5, lastSequence: 9, from: '2026-01-30T00:00:00.000Z', until: '2026-01-31T00:00:00.000Z' };
    given(customerRegistered()).when(voidApiCalls()).then(apiCallsVoided());
    given(customerRegistered(), customerChurned()).when(voidApiCalls(range)).then(apiCallsVoided(range));
    const again = voidApiCalls({ voidId: callVoidIdOf('second') });
    expect(given(customerRegistered(), apiCallsVoided()).when(again).state).toMatchObject({ voids: 2 });
  });

  it('is refused if no call of the range was recorded', () => {
    given(customerRegistered())
      .when(voidApiCalls({ isRecorded: false }))
      .thenRefused('no_calls_to_void');
  });

  it('is refused without a customer, and beyond the most voids', () => {
    given().when(voidApiCalls()).thenRefused('customer_not_found');
    given(customerRegistered(), customerDeleted()).when(voidApiCalls()).thenRefused('customer_not_found');
    const voids = Array.from({ length: MAX_VOIDS }, () => apiCallsVoided());
    given(customerRegistered(), ...voids)
      .when(voidApiCalls())
      .thenRefused('void_limit_reached');
  });
});

describe('a call', () => {
  const at = Date.parse('2026-01-31T12:00:00.000Z');
  const voidOf = (range: Partial<Parameters<typeof boundsOf>[0]> = {}) => {
    const bounds = boundsOf({ firstSequence: null, lastSequence: null, from: null, until: null, ...range });
    return { sourceId: 'laptop', position: 100n, bounds };
  };
  const call = { sourceId: 'laptop', position: 99n, sequence: 7, ms: at };

  it('is voided with its source, if it was recorded before', () => {
    expect(isVoided(voidOf(), call)).toBe(true);
    expect(isVoided(voidOf(), { ...call, sourceId: 'build' })).toBe(false);
    expect(isVoided(voidOf(), { ...call, position: 101n })).toBe(false);
  });

  it('is voided from the first to the last sequence, and from a time until before another', () => {
    expect(isVoided(voidOf({ firstSequence: 7, lastSequence: 7 }), call)).toBe(true);
    expect(isVoided(voidOf({ firstSequence: 8 }), call)).toBe(false);
    expect(isVoided(voidOf({ lastSequence: 6 }), call)).toBe(false);
    expect(isVoided(voidOf({ from: '2026-01-31T12:00:00.000Z', until: '2026-01-31T12:00:00.001Z' }), call)).toBe(true);
    expect(isVoided(voidOf({ until: '2026-01-31T12:00:00.000Z' }), call)).toBe(false);
    expect(isVoided(voidOf({ from: '2026-01-31T12:00:00.001Z' }), call)).toBe(false);
  });
});
