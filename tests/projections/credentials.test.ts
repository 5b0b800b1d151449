import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { CredentialStored } from '../../src/domain/credential/events.ts';
import type { CredentialId, CustomerId } from '../../src/domain/ids.ts';
import { apiCallsRecorded, recordedCall } from '../support/builders/activity.ts';
import {
  credentialDeleted,
  credentialExpired,
  credentialRevised,
  credentialStored,
  credentialTested,
} from '../support/builders/credential.ts';
import { customerDeleted } from '../support/builders/customer.ts';
import { appendEvents, openFixture, runGroups, settled } from './fixture.ts';
import { newCustomer } from './tenants.ts';

const fixture = openFixture();
runGroups(fixture);

const stored = async (customerId: CustomerId, overrides: Partial<CredentialStored['data']> = {}) => {
  const credentialId = randomUUID() as CredentialId;
  const stream = streams.credential(credentialId);
  const position = await appendEvents(fixture, stream, [credentialStored({ credentialId, customerId, ...overrides })]);
  return { credentialId, stream, position };
};
const shown = async (credentialId: CredentialId) => (await fixture.queries.credentials.get(credentialId))?.credential;

describe('a credential', () => {
  it('is returned without its secrets, with the result of its last test', async () => {
    const { customerId } = await newCustomer(fixture);
    const { credentialId, stream, position } = await stored(customerId, { apiToken: 'token', username: 'bot' });
    await settled(fixture, 'read', position);
    const fresh = {
      id: credentialId,
      service: 'jira',
      username: 'bot',
      hasPassword: true,
      hasApiToken: true,
      instanceUrl: 'https://acme.example',
      status: null,
      reason: null,
      lastUsed: null,
      expiresAt: null,
      createdAt: '2026-01-31T12:00:00.000Z',
    };
    expect(await fixture.queries.credentials.get(credentialId)).toEqual({ credential: fresh, customerId, revision: 0n });
    await settled(
      fixture,
      'read',
      await appendEvents(fixture, stream, [credentialTested(true)], { at: '2026-01-31T12:05:00.000Z' }),
    );
    expect(await shown(credentialId)).toEqual({ ...fresh, status: 'connected', lastUsed: '2026-01-31T12:05:00.000Z' });
    await settled(fixture, 'read', await appendEvents(fixture, stream, [credentialTested(false, 'The password is wrong.')]));
    expect(await shown(credentialId)).toMatchObject({ status: 'error', reason: 'The password is wrong.' });
    const revised = credentialRevised({ customerId, username: 'robot', instanceUrl: 'https://new.example' });
    await settled(fixture, 'read', await appendEvents(fixture, stream, [revised]));
    expect(await shown(credentialId)).toMatchObject({
      username: 'robot',
      status: null,
      reason: null,
      hasApiToken: true,
      instanceUrl: 'https://new.example',
    });
    expect(await fixture.queries.credentials.list(customerId, { limit: 10 })).toMatchObject({ total: 1, nextCursor: null });
    await settled(fixture, 'read', await appendEvents(fixture, stream, [credentialDeleted()]));
    expect(await shown(credentialId)).toBeUndefined();
  });

  it('is expired from its expiry until it is revised, whatever a test finds', async () => {
    const { customerId } = await newCustomer(fixture);
    const past = await stored(customerId, { expiresAt: '2026-01-31T11:00:00Z' });
    const future = await stored(customerId, { expiresAt: '2026-02-28T00:00:00Z' });
    await settled(fixture, 'read', future.position);
    expect(await shown(past.credentialId)).toMatchObject({ status: 'expired', expiresAt: '2026-01-31T11:00:00.000Z' });
    expect(await shown(future.credentialId)).toMatchObject({ status: null });
    await settled(fixture, 'read', await appendEvents(fixture, past.stream, [credentialExpired(), credentialTested(false)]));
    expect(await shown(past.credentialId)).toMatchObject({ status: 'expired', reason: null });
    const revised = credentialRevised({ customerId, expiresAt: '2026-03-01T00:00:00Z' });
    await settled(
      fixture,
      'read',
      await appendEvents(fixture, past.stream, [revised, credentialTested(false), credentialTested(true)]),
    );
    expect(await shown(past.credentialId)).toMatchObject({ status: 'connected', reason: null });
  });

  it('shows the last call to its instance as its last use', async () => {
    const { customerId } = await newCustomer(fixture);
    const { credentialId, position } = await stored(customerId, { instanceUrl: 'https://used.example' });
    const call = recordedCall({ instanceUrl: 'https://used.example', at: '2026-01-30T10:00:00.000Z' });
    const calls = await appendEvents(fixture, streams.apiCalls(customerId, '2026-01-31'), [
      apiCallsRecorded({ customerId, calls: [call] }),
    ]);
    await settled(fixture, 'read', position);
    await settled(fixture, 'usage', calls);
    expect(await shown(credentialId)).toMatchObject({ lastUsed: '2026-01-30T10:00:00.000Z' });
  });

  it('of a deleted customer is removed, even if its event comes later', async () => {
    const { customerId } = await newCustomer(fixture);
    const { credentialId } = await stored(customerId);
    await appendEvents(fixture, streams.customer(customerId), [customerDeleted()]);
    const late = await stored(customerId);
    await settled(fixture, 'read', late.position);
    expect(await shown(credentialId)).toBeUndefined();
    expect(await fixture.queries.credentials.list(customerId, { limit: 10 })).toEqual({
      credentials: [],
      total: 0,
      nextCursor: null,
    });
  });

  it('is listed once in pages, oldest first', async () => {
    const { customerId } = await newCustomer(fixture);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      const { credentialId, position } = await stored(customerId);
      await settled(fixture, 'read', position);
      ids.push(credentialId);
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { credentials, total, nextCursor } = await fixture.queries.credentials.list(customerId, { limit: 2, cursor });
      expect(total).toBe(5);
      seen.push(...credentials.map(({ id }) => id));
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toHaveLength(5);
    expect(new Set(seen)).toEqual(new Set(ids));
    await expect(fixture.queries.credentials.list(customerId, { limit: 2, cursor: 'garbage' })).rejects.toThrow('Not a cursor');
  });
});
