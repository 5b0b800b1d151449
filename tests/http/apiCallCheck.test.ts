import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apiCall, recordApiCalls } from '../../src/contracts/apiCalls.ts';
import { MAX_CALLS } from '../../src/domain/limits.ts';
import { checkBatch, checkCall, normalizeInstanceUrl } from '../../src/http/apiCalls/check.ts';
import { isWithin } from '../../src/projections/usage/ranges.ts';

const now = Date.UTC(2026, 0, 31, 12);
const receivedAt = new Date(now).toISOString();
const call = { service: 'jira', instanceUrl: 'https://acme.atlassian.net', operation: 'GET:/issue', status: 200, durationMs: 42 };

/** Good values of each field among every kind of bad one, so that most calls are wrong in one place or in none. */
const strange = fc.oneof(
  fc.constantFrom(null, undefined, '', ' ', 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, true, [], {}, 'x'.repeat(3000)),
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.anything(),
);
const url = fc.oneof(
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.constantFrom(
    'https://ACME.example:443/wiki/',
    ' http://localhost:8080 ',
    'https://user:secret@acme.example',
    'ftp://acme.example',
    'https://',
    'https://acme.example/\u0000',
    'https://acme.example/\ud800',
    'javascript:alert(1)',
    `https://acme.example/${'x'.repeat(2030)}`,
  ),
);
const instant = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .date({ min: new Date('2025-02-01'), max: new Date('2026-02-05'), noInvalidDate: true })
      .map((date) => date.toISOString()),
  },
  fc.constantFrom(
    '2026-01-31T11:00:00Z',
    '2026-01-31T11:00Z',
    '2026-01-31T11:00:00.1234567Z',
    '2026-02-30T11:00:00Z',
    '2026-02-30T11:00:00.000Z',
    '2025-02-29T11:00:00.000Z',
    '2024-02-29T11:00:00.000Z',
    '2026-13-01T11:00:00.000Z',
    '2026-01-31T24:00:00.000Z',
    '2026-01-31T11:60:00.000Z',
    '2026-01-31T11:00:60.000Z',
    '2026-01-31 11:00:00.000Z',
    '2026-01-31T11:00:00.00xZ',
    '-026-01-31T11:00:00.000Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T11:00:00+01:00',
    '2026-01-31',
    'yesterday',
  ),
);
const field = (good: fc.Arbitrary<unknown>) => fc.oneof({ weight: 20, arbitrary: good }, { weight: 1, arbitrary: strange });
const known = {
  service: field(fc.constantFrom('jira', 'azdo', 'confluence')),
  instanceUrl: field(url),
  operation: field(
    fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('GET:/issue', ' padded ', 'line\u2028break', 'x'.repeat(201))),
  ),
  durationMs: field(fc.oneof(fc.nat({ max: 100_000 }), fc.double({ min: 0, max: 9e7, noNaN: true }))),
};
const optional = {
  status: field(fc.oneof(fc.integer({ min: 95, max: 605 }), fc.constant(null))),
  ok: field(fc.oneof(fc.boolean(), fc.constant(null))),
  at: field(instant),
};
const anyCall = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ ...known, ...optional }, { requiredKeys: ['service', 'instanceUrl', 'operation', 'durationMs'] }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ ...known, ...optional, unknown: fc.constant(1), ['__proto__']: fc.constant(1) }, { requiredKeys: [] }),
  },
  { weight: 1, arbitrary: strange },
);

/** As it would have travelled. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');

describe('the check of a call', () => {
  it('accepts and refuses what the contract does', () => {
    let accepted = 0;
    fc.assert(
      fc.property(anyCall, (value) => {
        const sent = asJson(value);
        const byContract = apiCall.safeParse(sent);
        const checked = checkCall(sent, receivedAt, now);
        const isOnlyTooFar = typeof checked === 'string' && /^at: Must not be/.test(checked);
        if (typeof checked === 'object') accepted += 1;
        expect(typeof checked === 'object' || isOnlyTooFar).toBe(byContract.success);
        if (byContract.success && typeof checked === 'object') {
          expect(checked.operation).toBe(byContract.data.operation);
          expect(checked.service).toBe(byContract.data.service);
          expect(checked.status).toBe(byContract.data.status ?? null);
        }
      }),
      { numRuns: 5_000 },
    );
    expect(accepted).toBeGreaterThan(500);
  });

  it('returns the whole call, with defaults for absent fields', () => {
    expect(checkCall({ ...call, durationMs: 41.6 }, receivedAt, now)).toEqual({
      ...call,
      durationMs: 42,
      ok: true,
      at: receivedAt,
    });
    expect(checkCall({ ...call, status: 404 }, receivedAt, now)).toMatchObject({ ok: false, status: 404 });
    expect(checkCall({ ...call, status: null, ok: false }, receivedAt, now)).toMatchObject({ ok: false, status: null });
    expect(checkCall({ ...call, at: '2026-01-31T11:00:00Z' }, receivedAt, now)).toMatchObject({ at: '2026-01-31T11:00:00.000Z' });
  });

  it('returns the reason', () => {
    expect(checkCall({ ...call, extra: 1 }, receivedAt, now)).toBe('extra: Unknown field');
    expect(checkCall({ ...call, durationMs: -1 }, receivedAt, now)).toMatch(/^durationMs: /);
    expect(checkCall({ ...call, status: null }, receivedAt, now)).toBe('Set ok, status or both');
    expect(checkCall({ ...call, at: '2026-01-31T12:06:00Z' }, receivedAt, now)).toMatch(
      /^at: Must not be more than 5 minutes ahead\. /,
    );
    expect(checkCall({ ...call, at: '2024-12-01T00:00:00Z' }, receivedAt, now)).toBe('at: Must not be older than 400 days');
    expect(checkCall('call', receivedAt, now)).toMatch(/object/);
  });

  it('normalizes the address of an instance', () => {
    for (const address of [
      'https://ACME.example',
      'https://acme.example/',
      'https://acme.example:443//',
      ' https://acme.example?token=1#x ',
    ]) {
      expect(normalizeInstanceUrl(address)).toBe('https://acme.example');
    }
    expect(normalizeInstanceUrl('http://acme.example:8080/jira/')).toBe('http://acme.example:8080/jira');
    expect(normalizeInstanceUrl('https://user@acme.example')).toBeNull();
  });
});

describe('the check of a batch', () => {
  it('accepts and refuses what the contract does', () => {
    const batch = fc.record(
      {
        sourceId: field(fc.oneof(fc.string(), fc.constantFrom('laptop-1', ' padded ', 'x'.repeat(201)))),
        firstSequence: field(fc.oneof(fc.integer({ min: -2, max: 1e6 }), fc.constantFrom(1_000_000_000_000, 1_000_000_000_001))),
        calls: field(fc.oneof(fc.array(fc.constant(call), { maxLength: 3 }), fc.constant(Array(MAX_CALLS + 1).fill(call)))),
        unknown: fc.constant(1),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(batch, (value) => {
        const sent = asJson(value);
        const byContract = recordApiCalls.safeParse(sent);
        if (byContract.success) expect(checkBatch(sent)).toEqual(byContract.data);
        else expect(() => checkBatch(sent)).toThrow();
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('sequences that were counted', () => {
  it('are found in ranges', () => {
    const ranges = [
      [1, 10],
      [20, 20],
    ] as const;
    expect([1, 10, 11, 19, 20, 21].map((sequence) => isWithin(ranges, sequence))).toEqual([true, true, false, false, true, false]);
  });
});
