import { describe, expect, it } from 'vitest';
import { failureOf } from '../../src/outbound/failure.ts';

const coded = (code: string): Error => Object.assign(new Error(`connect ${code}`), { code });

describe('a failure', () => {
  it.each([
    ['ECONNREFUSED', { kind: 'connection_refused' }],
    ['ECONNRESET', { kind: 'connection_closed' }],
    ['EHOSTUNREACH', { kind: 'unreachable' }],
    ['ETIMEDOUT', { kind: 'unreachable' }],
    ['EPROTO', { kind: 'tls', reason: 'there is no common TLS protocol' }],
    ['EMFILE', { kind: 'failed', code: 'EMFILE' }],
  ])('of code %s is %o', (code, failure) => expect(failureOf(coded(code))).toEqual(failure));

  it('of several addresses is the most informative one, in any order', () => {
    const both = (...codes: readonly string[]) =>
      failureOf(Object.assign(new AggregateError(codes.map(coded)), { code: codes[0] }));
    expect(both('ENETUNREACH', 'ECONNREFUSED')).toEqual({ kind: 'connection_refused' });
    expect(both('ECONNREFUSED', 'ENETUNREACH')).toEqual({ kind: 'connection_refused' });
    expect(both('ENETUNREACH', 'CERT_HAS_EXPIRED')).toEqual({ kind: 'unreachable' });
  });

  it.each([
    new TypeError('undefined is not a function'),
    coded('ERR_INVALID_ARG_TYPE'),
    coded('UND_ERR_INVALID_ARG'),
    'text',
    undefined,
  ])('that is a bug is thrown on: %s', (bug) => {
    let thrown: unknown = 'nothing';
    try {
      failureOf(bug);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBe(bug);
  });
});
