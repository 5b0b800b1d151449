import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Permission } from '../../src/domain/permissions.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  asTool,
  type Client,
  clientOf,
  newCustomer,
  newIntegrator,
} from '../support/apiClient.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { authorizationDocument } from './authorizationDocument.ts';

type Kind = 'nobody' | 'admin' | 'integrator' | 'customer' | 'tool';
type Security = { admin?: unknown; customer?: unknown; integrator?: unknown; tool?: unknown }[];
type Operation = {
  security?: Security;
  'x-permission'?: Permission;
  'x-reauthentication'?: 'always' | 'contactEmail' | 'role';
  description?: string;
};

const MISSING = '99999999-9999-4999-8999-999999999999';

let server: TestServer;
let as: Record<Kind, Client>;
let paths: Record<string, Record<string, Operation>>;
/** Ids of resources of another integrator and its customer. */
let foreign: Record<string, string>;

beforeAll(async () => {
  server = await openServer({ API_DOCS: 'on' });
  const admin = await asAdmin(server.url);
  const [mine, theirs] = [await newIntegrator(admin), await newIntegrator(admin, { companyName: 'Fabrikam' })];
  const [customer, other] = [await newCustomer(admin, mine.id), await newCustomer(admin, theirs.id, { name: 'Other' })];
  as = {
    nobody: clientOf(server.url),
    admin,
    integrator: await asIntegrator(server.url, mine),
    customer: await asCustomer(server.url, customer),
    tool: await asTool(server.url, customer),
  };
  const [partner, outsider] = [await asIntegrator(server.url, theirs), await asCustomer(server.url, other)];
  const theme = { themeName: 'ocean', displayName: 'Ocean', primaryColor: '#0070AD' };
  const credential = { service: 'jira', instanceUrl: 'https://jira.invalid', username: 'u', password: 'p' };
  foreign = {
    integratorId: theirs.id,
    customerId: other.id,
    userId: (await asTool(server.url, other, 'eve')).userId,
    themeId: (await partner.post('/api/service-integrator/themes', theme)).body.theme.id,
    credentialId: (await outsider.post('/api/credentials/store', credential)).body.credential.id,
  };
  paths = (await as.nobody.get('/api/openapi.json')).body.paths;
});

afterAll(() => server.close());

const pathWith = (path: string, idOf: (name: string) => string): string =>
  path.replace(/\{(\w+)\}/g, (_match, name: string) => idOf(name));

const operations = () =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security = [] }]) => ({ path, method: method.toUpperCase(), security })),
  );

const allowedBy = (security: Security): Kind[] => security.flatMap((scheme) => Object.keys(scheme) as Kind[]);

