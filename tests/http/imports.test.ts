import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import { csvOf } from '../../src/contracts/csv.ts';
import type { ImportedLine, ImportMessage } from '../../src/contracts/imports.ts';
import type { CustomerId } from '../../src/domain/ids.ts';
import { teamIdOf } from '../../src/domain/team/teamId.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  asTool,
  type Client,
  clientOf,
  newCustomer,
  newIntegrator,
  type Reply,
} from '../support/apiClient.ts';
import { newTokenClient } from '../support/apiTokens.ts';
import { asIntegratorMember, invite, inviteUser, join } from '../support/members.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { describeAtLength, itAtLength } from '../support/tiers.ts';

const OWN = '/api/service-integrator/customers';
const ANY = '/api/admin/customers';
const OWN_USERS = '/api/users';
const HEADER = ['name', 'contact_email', 'company', 'external_id', 'tags', 'developer_seats'];

let server: TestServer;
let admin: Client;
let partner: Client;
let other: Client;
let integratorId: string;
let otherId: string;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  const [integrator, outsider] = [await newIntegrator(admin), await newIntegrator(admin, { companyName: 'Fabrikam' })];
  [integratorId, otherId] = [integrator.id, outsider.id];
  partner = await asIntegrator(server.url, integrator);
  other = await asIntegrator(server.url, outsider);
});

afterAll(() => server.close());

const csv = (...lines: (string | number)[][]): string => lines.map(csvOf).join('');
const send = (client: Client, path: string, file: string, query = ''): Promise<Reply> =>
  client.send('POST', `${path}/import?file=list.csv${query}`, { headers: { 'content-type': 'text/csv' }, body: file });

type Result = { lines: ImportedLine[]; counts: Record<string, number>; effects: string[] };
/** The messages of an import that came to its end. */
const importFile = async (client: Client, path: string, file: string, query = ''): Promise<Result> => {
  const { status, body } = await send(client, path, file, query);
  expect([status, status === 200 ? '' : body]).toEqual([200, '']);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const messages = text
    .trim()
    .split('\n')
    .map((line): ImportMessage => JSON.parse(line));
  const lines = messages.filter((message): message is ImportedLine => message.kind === 'line');
  const end = messages.at(-1);
  if (end?.kind !== 'end') throw new Error(`The import ended with ${text.slice(-200)}`);
  expect(messages[0]).toEqual({ kind: 'start', lines: lines.length });
  return { lines, counts: end.counts, effects: lines.map(({ effect }) => effect) };
};
const dryRun = (client: Client, path: string, file: string): Promise<Result> => importFile(client, path, file, '&dryRun=true');
const exported = async (client: Client, path: string): Promise<string> =>
  (await client.get(path, { headers: { accept: 'text/csv' } })).body;
const latest = async (path: string): Promise<{ summary: string; actor: { kind: string } }> =>
  (await (path.startsWith('/api/admin') ? admin : partner).get(`${path}?type=ImportFinished&limit=1`)).body.history[0];

