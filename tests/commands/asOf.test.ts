import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { recordAdminActivity, recordUserActivity } from '../../src/commands/activity.ts';
import { customerAsOf } from '../../src/commands/asOf.ts';
import { createCommands } from '../../src/commands/commands.ts';
import { streams } from '../../src/commands/streams.ts';
import type { CustomerId, UserId } from '../../src/domain/ids.ts';
import { openStoreFixture, readAll } from '../eventstoreClient/adapterSupport.ts';
import { adminSignInRefused, userAuthenticated } from '../support/builders/activity.ts';
import { commandOf, metaOf } from '../support/builders/command.ts';
import { registerCustomer } from '../support/builders/customerCommands.ts';

const fixture = openStoreFixture();

describe('the state of a customer at a time', () => {
  it('includes all events until then', async () => {
    const commands = createCommands({ events: fixture.events });
    const customerId = randomUUID() as CustomerId;
    const register = registerCustomer({ customerId });
    await commands.customers.handle({ ...register, meta: metaOf({ at: '2026-01-01T10:00:00.000Z' }) });
    const suspend = commandOf('SuspendCustomer', { customerId, reason: null }, { at: '2026-01-02T10:00:00.000Z' });
    const suspended = await commands.customers.handle(suspend);
    const asOf = (at: string) => customerAsOf(fixture.events, customerId, at);
    expect(await asOf('2026-01-01T09:59:59.999Z')).toBeNull();
    expect(await asOf('2026-01-01T10:00:00Z')).toMatchObject({
      registeredAt: '2026-01-01T10:00:00.000Z',
      state: { status: 'active', name: 'Acme' },
    });
    expect(await asOf('2026-01-02T09:59:59Z')).toMatchObject({ state: { status: 'active' } });
    expect(await asOf('2026-02-01T00:00:00Z')).toMatchObject({
      registeredAt: '2026-01-01T10:00:00.000Z',
      state: { status: 'suspended' },
      position: suspended.accepted ? suspended.position : 0n,
    });
    expect(await customerAsOf(fixture.events, randomUUID() as CustomerId, '2026-02-01T00:00:00Z')).toBeNull();
  });
});

describe('activity', () => {
  it('is appended to the stream of its user, or the administrators', async () => {
    const userId = randomUUID() as UserId;
    const authenticated = { ...userAuthenticated(), data: { ...userAuthenticated().data, userId } };
    const position = await recordUserActivity(fixture.events, authenticated, metaOf());
    expect(await readAll(fixture.events, streams.userActivity(userId))).toMatchObject([{ position, event: authenticated }]);
    const refused = await recordAdminActivity(fixture.events, adminSignInRefused(), metaOf());
    const last = (await readAll(fixture.events, streams.adminActivity)).at(-1);
    expect(last).toMatchObject({ position: refused, event: adminSignInRefused() });
  });
});