describe('every route', () => {
  it('has a description', () => {
    expect(operations().length).toBeGreaterThan(70);
  });

  it('names the permission that it needs, unless it is public', () => {
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { security = [], description, ...operation }] of Object.entries(methods)) {
        const permission = operation['x-permission'];
        expect([method, path, permission !== undefined]).toEqual([method, path, security.length > 0]);
        if (permission) expect(description).toContain(`Requires the permission \`${permission}\`.`);
      }
    }
  });

  it('is in the document of authorization with its permission', async () => {
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { security = [], 'x-permission': permission, 'x-reauthentication': recent }]) =>
        permission ? [{ call: `${method.toUpperCase()} ${path}`, permission, recent, sessions: allowedBy(security) }] : [],
      ),
    );
    calls.sort((one, other) => (one.call < other.call ? -1 : 1));
    await expect(authorizationDocument(calls)).toMatchFileSnapshot('../../docs/authorization.md');
  });

  it('requires a session of the right audience', async () => {
    for (const { path, method, security } of operations()) {
      const allowed = allowedBy(security);
      if (allowed.length === 0) continue;
      for (const kind of ['nobody', 'admin', 'integrator', 'customer', 'tool'] as const) {
        if (allowed.includes(kind)) continue;
        const reply = await as[kind].send(
          method,
          pathWith(path, () => MISSING),
        );
        const expected = kind === 'nobody' ? [401, 'session_required'] : [403, 'forbidden'];
        expect([method, path, kind, reply.status, reply.body.code]).toEqual([method, path, kind, ...expected]);
      }
    }
  });

  it('checks the session before the body', async () => {
    const reply = await as.nobody.send('POST', '/api/admin/customers', {
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    expect(reply.status).toBe(401);
  });

  it('replies to foreign ids exactly as to missing ones', async () => {
    const body = {
      name: 'X',
      contactEmail: 'x@x.example',
      username: 'x',
      email: 'x@x.example',
      role: 'developer',
      status: 'active',
      theme: 'aurora',
      displayName: 'X',
      primaryColor: '#0070AD',
      instanceUrl: 'https://x.example',
      expiresAt: '2099-01-01T00:00:00Z',
      months: 1,
      version: 1,
      days: 1,
      fingerprint: 'f'.repeat(32),
      sourceId: 'laptop',
      reason: 'Sent twice',
    };
    // Each contract takes its own fields only.
    const bodies: Record<string, string[]> = {
      'PUT /api/service-integrator/customers/{customerId}': ['name', 'contactEmail'],
      'PUT /api/service-integrator/customers/{customerId}/term': ['expiresAt'],
      'POST /api/service-integrator/customers/{customerId}/plan-offer': ['version'],
      'POST /api/service-integrator/customers/{customerId}/term/renew': ['months'],
      'POST /api/service-integrator/customers/{customerId}/term/extend': ['days'],
      'POST /api/service-integrator/customers/{customerId}/voids': ['sourceId', 'reason'],
      'PUT /api/users/{userId}/machines/{machineId}/name': ['name'],
      'PUT /api/cli/machines/{machineId}/name': ['name'],
      'PUT /api/customer/machines/{machineId}/name': ['name'],
      'PUT /api/users/{userId}': ['username', 'email', 'role'],
      'PUT /api/users/{userId}/status': ['status'],
      'POST /api/users/{userId}/offline-licenses': ['fingerprint'],
      'PUT /api/team/members/{userId}': ['name', 'email'],
      'POST /api/themes/customer/{customerId}/assign': ['theme'],
      'PUT /api/service-integrator/themes/{themeId}': ['displayName', 'primaryColor'],
      'PUT /api/credentials/{credentialId}': ['instanceUrl', 'username'],
    };
    const queries: Record<string, string> = {
      '/as-of': '?at=2026-01-31T12:00:00Z',
      '/statement': '?month=2026-01',
      '/voids/preview': '?sourceId=laptop',
      '/seats/idle': '?days=30',
    };
    let compared = 0;
    for (const { path, method, security } of operations()) {
      // A key has no account: `passkeys.test.ts` names foreign passkeys.
      if (!path.includes('{') || path.includes('{name}') || path.startsWith('/api/account/')) continue;
      for (const kind of allowedBy(security)) {
        if (kind === 'admin') continue; // nothing is foreign to administrators
        const fields = bodies[`${method} ${path}`];
        const picked = fields && Object.fromEntries(Object.entries(body).filter(([field]) => fields.includes(field)));
        const isAssigning = path.endsWith('/assign-customer');
        const ending = Object.keys(queries).find((end) => path.endsWith(end)) ?? '';
        const query = queries[ending] ?? '';
        const call = (idOf: (name: string) => string) =>
          as[kind].send(method, pathWith(path, idOf) + query, {
            ...((picked || isAssigning) && {
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(isAssigning ? { customerId: foreign.customerId } : picked),
            }),
          });
        const [missing, theirs] = [await call(() => MISSING), await call((name) => foreign[name] ?? MISSING)];
        // What is the named user's own is refused to the session of a key, whatever it names.
        const isOfMember = path.startsWith('/api/customer/machine');
        expect([method, path, kind, theirs.status]).toEqual([method, path, kind, isOfMember ? 403 : 404]);
        expect(theirs.body).toEqual(missing.body);
        const lengths = [theirs, missing].map(({ headers }) => headers.get('content-length'));
        expect(lengths[0]).toBe(lengths[1]);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(20);
  });

  it('does not find invalid ids, and changes nothing for a wrong method', async () => {
    expect(await as.admin.get('/api/admin/customers/nope')).toMatchObject({ status: 404, body: { code: 'customer_not_found' } });
    expect(await as.admin.send('PATCH', `/api/admin/customers/${MISSING}`)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect(await as.admin.get('/api/nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await as.nobody.get('/monitoring/nothing', { headers: { accept: 'text/html' } })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
  });
});

describe('lists', () => {
  it('show each tenant its own rows', async () => {
    const ids = async (kind: Kind, path: string, name: string) =>
      (await as[kind].get(path)).body[name].map(({ id }: { id: string }) => id);
    expect(await ids('admin', '/api/admin/customers', 'customers')).toContain(foreign.customerId);
    expect(await ids('integrator', '/api/service-integrator/customers', 'customers')).not.toContain(foreign.customerId);
    expect(await ids('admin', '/api/admin/users', 'users')).toContain(foreign.userId);
    expect(await ids('integrator', '/api/users', 'users')).not.toContain(foreign.userId);
    expect(await ids('integrator', `/api/users?customerId=${foreign.customerId}`, 'users')).toEqual([]);
    expect(await ids('customer', '/api/users/with-connections', 'users')).not.toContain(foreign.userId);
    expect(await ids('integrator', '/api/service-integrator/themes', 'themes')).toEqual([]);
    expect(await ids('customer', '/api/credentials/list', 'credentials')).toEqual([]);
  });
});
