import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import type { SeatUtilization } from '../../src/contracts/seats.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  asTool,
  type Client,
  clientOf,
  newCustomer,
  newIntegrator,
  toolLoginOf,
} from '../support/apiClient.ts';
import { metaOf } from '../support/builders/command.ts';
import { userIdOf } from '../support/builders/ids.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';

/** Clocks of Berlin were put forward on 29 March 2026 at 01:00 UTC. */
const CREATED = '2026-03-28T12:00:00.000Z';
/** The clock of the server. */
let at = Date.parse(CREATED);

let server: TestServer;
let admin: Client;
let partner: Client;
let customer: Customer;

beforeAll(async () => {
  server = await openServer({}, { now: () => at });
  admin = await asAdmin(server.url);
  const integrator = await newIntegrator(admin);
  customer = await newCustomer(admin, integrator.id, { name: 'Acme', developerSeats: 2, stakeholderSeats: -1 });
  await asTool(server.url, customer, 'ada');
  at = Date.parse('2026-03-29T10:00:00.000Z');
  const bob = await asTool(server.url, customer, 'bob');
  const refused = await clientOf(server.url).post('/api/cli/login', toolLoginOf(customer, 'cyd', 'machine'));
  expect(refused.body.code).toBe('seat_limit_reached');
  at = Date.parse('2026-03-29T22:00:00.000Z'); // midnight in Berlin
  admin = await asAdmin(server.url);
  await admin.put(`/api/admin/users/${bob.userId}/status`, { status: 'inactive' });
  at = Date.parse('2026-03-30T22:00:00.000Z');
  admin = await asAdmin(server.url);
  partner = await asIntegrator(server.url, integrator);
});
afterAll(() => server.close());

const path = () => `/api/admin/customers/${customer.id}/seats/utilization`;
const utilizationAt = async (client: Client, from: string): Promise<SeatUtilization> => (await client.get(from)).body.utilization;

