import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areConsistent, columnsOf, flushOf, lengthOf, sliceOf } from '../../src/domain/apiCalls/columns.ts';
import type { RecordedCall } from '../../src/domain/apiCalls/events.ts';
import { userIdOf } from '../support/builders/ids.ts';

const call: fc.Arbitrary<RecordedCall | null> = fc.option(
  fc.record({
    service: fc.constantFrom('jira', 'azdo', 'confluence'),
    instanceUrl: fc.constantFrom('https://one.example', 'https://two.example'),
    operation: fc.constantFrom('', 'GET:/issue', 'GET:/search'),
    ok: fc.boolean(),
    status: fc.constantFrom(null, 200, 500),
    durationMs: fc.nat(5_000),
    at: fc.date({ min: new Date(0), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true }).map((date) => date.toISOString()),
  }),
  { freq: 4 },
);
const source = { userId: userIdOf(), sourceId: 'laptop', firstSequence: 1 };

describe('recorded calls as columns', () => {
  it('are the same calls again, in each flush', () => {
    fc.assert(
      fc.property(fc.array(fc.array(call, { maxLength: 12 }), { maxLength: 4 }), (flushes) => {
        const columns = columnsOf(flushes);
        expect(areConsistent(columns)).toBe(true);
        let from = 0;
        for (const calls of flushes) {
          const flush = flushOf(source, { columns, from, count: calls.length });
          from += calls.length;
          expect(lengthOf(flush)).toBe(calls.length);
          expect(flush).toEqual({ ...source, calls });
          expect(flushOf(source, sliceOf({ ...source, calls })).calls).toEqual(calls);
        }
      }),
    );
  });

  it('are refused with an index or a time that does not exist', () => {
    const at = '2026-01-31T12:00:00.000Z';
    const one = {
      service: 'jira',
      instanceUrl: 'https://one.example',
      operation: 'GET:/',
      ok: true,
      status: 200,
      durationMs: 1,
      at,
    } as const;
    const columns = columnsOf([[one, null, { ...one, ok: false }]]);
    expect(areConsistent(columns)).toBe(true);
    for (const change of [
      { instance: [0, null] },
      { instance: [0, null, 1] },
      { operation: [0, 0, 1] },
      { failed: [1] },
      { failed: [2, 2] },
      { failed: [3] },
      { after: [0, 0, 8.64e15] },
    ])
      expect(areConsistent({ ...columns, ...change }), JSON.stringify(change)).toBe(false);
  });
});
