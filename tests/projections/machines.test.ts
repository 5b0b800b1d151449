import { describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import { customerDecider } from '../../src/domain/customer/decider.ts';
import type { CustomerEvent } from '../../src/domain/customer/events.ts';
import type { UserId } from '../../src/domain/ids.ts';
import {
  customerDeleted,
  customerRegistered,
  machineApprovalEnforced,
  machineApprovalRelaxed,
  machineApprovalRequested,
  machineApproved,
  machineRejected,
  machineRemoved,
  userMachineChanged,
  userRegistered,
} from '../support/builders/customer.ts';
import { userIdOf } from '../support/builders/ids.ts';
import { appendEvents, openFixture, runGroups, settled } from './fixture.ts';
import { newCustomer } from './tenants.ts';

const fixture = openFixture();
runGroups(fixture);

const AT = '2026-01-31T12:00:00.000Z';
let users = 0;

/** The machines of a user after some events, as the read model has them and as the decider folds them. */
const both = async (eventsOf: (user: string) => CustomerEvent[]) => {
  const user = `user-${++users}`;
  const events = eventsOf(user);
  const { customerId, integratorId, position } = await newCustomer(fixture, { events });
  await settled(fixture, 'read', position);
  const userId: UserId = userIdOf(user);
  const state = [customerRegistered({ customerId, integratorId }), ...events].reduce(
    customerDecider.evolve,
    customerDecider.initial,
  );
  const folded = 'users' in state ? state.users.get(userId) : undefined;
  const row = await fixture.db.selectFrom('read.portal_user').select('machine_id').where('user_id', '=', userId).executeTakeFirst();
  const read = {
    last: row?.machine_id ?? null,
    approved: (await fixture.queries.machines.approved([userId])).map(({ machineId }) => machineId).sort(),
    pending: (await fixture.queries.machines.pending({ userId }, AT)).map(({ machineId }) => machineId).sort(),
  };
  const decided = {
    last: folded?.machineId ?? null,
    approved: folded?.machines.map(({ machineId }) => machineId).sort(),
    pending: folded?.machineRequests.flatMap(({ machineId, isRejected }) => (isRejected ? [] : [machineId])).sort(),
  };
  return { read, decided, customerId };
};

const registered = (user: string) => userRegistered(user, { machineId: 'machine-1' });

describe('the machines of a user', () => {
  it.each<[what: string, eventsOf: (user: string) => CustomerEvent[], approved: string[], pending: string[]]>([
    ['bound at registration', (user) => [registered(user)], ['machine-1'], []],
    [
      'of a version without approvals: the last one stays approved',
      (user) => [registered(user), userMachineChanged(user, 'machine-2'), userMachineChanged(user, 'machine-3')],
      ['machine-3'],
      [],
    ],
    [
      'bound at the first sign-in',
      (user) => [userRegistered(user), machineApproved(user, 'machine-1', { requestId: null })],
      ['machine-1'],
      [],
    ],
    ['that ask', (user) => [registered(user), machineApprovalRequested(user)], ['machine-1'], ['machine-2']],
    [
      'that were approved',
      (user) => [registered(user), machineApprovalRequested(user), machineApproved(user), userMachineChanged(user, 'machine-2')],
      ['machine-1', 'machine-2'],
      [],
    ],
    ['that were rejected', (user) => [registered(user), machineApprovalRequested(user), machineRejected(user)], ['machine-1'], []],
    [
      'that were removed',
      (user) => [
        registered(user),
        machineApprovalRequested(user),
        machineApproved(user),
        userMachineChanged(user, 'machine-2'),
        machineRemoved(user),
      ],
      ['machine-1'],
      [],
    ],
    ['of which the last was removed', (user) => [registered(user), machineRemoved(user, 'machine-1')], [], []],
    [
      'used while approval was off',
      (user) => [
        registered(user),
        machineApprovalRelaxed(),
        userMachineChanged(user, 'machine-2'),
        machineApprovalEnforced(),
        userMachineChanged(user, 'machine-1'),
      ],
      ['machine-1'],
      [],
    ],
  ])('%s are returned as decided', async (_what, eventsOf, approved, pending) => {
    const { read, decided } = await both(eventsOf);
    expect(read).toEqual(decided);
    expect([read.approved, read.pending]).toEqual([approved, pending]);
  });

  it('have the name of the registration', async () => {
    const named = userRegistered('machine-name', { machineId: 'machine-1', machineName: 'ada-laptop' });
    const { customerId } = await newCustomer(fixture, { events: [named] });
    const position = await appendEvents(fixture, streams.customer(customerId), [machineApproved('machine-name')]);
    await settled(fixture, 'read', position);
    const approved = await fixture.queries.machines.approved([userIdOf('machine-name')]);
    expect(Object.fromEntries(approved.map(({ machineId, machineName }) => [machineId, machineName]))).toMatchObject({
      'machine-1': 'ada-laptop',
    });
  });

  it('with a pending request are counted and listed until it expires or their customer is deleted', async () => {
    const later = { requestedAt: new Date().toISOString(), expiresAt: new Date(Date.now() + 3_600_000).toISOString() };
    const { customerId } = await both((user) => [
      registered(user),
      machineApprovalRequested(user, 'expired'),
      machineApprovalRequested(user, 'waiting', later),
    ]);
    const userId = userIdOf(`user-${users}`);
    const now = new Date().toISOString();
    expect((await fixture.queries.users.get(userId))?.user.pendingMachines).toBe(1);
    expect((await fixture.queries.machines.pending({ customerIds: [customerId] }, now)).map(({ machineId }) => machineId)).toEqual([
      'waiting',
    ]);
    const position = await appendEvents(fixture, streams.customer(customerId), [customerDeleted()]);
    await settled(fixture, 'read', position);
    const left = await fixture.db.selectFrom('read.machine').select('machine_id').where('customer_id', '=', customerId).execute();
    expect(left).toEqual([]);
  });
});
