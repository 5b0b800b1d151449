import { expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { CustomerEvent } from '../../src/domain/customer/events.ts';
import type { CustomerId, IntegratorId } from '../../src/domain/ids.ts';
import { verify } from '../../src/projections/engine/verify.ts';
import { apiCallsRecorded, recordedCall } from '../support/builders/activity.ts';
import { accountDeletionRequested, customerDeleted, themeAssigned, userRegistered } from '../support/builders/customer.ts';
import { createMemoryEventStore } from '../support/memoryEventStore.ts';
import { appendEvents, openFixture, plans, runGroups, runnerDeps, settled } from './fixture.ts';
import { newCustomer, newIntegrator } from './tenants.ts';

const fixture = openFixture(createMemoryEventStore);
runGroups(fixture);

const DAY = '2026-01-31';
const ASKED = { zone: 'UTC', from: DAY, to: DAY, today: DAY };

const differences = async (): Promise<unknown[]> => {
  const deps = {
    ...runnerDeps(fixture),
    signal: new AbortController().signal,
    onProgress: () => undefined,
    onParked: () => undefined,
  };
  const compared: unknown[] = [];
  for (const group of Object.values(plans)) compared.push(...(await verify(group, deps)).differences);
  return compared;
};

const record = (customerId: CustomerId, firstSequence: number, count: number) =>
  appendEvents(fixture, streams.apiCalls(customerId, DAY), [
    apiCallsRecorded({
      ...{ customerId, sourceId: 'laptop', firstSequence },
      calls: Array.from({ length: count }, () => recordedCall({ at: `${DAY}T10:00:00.000Z` })),
    }),
  ]);

const move = (customerId: CustomerId, from: IntegratorId, to: IntegratorId, ...more: readonly CustomerEvent[]) =>
  appendEvents(fixture, streams.customer(customerId), [
    { type: 'CustomerMovedAway', data: { integratorId: from } },
    { type: 'CustomerMoved', data: { integratorId: to } },
    ...more,
  ]);

/** What dashboards and usage show to a service integrator. */
const countsOf = async (integratorId: IntegratorId) => {
  const { totalApiCalls, customers } = await fixture.queries.usage.ofCustomers(integratorId, ASKED);
  const { users } = await fixture.queries.users.list({ integratorId, limit: 10, sort: 'username' });
  const stats = await fixture.queries.stats.integrator(integratorId);
  return { totalApiCalls, calls: customers.map(({ key, calls }) => [key, calls]), users: users.length, stats };
};

it('counts everything of a customer with the service integrator to which it moves, as a rebuild does', async () => {
  const [former, next] = [await newIntegrator(fixture, 'Former'), await newIntegrator(fixture, 'Next')];
  const users = [userRegistered('ada'), userRegistered('bob')];
  const { customerId } = await newCustomer(fixture, { integratorId: former, events: [...users, accountDeletionRequested()] });
  const other = await newCustomer(fixture, { integratorId: former, name: 'Other' });
  await record(other.customerId, 1, 2);
  await settled(fixture, 'usage', await record(customerId, 1, 5));

  const position = await move(customerId, former, next, themeAssigned());
  await settled(fixture, 'usage', await record(customerId, 6, 3));
  await settled(fixture, 'read', position);
  expect(await countsOf(former)).toMatchObject({ totalApiCalls: 2, calls: [[other.customerId, 2]], users: 0 });
  expect(await countsOf(next)).toMatchObject({ totalApiCalls: 8, calls: [[customerId, 8]], users: 2 });
  const tallies = await fixture.db.selectFrom('read.tally').selectAll().where('n', '<>', 0).where('kind', '<>', 'plan').execute();
  const tallied = (scope: IntegratorId) =>
    Object.fromEntries(tallies.filter((row) => row.scope === scope).map(({ kind, name, n }) => [`${kind} ${name}`, Number(n)]));
  expect(tallied(former)).toEqual({ 'integrator active': 1, 'customer active': 1 });
  expect(tallied(next)).toEqual({ 'integrator active': 1, 'customer active': 1, 'user active': 2, 'deletion requested': 1 });
  expect(await differences()).toEqual([]);

  // Back, and deleted there.
  const moved = await move(customerId, next, former);
  const back = await record(customerId, 9, 1);
  await settled(fixture, 'usage', back);
  await settled(fixture, 'read', moved);
  expect(await countsOf(former)).toMatchObject({ totalApiCalls: 11, users: 2 });
  expect(await countsOf(next)).toMatchObject({ totalApiCalls: 0, calls: [], users: 0 });
  const deleted = await appendEvents(fixture, streams.customer(customerId), [customerDeleted()]);
  await settled(fixture, 'usage', deleted);
  await settled(fixture, 'read', deleted);
  expect(await countsOf(former)).toMatchObject({ totalApiCalls: 2, users: 0 });
  expect(await differences()).toEqual([]);

  const { team, apiTokens } = fixture.queries;
  const { history } = await fixture.queries.history.of({ customerId }, { limit: 50 }, { kind: 'admin', team, apiTokens });
  const rows = history.filter(({ type }) => type.startsWith('CustomerMoved'));
  expect(rows.map(({ summary }) => summary.replace(/^.*? (?=moved|came)/, ''))).toEqual([
    'came from another service integrator',
    'moved to another service integrator',
    'came from another service integrator',
    'moved to another service integrator',
  ]);
  expect(JSON.stringify(rows)).not.toContain('Acme');
});
