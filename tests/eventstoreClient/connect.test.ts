import { describe, expect, it } from 'vitest';
import { clientOf } from '../../src/eventstore/connect.ts';

describe('a connection string', () => {
  it.each([
    'esdb://localhost:2113?tls=false',
    'esdb+discover://admin:changeit@cluster.example:2113',
    'esdb://a.example:2113,b.example:2113,c.example:2113?nodePreference=leader',
    'kurrentdb://localhost:2113?tls=false',
    'kurrentdb+discover://cluster.example:2113',
    'esdb+unix:///run/latchkey/eventstore.sock',
    'esdb+unix:///run/with%20space/eventstore.sock?defaultDeadline=5000&throwOnAppendFailure=false',
  ])('may be %s', (connectionString) => {
    expect(clientOf(connectionString)).toHaveProperty('connectionName');
  });

  it('may name the connection', () => {
    expect(clientOf('esdb+unix:///run/eventstore.sock?connectionName=projector').connectionName).toBe('projector');
  });

  it.each([
    ['another protocol', 'http://localhost:2113', /esdb/],
    ['a relative socket', 'esdb+unix://eventstore.sock', /absolute/],
    ['no socket', 'esdb+unix:///', /absolute/],
    ['a setting that a socket does not have', 'esdb+unix:///run/a.sock?tls=true', /tls/],
    ['a deadline that is no number', 'esdb+unix:///run/a.sock?defaultDeadline=soon', /defaultDeadline/],
  ])('is refused for %s', (_, connectionString, reason) => {
    expect(() => clientOf(connectionString)).toThrow(reason);
  });
});
