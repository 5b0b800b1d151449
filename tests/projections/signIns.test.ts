import { beforeAll, describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { SignInsQuery } from '../../src/contracts/signIns.ts';
import { teamIdOf } from '../../src/domain/team/teamId.ts';
import type { Position } from '../../src/eventstore/port.ts';
import { verify } from '../../src/projections/engine/verify.ts';
import { InvalidCursor } from '../../src/projections/lists/cursor.ts';
import { customerOwner } from '../../src/security/owner.ts';
import { adminSignedIn, adminSignInRefused, signInsRecorded } from '../support/builders/activity.ts';
import { customerDeleted } from '../support/builders/customer.ts';
import { userIdOf } from '../support/builders/ids.ts';
import { memberInvited, memberJoined, memberRemoved } from '../support/builders/team.ts';
import { createMemoryEventStore } from '../support/memoryEventStore.ts';
import { appendEvents, openFixture, plans, runGroups, runnerDeps, settled } from './fixture.ts';
import { newCustomer, newIntegrator } from './tenants.ts';

// Its days are fixed, so a store that it shares with an earlier run would have sign-ins of them.
const fixture = openFixture(createMemoryEventStore);
runGroups(fixture);

const at = (time: string) => ({ at: `2026-03-01T${time}.000Z` });
const page = (query: Partial<SignInsQuery> = {}) => fixture.queries.signIns.page('all', { limit: 25, ...query });
const ANA = userIdOf('sign-ins-ana');
let team: ReturnType<typeof streams.team>;
const stream = streams.signIns('2026-03-01');
let customer: Awaited<ReturnType<typeof newCustomer>>;
let position: Position;

beforeAll(async () => {
  await appendEvents(
    fixture,
    streams.adminActivity,
    [adminSignedIn(), adminSignInRefused(), adminSignInRefused('too_many_attempts')],
    {
      at: '2026-02-28T12:00:00Z',
    },
  );
  const integratorId = await newIntegrator(fixture, 'Northwind');
  team = streams.team(teamIdOf({ kind: 'integrator', integratorId }));
  await appendEvents(fixture, team, [memberInvited('sign-ins-ana'), memberJoined('sign-ins-ana')]);
  customer = await newCustomer(fixture, { integratorId, name: 'Acme' });
  await appendEvents(fixture, stream, [signInsRecorded({ count: 7, keys: 7, reason: 'unknown_license_key' })], at('10:00:00'));
  const { customerId } = customer;
  await appendEvents(fixture, stream, [signInsRecorded({ outcome: 'accepted', customerId, address: '192.0.2.1' })], at('10:01:00'));
  position = await appendEvents(
    fixture,
    stream,
    [
      signInsRecorded({
        audience: 'integrator',
        outcome: 'accepted',
        integratorId,
        userId: ANA,
        method: 'passkey',
        address: '2001:db8::1',
      }),
    ],
    at('10:02:00'),
  );
  await settled(fixture, 'read', position);
});

/** How the read models differ from rebuilt ones. */
const differences = async () => {
  const signal = new AbortController().signal;
  const deps = { ...runnerDeps(fixture), signal, onProgress: () => undefined, onParked: () => undefined };
  return (await verify(plans.main, deps)).differences;
};

describe('sign-ins', () => {
  it('are listed newest first with their account, including events of the former version', async () => {
    const { signIns, total } = await page();
    expect(total).toBe(6);
    expect(signIns).toMatchObject([
      { audience: 'integrator', outcome: 'accepted', address: '2001:db8::1', account: { kind: 'integrator', name: 'Northwind' } },
      { audience: 'customer', outcome: 'accepted', address: '192.0.2.1', account: { kind: 'customer', name: 'Acme' } },
      { audience: 'customer', outcome: 'rejected', count: 7, keys: 7, reason: 'unknown_license_key', account: null },
      { audience: 'admin', outcome: 'throttled', address: null },
      { audience: 'admin', outcome: 'rejected', reason: 'wrong_admin_key' },
      { audience: 'admin', outcome: 'accepted', at: '2026-02-28T12:00:00.000Z' },
    ]);
  });

  it('are found by audience, outcome, time, address and fingerprint, and counted', async () => {
    expect(await page({ audience: 'admin', limit: 1 })).toMatchObject({ total: 3, signIns: [{ outcome: 'throttled' }] });
    expect((await page({ outcome: 'accepted' })).total).toBe(3);
    expect((await page({ from: '2026-03-01T10:01:00.000Z' })).total).toBe(2);
    expect((await page({ to: '2026-03-01T10:00:00.000Z', audience: 'customer' })).total).toBe(1);
    expect((await page({ search: '192.0' })).signIns).toMatchObject([{ address: '192.0.2.1' }]);
    expect((await page({ search: '3F9A12C07BE4' })).total).toBe(3);
    expect((await page({ search: '%' })).total).toBe(0);
    expect((await page({ user: ANA })).signIns).toMatchObject([{ method: 'passkey', address: '2001:db8::1' }]);
  });

  it('are counted over time, without gaps', async () => {
    const range = { from: Date.parse('2026-03-01T09:50:10.000Z'), to: Date.parse('2026-03-01T10:05:00.000Z') };
    const chart = await fixture.queries.signIns.chart('all', {}, range);
    expect(chart).toMatchObject({ from: '2026-03-01T09:50:10.000Z', to: '2026-03-01T10:05:00.000Z', seconds: 60 });
    expect(chart.points.map(({ at: time }) => time.slice(11, 16))).toEqual(
      Array.from({ length: 16 }, (_, minute) => (minute < 10 ? `09:5${minute}` : `10:0${minute - 10}`)),
    );
    expect(chart.points.slice(9, 13).map(({ accepted, rejected }) => [accepted, rejected])).toEqual([
      [0, 0],
      [0, 7],
      [1, 0],
      [1, 0],
    ]);
    const ofAna = await fixture.queries.signIns.chart('all', { user: ANA }, { ...range, from: Date.parse('2025-12-01') });
    expect(ofAna.seconds).toBe(7 * 86_400);
    expect(ofAna.points.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(1);
    expect((await fixture.queries.signIns.chart('all', {}, { from: range.to, to: range.from })).points).toEqual([]);
  });

  it('are read page by page', async () => {
    const ids: string[] = [];
    let cursor: string | null | undefined;
    do {
      const { signIns, nextCursor } = await page({ limit: 2, ...(cursor && { cursor }) });
      ids.push(...signIns.map(({ id }) => id));
      cursor = nextCursor;
    } while (cursor);
    expect(new Set(ids).size).toBe(6);
    await expect(page({ cursor: 'forged' })).rejects.toThrow(InvalidCursor);
  });

  it('of a deleted customer keep neither address nor fingerprint, even if applied later', async () => {
    const { customerId } = customer;
    await appendEvents(fixture, streams.customer(customerId), [customerDeleted()]);
    const late = await appendEvents(fixture, stream, [signInsRecorded({ customerId, address: '192.0.2.77' })], at('10:03:00'));
    await fixture.vault.destroy(customerOwner(customerId));
    await settled(fixture, 'read', late);
    const rows = await fixture.db.selectFrom('read.sign_in').selectAll().where('customer_id', '=', customerId).execute();
    expect(rows).toMatchObject([
      { address: null, fingerprint: null },
      { address: null, fingerprint: null },
    ]);
    expect(await differences()).toEqual([]);
  });

  it('of a removed named user keep no address, even if applied later', async () => {
    await appendEvents(fixture, team, [memberRemoved('sign-ins-ana')]);
    const late = signInsRecorded({ audience: 'integrator', userId: ANA, outcome: 'accepted', address: '2001:db8::2' });
    await settled(fixture, 'read', await appendEvents(fixture, stream, [late], at('10:03:30')));
    expect((await page({ user: ANA })).signIns).toMatchObject([{ address: null }, { address: null, method: 'passkey' }]);
    expect((await page({ search: '2001:db8' })).total).toBe(0);
    expect(await differences()).toEqual([]);
  });

  it('are forgotten after 90 whole days', async () => {
    const later = streams.signIns('2026-05-30');
    const last = await appendEvents(fixture, later, [signInsRecorded({ address: '192.0.2.9' })], {
      at: '2026-05-30T10:01:30.000Z',
    });
    await settled(fixture, 'read', last);
    expect((await page()).signIns.map(({ at: time }) => time)).toEqual([
      '2026-05-30T10:01:30.000Z',
      '2026-03-01T10:03:30.000Z',
      '2026-03-01T10:03:00.000Z',
      '2026-03-01T10:02:00.000Z',
      '2026-03-01T10:01:00.000Z',
      '2026-03-01T10:00:00.000Z',
    ]);
  });
});
