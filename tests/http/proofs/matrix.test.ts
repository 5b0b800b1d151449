import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customerId, integratorId, userId } from '../../../src/contracts/fields.ts';
import type { Role } from '../../../src/domain/permissions.ts';
import { ADMIN_COOKIE } from '../../../src/http/requests/guard.ts';
import { bearer, type Client, clientOf as client, type Reply } from '../../support/apiClient.ts';
import type { TestServer } from '../../support/server.ts';
import {
  type Answer,
  ask,
  type CallContext,
  type Cell,
  cellsOf,
  expected,
  HAS_ALL_CELLS,
  isRefused,
  kinds,
  label,
  roleOf,
  type Who,
} from './matrixCells.ts';
import { permissionOfRoute, reauthenticationOfRoute } from './matrixPermissions.ts';
import { type Kind, type Row, rows } from './matrixTable.ts';
import { nameOf, openServerWithRoutes, type Route } from './registeredRoutes.ts';
import { newTeamResource, ownerIn } from './teamResources.ts';
import {
  createTestAccounts,
  createTestTenant,
  MISSING,
  type ResourceKind,
  type Suspended,
  suspendSome,
  type TestAccounts,
  type TestTenant,
} from './testAccounts.ts';
import { createTokens, scopesOf, type TokenCell, tokenCellsOf } from './tokenMatrix.ts';

let server: TestServer;
let routes: Route[];
let accounts: TestAccounts;
let suspended: Suspended;

beforeAll(async () => {
  ({ server, routes } = await openServerWithRoutes());
  accounts = await createTestAccounts(server.url);
  suspended = await suspendSome(server.url, accounts.admin);
});

afterAll(() => server.close());

const clientIn = (tenant: TestTenant, kind: Kind | null): Client =>
  ({ admin: accounts.admin, integrator: tenant.partner, customer: tenant.portal, cli: tenant.tool, public: accounts.anonymous })[
    kind ?? 'public'
  ];

const clientOf = (who: Who): Client => {
  switch (who) {
    case 'suspended customer':
      return suspended.customer;
    case 'suspended integrator':
      return suspended.integrator;
    case 'suspended user':
      return suspended.user;
    case 'user of a suspended customer':
      return suspended.userOfSuspended;
    default:
      return clientIn(who.startsWith('other') ? accounts.theirs : accounts.mine, kinds[who]);
  }
};

const clients = new Map<string, Promise<Client>>();
const clientFor = ({ who, row: { needsMember } }: Cell): Promise<Client> => {
  const role = roleOf(who);
  const id = `${who} ${needsMember === true}`;
  const known =
    clients.get(id) ?? (role === null ? Promise.resolve(clientOf(who)) : withRole(who, role, accounts.mine, { needsMember }));
  clients.set(id, known);
  return known;
};

/** The tenant that a target is in, as the caller sees it. */
const tenantFor = ({ who, target }: Cell): TestTenant => {
  const isOther = who.startsWith('other');
  return (target === 'foreign') === isOther ? accounts.mine : accounts.theirs;
};

/** A contact email that nobody has, or another role, where a change of it is what asks for a recent authentication. */
const changed = (name: string): object =>
  ({ contactEmail: { contactEmail: 'other@house.example' }, role: { role: 'stakeholder' }, always: {} })[
    reauthenticationOfRoute[name] ?? 'always'
  ];

/**
 * The client of a session with a role, or of the key, which works for a tenant; as the user of its tool where the route needs a named user.
 * Its user may have authenticated long ago.
 */
const withRole = async (
  who: Who,
  role: Role | null,
  { ids }: TestTenant,
  { needsMember = false, authenticatedAt }: { needsMember?: boolean | undefined; authenticatedAt?: number } = {},
): Promise<Client> => {
  const kind = kinds[who];
  const [integrator, customer] = [integratorId.parse(ids.integrator), customerId.parse(ids.customer)];
  const owner =
    kind === 'admin'
      ? { kind }
      : kind === 'integrator'
        ? { kind, integratorId: integrator }
        : {
            kind: 'customer' as const,
            integratorId: integrator,
            customerId: customer,
            ...(needsMember && { userId: userId.parse(ids.user) }),
          };
  const { token, session } = await server.product.sessions.open(owner, { role });
  if (authenticatedAt !== undefined) {
    const { db } = server.product;
    const change = db.updateTable('auth.session').set({ authenticated_at: new Date(authenticatedAt) });
    await change.where('token_hash', '=', session.hash).execute();
  }
  return client(server.url, kind === 'admin' ? { cookie: `${ADMIN_COOKIE}=${token}` } : bearer(token));
};

const teamResources = new Map<string, Promise<string>>();

