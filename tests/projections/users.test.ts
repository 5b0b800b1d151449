import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { ConnectionId, CustomerId, IntegratorId, UserId } from '../../src/domain/ids.ts';
import {
  customerDeleted,
  seatClaimed,
  userDeactivated,
  userDetailsChanged,
  userMachineChanged,
  userRegistered,
  userRoleChanged,
  userSuspended,
} from '../support/builders/customer.ts';
import { userIdOf } from '../support/builders/ids.ts';
import { appendEvents, openFixture, runGroups, settled } from './fixture.ts';
import { newCustomer, newIntegrator } from './tenants.ts';

const fixture = openFixture();
runGroups(fixture);

const authenticated = (userId: UserId, customerId: CustomerId) =>
  ({ type: 'UserAuthenticated', data: { userId, customerId } }) as const;

const connect = (userId: UserId, customerId: CustomerId, integratorId: IntegratorId, leaseUntil: Date) =>
  fixture.db
    .insertInto('live.connection')
    .values({
      connection_id: randomUUID() as ConnectionId,
      user_id: userId,
      customer_id: customerId,
      integrator_id: integratorId,
      node: 'node-1',
      connected_at: leaseUntil,
      lease_until: leaseUntil,
    })
    .execute();

const inAnHour = () => new Date(Date.now() + 3_600_000);
const anHourAgo = () => new Date(Date.now() - 3_600_000);

describe('a user', () => {
  it('is returned in the current state', async () => {
    const { customerId, integratorId } = await newCustomer(fixture, {
      name: 'Acme',
      events: [userRegistered('grace', { machineId: null }), seatClaimed('grace')],
    });
    const userId = userIdOf('grace');
    await appendEvents(fixture, streams.customer(customerId), [
      userDetailsChanged('grace', { username: 'Grace H', email: 'grace@navy.example' }),
      userRoleChanged('grace', 'admin'),
      userMachineChanged('grace', 'machine-0123456789abcdef'),
      userDeactivated('grace'),
    ]);
    await appendEvents(fixture, streams.userActivity(userId), [authenticated(userId, customerId)], {
      at: '2026-02-02T09:00:00.000Z',
    });
    const position = await appendEvents(fixture, streams.userActivity(userId), [authenticated(userId, customerId)], {
      at: '2026-02-02T08:00:00.000Z',
    });
    await settled(fixture, 'read', position);
    expect(await fixture.queries.users.get(userId)).toEqual({
      customerId,
      integratorId,
      revision: 6n,
      user: {
        id: userId,
        customerId,
        customerName: 'Acme',
        username: 'Grace H',
        email: 'grace@navy.example',
        role: 'admin',
        status: 'inactive',
        lastLogin: '2026-02-02T09:00:00.000Z',
        machineId: 'machine-01234567…',
        pendingMachines: 0,
        createdAt: '2026-01-31T12:00:00.000Z',
        currentlyConnected: false,
      },
    });
  });

  it('is connected as long as a lease is valid', async () => {
    const { customerId, integratorId, position } = await newCustomer(fixture, {
      events: [userRegistered('joan'), seatClaimed('joan')],
    });
    await settled(fixture, 'read', position);
    const userId = userIdOf('joan');
    const connected = async () => (await fixture.queries.users.get(userId))?.user.currentlyConnected;
    const connections = async () => (await fixture.queries.customers.get(customerId))?.customer.activeConnections;
    await connect(userId, customerId, integratorId, anHourAgo());
    expect([await connected(), await connections()]).toEqual([false, 0]);
    await connect(userId, customerId, integratorId, inAnHour());
    await connect(userId, customerId, integratorId, inAnHour());
    expect([await connected(), await connections()]).toEqual([true, 2]);
  });
});

describe('a list of users', () => {
  it('is limited to one integrator or customer, filtered, searched, sorted and paged', async () => {
    const integratorId = await newIntegrator(fixture);
    const users = ['list-dora', 'list-abel', 'list-carl', 'list-bert'];
    const { customerId } = await newCustomer(fixture, {
      integratorId,
      events: users.slice(0, 3).flatMap((name) => [userRegistered(name), seatClaimed(name)]),
    });
    const other = await newCustomer(fixture, { integratorId, events: [userRegistered('list-bert'), seatClaimed('list-bert')] });
    await appendEvents(fixture, streams.userActivity(userIdOf('list-carl')), [authenticated(userIdOf('list-carl'), customerId)]);
    const position = await appendEvents(fixture, streams.customer(customerId), [userSuspended('list-dora')]);
    await settled(fixture, 'read', position);
    const list = async (filter: Partial<Parameters<typeof fixture.queries.users.list>[0]>) => {
      const page = await fixture.queries.users.list({ sort: 'username', limit: 100, ...filter });
      return { ...page, names: page.users.map(({ username }) => username) };
    };
    expect(await list({ integratorId })).toMatchObject({ names: [...users].sort(), total: 4, nextCursor: null });
    const counts = { all: 4, active: 3, inactive: 0, suspended: 1 };
    expect(await list({ integratorId, status: 'suspended' })).toMatchObject({ names: ['list-dora'], total: 1, counts });
    expect(await list({ customerId, status: 'active' })).toMatchObject({ total: 2, counts: { all: 3, active: 2, suspended: 1 } });
    expect(await list({ customerId })).toMatchObject({ names: ['list-abel', 'list-carl', 'list-dora'], total: 3 });
    expect((await list({ customerId: other.customerId })).names).toEqual(['list-bert']);
    expect(await list({ integratorId, customerId: other.customerId, search: 'BERT@' })).toMatchObject({
      names: ['list-bert'],
      total: 1,
    });
    expect((await list({ integratorId, sort: '-lastLogin' })).names[0]).toBe('list-carl');
    const first = await list({ integratorId, sort: 'lastLogin', limit: 2 });
    const rest = await list({ integratorId, sort: 'lastLogin', limit: 2, cursor: first.nextCursor ?? '' });
    expect([...first.names, ...rest.names].sort()).toEqual([...users].sort());
    expect(rest.names.at(-1)).toBe('list-carl');
    expect((await list({ search: 'list-', sort: '-username' })).names).toEqual([...users].sort().reverse());
    expect((await fixture.queries.users.ids(customerId)).sort()).toEqual(users.slice(0, 3).map(userIdOf).sort());
  });

  it('does not contain users of a deleted customer', async () => {
    const { customerId, integratorId } = await newCustomer(fixture, { events: [userRegistered('gone'), seatClaimed('gone')] });
    const position = await appendEvents(fixture, streams.customer(customerId), [customerDeleted()]);
    await settled(fixture, 'read', position);
    expect(await fixture.queries.users.get(userIdOf('gone'))).toBeNull();
    expect(await fixture.queries.users.list({ integratorId, sort: 'username', limit: 10 })).toMatchObject({ users: [], total: 0 });
  });
});