describe('the utilization of seats', () => {
  it('is counted by the days of a time zone, with those on which clocks change', async () => {
    const query = 'from=2026-03-27&to=2026-04-01&zone=Europe/Berlin';
    const { developer, stakeholder, ...range } = await eventually(
      () => utilizationAt(admin, `${path()}?${query}`),
      (found) => found.developer.days[2]?.denials === 1,
    );
    expect(range).toEqual({ from: '2026-03-27', to: '2026-04-01', zone: 'Europe/Berlin' });
    const none = { peak: null, average: null, limit: null, hoursAboveLimit: null, denials: 0 };
    const day = (name: string, from: string, to: string) => ({ day: name, from: `${from}:00:00.000Z`, to: `${to}:00:00.000Z` });
    expect(developer.days).toEqual([
      { ...day('2026-03-27', '2026-03-26T23', '2026-03-27T23'), ...none },
      { ...day('2026-03-28', '2026-03-27T23', '2026-03-28T23'), peak: 1, average: 1, limit: 2, hoursAboveLimit: 0, denials: 0 },
      // 23 hours, of which bob held a seat for 12.
      { ...day('2026-03-29', '2026-03-28T23', '2026-03-29T22'), peak: 2, average: 1.52, limit: 2, hoursAboveLimit: 0, denials: 1 },
      { ...day('2026-03-30', '2026-03-29T22', '2026-03-30T22'), peak: 1, average: 1, limit: 2, hoursAboveLimit: 0, denials: 0 },
      { ...day('2026-03-31', '2026-03-30T22', '2026-03-31T22'), ...none },
      { ...day('2026-04-01', '2026-03-31T22', '2026-04-01T22'), ...none },
    ]);
    expect(stakeholder.days[1]).toMatchObject({ peak: 0, average: 0, limit: -1 });
    expect(developer.forecast).toEqual({
      ...{ outlook: 'notEnoughData', held: 1, limit: 2 },
      ...{ perWeek: null, reachesOn: null, earliestOn: null, latestOn: null },
    });
    expect(stakeholder.forecast.outlook).toBe('unlimited');
  });

  it('is the same for the integrator and the customer, and nobody else', async () => {
    const query = 'days=7&zone=Asia/Kathmandu';
    const shown = await utilizationAt(admin, `${path()}?${query}`);
    expect(shown).toMatchObject({ from: '2026-03-25', to: '2026-03-31', developer: { days: { length: 7 } } });
    const portal = await asCustomer(server.url, customer);
    expect(await utilizationAt(portal, `/api/customer/seats/utilization?${query}`)).toEqual(shown);
    const own = `/api/service-integrator/customers/${customer.id}/seats/utilization`;
    expect(await utilizationAt(partner, `${own}?${query}`)).toEqual(shown);
    const outsider = await asIntegrator(server.url, await newIntegrator(admin));
    expect((await outsider.get(own)).status).toBe(404);
    for (const wrong of [
      'days=8',
      'zone=Nowhere',
      'from=2026-01-01',
      'from=2026-01-02&to=2026-01-01',
      'from=2024-01-01&to=2025-01-01',
    ]) {
      expect((await admin.get(`${path()}?${wrong}`)).body.code).toBe('validation_failed');
    }
    expect((await utilizationAt(admin, `${path()}?days=365`)).developer.days).toHaveLength(365);
  });

  it('is exported as it is shown', async () => {
    const file = await admin.get(`${path()}?from=2026-03-28&to=2026-03-29`, { headers: { accept: 'text/csv' } });
    expect(file.headers.get('content-disposition')).toContain('seat-utilization-acme-2026-03-28-2026-03-29-utc.csv');
    expect(String(file.body).trim().split('\r\n')).toEqual([
      'day,kind,from,to,peak,average,seat_limit,hours_above_limit,denials',
      '2026-03-28,developer,2026-03-28T00:00:00.000Z,2026-03-29T00:00:00.000Z,1,1,2,0,0',
      '2026-03-28,stakeholder,2026-03-28T00:00:00.000Z,2026-03-29T00:00:00.000Z,0,0,-1,0,0',
      '2026-03-29,developer,2026-03-29T00:00:00.000Z,2026-03-30T00:00:00.000Z,2,1.5,2,0,1',
      '2026-03-29,stakeholder,2026-03-29T00:00:00.000Z,2026-03-30T00:00:00.000Z,0,0,-1,0,0',
    ]);
  });

  it('is listed and exported with its peak of the last 30 days for all customers', async () => {
    const peak = { held: 1, limit: 2, peak: 2, utilization: 1 };
    const unlimited = { held: 0, limit: -1, peak: 0, utilization: null };
    const row = { id: customer.id, name: 'Acme', status: 'active', developer: peak, stakeholder: unlimited };
    for (const [client, path] of [
      [admin, '/api/admin/seat-utilization?search=Acme'],
      [partner, '/api/service-integrator/seat-utilization'],
    ] as const) {
      expect((await client.get(path)).body).toEqual({ success: true, customers: [row], total: 1, nextCursor: null });
    }
    const file = await partner.get('/api/service-integrator/seat-utilization', { headers: { accept: 'text/csv' } });
    expect(String(file.body).trim().split('\r\n')[1]).toBe(`${customer.id},Acme,active,2,1,2,1,-1,0,0,`);
    const outsider = await asIntegrator(server.url, await newIntegrator(admin));
    expect((await outsider.get('/api/service-integrator/seat-utilization')).body.customers).toEqual([]);
  });

  it('forecasts when the seats are used up', async () => {
    const growing = await newCustomer(admin, customer.serviceIntegratorId, {
      name: 'Growing',
      developerSeats: 30,
      stakeholderSeats: 1,
    });
    const shown = () => utilizationAt(admin, `/api/admin/customers/${growing.id}/seats/utilization`);
    const { customers } = server.product.commands;
    for (let day = 0; day < 15; day++) {
      const name = `user${day}`;
      const data = { customerId: growing.id, userId: userIdOf(name), username: name, email: `${name}@acme.example` };
      const meta = metaOf({ at: new Date(at).toISOString() });
      await customers.handle({ type: 'RegisterUser', data: { ...data, role: 'developer', machineId: null }, meta });
      at += 86_400_000;
    }
    admin = await asAdmin(server.url);
    const { developer, to } = await eventually(
      shown,
      ({ developer: { forecast, days } }) => forecast.held === 15 && days.at(-1)?.peak === 15,
    );
    expect(to).toBe('2026-04-14');
    expect(developer.forecast).toMatchObject({ outlook: 'reaching', held: 15, limit: 30, perWeek: 7 });
    const { earliestOn, reachesOn, latestOn } = developer.forecast;
    expect([earliestOn, reachesOn, latestOn].toSorted()).toEqual([earliestOn, reachesOn, latestOn]);
    expect(reachesOn).toBe('2026-04-28'); // the trend has one more today
  });
});