/** The resource of a team that a cell names: that of the administration has its own, of which others are foreign. */
const teamResourceOf = async (cell: Cell): Promise<{ id?: string }> => {
  const { row, who, target } = cell;
  const resource = row.teamResource;
  if (!resource || target === 'missing') return {};
  const kind = kinds[who];
  const team = kind === 'customer' || (kind === 'admin' && target === 'own') ? kind : 'integrator';
  const tenant = tenantFor(cell);
  const create = () => newTeamResource(server, accounts.admin, { tenant, kind: team, resource });
  if (row.endsResource && !isRefused(cell)) return { id: await create() };
  const name = `${resource} ${team} ${tenant.ids.integrator}`;
  const known = teamResources.get(name) ?? create();
  teamResources.set(name, known);
  return { id: await known };
};

/** Whether a caller signs in where it has a session, which ends. */
const isReplaced = ({ who, row }: Cell): boolean => row.replaces === true && !['public', 'cli', null].includes(kinds[who]);

/** The client that calls a cell's route, and the tenant it names. */
const contextOf = async (cell: Cell): Promise<CallContext> => ({
  client: isReplaced(cell) ? await withRole(cell.who, roleOf(cell.who), accounts.mine) : await clientFor(cell),
  tenant: tenantFor(cell),
  ...(await teamResourceOf(cell)),
});

/** A named user of the administration whom no other test needs: a route may end all sessions of the user. */
const asNewAdministrator = async (role: Role | null): Promise<Client> => {
  const { token } = await server.product.sessions.open({ kind: 'admin', userId: userId.parse(randomUUID()) }, { role });
  return client(server.url, { cookie: `${ADMIN_COOKIE}=${token}` });
};

/** The same with a new session and tenant, for routes that end or delete them. */
const freshContext = async ({ who, row: { needsMember } }: Cell): Promise<CallContext> => {
  const tenant = await createTestTenant(server.url, accounts.admin);
  const role = roleOf(who);
  if (kinds[who] === 'admin') return { client: await asNewAdministrator(role), tenant };
  return { client: role === null ? clientIn(tenant, kinds[who]) : await withRole(who, role, tenant, { needsMember }), tenant };
};

/** HEAD comes with GET, for Fastify adds it to each. */
const registered = (): string[] => [...new Set(routes.map((route) => nameOf(route).replace(/^HEAD/, 'GET')))];
/** A few concurrently, to save time. */
const forEach = async <C extends Cell>(cells: readonly C[], work: (cell: C) => Promise<void>): Promise<void> => {
  const pending = [...cells];
  const worker = async (): Promise<void> => {
    for (let cell = pending.shift(); cell; cell = pending.shift()) await work(cell);
  };
  await Promise.all(Array.from({ length: 12 }, worker));
};

const registeredRows = (): [string, Row][] => {
  const names = new Set(registered());
  return Object.entries(rows).filter(([name]) => names.has(name));
};
const allCells = (): Cell[] => registeredRows().flatMap(([name, row]) => cellsOf(name, row));

/** Types of the events after a position. Records of sign-ins are written late, so they are left out. */
const writtenSince = async (position: bigint | null): Promise<string[]> => {
  const categories = [
    'customer',
    'integrator',
    'themes',
    'credential',
    'userActivity',
    'apiCalls',
    'adminActivity',
    'team',
  ] as const;
  const subscription = server.product.events.subscribe({ after: position, categories });
  const types: string[] = [];
  for await (const item of subscription) {
    if (item.kind === 'caughtUp') break;
    if (item.kind === 'event') types.push(item.recorded.event.type);
  }
  await subscription.close();
  return types;
};

