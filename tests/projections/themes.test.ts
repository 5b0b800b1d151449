import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { ThemeId } from '../../src/domain/ids.ts';
import { apiCallsRecorded, recordedCall } from '../support/builders/activity.ts';
import { seatClaimed, seatReleased, themeAssigned, themeUnassigned, userRegistered } from '../support/builders/customer.ts';
import { themeIdOf } from '../support/builders/ids.ts';
import { themeCreated, themeDeactivated, themeDeleted, themeMadeDefault, themeRevised } from '../support/builders/theme.ts';
import { appendEvents, openFixture, runGroups, settled } from './fixture.ts';
import { newCustomer, newIntegrator } from './tenants.ts';

const fixture = openFixture();
runGroups(fixture);

describe('a catalogue of themes', () => {
  it('has one default theme and one revision', async () => {
    const integratorId = await newIntegrator(fixture);
    const [one, two] = [randomUUID(), randomUUID()];
    const position = await appendEvents(fixture, streams.themes(integratorId), [
      themeCreated(one, { themeName: 'ocean', displayName: 'Ocean', secondaryColor: null, accentColor: '#FFB81C' }),
      themeCreated(two, { themeName: 'forest', displayName: 'Forest' }),
      themeMadeDefault(one),
      themeMadeDefault(two),
    ]);
    await settled(fixture, 'read', position);
    expect(await fixture.queries.themes.get(integratorId, themeIdOf(one))).toEqual({
      revision: 3n,
      theme: {
        id: themeIdOf(one),
        themeName: 'ocean',
        displayName: 'Ocean',
        description: null,
        primaryColor: '#0070AD',
        secondaryColor: null,
        accentColor: '#FFB81C',
        isDefault: false,
        isActive: true,
        customerCount: 0,
        fallbackTheme: 'Forest',
        themeConfig: {
          name: 'ocean',
          colors: { primary: '#0070AD', secondary: '#0070AD', accent: '#FFB81C', background: '#FFFFFF', foreground: '#000000' },
        },
        createdAt: '2026-01-31T12:00:00.000Z',
        updatedAt: '2026-01-31T12:00:00.000Z',
      },
    });
    const { themes: list } = await fixture.queries.themes.list({ integratorId, limit: 10 });
    expect(list.map(({ displayName, isDefault }) => [displayName, isDefault]).sort()).toEqual([
      ['Forest', true],
      ['Ocean', false],
    ]);
    const revised = await appendEvents(
      fixture,
      streams.themes(integratorId),
      [themeRevised(one, { displayName: 'Deep ocean' }), themeDeactivated(one), themeDeleted(two)],
      { at: '2026-02-01T00:00:00.000Z' },
    );
    await settled(fixture, 'read', revised);
    expect(await fixture.queries.themes.find(themeIdOf(one))).toMatchObject({
      displayName: 'Deep ocean',
      isActive: false,
      isDefault: false,
      integratorId,
      updatedAt: '2026-02-01T00:00:00.000Z',
    });
    expect(await fixture.queries.themes.find(themeIdOf(two))).toBeNull();
    expect(await fixture.queries.themes.list({ integratorId, active: true, limit: 10 })).toEqual({
      themes: [],
      total: 0,
      nextCursor: null,
    });
    expect(await fixture.queries.themes.get(await newIntegrator(fixture), themeIdOf(one))).toBeNull();
  });

  it('is listed in pages and searched by both names', async () => {
    const integratorId = await newIntegrator(fixture, 'Contoso');
    const names = ['Ocean', 'Forest', 'Night 100%', 'Day_break', 'Dawn'];
    const created = names.map((displayName, n) => themeCreated(randomUUID(), { themeName: `look-${n}`, displayName }));
    await settled(fixture, 'read', await appendEvents(fixture, streams.themes(integratorId), created));
    const list = async (filter: { search?: string; cursor?: string; limit?: number }) => {
      const { themes, ...rest } = await fixture.queries.themes.list({ integratorId, limit: 10, ...filter });
      return { ...rest, names: themes.map(({ displayName }) => displayName).sort() };
    };
    expect(await list({ search: 'oCEan' })).toEqual({ names: ['Ocean'], total: 1, nextCursor: null });
    expect((await list({ search: 'look-3' })).names).toEqual(['Day_break']);
    expect((await list({ search: '%' })).names).toEqual(['Night 100%']);
    expect((await list({ search: '_' })).names).toEqual(['Day_break']);
    const first = await list({ limit: 3 });
    const second = await list({ limit: 3, cursor: first.nextCursor ?? '' });
    expect([first.total, second.total, second.nextCursor]).toEqual([5, 5, null]);
    expect([...first.names, ...second.names].sort()).toEqual([...names].sort());
    await expect(list({ cursor: 'garbage' })).rejects.toThrow('Not a cursor');
    const everywhere = await fixture.queries.themes.list({ search: 'night 100', limit: 10 });
    expect(everywhere.themes).toMatchObject([{ serviceIntegratorId: integratorId, serviceIntegratorName: 'Contoso' }]);
  });

  it('lists the customers of a theme with their usage', async () => {
    const integratorId = await newIntegrator(fixture);
    const [name, other] = [randomUUID(), randomUUID()];
    const theme = themeIdOf(name);
    await appendEvents(fixture, streams.themes(integratorId), [themeCreated(name, { displayName: 'Night' }), themeCreated(other)]);
    const first = await newCustomer(fixture, {
      integratorId,
      events: [userRegistered('t1'), seatClaimed('t1'), themeAssigned(theme), userRegistered('t2'), seatClaimed('t2')],
    });
    const second = await newCustomer(fixture, {
      integratorId,
      events: [themeAssigned(theme), userRegistered('t3'), seatClaimed('t3')],
    });
    const { customerId } = first;
    const calls = apiCallsRecorded({
      customerId,
      calls: [recordedCall(), recordedCall({ at: '2025-12-30T00:00:00.000Z' }), recordedCall({ at: '2026-01-02T00:00:00.000Z' })],
    });
    await settled(fixture, 'usage', await appendEvents(fixture, streams.apiCalls(customerId, '2026-01-31'), [calls]));
    await settled(fixture, 'read', second.position);
    const usage = () => fixture.queries.themes.usage(integratorId, theme, 30, '2026-01-31');
    expect(await usage()).toEqual({ customers: 2, activeUsers: 3, apiCalls: 2 });
    const usages = (limit: number) => fixture.queries.themes.usages({ integratorId, limit }, 30, '2026-01-31');
    const both = await usages(2);
    expect(both).toHaveLength(2);
    expect(both).toContainEqual({ id: theme, customers: 2, activeUsers: 3, apiCalls: 2 });
    expect(both).toContainEqual({ id: themeIdOf(other), customers: 0, activeUsers: 0, apiCalls: 0 });
    expect(await usages(1)).toEqual(both.slice(0, 1));
    expect((await fixture.queries.customers.get(customerId))?.customer).toMatchObject({ theme, themeDisplayName: 'Night' });
    expect(await fixture.queries.customers.ids({ theme })).toEqual([first.customerId, second.customerId].sort());
    await appendEvents(fixture, streams.customer(customerId), [themeAssigned(themeIdOf(other)), seatReleased('t2')]);
    const position = await appendEvents(fixture, streams.customer(second.customerId), [
      seatReleased('t3'),
      seatClaimed('t3', 'stakeholder'),
    ]);
    await settled(fixture, 'read', position);
    expect(await usage()).toEqual({ customers: 1, activeUsers: 1, apiCalls: 0 });
    const gone = await appendEvents(fixture, streams.customer(second.customerId), [themeUnassigned()]);
    await settled(fixture, 'read', gone);
    expect(await usage()).toEqual({ customers: 0, activeUsers: 0, apiCalls: 0 });
    expect(await fixture.queries.themes.usage(integratorId, randomUUID() as ThemeId, 30, '2026-01-31')).toBeNull();
  });
});
