import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../../src/contracts/customers.ts';
import type { HistoryEntry } from '../../../src/contracts/history.ts';
import type { ServiceIntegrator } from '../../../src/contracts/integrators.ts';
import type { AllocateSeats } from '../../../src/domain/customer/commands.ts';
import { asAdmin, asCustomer, asIntegrator, asTool, type Client, newCustomer, newIntegrator } from '../../support/apiClient.ts';
import { eventually } from '../../support/eventually.ts';
import { openServer, type TestServer } from '../../support/server.ts';
import { IS_AT_LENGTH } from '../../support/tiers.ts';

let server: TestServer;
let admin: Client;
let partner: Client;
let integratorId: string;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  const integrator = await newIntegrator(admin);
  integratorId = integrator.id;
  partner = await asIntegrator(server.url, integrator);
});

afterAll(() => server.close());

/** An instant after all that happened, and before all that will. */
const tick = async (): Promise<string> => {
  await sleep(3);
  const now = new Date().toISOString();
  await sleep(3);
  return now;
};

describe('the state of a customer at a time', () => {
  const FIELDS = [
    'name',
    'contactEmail',
    'company',
    'licenseKey',
    'status',
    'theme',
    'developerSeats',
    'stakeholderSeats',
    'activeDeveloperSeats',
    'activeStakeholderSeats',
    'seatLimitsEnforced',
    'machineApprovalEnforced',
  ] as const satisfies readonly (keyof Customer)[];

  /** The history shows a theme by its name. */
  const shownOf = (then: Customer, field: (typeof FIELDS)[number]) => (field === 'theme' ? then.themeDisplayName : then[field]);

  it('is correct at every time, and the difference of any two is what changed between them', async () => {
    const before = await tick();
    const customer = await newCustomer(admin, integratorId, { name: 'Born' });
    const path = `/api/service-integrator/customers/${customer.id}`;
    const seen: { at: string; customer: Customer }[] = [];
    const remember = async (): Promise<void> => {
      const { body } = await partner.get(path);
      seen.push({ at: await tick(), customer: body.customer });
    };
    const details = { name: 'Born', contactEmail: customer.contactEmail };
    await remember();
    await partner.put(path, { ...details, name: 'Grown', company: null });
    await remember();
    await partner.put(path, { ...details, name: 'Grown', developerSeats: -1, stakeholderSeats: 0, seatLimitsEnforced: false });
    await remember();
    const { userId } = await asTool(server.url, customer, 'ada');
    await remember();
    const portal = await asCustomer(server.url, customer);
    await portal.put('/api/customer/machine-approval', { enforced: false });
    await remember();
    await partner.put(`/api/users/${userId}`, { username: 'ada', email: 'ada@example.com', role: 'stakeholder' });
    await remember();
    await partner.put(path, { ...details, name: 'Grown', theme: 'aurora', status: 'suspended' });
    await remember();
    await partner.post(`${path}/rotate-key`);
    await remember();
    await partner.put(path, { ...details, name: 'Born', company: 'Acme Inc.', theme: null, status: 'active' });
    await remember();

    const usersAt = async (at = '') => (await partner.get(`${path}/as-of?at=${at}`)).body;
    expect(await usersAt(seen[2]?.at)).toMatchObject({ users: [], userCount: 0 });
    const ada = { userId, username: 'ada', email: 'ada@example.com', role: 'developer', status: 'active', seat: 'developer' };
    expect(await usersAt(seen[3]?.at)).toMatchObject({ users: [ada], userCount: 1 });
    expect(await usersAt(seen[5]?.at)).toMatchObject({ users: [{ ...ada, role: 'stakeholder', seat: 'stakeholder' }] });
    const [first = { at: before, customer }] = seen;
    for (const [index, { at, customer: then }] of seen.entries()) {
      const { status, body } = await partner.get(`${path}/as-of?at=${at}`);
      expect([status, FIELDS.map((field) => body.customer[field])]).toEqual([200, FIELDS.map((field) => then[field])]);
      for (const { at: other, customer: later } of IS_AT_LENGTH ? seen : [seen[index + 1] ?? first]) {
        const compared = await admin.get(`/api/admin/customers/${customer.id}/as-of?at=${at}&compareTo=${other}`);
        const expected = FIELDS.flatMap((field) =>
          then[field] === later[field] ? [] : [{ field, before: shownOf(then, field), after: shownOf(later, field) }],
        );
        expect(compared.body.changes).toEqual(expected);
      }
    }
    expect(new Set(seen.map(({ customer: then }) => JSON.stringify(FIELDS.map((field) => then[field])))).size).toBe(seen.length);
    for (const query of [`at=${before}`, `at=${seen[0]?.at}&compareTo=${before}`]) {
      expect(await partner.get(`${path}/as-of?${query}`)).toMatchObject({ status: 404, body: { code: 'customer_not_found' } });
    }
    for (const query of ['at=yesterday', 'at=2026-01-31', 'at=2026-01-31T12:00:00%2B02:00', `at=${before}&compareTo=`, '']) {
      expect(await partner.get(`${path}/as-of?${query}`)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    }
  });
});

describe('the state of a service integrator at a time', () => {
  const FIELDS = [
    'companyName',
    'contactEmail',
    'billingEmail',
    'masterLicenseKey',
    'status',
    'whiteLabelEnabled',
    'customDomain',
    'logoUrl',
    'customerCount',
  ] as const satisfies readonly (keyof ServiceIntegrator)[];

  it('is correct at every time, with its brand, themes, named users and customers, for itself and administrators', async () => {
    const before = await tick();
    const integrator = await newIntegrator(admin, { companyName: 'Born Partners' });
    const own = await asIntegrator(server.url, integrator);
    const path = `/api/admin/service-integrators/${integrator.id}`;
    const seen: { at: string; account: ServiceIntegrator }[] = [];
    const remember = async (): Promise<string> => {
      const account = (await admin.get(path)).body.service_integrator;
      const at = await tick();
      seen.push({ at, account });
      return at;
    };
    const born = await remember();
    const details = { contactEmail: integrator.contactEmail, billingEmail: 'new@contoso.example' };
    await admin.put(path, { companyName: 'Grown Partners', ...details });
    await own.put('/api/service-integrator/white-label', {
      whiteLabelEnabled: true,
      customDomain: 'grown.example',
      logoUrl: 'https://grown.example/logo.svg',
    });
    await newCustomer(admin, integrator.id);
    const grown = await remember();
    const theme = { displayName: 'Deep Ocean', primaryColor: '#003366', isDefault: true };
    const made = await own.post('/api/service-integrator/themes', { themeName: 'ocean', ...theme });
    const invited = await own.post('/api/team/members', { name: 'Ada', email: 'ada@grown.example', role: 'owner' });
    const themed = await remember();
    await own.put(`/api/service-integrator/themes/${made.body.theme.id}`, { ...theme, primaryColor: '#004488' });
    await own.put(`/api/team/members/${invited.body.member.userId}`, { role: 'manager' });
    await own.put('/api/team/policy', { secondFactorRequired: true });
    await admin.post(`${path}/rotate-key`);
    const rotated = await remember();
    await admin.put(path, { companyName: 'Grown Partners', ...details, status: 'suspended', reason: 'Unpaid' });
    const suspended = await remember();

    const asOf = async (at: string, other = '') =>
      (await admin.get(`${path}/as-of?at=${at}${other && `&compareTo=${other}`}`)).body;
    for (const { at, account } of seen) {
      const { serviceIntegrator, changes } = await asOf(at);
      expect(FIELDS.map((field) => serviceIntegrator[field])).toEqual(FIELDS.map((field) => account[field]));
      expect(changes).toBeUndefined();
    }
    expect(await asOf(grown)).toMatchObject({ themes: [], themeCount: 0, members: [], memberCount: 0 });
    const ada = { name: 'Ada', email: 'ada@grown.example', status: 'invited' };
    expect(await asOf(themed)).toMatchObject({
      themes: [{ ...theme, themeName: 'ocean', isActive: true }],
      members: [{ ...ada, role: 'owner' }],
      policy: { keySignIn: 'allowed', secondFactorRequired: false },
      lastChange: { type: 'MemberInvited' },
    });
    expect(await asOf(rotated)).toMatchObject({
      themes: [{ ...theme, primaryColor: '#004488' }],
      members: [{ ...ada, role: 'manager' }],
      policy: { secondFactorRequired: true },
    });
    expect((await asOf(born, grown)).changes).toEqual([
      { field: 'companyName', before: 'Born Partners', after: 'Grown Partners' },
      { field: 'billingEmail', before: integrator.billingEmail, after: 'new@contoso.example' },
      { field: 'whiteLabelEnabled', before: false, after: true },
      { field: 'customDomain', before: null, after: 'grown.example' },
      { field: 'logoUrl', before: null, after: 'https://grown.example/logo.svg' },
      { field: 'customers', before: 0, after: 1 },
    ]);
    expect((await asOf(rotated, grown)).changes).toEqual([
      { field: 'masterLicenseKey', before: seen[3]?.account.masterLicenseKey, after: integrator.masterLicenseKey },
      { field: 'secondFactorRequired', before: true, after: false },
      { field: 'customTheme', before: 'Deep Ocean, #004488, default', after: null },
      { field: 'member', before: 'Ada, ada@grown.example, manager, invited', after: null },
    ]);
    expect((await asOf(suspended)).lastChange).toMatchObject({ type: 'IntegratorSuspended' });

    await admin.put(path, { companyName: 'Grown Partners', ...details, status: 'active' });
    const key = seen[3]?.account.masterLicenseKey ?? '';
    const itself = await asIntegrator(server.url, { masterLicenseKey: key });
    const seenByItself = (await itself.get(`/api/service-integrator/as-of?at=${suspended}`)).body;
    expect(seenByItself.serviceIntegrator).toMatchObject({ companyName: 'Grown Partners', status: 'suspended' });
    expect(seenByItself.lastChange, 'what administrators wrote is not shown').toMatchObject({ type: 'MasterLicenseKeyRotated' });

    for (const query of [`at=${before}`, `at=${born}&compareTo=${before}`]) {
      for (const reply of [await admin.get(`${path}/as-of?${query}`), await itself.get(`/api/service-integrator/as-of?${query}`)])
        expect(reply).toMatchObject({ status: 404, body: { code: 'integrator_not_found' } });
    }
    expect(await admin.get(`${path}/as-of?at=yesterday`)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    const missing = '/api/admin/service-integrators/99999999-9999-4999-8999-999999999999';
    expect(await admin.get(`${missing}/as-of?at=${born}`)).toMatchObject({ status: 404, body: { code: 'integrator_not_found' } });
  });

  it('is not shown after its deletion', async () => {
    const { id } = await newIntegrator(admin, { companyName: 'Gone Partners' });
    const at = await tick();
    expect(await admin.delete(`/api/admin/service-integrators/${id}`)).toMatchObject({ status: 200 });
    const reply = await admin.get(`/api/admin/service-integrators/${id}/as-of?at=${at}`);
    expect(reply).toMatchObject({ status: 404, body: { code: 'integrator_not_found' } });
  });
});

describe('a custom theme', () => {
  const names = ({ body }: { body: { history: HistoryEntry[] } }) =>
    body.history.flatMap(({ changes }) => changes.filter(({ field }) => field === 'theme')).map(({ after }) => after);

  it('appears with its name at that time, even after its deletion', async () => {
    const customer = await newCustomer(admin, integratorId, { name: 'Themed' });
    const path = `/api/service-integrator/customers/${customer.id}`;
    const look = { displayName: 'Deep Ocean', primaryColor: '#003366' };
    const { body } = await partner.post('/api/service-integrator/themes', { themeName: 'ocean', ...look });
    const themeId = body.theme.id;
    const plain = await tick();
    await partner.put(path, { name: 'Themed', contactEmail: customer.contactEmail, theme: themeId });
    const themed = await tick();
    await partner.put(`/api/service-integrator/themes/${themeId}`, { ...look, displayName: 'Shallow Ocean' });
    const renamed = await tick();
    expect(await partner.delete(`/api/service-integrator/themes/${themeId}`)).toMatchObject({ status: 200 });
    await eventually(
      async () => (await partner.get(path)).body.customer.theme,
      (theme) => theme === null,
    );
    const asOf = async (at: string, compareTo?: string) =>
      (await partner.get(`${path}/as-of?at=${at}${compareTo ? `&compareTo=${compareTo}` : ''}`)).body;
    expect((await asOf(themed)).customer).toMatchObject({ theme: themeId, themeDisplayName: 'Deep Ocean' });
    expect((await asOf(renamed)).customer).toMatchObject({ theme: themeId, themeDisplayName: 'Shallow Ocean' });
    expect((await asOf(await tick())).customer).toMatchObject({ theme: null, themeDisplayName: null });
    expect((await asOf(plain, themed)).changes).toEqual([{ field: 'theme', before: null, after: 'Deep Ocean' }]);
    expect((await asOf(themed, renamed)).changes).toEqual([]);
    expect(names(await partner.get(`${path}/history`))).toEqual([null, 'Deep Ocean']);
  });
});

describe('the history of a customer', () => {
  it('is filtered by kind, actor, time and text, page by page', async () => {
    const customer = await newCustomer(admin, integratorId, { name: 'Renamed' });
    const path = `/api/admin/customers/${customer.id}/history`;
    const portal = await asCustomer(server.url, customer);
    const { userId } = await asTool(server.url, customer, 'grace');
    const half = await tick();
    await partner.put(`/api/users/${userId}/status`, { status: 'inactive' });
    await portal.put('/api/customer/profile', { name: 'Renamed twice', contactEmail: 'it@renamed.example', company: 'Renamed' });
    const ask = async (query: string): Promise<HistoryEntry[]> => (await admin.get(`${path}?limit=500&${query}`)).body.history;
    const all = await eventually(
      () => ask(''),
      (entries) => entries[0]?.type === 'CustomerDetailsChanged',
    );
    const filters: [string, (entry: HistoryEntry) => boolean][] = [
      ['type=UserDeactivated', ({ type }) => type === 'UserDeactivated'],
      ['actor=integrator', ({ actor }) => actor.kind === 'integrator'],
      [`actor=${integratorId}`, ({ actor }) => actor.id === integratorId],
      ['actor=customer', ({ actor }) => actor.kind === 'customer'],
      [`from=${half}`, ({ at }) => at >= half],
      [`to=${half}`, ({ at }) => at <= half],
      [`from=${half}&to=${half}`, () => false],
      ['search=GRACE', ({ summary }) => summary.toLowerCase().includes('grace')],
      ['search=100%25_', () => false],
      [`actor=integrator&search=seat&from=${half}`, ({ actor, summary }) => actor.kind === 'integrator' && /seat/i.test(summary)],
    ];
    for (const [query, isMeant] of filters) expect([query, await ask(query)]).toEqual([query, all.filter(isMeant)]);
    expect((await ask('type=UserDeactivated')).length).toBe(1);
    expect((await ask('search=GRACE')).length).toBeGreaterThan(1);

    const paged: HistoryEntry[] = [];
    let cursor = '';
    do {
      const { body } = await admin.get(`${path}?limit=2${cursor}`);
      expect(body.total).toBe(all.length);
      expect(body.history.length).toBeLessThanOrEqual(2);
      paged.push(...body.history);
      cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`;
    } while (cursor !== '');
    expect(paged).toEqual(all);
    // Nobody sees how and from where those above acted.
    const without = (...above: string[]): HistoryEntry[] =>
      all.map((entry) =>
        above.includes(entry.actor.kind)
          ? { ...entry, actor: { ...entry.actor, userId: null, sessionId: null, method: null, address: null } }
          : entry,
      );
    const shown = without('admin', 'integrator');
    expect((await portal.get('/api/customer/history?limit=500')).body.history).toEqual(shown);
    const own = await partner.get(`/api/service-integrator/customers/${customer.id}/history?limit=500`);
    expect(own.body.history).toEqual(without('admin'));
    expect(new Set(shown.map(({ actor }) => actor.address))).toEqual(new Set([null, '127.0.0.1']));
  });
});

/** The cells of a CSV file, as RFC 4180 reads it. */
const cellsOf = (csv: string): string[][] =>
  csv
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
    );

describe('an export of the history', () => {
  const EVENTS = IS_AT_LENGTH ? 1_500 : 700;

  it('streams all matches, as CSV without formulas and as NDJSON', async () => {
    const names = ['=HYPERLINK("https://evil.example";"x")', '+49 30 1234', '-2+3', '@SUM(A1:A9)', 'quoted "name", with; more'];
    const customer = await newCustomer(admin, integratorId, { name: names[0] });
    const path = `/api/service-integrator/customers/${customer.id}`;
    for (const name of names) await partner.put(path, { name, contactEmail: 'csv@csv.example', company: name });
    const before: number = (await partner.get(`${path}/history?limit=1`)).body.total;
    const meta = { actor: { kind: 'system', id: '=1+1' }, correlationId: customer.id, causationId: null } as const;
    const commands = Array.from(
      { length: EVENTS },
      (_, index): AllocateSeats => ({
        type: 'AllocateSeats',
        data: { customerId: customer.id, developerSeats: index + 100, stakeholderSeats: undefined },
        meta: { ...meta, commandId: customer.id, at: new Date().toISOString() },
      }),
    );
    for (let from = 0; from < EVENTS; from += 500) await server.product.commands.customers.handle(commands.slice(from, from + 500));
    const page = await eventually(
      () => partner.get(`${path}/history?limit=500`),
      // Both are asked at the same time, and not of the same instant.
      ({ body }) => body.total === before + EVENTS && body.history[0].summary.includes(`${EVENTS + 99} developer`),
    );
    const { total } = page.body;

    const response = await fetch(`${server.url}${path}/history?limit=1`, { headers: { ...partner.headers, accept: 'text/csv' } });
    expect(response.headers.get('content-length')).toBeNull();
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="history-[a-z0-9-]+-\d{4}-\d\d-\d\d\.csv"$/);
    let chunks = 0;
    let csv = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      chunks += 1;
      csv += decoder.decode(chunk, { stream: true });
    }
    expect(chunks).toBeGreaterThan(5);
    const [header = [], ...lines] = cellsOf(csv);
    expect(lines).toHaveLength(total);
    expect(new Set(lines.map((cells) => cells.length))).toEqual(new Set([header.length]));
    expect(lines.flat().filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
    const positions = lines.map((cells) => Number(cells[header.indexOf('position')]));
    expect(positions).toEqual(positions.toSorted((one, other) => other - one));
    const first: HistoryEntry = page.body.history[0];
    expect(lines[0]?.[header.indexOf('summary')]).toBe(first.summary);
    expect(lines[0]?.[header.indexOf('actor_id')]).toBe("'=1+1");
    const registered = lines.at(-1)?.[header.indexOf('summary')];
    expect(registered).toContain('HYPERLINK');
    expect(registered?.startsWith("'=")).toBe(true);

    const ndjson = await admin.get(`/api/admin/customers/${customer.id}/history?type=CustomerDetailsChanged`, {
      headers: { accept: 'application/x-ndjson' },
    });
    expect(ndjson.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const entries = String(ndjson.body)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const listed = await admin.get(`/api/admin/customers/${customer.id}/history?type=CustomerDetailsChanged&limit=500`);
    expect(entries).toEqual(listed.body.history);
    expect(entries.length).toBe(names.length);
  });

  it('ends if the client disconnects, and the server continues', async () => {
    const customers = (await admin.get('/api/admin/customers?limit=500')).body.customers;
    const [{ id }] = customers;
    for (let time = 0; time < (IS_AT_LENGTH ? 10 : 2); time++) {
      const leaving = new AbortController();
      const response = await fetch(`${server.url}/api/admin/customers/${id}/history`, {
        headers: { ...admin.headers, accept: 'text/csv' },
        signal: leaving.signal,
      });
      await response.body?.getReader().read();
      leaving.abort();
    }
    expect((await admin.get('/readyz')).status).toBe(200);
    expect((await admin.get(`/api/admin/customers/${id}/history`)).status).toBe(200);
  });
});