describe('the matrix of routes, callers and resources', () => {
  it('has a row for each route that the server registers, and no other', () => {
    const missing = registered().filter((name) => !rows[name]);
    expect(missing).toEqual([]);
    const names = new Set(registered());
    expect(Object.keys(rows).filter((name) => !names.has(name) && !rows[name]?.optional)).toEqual([]);
  });

  it('has the same audience as each route', () => {
    const said = routes.filter(({ method }) => method !== 'HEAD').map((route) => [nameOf(route), [...route.audience].sort()]);
    expect(said).toEqual(said.map(([name]) => [name, [...(rows[String(name)]?.for ?? [])].sort()]));
  });

  it('has the same permission as each route', () => {
    const said = routes.filter(({ method }) => method !== 'HEAD').map((route) => [nameOf(route), route.permission]);
    expect(said).toEqual(said.map(([name]) => [name, permissionOfRoute[String(name)] ?? null]));
  });

  it('asks for a recent authentication where specified, and only those who have the permission', async () => {
    const declared = routes.filter(({ method }) => method !== 'HEAD').map((route) => [nameOf(route), route.reauthentication]);
    expect(declared).toEqual(declared.map(([name]) => [name, reauthenticationOfRoute[String(name)] ?? null]));
    const asking = allCells().filter(({ name, target }) => reauthenticationOfRoute[name] && target === 'own');
    const wrong: unknown[] = [];
    let asked = 0;
    await forEach(asking, async (cell) => {
      const role = roleOf(cell.who);
      const [status, code] = expected(cell);
      if (kinds[cell.who] === null || kinds[cell.who] === 'cli' || cell.who.startsWith('other')) return;
      const before = Date.now() - 11 * 60_000;
      const context = { client: await withRole(cell.who, role, accounts.mine, { authenticatedAt: before }), tenant: accounts.mine };
      // Of a body that may be sent without asking, the contact email is another one.
      const row = { ...cell.row, body: (tenant: TestTenant) => ({ ...Object(cell.row.body?.(tenant)), ...changed(cell.name) }) };
      const answer = await ask(server.url, { ...cell, row }, context);
      const isAsked = status !== 403;
      asked += isAsked ? 1 : 0;
      const specified = isAsked ? [403, 'reauthentication_required'] : [status, code];
      if (answer.status !== specified[0] || answer.code !== specified[1]) wrong.push([label(cell), answer.status, answer.text]);
    });
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(20);
  });

  it('refuses as specified, alike for foreign and missing resources, and writes nothing', async () => {
    await forEach(allCells().filter(isRefused), async (cell) => void (await teamResourceOf(cell)));
    const before = await server.product.events.head();
    const answers = new Map<string, Answer>();
    const wrong: unknown[] = [];
    let refused = 0;
    await forEach(allCells().filter(isRefused), async (cell) => {
      refused += 1;
      const answer = await ask(server.url, cell, await contextOf(cell));
      answers.set(label(cell), answer);
      const [status, code] = expected(cell);
      if (answer.status !== status || answer.code !== code) wrong.push([label(cell), answer.status, answer.code, [status, code]]);
    });
    expect(wrong).toEqual([]);
    const compared = allCells().filter((cell) => cell.target === 'foreign' && isRefused(cell));
    for (const cell of compared) {
      const missing = answers.get(label({ ...cell, target: 'missing' }));
      expect([label(cell), answers.get(label(cell))]).toEqual([label(cell), missing]);
    }
    expect(refused).toBeGreaterThan(HAS_ALL_CELLS ? 7_000 : 1_500);
    expect(compared.length).toBeGreaterThan(HAS_ALL_CELLS ? 1_800 : 80);
    expect(await writtenSince(before)).toEqual([]);
  });

  it('answers HEAD like GET, without a body', async () => {
    const wrong: unknown[] = [];
    // The handler is that of GET: one caller for each status of a route is enough, or for each route.
    const reads = allCells().filter(({ method }) => method === 'GET');
    const cells = [
      ...new Map(reads.map((cell) => [HAS_ALL_CELLS ? `${cell.name} ${expected(cell)[0]}` : cell.name, cell])).values(),
    ];
    expect(cells.length).toBeGreaterThan(HAS_ALL_CELLS ? 250 : 100);
    await forEach(cells, async (cell) => {
      const { status, text } = await ask(server.url, cell, await contextOf(cell), 'HEAD');
      if (status !== expected(cell)[0] || text !== '') wrong.push([label(cell), status, text]);
    });
    expect(wrong).toEqual([]);
  });

  it('accepts as specified', async () => {
    const wrong: unknown[] = [];
    const cells = allCells().filter((cell) => !isRefused(cell));
    await forEach(cells, async (cell) => {
      const { status, text } = await ask(server.url, cell, await (cell.row.ends ? freshContext(cell) : contextOf(cell)));
      if (status !== cell.row.own) wrong.push([label(cell), status, text.slice(0, 300)]);
    });
    expect(wrong).toEqual([]);
  });
});

