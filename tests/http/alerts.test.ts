import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_ALERT_RULES } from '../../src/domain/operations/defaultRules.ts';
import { asAdmin, asCustomer, asIntegrator, asTool, type Client, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let admin: Client;
/** The clock of the server is ahead of the real one by this. */
let aheadMs = 0;

const RULES = '/api/admin/alert-rules';
const listed = async () => (await admin.get('/api/admin/alerts')).body;

beforeAll(async () => {
  server = await openServer({}, { now: () => Date.now() + aheadMs });
  admin = await asAdmin(server.url);
  await eventually(listed, ({ rules }) => rules.length > 0);
});
afterAll(() => server.close());

describe('alert rules', () => {
  it('have defaults', async () => {
    const { rules, sendsEmails, maxCustomers } = await listed();
    expect([sendsEmails, maxCustomers]).toEqual([false, 10]);
    expect(rules.map(({ metric }: { metric: string }) => metric).sort()).toEqual(
      DEFAULT_ALERT_RULES.map(({ metric }) => metric).sort(),
    );
    expect(rules[0]).toMatchObject({ name: 'Error rate', threshold: 10, forSeconds: 300, firingSince: null });
  });

  it('are created, changed and removed, which the history says', async () => {
    const rule = { name: 'Many errors', metric: 'error_rate', threshold: 50.5, forSeconds: 60 };
    const { status, body } = await admin.post(RULES, rule);
    expect(status).toBe(201);
    const path = `${RULES}/${body.ruleId}`;
    expect((await listed()).rules).toContainEqual({ ...rule, ruleId: body.ruleId, firingSince: null });
    expect((await admin.put(path, { ...rule, threshold: 60 })).status).toBe(200);
    expect((await listed()).rules).toContainEqual({ ...rule, threshold: 60, ruleId: body.ruleId, firingSince: null });
    expect((await admin.delete(path)).status).toBe(200);
    expect((await listed()).rules).toHaveLength(6);
    const { history } = (await admin.get('/api/admin/history?type=AlertRuleCreated,AlertRuleChanged,AlertRuleRemoved&limit=3'))
      .body;
    expect(history.map(({ summary }: { summary: string }) => summary)).toEqual([
      'The alert rule Many errors was removed',
      'The alert rule Many errors was changed',
      'The alert rule Many errors was created',
    ]);
    expect(history[1].changes).toEqual([{ field: 'threshold', before: 50.5, after: 60 }]);
  });

  it('are checked', async () => {
    const rule = { name: 'Many errors', metric: 'error_rate', threshold: 50, forSeconds: 60 };
    for (const [wrong, path] of [
      [{ name: ' ' }, 'name'],
      [{ metric: 'moon' }, 'metric'],
      [{ threshold: 0 }, 'threshold'],
      [{ threshold: 86_400_001 }, 'threshold'],
      [{ forSeconds: 0.5 }, 'forSeconds'],
      [{ forSeconds: 86_401 }, 'forSeconds'],
    ] as const) {
      const { status, body } = await admin.post(RULES, { ...rule, ...wrong });
      expect([status, body.issues[0].path]).toEqual([400, path]);
    }
  });
});

describe('an alert', () => {
  it('fires on what is measured, names the customer, annotates charts and is resolved', async () => {
    const integrator = await newIntegrator(admin);
    const customer = await newCustomer(admin, integrator.id, { name: 'Acme', developerSeats: 1, stakeholderSeats: 5 });
    const ada = await asTool(server.url, customer, 'ada');
    const call = { service: 'jira', instanceUrl: 'https://acme.example', operation: 'GET:/issue', status: 503, durationMs: 40 };
    const calls = Array.from({ length: 30 }, () => call);
    expect((await ada.post('/api/cli/api-calls', { sourceId: 'laptop', firstSequence: 1, calls })).status).toBe(202);
    const rule = { name: 'Any errors', metric: 'error_rate', threshold: 1, forSeconds: 0 };
    const { ruleId } = (await admin.post(RULES, rule)).body;
    aheadMs += 20_000; // the next evaluation is due
    const names = ({ alerts }: { alerts: { name: string }[] }) => alerts.map(({ name }) => name).sort();
    const { alerts } = await eventually(listed, (reply) => names(reply).join() === 'Any errors,Seats used up');
    expect(alerts).toContainEqual(
      expect.objectContaining({ name: 'Seats used up', value: 100, customer: { id: customer.id, name: 'Acme' }, resolvedAt: null }),
    );
    expect(alerts).toContainEqual(expect.objectContaining({ ruleId, value: 100, customer: null, reason: null }));
    const period = `from=${new Date(Date.now() - 60_000).toISOString()}&to=${new Date(Date.now() + 3_600_000).toISOString()}`;
    const { annotations } = (await admin.get(`/monitoring/annotations?${period}`)).body;
    expect(annotations.map(({ summary }: { summary: string }) => summary)).toContain('Alert Any errors: 100% of calls failed');
    expect(annotations).toContainEqual(
      expect.objectContaining({
        summary: 'Alert Seats used up: 100% of the seats are in use',
        about: { kind: 'customer', id: customer.id, name: 'Acme' },
      }),
    );
    const other = await newCustomer(admin, integrator.id, { name: 'Other' });
    const ofOther = (await admin.get(`/monitoring/annotations?${period}&customer=${other.id}`)).body.annotations;
    const alertsIn = (list: { type: string; summary: string }[]) => list.filter(({ type }) => type.startsWith('Alert'));
    expect(alertsIn(ofOther).map(({ summary }) => summary)).toEqual(['Alert Any errors: 100% of calls failed']);

    const ofCustomer = (await admin.get(`/api/admin/customers/${customer.id}/history`)).body.history;
    expect(alertsIn(ofCustomer).map(({ type }) => type)).toEqual(['AlertFired']);
    const { entries } = (await admin.get(`/api/admin/audit?customer=${customer.id}&types=AlertFired`)).body;
    expect(entries).toMatchObject([{ type: 'AlertFired', customer: { customerId: customer.id, name: 'Acme' } }]);
    const partner = await asIntegrator(server.url, integrator);
    const portal = await asCustomer(server.url, customer);
    for (const [client, path] of [
      [partner, '/api/service-integrator/audit'],
      [partner, `/api/service-integrator/customers/${customer.id}/history`],
      [portal, '/api/customer/history'],
    ] as const) {
      const { status, body } = await client.get(path);
      expect([path, status, JSON.stringify(body).includes('AlertFired')]).toEqual([path, 200, false]);
    }

    // A second customer is reported while the alert of the first one fires.
    const second = await newCustomer(admin, integrator.id, { name: 'Second', developerSeats: 1, stakeholderSeats: 5 });
    await asTool(server.url, second, 'eve');
    aheadMs += 20_000;
    await eventually(listed, (reply) => names(reply).join() === 'Any errors,Seats used up,Seats used up');
    const { rules: now } = await listed();
    expect(now.find(({ name }: { name: string }) => name === 'Seats used up').firingSince).toBe(
      alerts.find(({ name }: { name: string }) => name === 'Seats used up').firedAt,
    );
    expect((await admin.put(`/api/admin/customers/${second.id}`, { ...seats(second), developerSeats: 2 })).status).toBe(200);

    expect((await admin.put(`${RULES}/${ruleId}`, { ...rule, threshold: 100.5 })).status).toBe(200);
    expect((await admin.put(`/api/admin/customers/${customer.id}`, { ...seats(customer), developerSeats: 2 })).status).toBe(200);
    aheadMs += 20_000;
    const resolved = await eventually(listed, (reply) =>
      reply.alerts.every(({ resolvedAt }: { resolvedAt: string | null }) => resolvedAt !== null),
    );
    expect(resolved.alerts.map(({ reason }: { reason: string }) => reason).sort()).toEqual([
      'recovered',
      'recovered',
      'rule_changed',
    ]);
    const ended = (await admin.get(`/api/admin/customers/${customer.id}/history?type=AlertResolved`)).body.history;
    expect(ended.map(({ summary }: { summary: string }) => summary)).toEqual(['Alert Seats used up was resolved']);

    const file = await admin.get('/api/admin/alerts', { headers: { accept: 'text/csv' } });
    expect(file.headers.get('content-disposition')).toMatch(/filename="alerts-\d{4}-\d\d-\d\d\.csv"/);
    const lines = String(file.body).trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      'id,rule_id,rule,metric,threshold,for_seconds,value,customer_id,customer,checks,fired_at,resolved_at,reason',
    );
    const ids = resolved.alerts.toSorted(newestFirst).map(({ alertId }: { alertId: string }) => alertId);
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(ids);
    expect(lines.filter((line) => line.includes('Seats used up')).join()).toContain(`,100,${customer.id},Acme,,`);
    const rules = await admin.get(RULES, { headers: { accept: 'application/x-ndjson' } });
    expect(rules.headers.get('content-disposition')).toMatch(/filename="alert-rules-/);
    expect(
      String(rules.body)
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual((await listed()).rules);
    expect((await admin.get(RULES)).body).toEqual({ success: true, rules: (await listed()).rules });
  });
});

const seats = ({ name, contactEmail }: { name: string; contactEmail: string }) => ({ name, contactEmail });

type Fired = { firedAt: string; alertId: string };
const newestFirst = (one: Fired, other: Fired): number =>
  `${one.firedAt} ${one.alertId}` > `${other.firedAt} ${other.alertId}` ? -1 : 1;