describe('an import of customers', () => {
  const file = csv(
    HEADER,
    ['Acme', 'it@acme.example', 'Acme Inc.', 'crm-1', 'vip, eu', 7],
    ['=Formula & Sons', 'it@formula.example', '+44', 'crm-2', '', 3],
  );

  it('says what it would do, does it, and does nothing when the file is sent again', async () => {
    const before = (await partner.get(OWN)).body.customers.length;
    expect((await dryRun(partner, OWN, file)).effects).toEqual(['created', 'created']);
    expect((await partner.get(OWN)).body.customers).toHaveLength(before);
    expect((await importFile(partner, OWN, file)).counts).toEqual({ created: 2, changed: 0, unchanged: 0, refused: 0 });
    expect((await importFile(partner, OWN, file)).counts).toEqual({ created: 0, changed: 0, unchanged: 2, refused: 0 });
    const { customers } = (await partner.get(`${OWN}?sort=name`)).body;
    const [formula] = customers;
    expect(formula).toMatchObject({ name: '=Formula & Sons', company: '+44', externalId: 'crm-2', developerSeats: 3 });
    expect(customers[1]).toMatchObject({ name: 'Acme', tags: ['eu', 'vip'], developerSeats: 7, tier: 'ENT' });
  });

  it('is one entry of the history with file, counts and author, beside those of each customer', async () => {
    const { summary, actor } = await latest('/api/service-integrator/history');
    expect(summary).toBe('Imported customers from list.csv: 0 created, 0 changed, 2 unchanged, 0 refused');
    expect(actor.kind).toBe('integrator');
    const { history } = (await admin.get('/api/admin/history?type=ImportFinished')).body;
    expect(history).toEqual([]);
  });

  it('changes what differs, and shows it before', async () => {
    const changed = csv(HEADER, ['Acme', 'help@acme.example', '', 'crm-1', 'vip', 9]);
    const { lines } = await dryRun(partner, OWN, changed);
    expect(lines[0]).toMatchObject({
      line: 2,
      name: 'Acme',
      effect: 'changed',
      changes: [
        { column: 'contact_email', before: 'it@acme.example', after: 'help@acme.example' },
        { column: 'company', before: 'Acme Inc.', after: '' },
        { column: 'developer_seats', before: '7', after: '9' },
        { column: 'tags', before: 'eu, vip', after: 'vip' },
      ],
    });
    expect((await importFile(partner, OWN, changed)).counts).toMatchObject({ changed: 1 });
    const { customers } = (await partner.get(`${OWN}?search=help@acme.example`)).body;
    expect(customers).toEqual([expect.objectContaining({ company: null, developerSeats: 9, tags: ['vip'] })]);
  });

  it('leaves everything unchanged when it gets an unchanged export, of integrators and of administrators', async () => {
    const [row] = (await partner.get(`${OWN}?search=crm`)).body.customers;
    const awkward = { notes: "'=1\nsecond; -line", customFields: { a: '"x"', b: ['=1'] }, externalId: '-7', status: 'suspended' };
    const put = await partner.put(`${OWN}/${row.id}`, { name: "'+x", contactEmail: row.contactEmail, theme: 'aurora', ...awkward });
    expect(put.status).toBe(200);
    const entitlements = [
      { code: 'jira' },
      { code: 'reports', startsAt: '2026-01-01T09:30:00Z', endsAt: '2030-01-31T23:59:59.999Z' },
    ];
    const limits = {
      entitlements,
      callQuota: { limit: 2_000_000_000, kind: 'soft' },
      idleReleaseDays: 30,
      floatingDeveloperMinutes: 20,
    };
    expect((await partner.put(`${OWN}/${row.id}`, { name: "'+x", contactEmail: row.contactEmail, ...limits })).status).toBe(200);
    const term = { expiresAt: '2030-01-01T00:00:00Z', graceDays: 5, isTrial: true };
    expect((await partner.put(`${OWN}/${row.id}/term`, term)).status).toBe(200);
    for (const [client, path] of [
      [partner, OWN],
      [admin, ANY],
    ] as const) {
      const { effects } = await importFile(client, path, await exported(client, path));
      expect(effects.length).toBeGreaterThan(1);
      expect(new Set(effects)).toEqual(new Set(['unchanged']));
    }
    expect((await latest('/api/admin/history')).actor.kind).toBe('admin');
  });

  it('reads a file of a spreadsheet with semicolons, a byte order mark and other spellings of values', async () => {
    const columns = 'external_id;name;contact_email;developer_seats;stakeholder_seats;service_integrator_id;seat_limits_enforced';
    const text = `\uFEFF${columns};license_expires_at;status\r\ncrm-8;Spread;s@s.example;5;-1;${integratorId.toUpperCase()};TRUE;2030-05-31;suspended\r\n\r\n`;
    expect((await importFile(admin, ANY, text)).lines).toMatchObject([
      { line: 2, name: 'Spread', effect: 'created', problems: [] },
    ]);
    const [customer] = (await admin.get(`${ANY}?search=s@s.example`)).body.customers;
    expect(customer).toMatchObject({ stakeholderSeats: -1, status: 'suspended', term: { expiresAt: '2030-05-31T00:00:00.000Z' } });
    expect((await importFile(admin, ANY, text.replace('2030-05-31', ''))).effects).toEqual(['unchanged']);
    expect((await importFile(admin, ANY, text.replace('2030-05-31', 'None'))).effects).toEqual(['changed']);
    expect((await admin.get(`${ANY}/${customer.id}`)).body.customer.term).toBeUndefined();
  });

  it('refuses lines one by one, with the column and what to do, and imports the others', async () => {
    const foreign = await newCustomer(admin, otherId, { externalId: 'theirs' });
    const columns = ['id', 'name', 'contact_email', 'company', 'external_id', 'tier', 'custom_fields', 'service_integrator_id'];
    const { lines, counts } = await importFile(
      partner,
      OWN,
      csv(
        columns,
        ['', 'New', 'n@n.example', 'New', '', '', '', ''],
        ['', 'New', 'not an address', 'New', 'crm-20', '', '', ''],
        ['', 'New', 'n@n.example', 'New', 'crm-21', 'ZZZ', '', ''],
        ['', 'New', 'n@n.example', 'New', 'crm-22', '', '{"a":', ''],
        [foreign.id, 'Stolen', 'n@n.example', 'New', '', '', '', ''],
        ['', 'Stolen', 'n@n.example', 'New', 'crm-23', '', '', otherId],
        ['', 'Fine', 'n@n.example', 'New\nline', 'crm-24', '', '', ''],
        ['', 'Fine', 'fine@n.example', 'New', 'crm-25', '', '{"a":1}', integratorId],
        ['', 'Twice', 'n@n.example', 'New', 'crm-25', '', '', integratorId],
        ['', 'Spread', 's@s.example', 'New', 'crm-8', 'PRO', '', ''],
        ['', 'New', 'n@n.example', 'New', 'crm-26', '', '{"name":1e999}', ''],
        ['', 'New', 'n@n.example', 'New', 'crm-27', '', '{"__proto__":1}', ''],
      ),
    );
    expect(lines.map(({ line, problems }) => [line, problems[0]?.column, problems[0]?.message])).toEqual([
      [2, 'external_id', 'A new customer needs an external ID, so that importing the file again changes nothing'],
      [3, 'contact_email', 'Must be an email address'],
      [4, 'tier', 'There is no such plan'],
      [5, 'custom_fields', 'Must be a JSON object like {"crm":"A-17"}'],
      [6, 'id', 'There is no customer with this ID. Leave it empty to create one'],
      [7, 'service_integrator_id', 'There is no service integrator with this ID'],
      [8, 'company', 'Must not contain control characters'],
      [10, undefined, undefined],
      [11, 'external_id', 'Line 10 has the same'],
      [12, 'tier', 'Only administrators change the plan of a license. Leave the cell empty, or as it was exported'],
      [13, 'custom_fields', 'Must not have a number beyond 9007199254740991. Send name as text'],
      [14, 'custom_fields', 'Must not have a field named __proto__'],
    ]);
    expect(counts).toEqual({ created: 1, changed: 0, unchanged: 0, refused: 11 });
    expect((await other.get(`${OWN}/${foreign.id}`)).body.customer.name).not.toBe('Stolen');
  });

  it('changes entitlements, and for administrators the plan, with the values of the line instead of those of the plan', async () => {
    const plan = { code: 'IMP', name: 'Imported', developerSeats: 20, stakeholderSeats: 8, entitlements: [{ code: 'azdo' }] };
    expect((await admin.post('/api/admin/plans', plan)).status).toBe(201);
    const { id } = await newCustomer(admin, integratorId, { name: 'Planned', developerSeats: 3, stakeholderSeats: 1 });
    const columns = ['id', 'tier', 'developer_seats', 'entitlements'];
    const file = csv(columns, [id, 'imp', 5, 'jira, reports until 2030-01-31']);
    const refused = csv(columns, [id, 'IMP', 5, '']);
    expect((await dryRun(partner, OWN, refused)).lines[0]?.problems[0]?.column).toBe('tier');
    expect((await dryRun(admin, ANY, csv(columns, [id, '', '', 'two words']))).lines[0]?.problems[0]?.column).toBe('entitlements');
    expect((await dryRun(admin, ANY, csv(columns, [id, 'ZZZ', '', '']))).lines[0]?.problems[0]?.column).toBe('tier');
    expect((await dryRun(admin, ANY, file)).lines[0]?.changes).toEqual([
      { column: 'developer_seats', before: '3', after: '5' },
      { column: 'stakeholder_seats', before: '1', after: '8' },
      { column: 'entitlements', before: 'all', after: 'jira, reports until 2030-01-31' },
      { column: 'tier', before: 'ENT', after: 'IMP' },
    ]);
    expect((await importFile(admin, ANY, file)).effects).toEqual(['changed']);
    expect((await importFile(admin, ANY, file)).effects).toEqual(['unchanged']);
    const { customer } = (await admin.get(`${ANY}/${id}`)).body;
    expect(customer).toMatchObject({ tier: 'IMP', developerSeats: 5, stakeholderSeats: 8 });
    expect(customer.entitlements.map(({ code }: { code: string }) => code)).toEqual(['jira', 'reports']);
    expect((await importFile(admin, ANY, csv(columns, [id, '', '', '']))).effects).toEqual(['unchanged']);
    expect((await dryRun(admin, ANY, csv(columns, [id, '', '', 'none']))).lines[0]?.problems).toEqual([
      { column: 'entitlements', message: 'Must be all, or name what is included' },
    ]);
    expect((await importFile(admin, ANY, csv(columns, [id, '', '', 'all']))).effects).toEqual(['changed']);
    expect((await admin.get(`${ANY}/${id}`)).body.customer).not.toHaveProperty('entitlements');
  });

  it('sets quotas and the release of idle seats, for new customers too, and removes what has the cell none', async () => {
    const columns = [
      'external_id',
      'name',
      'contact_email',
      'company',
      'tier',
      'call_quota',
      'call_quota_kind',
      'idle_release_days',
    ];
    const details = ['Limited', 'l@l.example', 'Limited'];
    const file = (...cells: (string | number)[]) => csv(columns, ['limited', ...details, ...cells]);
    const plan = { code: 'CAP', name: 'Capped', developerSeats: 5, stakeholderSeats: 5, callQuota: { limit: 70, kind: 'soft' } };
    expect((await admin.post('/api/admin/plans', plan)).status).toBe(201);
    const wrong = await dryRun(partner, OWN, file('CAP', 'many', 'firm', 0));
    expect(wrong.lines[0]?.problems.map(({ column }) => column)).toEqual(['call_quota', 'call_quota_kind']);
    expect((await dryRun(partner, OWN, file('CAP', '', '', 366))).lines[0]?.problems[0]?.column).toBe('idle_release_days');
    expect((await importFile(partner, OWN, file('CAP', '', '', 30))).effects).toEqual(['created']);
    const shown = async () => (await partner.get(`${OWN}?search=l@l.example`)).body.customers[0];
    expect(await shown()).toMatchObject({ callQuota: { limit: 70, kind: 'soft' }, idleReleaseDays: 30 });
    const raised = file('', '3000000000', '', 'none');
    expect((await dryRun(partner, OWN, raised)).lines[0]?.changes).toEqual([
      { column: 'idle_release_days', before: '30', after: 'none' },
      { column: 'call_quota', before: '70', after: '3000000000' },
    ]);
    expect((await importFile(partner, OWN, raised)).effects).toEqual(['changed']);
    expect((await importFile(partner, OWN, file('', '3000000000', 'hard', ''))).effects).toEqual(['changed']);
    expect(await shown()).toMatchObject({ callQuota: { limit: 3_000_000_000, kind: 'hard' } });
    expect((await importFile(partner, OWN, file('', '', '', ''))).effects).toEqual(['unchanged']);
    expect((await importFile(partner, OWN, file('', 'none', 'hard', ''))).effects).toEqual(['changed']);
    expect((await importFile(partner, OWN, file('', 'none', 'hard', ''))).effects).toEqual(['unchanged']);
    for (const field of ['callQuota', 'idleReleaseDays']) expect(await shown()).not.toHaveProperty(field);
    const shared = ['external_id', 'name', 'contact_email', 'company', 'floating_developer_minutes'];
    const minutes = (cell: string | number) => csv(shared, ['limited', ...details, cell]);
    expect((await dryRun(partner, OWN, minutes(1_441))).lines[0]?.problems[0]?.column).toBe('floating_developer_minutes');
    expect((await importFile(partner, OWN, minutes(45))).effects).toEqual(['changed']);
    expect(await shown()).toMatchObject({ floatingDeveloperMinutes: 45 });
    expect((await importFile(partner, OWN, minutes(''))).effects).toEqual(['unchanged']);
    expect((await importFile(partner, OWN, minutes('none'))).effects).toEqual(['changed']);
    expect(await shown()).not.toHaveProperty('floatingDeveloperMinutes');
    expect((await importFile(partner, OWN, csv(columns, ['two', ...details, '', 9, '', '']))).effects).toEqual(['created']);
    const { customers } = (await partner.get(`${OWN}?search=two`)).body;
    expect(customers[0].callQuota).toMatchObject({ limit: 9, kind: 'hard' });
  });

  it('leaves to the plan what new customers have no cell for, and changes none of it when the file is sent again', async () => {
    const plan = {
      code: 'PRM',
      name: 'Premium',
      developerSeats: 5,
      stakeholderSeats: 5,
      termMonths: 12,
      graceDays: 9,
      entitlements: [{ code: 'jira' }],
      callQuota: { limit: 70, kind: 'soft' },
      floatingDeveloperMinutes: 20,
    };
    expect((await admin.post('/api/admin/plans', plan)).status).toBe(201);
    const styled = await asIntegrator(server.url, await newIntegrator(admin, { companyName: 'Styled' }));
    const look = { displayName: 'Own', primaryColor: '#0070ad', secondaryColor: '', accentColor: '#ffb81c' };
    const created = await styled.post('/api/service-integrator/themes', { themeName: 'own', ...look, isDefault: true });
    expect(created.status).toBe(201);
    const { theme } = created.body;
    const columns = (await exported(styled, OWN)).trim().split(',');
    const rowOf = (cells: Record<string, string>) => columns.map((column) => cells[column] ?? '');
    const details = { name: 'Premium', contact_email: 'p@p.example', company: 'Premium', tier: 'PRM' };
    const without = {
      theme: 'none',
      license_expires_at: 'none',
      entitlements: 'all',
      call_quota: 'none',
      floating_developer_minutes: 'none',
      machine_limit: 'none',
    };
    const file = csv(
      columns,
      rowOf({ ...details, external_id: 'p-1' }),
      rowOf({ ...details, external_id: 'p-2', license_grace_days: '3', call_quota_kind: 'hard', machine_limit: '3' }),
      rowOf({ ...details, external_id: 'p-3', ...without }),
    );
    expect((await importFile(styled, OWN, file)).effects).toEqual(['created', 'created', 'created']);
    const shown = async () => (await styled.get(`${OWN}?sort=createdAt`)).body.customers;
    const before = await shown();
    const ofExternalId = (id: string) => before.find(({ externalId }: { externalId: string }) => externalId === id);
    expect(ofExternalId('p-1')).toMatchObject({
      theme: theme.id,
      term: { graceDays: 9 },
      entitlements: [{ code: 'jira' }],
      callQuota: { limit: 70, kind: 'soft' },
      floatingDeveloperMinutes: 20,
    });
    expect(ofExternalId('p-2')).toMatchObject({ machineLimit: 3, term: { graceDays: 3 }, callQuota: { limit: 70, kind: 'hard' } });
    expect(ofExternalId('p-3').theme).toBeNull();
    for (const field of ['term', 'entitlements', 'callQuota', 'floatingDeveloperMinutes']) {
      expect(ofExternalId('p-3')).not.toHaveProperty(field);
    }
    expect((await importFile(styled, OWN, file)).effects).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect((await importFile(styled, OWN, await exported(styled, OWN))).effects).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(await shown()).toEqual(before);
    const removing = csv(
      columns,
      rowOf({ external_id: 'p-1', name: 'Premium', contact_email: 'p@p.example', company: 'Premium', ...without }),
    );
    expect((await importFile(styled, OWN, removing)).effects).toEqual(['changed']);
    expect((await importFile(styled, OWN, removing)).effects).toEqual(['unchanged']);
  });

  it('reads exported themes as what they are, also where their names are words of an import', async () => {
    const styled = await asIntegrator(server.url, await newIntegrator(admin, { companyName: 'Words' }));
    const look = { primaryColor: '#0070ad', secondaryColor: '', accentColor: '' };
    const themes: (string | null)[] = ['plain', null];
    for (const displayName of ['none', 'None', 'Plain', 'Own', 'plain', 'summit']) {
      const themeName = `own-${themes.length}`;
      const { body } = await styled.post('/api/service-integrator/themes', { themeName, displayName, ...look });
      themes.push(body.theme.id);
    }
    for (const [at, theme] of themes.entries()) {
      const details = { name: 'Words', contactEmail: 'w@w.example', company: 'Words', externalId: `from-${at}` };
      expect((await styled.post(OWN, { ...details, theme })).status).toBe(201);
    }
    const file = await exported(styled, OWN);
    expect(new Set((await importFile(styled, OWN, file)).effects)).toEqual(new Set(['unchanged']));
    const copy = file.replaceAll(/^[0-9a-f-]{36},/gm, ',').replaceAll('from-', 'to-');
    expect(new Set((await importFile(styled, OWN, copy)).effects)).toEqual(new Set(['created']));
    const { customers } = (await styled.get(`${OWN}?search=to-`)).body;
    const copied = customers.map(({ externalId, theme }: Record<string, string>) => [externalId, theme]);
    expect(new Map(copied)).toEqual(new Map(themes.map((theme, at) => [`to-${at}`, theme])));
  });

  it('keeps what cells at the end of a line would have, if they are missing', async () => {
    const term = { expiresAt: '2050-01-01T00:00:00Z' };
    const cut = await newCustomer(admin, integratorId, { name: 'Cut', externalId: 'cut', notes: 'Keep', tags: ['kept'], term });
    const columns = ['external_id', 'name', 'notes', 'tags', 'license_expires_at'];
    const { lines } = await importFile(partner, OWN, csv(columns, ['cut', 'Cut again']));
    expect(lines[0]?.changes).toEqual([{ column: 'name', before: 'Cut', after: 'Cut again' }]);
    const { customer } = (await partner.get(`${OWN}/${cut.id}`)).body;
    expect(customer).toMatchObject({ notes: 'Keep', tags: ['kept'], term: { expiresAt: '2050-01-01T00:00:00.000Z' } });
  });

  it('numbers lines as the file does, whatever ends them, and also after line breaks in cells and empty lines', async () => {
    const file = '\uFEFFname,notes\n1,a\n\n2,"a\nb"\n3,"é\n\nc"\n4,d\n';
    for (const text of [
      file,
      file.replaceAll('\n', '\r\n'),
      file.replaceAll('\n', '\r'),
      file.replaceAll(/(?<=[ab])\n/g, '\r\n'),
    ]) {
      const { lines } = await dryRun(partner, OWN, text);
      expect(lines.map(({ line, name }) => [line, name])).toEqual([
        [2, '1'],
        [4, '2'],
        [6, '3'],
        [9, '4'],
      ]);
      for (const wrong of ['5,"open', '5,a"b']) {
        expect((await send(partner, OWN, text + wrong)).body.error).toContain('(line 10)');
      }
    }
  });

  it('ignores empty cells at the end of each line, as spreadsheets write them', async () => {
    const text = 'external_id,name,contact_email,company,,\r\ncells,Cells,c@c.example,Cells,,\r\n';
    expect((await dryRun(partner, OWN, text)).lines).toMatchObject([{ line: 2, name: 'Cells', effect: 'created' }]);
    expect((await dryRun(partner, OWN, text.replaceAll(',', ';'))).effects).toEqual(['created']);
  });

  it('refuses a file that it cannot read, and reads none of it', async () => {
    const [known] = (await partner.get(OWN)).body.customers;
    for (const [text, code, error] of [
      ['', 'invalid_csv', 'The file is empty. Begin it with the names of the columns'],
      ['name\r\n"open', 'invalid_csv', 'A quote is not closed, or is inside a cell without quotes (line 2). Correct the file'],
      ['name\r\nAcme,more\r\n', 'invalid_csv', 'Line 2 has more cells than the header. Correct the file'],
      [`name\r\n${'x'.repeat(70_000)}`, 'invalid_csv', 'A line is longer than 65,536 characters (line 2). Shorten it'],
      ['name,,tags\r\n', 'invalid_csv', 'Column 2 has no name. Name it, or remove it from the file'],
      ['name,,\r\nAcme,\r\nAcme,,more\r\n', 'invalid_csv', 'Column 3 has no name. Name it, or remove it from the file'],
      ['name,\r\nAcme,,\r\n', 'invalid_csv', 'Line 2 has more cells than the header. Correct the file'],
      [',,\r\n', 'invalid_csv', 'The file is empty. Begin it with the names of the columns'],
      ['name,colour\r\n', 'validation_failed', 'Unknown column colour. Use the columns of an exported file'],
      ['name,name\r\n', 'validation_failed', 'There are two columns named name'],
    ] as const) {
      const { status, body } = await send(partner, OWN, text);
      expect([status, body.code]).toEqual([400, code]);
      expect(error).toContain(body.error.replace(/ \(and .*/, ''));
    }
    const json = await partner.post(`${OWN}/import?file=list.csv`, { name: 'x' });
    expect(json.body).toMatchObject({ code: 'validation_failed' });
    expect((await send(partner, OWN, 'name\r\n', '&dryRun=maybe')).status).toBe(400);
    expect((await send(clientless(), OWN, 'name\r\n')).status).toBe(401);
    expect((await send(partner, ANY, 'name\r\n')).status).toBe(403);
    expect((await partner.get(OWN)).body.customers[0]).toEqual(known);
    const elsewhere = await partner.send('POST', OWN, { headers: { 'content-type': 'text/csv' }, body: 'name' });
    expect(elsewhere.status).toBe(415);
  });

  /** More than are in work at a time, by far. */
  const MANY = 1_000;

  itAtLength('is stopped when its client goes away, and says so in the history', async () => {
    const lines = Array.from({ length: MANY }, (_, n) => [`Many ${n}`, 'm@m.example', 'Many', `many-${n}`, '', 1]);
    const many = csv(HEADER, ...lines);
    const stop = new AbortController();
    const { body } = await fetch(`${server.url}${OWN}/import?file=many.csv`, {
      method: 'POST',
      headers: { ...partner.headers, 'content-type': 'text/csv' },
      body: many,
      signal: stop.signal,
    });
    await body?.getReader().read();
    stop.abort();
    await expect
      .poll(async () => (await latest('/api/service-integrator/history')).summary)
      .toMatch(/^Imported customers from many\.csv: \d+ created, 0 changed, 0 unchanged, 0 refused, stopped before its end$/);
    const { counts } = await importFile(partner, OWN, many);
    expect(counts.unchanged).toBeGreaterThan(0);
    expect(counts.created).toBeGreaterThan(0);
    expect((counts.unchanged ?? 0) + (counts.created ?? 0)).toBe(MANY);
    expect((await importFile(partner, OWN, many)).counts).toMatchObject({ unchanged: MANY });
  });
});

const clientless = (): Client => ({ ...partner, send: (method, path, raw) => anonymous(method, path, raw) });
const anonymous: Client['send'] = async (method, path, raw) => {
  const reply = await fetch(`${server.url}${path}`, { method, headers: raw?.headers ?? {}, body: raw?.body ?? null });
  return { status: reply.status, headers: reply.headers, body: await reply.json() };
};

describe('imports at the same time', () => {
  it('are limited for each tenant, and end with the session', async () => {
    const lines = Array.from({ length: 1_000 }, (_, n) => [`Ended ${n}`, 'm@m.example', 'Many', `ended-${n}`, '', 1]);
    const body = csv(HEADER, ...lines);
    const leaving = await asIntegrator(server.url, await newIntegrator(admin, { companyName: 'Leaving' }));
    const begin = (): Promise<Response> =>
      fetch(`${server.url}${OWN}/import?file=ended.csv`, {
        method: 'POST',
        headers: { ...leaving.headers, 'content-type': 'text/csv' },
        body,
      });
    const begun = [await begin(), await begin()];
    expect(begun.map(({ status }) => status)).toEqual([200, 200]);
    const third = await send(leaving, OWN, body);
    expect([third.status, third.body.code]).toEqual([429, 'too_many_imports']);
    expect((await dryRun(partner, OWN, csv(HEADER))).effects).toEqual([]);
    expect((await leaving.post('/api/auth/service-integrator/logout')).status).toBe(200);
    for (const reply of begun) expect(await reply.text()).not.toContain('"kind":"end"');
  });
});

describeAtLength('the import of a program with an API token', () => {
  const lines = Array.from({ length: 1_000 }, (_, n) => [`Token ${n}`, 'm@m.example', 'Many', `token-${n}`, '', 1]);
  const begin = (client: Client): Promise<Response> =>
    fetch(`${server.url}${OWN}/import?file=token.csv`, {
      method: 'POST',
      headers: { ...client.headers, 'content-type': 'text/csv' },
      body: csv(HEADER, ...lines),
    });

  it('ends when the token is revoked, not when another one is', async () => {
    const owner = await asIntegrator(server.url, await newIntegrator(admin, { companyName: 'Automated' }));
    const token = () => newTokenClient(server.url, owner, ['customers:write']);
    const [used, unused] = [await token(), await token()];
    const reply = await begin(used);
    expect(reply.status).toBe(200);
    const reader = reply.body?.getReader();
    await reader?.read();
    expect((await owner.delete(`/api/tokens/${unused.tokenId}`)).status).toBe(200);
    expect((await owner.delete(`/api/tokens/${used.tokenId}`)).status).toBe(200);
    const rest: string[] = [];
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
      rest.push(Buffer.from(next.value).toString());
    expect(rest.join('')).not.toContain('"kind":"end"');
    const { history } = (await owner.get('/api/service-integrator/history?type=ImportFinished')).body;
    expect(history[0].summary).toMatch(/, stopped before its end$/);
  });

  it('shares the limit with the key, the named users and the other tokens of its tenant', async () => {
    const owner = await asIntegrator(server.url, await newIntegrator(admin, { companyName: 'Busy' }));
    const member = await join(server.url, await invite(owner, 'owner'));
    const named = await asIntegratorMember(server.url, member);
    const token = await newTokenClient(server.url, owner, ['customers:write']);
    const begun = [await begin(owner), await begin(token)];
    expect(begun.map(({ status }) => status)).toEqual([200, 200]);
    for (const client of [owner, token, named]) expect((await send(client, OWN, csv(HEADER))).status).toBe(429);
    for (const reply of begun) await reply.body?.cancel();
  });
});

describe('an import of users', () => {
  const HEAD = ['customer_id', 'customer_external_id', 'username', 'email', 'role', 'status'];

  it('registers, changes and leaves users, counts seats in a dry run, and repeats without effect', async () => {
    const customer = await newCustomer(admin, integratorId, { externalId: 'with users', developerSeats: 2 });
    const file = csv(
      HEAD,
      [customer.id, '', 'ada', 'ada@u.example', 'developer', ''],
      ['', 'with users', 'bob', 'bob@u.example', 'admin', 'active'],
      ['', 'with users', 'eve', 'eve@u.example', 'developer', ''],
      ['', 'with users', 'sue', 'sue@u.example', 'stakeholder', 'inactive'],
      ['', 'nobody', 'ned', 'ned@u.example', 'developer', ''],
      [customer.id, '', 'bad', 'bad', 'owner', ''],
    );
    const expected = ['created', 'created', 'refused', 'created', 'refused', 'refused'];
    const planned = await dryRun(partner, OWN_USERS, file);
    expect(planned.effects).toEqual(expected);
    expect(planned.lines[2]?.problems[0]?.message).toContain('seat');
    expect(planned.lines[4]?.problems).toEqual([
      {
        column: 'customer_id',
        message: 'There is no customer with this ID or external ID. Correct customer_id or customer_external_id',
      },
    ]);
    expect(planned.lines[5]?.problems.map(({ column }) => column)).toEqual(['email', 'role']);
    expect((await importFile(partner, OWN_USERS, file)).counts).toEqual({ created: 3, changed: 0, unchanged: 0, refused: 3 });
    expect((await importFile(partner, OWN_USERS, file)).counts).toEqual({ created: 0, changed: 0, unchanged: 3, refused: 3 });
    const { users } = (await partner.get(`${OWN_USERS}?customerId=${customer.id}&sort=username`)).body;
    expect(users.map(({ username, role, status }: Record<string, string>) => [username, role, status])).toEqual([
      ['ada', 'developer', 'active'],
      ['bob', 'admin', 'active'],
      ['sue', 'stakeholder', 'inactive'],
    ]);
    expect((await latest('/api/service-integrator/history')).summary).toContain('Imported users from list.csv: 0 created');
    const [ada] = users;
    const renamed = csv(['id', 'username', 'status'], [ada.id, 'Ada', 'suspended']);
    expect((await importFile(partner, OWN_USERS, renamed)).lines[0]?.changes).toEqual([
      { column: 'username', before: 'ada', after: 'Ada' },
      { column: 'status', before: 'active', after: 'suspended' },
    ]);
    expect((await importFile(other, OWN_USERS, renamed)).lines[0]?.problems[0]?.column).toBe('id');
  });

  it('registers each user under an id of its own, whatever key the request repeats', async () => {
    const customer = await newCustomer(admin, integratorId);
    const headers = { 'content-type': 'text/csv', 'idempotency-key': 'nightly' };
    for (const name of ['ann', 'zoe']) {
      const body = csv(HEAD, [customer.id, '', name, `${name}@u.example`, 'developer', '']);
      expect((await partner.send('POST', `${OWN_USERS}/import?file=list.csv`, { headers, body })).status).toBe(200);
    }
    const { users } = (await partner.get(`${OWN_USERS}?customerId=${customer.id}&sort=username`)).body;
    expect(users.map(({ username }: { username: string }) => username)).toEqual(['ann', 'zoe']);
  });

  it('leaves one admin who signs in to the portal, also where lines take the role from all', async () => {
    const customer = await newCustomer(admin, integratorId);
    const portal = await asCustomer(server.url, customer);
    const file = (role: string) =>
      csv(HEAD, ...['kim', 'lee'].map((name) => [customer.id, '', name, `${name}@u.example`, role, '']));
    await importFile(partner, OWN_USERS, file('admin'));
    const { users } = (await partner.get(`${OWN_USERS}?customerId=${customer.id}`)).body;
    for (const { id } of users) await join(server.url, await inviteUser(portal, id), { secondFactor: false });
    const planned = await dryRun(partner, OWN_USERS, file('developer'));
    const { effects, lines } = await importFile(partner, OWN_USERS, file('developer'));
    expect(effects).toEqual(['changed', 'refused']);
    expect(lines[1]?.problems[0]?.message).toContain('last');
    expect(planned.lines).toEqual(lines);
  });

  it('appends nothing in a dry run, also where members of the team are not yet what their users are', async () => {
    const own = await openServer({ ROLES: 'api' });
    onTestFinished(own.close);
    const worker = await own.openNode({ ROLES: 'api,projector' });
    const root = await asAdmin(worker.url);
    const customer = await newCustomer(root, (await newIntegrator(root)).id);
    const portal = await asCustomer(worker.url, customer);
    const customerId = customer.id as CustomerId;
    const file = csv(HEAD, ...['kim', 'lee'].map((name) => [customerId, '', name, `${name}@u.example`, 'admin', '']));
    await importFile(root, '/api/admin/users', file);
    const { users } = (await root.get(`/api/admin/users?customerId=${customerId}&sort=username`)).body;
    for (const { id } of users) await join(worker.url, await inviteUser(portal, id), { secondFactor: false });
    // Without the policies, kim stays an admin of the team.
    await worker.close();
    const { commands, events } = own.product;
    const meta = { actor: { kind: 'system' as const, id: 'test' }, commandId: 'c', correlationId: 'c', causationId: null };
    const data = { customerId, userId: users[0].id, role: 'developer' as const };
    await commands.customers.handle({ type: 'ChangeUserRole', data, meta: { ...meta, at: new Date().toISOString() } });
    const recorded = async () => {
      const found: unknown[] = [];
      for (const stream of [streams.team(teamIdOf({ kind: 'customer', customerId })), streams.customer(customerId)]) {
        for await (const { id } of events.read(stream)) found.push(id);
      }
      return found;
    };
    const before = await recorded();
    const client = clientOf(own.url, root.headers);
    const { lines } = await dryRun(client, '/api/admin/users', csv(['id', 'role'], [users[1].id, 'developer']));
    expect(lines[0]?.problems[0]?.message).toContain('last');
    expect(await recorded()).toEqual(before);
  });

  it('leaves everything unchanged when it gets an unchanged export', async () => {
    const customer = await newCustomer(admin, otherId);
    await asTool(server.url, customer, 'ada');
    for (const [client, path] of [
      [partner, OWN_USERS],
      [admin, '/api/admin/users'],
    ] as const) {
      const { effects } = await importFile(client, path, await exported(client, path));
      expect(effects.length).toBeGreaterThan(2);
      expect(new Set(effects)).toEqual(new Set(['unchanged']));
    }
  });
});
