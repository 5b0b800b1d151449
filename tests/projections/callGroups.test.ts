import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { customerId, userId } from '../../src/contracts/fields.ts';
import { columnsOf } from '../../src/domain/apiCalls/columns.ts';
import type { RecordedCall } from '../../src/domain/apiCalls/events.ts';
import { QUARTER_MS } from '../../src/domain/time.ts';
import { type CallGroup, createCallGroups, emptyCount } from '../../src/projections/callCounts/counting.ts';
import { bucketOf } from '../../src/projections/callCounts/histogram.ts';

const customer = customerId.parse('0198a000-0000-7000-8000-000000000001');
const user = userId.parse('0198a000-0000-7000-8000-000000000002');
const BEFORE_MIDNIGHT = Date.parse('2026-01-31T23:59:58.500Z');

/** The formats of an instant that clients send; the last two are not those of the event store. */
const spellings: readonly ((ms: number) => string)[] = [
  (ms) => new Date(ms).toISOString(),
  (ms) => new Date(ms).toISOString(),
  (ms) => new Date(ms + 3_600_000).toISOString().replace('Z', '+01:00'),
  (ms) => new Date(ms).toISOString().replace('Z', '0Z'),
];

/** Mostly of the same second as the one before, or of a few seconds, quarters and days. */
const call: fc.Arbitrary<RecordedCall> = fc.record({
  service: fc.constantFrom('jira', 'azdo', 'confluence'),
  instanceUrl: fc.constantFrom('https://one.example', 'https://two.example'),
  operation: fc.constantFrom('GET:/issue', 'GET:/search'),
  ok: fc.boolean(),
  status: fc.constantFrom(null, 200, 500),
  durationMs: fc.nat(5_000),
  at: fc
    .tuple(fc.constantFrom(0, 0, 0, 1_000, QUARTER_MS, -QUARTER_MS), fc.nat(2_500), fc.constantFrom(...spellings))
    .map(([jump, after, spelling]) => spelling(BEFORE_MIDNIGHT + jump + after)),
});

const keyOf = ({ service, instanceUrl, operation, status, ok }: RecordedCall | CallGroup, quarter: number): string =>
  JSON.stringify([service, instanceUrl, operation, status, ok, quarter]);
const secondOf = (at: string): string => new Date(Math.floor(Date.parse(at) / 1_000) * 1_000).toISOString();

describe('the groups of recorded calls', () => {
  it('have each call once, with its quarter, its duration and the latest time', () => {
    fc.assert(
      fc.property(fc.array(call, { maxLength: 60 }), fc.array(call, { maxLength: 3 }), fc.nat(60), (calls, others, cut) => {
        const groups = createCallGroups();
        const arrived = emptyCount();
        const seconds = new Map<string, { calls: number; errors: number }>();
        const seen: string[] = [];
        const watcher = {
          secondOf: (at: number) => {
            const second = new Date(at).toISOString();
            const entry = seconds.get(second) ?? { calls: 0, errors: 0 };
            seconds.set(second, entry);
            return entry;
          },
          addGroup: (group: CallGroup) => void seen.push(keyOf(group, group.quarter)),
        };
        const slice = { columns: columnsOf([others, calls, others]), from: others.length, count: calls.length };
        const count = groups.counterOf(customer, user, '2026-02-01T00:30:00.000Z');
        for (const run of [
          { first: 0, last: Math.min(cut, calls.length) - 1 },
          { first: cut, last: calls.length - 1 },
        ])
          count(slice, run, arrived, watcher);

        const expected = new Map<string, { calls: number; totalMs: number; lastAt: number; buckets: number[] }>();
        const expectedSeconds = new Map<string, { calls: number; errors: number }>();
        for (const one of calls) {
          const ms = Date.parse(one.at);
          const key = keyOf(one, Math.floor(ms / QUARTER_MS) * QUARTER_MS);
          const known = expected.get(key) ?? { calls: 0, totalMs: 0, lastAt: ms, buckets: [] };
          expected.set(key, {
            calls: known.calls + 1,
            totalMs: known.totalMs + one.durationMs,
            lastAt: Math.max(known.lastAt, ms),
            buckets: [...known.buckets, bucketOf(one.durationMs)],
          });
          const second = expectedSeconds.get(secondOf(one.at)) ?? { calls: 0, errors: 0 };
          expectedSeconds.set(secondOf(one.at), { calls: second.calls + 1, errors: second.errors + (one.ok ? 0 : 1) });
        }
        const counted = groups
          .all()
          .map((group): [string, unknown] => [
            keyOf(group, group.quarter),
            { calls: group.buckets.length, totalMs: group.totalMs, lastAt: group.lastAt, buckets: group.buckets },
          ]);
        expect(counted).toEqual([...expected]);
        expect(seen).toEqual([...expected.keys()]);
        expect(seconds).toEqual(expectedSeconds);
        const failed = calls.filter(({ ok }) => !ok).length;
        const total = calls.reduce((sum, { durationMs }) => sum + durationMs, 0);
        expect([arrived.calls, arrived.errors, arrived.totalMs]).toEqual([calls.length, failed, total]);
      }),
    );
  });
});
