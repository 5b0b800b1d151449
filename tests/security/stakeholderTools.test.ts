import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from '../../src/contracts/customers.ts';
import { customerId, integratorId, userId as userIdOf } from '../../src/contracts/fields.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import {
  asAdmin,
  asCustomer,
  asTool,
  bearer,
  type Client,
  clientOf,
  newCustomer,
  newIntegrator,
  type Tool,
} from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { sessionEnd } from '../support/sessionEnd.ts';
import { dialTool, openToolSocket } from '../support/toolSocket.ts';

let server: TestServer;
let admin: Client;
let integrator: ServiceIntegrator;
let customer: Customer;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin);
  customer = await newCustomer(admin, integrator.id);
});

afterAll(() => server.close());

const login = (username: string) =>
  clientOf(server.url).post('/api/cli/login', {
    licenseKey: customer.licenseKey,
    username,
    email: `${username}@example.com`,
    machineId: `machine-of-${username}`,
  });

const setRole = async ({ userId }: Pick<Tool, 'userId'>, username: string, role: string): Promise<void> => {
  const reply = await admin.put(`/api/admin/users/${userId}`, { username, email: `${username}@example.com`, role });
  expect(reply).toMatchObject({ status: 200, body: { user: { role } } });
};

const REFUSED = { status: 403, body: { success: false, code: 'role_not_allowed' } };

const record = (client: Client) =>
  client.post('/api/cli/api-calls', {
    sourceId: randomUUID(),
    firstSequence: 1,
    calls: [{ service: 'jira', instanceUrl: 'https://acme.atlassian.net', operation: 'GET:/issue', status: 200, durationMs: 1 }],
  });

const expectEveryCallRefused = async (client: Client): Promise<void> => {
  expect(await client.get('/api/cli/session')).toMatchObject(REFUSED);
  expect(await client.get('/api/cli/theme')).toMatchObject(REFUSED);
  expect(await record(client)).toMatchObject(REFUSED);
};

describe('a stakeholder with the command-line tool', () => {
  it('is refused at sign-in, and accepted as a developer or an admin', async () => {
    const tool = await asTool(server.url, customer, 'ada');
    expect((await tool.get('/api/cli/session')).body.user.role).toBe('developer');
    await setRole(tool, 'ada', 'stakeholder');
    expect(await login('ada')).toMatchObject(REFUSED);
    expect((await login('ada')).body.error).toContain('change your role to developer');
    for (const role of ['developer', 'admin']) {
      await setRole(tool, 'ada', role);
      expect(await login('ada')).toMatchObject({ status: 200, body: { user: { id: tool.userId, role } } });
    }
  });

  it('loses the session and the open socket with the role, on every node, while colleagues keep theirs', async () => {
    const node = await server.openNode();
    const [tool, colleague] = [await asTool(server.url, customer, 'bob'), await asTool(server.url, customer, 'cid')];
    const sockets = [await openToolSocket(server.url, tool.token), await openToolSocket(node.url, tool.token)];
    const kept = await openToolSocket(server.url, colleague.token);
    await setRole(tool, 'bob', 'stakeholder');
    for (const socket of sockets) {
      expect(await socket.closed).toBe(4403);
      expect(socket.frames.at(-1)).toEqual({
        type: 'revoked',
        reason: 'Your role is now stakeholder, which has portal access only',
      });
    }
    await expectEveryCallRefused(tool);
    await expectEveryCallRefused(clientOf(node.url, tool.headers));
    const again = await dialTool(server.url, { type: 'hello', token: tool.token, connectionId: randomUUID() });
    expect(await again.closed).toBe(4403);
    expect(again.frames).toEqual([{ type: 'revoked', reason: 'Your role is now stakeholder, which has portal access only' }]);
    expect(kept.ws.readyState).toBe(kept.ws.OPEN);
    expect((await record(colleague)).status).toBe(202);
    await kept.close();
    await node.close();
  });

  it('is asked to sign in again, not refused, once the role is developer again', async () => {
    const tool = await asTool(server.url, customer, 'dan');
    await setRole(tool, 'dan', 'stakeholder');
    await eventually(
      () => tool.get('/api/cli/session'),
      ({ body }) => body.code === 'role_not_allowed',
    );
    await sessionEnd(server.product, tool);
    await setRole(tool, 'dan', 'developer');
    expect(await tool.get('/api/cli/session')).toMatchObject({ status: 401, body: { code: 'session_required' } });
  });

  it('gets the current reason if there was more than one', async () => {
    const tool = await asTool(server.url, customer, 'eve');
    await setRole(tool, 'eve', 'stakeholder');
    await eventually(
      () => tool.get('/api/cli/session'),
      ({ body }) => body.code === 'role_not_allowed',
    );
    await admin.put(`/api/admin/users/${tool.userId}/status`, { status: 'suspended' });
    expect((await tool.get('/api/cli/session')).body.code).toBe('user_suspended');
  });

  it('is refused with a session of a version without this rule', async () => {
    const tool = await asTool(server.url, customer, 'fay');
    await setRole(tool, 'fay', 'stakeholder');
    const { token } = await server.product.sessions.open({
      kind: 'cli',
      userId: userIdOf.parse(tool.userId),
      customerId: customerId.parse(customer.id),
      integratorId: integratorId.parse(integrator.id),
      machine: null,
    });
    await expectEveryCallRefused(clientOf(server.url, bearer(token)));
    const socket = await dialTool(server.url, { type: 'hello', token, connectionId: randomUUID() });
    expect(await socket.closed).toBe(4403);
    expect(socket.frames.map(({ type }) => type)).toEqual(['revoked']);
  });

  it('can use the portal, which needs the license key', async () => {
    const portal = await asCustomer(server.url, customer);
    expect((await portal.get('/api/users/with-connections?search=fay')).body.users[0].role).toBe('stakeholder');
  });
});
