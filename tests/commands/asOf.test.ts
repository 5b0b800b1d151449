import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { recordAdminActivity, recordUserActivity } from '../../src/commands/activity.ts';
import { customerAsOf, integratorAsOf } from '../../src/commands/asOf.ts';
import { createCommands } from '../../src/commands/commands.ts';
import { streams } from '../../src/commands/streams.ts';
import type { CustomerId, IntegratorId, ThemeId, UserId } from '../../src/domain/ids.ts';
import { teamIdOf } from '../../src/domain/team/teamId.ts';
import { openStoreFixture, readAll } from '../eventstoreClient/adapterSupport.ts';
import { adminSignInRefused, userAuthenticated } from '../support/builders/activity.ts';
import { commandOf, metaOf } from '../support/builders/command.ts';
import { registerCustomer } from '../support/builders/customerCommands.ts';
import { registerIntegrator } from '../support/builders/integratorCommands.ts';
import { createTheme } from '../support/builders/themeCommands.ts';

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

describe('the state of a service integrator at a time', () => {
  it('is that of its account, its themes and its team, each until then', async () => {
    const commands = createCommands({ events: fixture.events });
    const integratorId = randomUUID() as IntegratorId;
    const themeId = randomUUID() as ThemeId;
    const teamId = teamIdOf({ kind: 'integrator', integratorId });
    const on = (day: string) => metaOf({ at: `2026-01-${day}T10:00:00.000Z` });
    const { data } = registerIntegrator({ integratorId });
    await commands.integrators.handle({ type: 'RegisterIntegrator', data, meta: on('01') });
    await commands.themes.handle({ ...createTheme('ocean', { integratorId, themeId }), meta: on('02') });
    const policy = { teamId, keySignIn: 'allowed', secondFactorRequired: true } as const;
    const changed = await commands.teams.handle({ type: 'ChangeSignInPolicy', data: policy, meta: on('03') });
    await commands.integrators.handle({ type: 'SuspendIntegrator', data: { integratorId, reason: null }, meta: on('04') });
    const asOf = (at: string) => integratorAsOf(fixture.events, integratorId, at);
    expect(await asOf('2026-01-01T09:59:59.999Z')).toBeNull();
    const first = await asOf('2026-01-01T10:00:00.000Z');
    expect(first).toMatchObject({ registeredAt: '2026-01-01T10:00:00.000Z', state: { status: 'active' } });
    expect([first?.themes.themes.size, first?.team.policy.secondFactorRequired]).toEqual([0, false]);
    const third = await asOf('2026-01-04T09:59:59.999Z');
    expect([third?.themes.themes.has(themeId), third?.team.policy.secondFactorRequired]).toEqual([true, true]);
    expect(third).toMatchObject({ state: { status: 'active' }, position: changed.accepted ? changed.position : 0n });
    expect(await asOf('2026-02-01T00:00:00.000Z')).toMatchObject({ state: { status: 'suspended' } });
    await commands.integrators.handle({ type: 'DeleteIntegrator', data: { integratorId }, meta: on('05') });
    expect(await asOf('2026-02-01T00:00:00.000Z')).toBeNull();
    expect(await integratorAsOf(fixture.events, randomUUID() as IntegratorId, '2026-02-01T00:00:00Z')).toBeNull();
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