describe('the matrix of routes, API tokens and resources', () => {
  const cells = (): TokenCell[] => registeredRows().flatMap(([name, row]) => tokenCellsOf(name, row));
  const deviationsOf = async (
    some: readonly TokenCell[],
    contextFor: (cell: TokenCell) => Promise<CallContext>,
  ): Promise<unknown[]> => {
    const deviations: unknown[] = [];
    await forEach(some, async (cell) => {
      const answer = await ask(server.url, cell, await contextFor(cell));
      const [status, code] = cell.scopes === 'exact' ? expected(cell) : [403, 'forbidden'];
      const isAsExpected = answer.status === status && (code === null || answer.code === code);
      if (!isAsExpected) deviations.push([label(cell), cell.scopes, answer.status, answer.text.slice(0, 200)]);
    });
    return deviations;
  };

  it('accepts exactly the scope of the route, alike for foreign and missing resources', async () => {
    const tokens = new Map<string, Client>();
    const nameOf = (cell: TokenCell): string => `${cell.who} ${scopesOf(cell).join()}`;
    for (const kind of ['admin', 'integrator', 'customer'] as const) {
      const own = new Map(
        cells()
          .filter(({ who }) => who === kind)
          .map((cell) => [nameOf(cell), scopesOf(cell)]),
      );
      const clients = await createTokens(server, ownerIn(accounts.mine, kind), [...own.values()]);
      for (const [index, name] of [...own.keys()].entries()) tokens.set(name, clients[index] ?? accounts.anonymous);
    }
    // What is refused ends nothing.
    const ends = (cell: TokenCell): boolean => cell.row.ends === true && cell.scopes === 'exact' && !isRefused(cell);
    // One target after another: a customer may have four concurrent tests of credentials.
    const targets = ['own', 'foreign', 'missing'] as const;
    const lasting = targets.flatMap((target) => cells().filter((cell) => cell.target === target && !ends(cell)));
    const client = (cell: TokenCell): Client => tokens.get(nameOf(cell)) ?? accounts.anonymous;
    const deviations = await deviationsOf(lasting, async (cell) => ({
      client: client(cell),
      tenant: tenantFor(cell),
      ...(await teamResourceOf(cell)),
    }));
    const ending = await deviationsOf(cells().filter(ends), async (cell) => {
      const tenant = await createTestTenant(server.url, accounts.admin);
      const [own] = await createTokens(server, ownerIn(tenant, cell.who), [scopesOf(cell)]);
      return { client: own ?? accounts.anonymous, tenant };
    });
    expect([...deviations, ...ending]).toEqual([]);
    expect(lasting.length).toBeGreaterThan(HAS_ALL_CELLS ? 1_000 : 250);
  });
});

describe('a resource in a body or a query', () => {
  const bodyOf = async (reply: Promise<Reply>): Promise<unknown> => {
    const { status, body } = await reply;
    return { status, body };
  };

  it.each<[what: string, call: (ids: Record<ResourceKind, string>) => Promise<Reply>, status: number, code: string | null]>([
    [
      'a customer to give a theme',
      ({ customer }) =>
        accounts.mine.partner.post(`/api/service-integrator/themes/${accounts.mine.ids.theme}/assign-customer`, {
          customerId: customer,
        }),
      404,
      'customer_not_found',
    ],
    [
      'a theme to give one’s customer',
      ({ theme }) => accounts.mine.partner.post(`/api/themes/customer/${accounts.mine.ids.customer}/assign`, { theme }),
      400,
      'theme_unknown',
    ],
    [
      'a theme to give another’s customer, by an administrator',
      ({ theme }) => accounts.admin.post(`/api/themes/customer/${accounts.mine.ids.customer}/assign`, { theme }),
      400,
      'theme_unknown',
    ],
    [
      'the theme of a new customer',
      ({ theme }) =>
        accounts.mine.partner.post('/api/service-integrator/customers', {
          name: 'A',
          contactEmail: 'a@b.example',
          company: 'A',
          theme,
        }),
      400,
      'theme_unknown',
    ],
    [
      'the customer whose users are listed',
      ({ customer }) => accounts.mine.partner.get(`/api/users?customerId=${customer}`),
      200,
      null,
    ],
    [
      'the actor whose doings are listed',
      ({ integrator }) => accounts.mine.portal.get(`/api/customer/history?actor=${integrator}`),
      200,
      null,
    ],
  ])('as %s is not found if it is foreign', async (_what, call, status, code) => {
    const missing: Record<ResourceKind, string> = {
      integrator: MISSING,
      customer: MISSING,
      user: MISSING,
      theme: MISSING,
      credential: MISSING,
      machine: MISSING,
      machine_request: MISSING,
    };
    const foreign = await bodyOf(call(accounts.theirs.ids));
    expect(foreign).toEqual(await bodyOf(call(missing)));
    expect(foreign).toMatchObject({ status, body: code === null ? { total: 0 } : { code } });
  });
});

describe('the metrics of the server', () => {
  it('are for administrators', async () => {
    const elsewhere = { 'x-forwarded-for': '203.0.113.9' };
    const [, token = ''] = (accounts.admin.headers.cookie ?? '').split('=');
    const statuses = [];
    for (const headers of [accounts.anonymous.headers, accounts.mine.portal.headers, { authorization: `Bearer ${token}` }]) {
      statuses.push((await accounts.anonymous.get('/metrics', { headers: { ...elsewhere, ...headers } })).status);
    }
    expect(statuses).toEqual([401, 403, 200]);
  });
});
