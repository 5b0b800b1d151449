import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { streams } from '../../src/commands/streams.ts';
import type { Customer } from '../../src/contracts/customers.ts';
import { customerId, integratorId, userId as userIdOf } from '../../src/contracts/fields.ts';
import type { ServiceIntegrator } from '../../src/contracts/integrators.ts';
import { MAX_MACHINE_REQUESTS } from '../../src/domain/limits.ts';
import {
  asAdmin,
  asCustomer,
  asIntegrator,
  askApproval,
  asTool,
  bearer,
  type Client,
  clientOf,
  newCustomer,
  newIntegrator,
  type Tool,
  toolLoginOf,
} from '../support/apiClient.ts';
import { eventually } from '../support/eventually.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { IS_AT_LENGTH } from '../support/tiers.ts';
import { openToolSocket } from '../support/toolSocket.ts';

let server: TestServer;
let admin: Client;
let integrator: ServiceIntegrator;
let customer: Customer;
let ada: Tool;

beforeAll(async () => {
  server = await openServer();
  admin = await asAdmin(server.url);
  integrator = await newIntegrator(admin);
});

afterAll(() => server.close());

beforeEach(async () => {
  customer = await newCustomer(admin, integrator.id, { developerSeats: -1 });
  ada = await asTool(server.url, customer, 'ada');
});

const signIn = (username: string, machineId: string, more: Record<string, unknown> = {}) =>
  clientOf(server.url).post('/api/cli/login', { ...toolLoginOf(customer, username, machineId), ...more });
const decide = (client: Client, requestId: string, action: 'approve' | 'reject') =>
  client.post(`/api/cli/machine-requests/${requestId}/${action}`);
const typesOf = async (): Promise<string[]> => {
  const types: string[] = [];
  for await (const { event } of server.product.events.read(`customer-${customer.id}`)) types.push(event.type);
  return types;
};
const countOf = async (type: string): Promise<number> => (await typesOf()).filter((found) => found === type).length;
const machinesOf = async (client: Client = ada) => (await client.get('/api/cli/machines')).body;

describe("a colleague who signs in with another user's email address on another machine", () => {
  it('gets no session, and learns nothing about the user', async () => {
    await admin.put(`/api/admin/users/${ada.userId}`, { username: 'Countess', email: 'ada@example.com', role: 'admin' });
    const reply = await signIn('mallory', 'machine-of-mallory', { email: 'ada@example.com' });
    expect(reply).toMatchObject({ status: 403, body: { success: false, code: 'machine_approval_required' } });
    expect(Object.keys(reply.body).sort()).toEqual(['approval', 'code', 'error', 'success']);
    expect(Object.keys(reply.body.approval).sort()).toEqual(['code', 'expiresAt', 'requestId']);
    const text = JSON.stringify(reply.body) + JSON.stringify([...reply.headers]);
    for (const word of ['Countess', ada.userId, ada.token, 'machine-of-ada', customer.name]) expect(text).not.toContain(word);
  });

  it('gets the same answer for a suspended, an inactive and a stakeholder user', async () => {
    const answers = [];
    for (const [index, change] of [{ status: 'active' }, { status: 'suspended' }, { status: 'inactive' }].entries()) {
      await admin.put(`/api/admin/users/${ada.userId}/status`, change);
      const { status, body } = await signIn('ada', `machine-of-mallory-${index}`);
      answers.push([status, body.code, body.error.replace(body.approval.code, '')]);
    }
    await admin.put(`/api/admin/users/${ada.userId}/status`, { status: 'active' });
    await admin.put(`/api/admin/users/${ada.userId}`, { username: 'ada', email: 'ada@example.com', role: 'stakeholder' });
    const { status, body } = await signIn('ada', 'machine-of-mallory-9');
    answers.push([status, body.code, body.error.replace(body.approval.code, '')]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it('causes one event, even by repeated and concurrent attempts', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => signIn('ada', 'machine-of-mallory')));
    expect(new Set(replies.map(({ body }) => body.approval.requestId)).size).toBe(1);
    expect(await countOf('MachineApprovalRequested')).toBe(1);
    expect(await countOf('UserMachineChanged')).toBe(0);
  });

  it('causes a bounded number of events by changing machine ids, and the user can still sign in', async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, (_, index) => signIn('ada', `unknown-${index}`)));
    expect(replies.filter(({ body }) => body.code === 'machine_approval_required')).toHaveLength(MAX_MACHINE_REQUESTS);
    expect(replies.filter(({ body }) => body.code === 'machine_requests_exhausted')).toHaveLength(40 - MAX_MACHINE_REQUESTS);
    const { requests } = await eventually(machinesOf, (found) => found.requests.length === MAX_MACHINE_REQUESTS);
    for (const { id } of requests) await decide(ada, id, 'reject');
    // Any of the concurrent ones may have been the first.
    expect((await signIn('ada', requests[0]?.machineId ?? '')).body.code).toBe('machine_rejected');
    expect((await signIn('ada', 'unknown-99')).body.code).toBe('machine_requests_exhausted');
    expect(await countOf('MachineApprovalRequested')).toBe(MAX_MACHINE_REQUESTS);
    expect((await signIn('ada', 'machine-of-ada')).status).toBe(200);
    const { headers } = admin;
    const metrics = await fetch(`${server.url}/metrics`, {
      headers: { authorization: `Bearer ${headers.cookie?.split('=')[1] ?? ''}` },
    });
    expect(await metrics.text()).toMatch(/^latchkey_machine_requests_refused_total [1-9]/m);
  });

  it('gets the whole machine id of the user in no reply, since it would be accepted', async () => {
    const machineId = 'd4c3b2a1-0000-4000-8000-00000000beef';
    const bob = await asTool(server.url, customer, 'bob', machineId);
    expect((await signIn('bob', `${machineId}-new`)).status).toBe(403);
    const [portal, partner] = [await asCustomer(server.url, customer), await asIntegrator(server.url, integrator)];
    const replies = [
      await bob.get('/api/cli/session'),
      await bob.get('/api/cli/machines'),
      await portal.get('/api/users/with-connections'),
      await portal.get(`/api/users/${bob.userId}/machines`),
      await portal.get('/api/users/machine-requests'),
      await portal.get('/api/customer/history?limit=500'),
      await partner.get('/api/users'),
      await admin.get('/api/admin/users'),
      await admin.get(`/api/admin/customers/${customer.id}/history?limit=500`),
    ];
    for (const { status, body } of replies) {
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toContain('00000000beef');
    }
    expect(replies[2]?.body.users.find(({ id }: { id: string }) => id === bob.userId).machineId).toBe('d4c3b2a1-0000-40…');
  });
});

describe('approval of a machine', () => {
  it('lets it sign in as the user, beside the first one', async () => {
    const { requestId, code } = await askApproval(server.url, customer, 'ada', 'laptop');
    const { requests } = await eventually(machinesOf, (found) => found.requests.length > 0);
    expect(requests).toEqual([
      expect.objectContaining({ id: requestId, code, name: 'name-of-laptop', username: 'ada', machineId: 'laptop' }),
    ]);
    const approved = await decide(ada, requestId, 'approve');
    expect(approved).toMatchObject({ status: 200, body: { requests: [], machines: [{ current: true }, { current: false }] } });
    const laptop = await asTool(server.url, customer, 'ada', 'laptop');
    expect(laptop.userId).toBe(ada.userId);
    expect((await ada.get('/api/cli/session')).status).toBe(200);
    expect((await laptop.get('/api/cli/session')).body.user.machineId).toBe('laptop');
    expect((await asTool(server.url, customer, 'ada')).userId).toBe(ada.userId);
  });

  it.each(['customer', 'integrator', 'admin'] as const)('is possible for the %s', async (who) => {
    const { requestId } = await askApproval(server.url, customer, 'ada', 'laptop');
    const [client, prefix] = {
      customer: [await asCustomer(server.url, customer), '/api'] as const,
      integrator: [await asIntegrator(server.url, integrator), '/api'] as const,
      admin: [admin, '/api/admin'] as const,
    }[who];
    const waiting = async (): Promise<string[]> =>
      (await client.get(`${prefix}/users/machine-requests`)).body.requests.map(({ id }: { id: string }) => id);
    await eventually(waiting, (ids) => ids.includes(requestId)); // the sign-in does not wait for the read model
    expect((await client.get(`${prefix}/users/${ada.userId}/machines`)).body.requests).toHaveLength(1);
    expect((await client.post(`${prefix}/users/${ada.userId}/machine-requests/${requestId}/approve`)).status).toBe(200);
    expect((await asTool(server.url, customer, 'ada', 'laptop')).userId).toBe(ada.userId);
    const { history } = (await admin.get(`/api/admin/customers/${customer.id}/history?type=MachineApproved`)).body;
    expect(history).toMatchObject([{ summary: 'A machine was approved for user ada', actor: { kind: who } }]);
  });

  it('is requested from the open sockets of approved machines only, immediately', async () => {
    const bob = await asTool(server.url, customer, 'bob');
    const [own, other] = [await openToolSocket(server.url, ada.token), await openToolSocket(server.url, bob.token)];
    const { requestId, code } = await askApproval(server.url, customer, 'ada', 'laptop');
    const frame = await eventually(
      () => own.frames.find(({ type }) => type === 'machine_request'),
      (found) => found !== undefined,
    );
    expect(frame).toMatchObject({ request: { id: requestId, code, name: 'name-of-laptop' } });
    expect(other.frames.filter(({ type }) => type === 'machine_request')).toEqual([]);
    await own.close();
    await other.close();
  });

  it("is refused to another user's machine, to another customer, to the machine itself and without a session", async () => {
    const { requestId } = await askApproval(server.url, customer, 'ada', 'laptop');
    const mallory = await asTool(server.url, customer, 'mallory');
    const rival = await newCustomer(admin, (await newIntegrator(admin)).id);
    const attempts: [Client, string][] = [
      [mallory, `/api/cli/machine-requests/${requestId}/approve`],
      [await asTool(server.url, rival, 'ada'), `/api/cli/machine-requests/${requestId}/approve`],
      [mallory, `/api/users/${ada.userId}/machine-requests/${requestId}/approve`],
      [await asCustomer(server.url, rival), `/api/users/${ada.userId}/machine-requests/${requestId}/approve`],
      [clientOf(server.url), `/api/cli/machine-requests/${requestId}/approve`],
    ];
    const statuses = [];
    for (const [client, path] of attempts) statuses.push((await client.post(path)).status);
    expect(statuses).toEqual([404, 404, 403, 404, 401]);
    expect((await signIn('ada', 'laptop')).body.code).toBe('machine_approval_required');
    expect(await countOf('MachineApproved')).toBe(0);
  });

  it('is refused to a session that was opened on a machine that is not approved', async () => {
    const portal = await asCustomer(server.url, customer);
    await portal.put('/api/customer/machine-approval', { enforced: false });
    const guest = await asTool(server.url, customer, 'ada', 'machine-of-mallory');
    await portal.put('/api/customer/machine-approval', { enforced: true });
    const { requestId } = await askApproval(server.url, customer, 'ada', 'another-of-mallory');
    expect((await decide(guest, requestId, 'approve')).body.code).toBe('machine_not_approved');
    expect((await guest.get('/api/cli/machines')).body.code).toBe('machine_not_approved');
  });

  it('is refused to a session that a version without approvals opened, until its user signs in again', async () => {
    const { token } = await server.product.sessions.open({
      kind: 'cli',
      userId: userIdOf.parse(ada.userId),
      customerId: customerId.parse(customer.id),
      integratorId: integratorId.parse(integrator.id),
      machine: null,
    });
    const { requestId } = await askApproval(server.url, customer, 'ada', 'laptop');
    const before = clientOf(server.url, bearer(token));
    expect((await before.get('/api/cli/session')).status).toBe(200);
    expect((await decide(before, requestId, 'approve')).body.code).toBe('machine_not_approved');
    expect((await decide(await asTool(server.url, customer, 'ada'), requestId, 'approve')).status).toBe(200);
  });

  it('is not repeated by an old request id: not after a rejection, not after a removal, not for another user', async () => {
    const rejected = await askApproval(server.url, customer, 'ada', 'laptop');
    await decide(ada, rejected.requestId, 'reject');
    expect((await decide(ada, rejected.requestId, 'approve')).body.code).toBe('machine_request_not_found');
    const approved = await askApproval(server.url, customer, 'ada', 'desktop');
    const { machines } = (await decide(ada, approved.requestId, 'approve')).body;
    expect((await decide(ada, approved.requestId, 'approve')).status).toBe(200);
    await ada.delete(`/api/cli/machines/${machines[1].id}`);
    const again = await askApproval(server.url, customer, 'ada', 'desktop');
    expect(again.requestId).not.toBe(approved.requestId);
    expect((await decide(ada, approved.requestId, 'approve')).body.code).toBe('machine_request_not_found');
    expect((await signIn('ada', 'desktop')).body.code).toBe('machine_approval_required');
  });

  it('is not possible with its code, which neither identifies a request nor signs in', async () => {
    const { code, requestId } = await askApproval(server.url, customer, 'ada', 'laptop');
    expect(code).toMatch(/^[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/);
    expect((await decide(ada, code, 'approve')).status).toBe(404);
    for (const guess of [code, requestId]) {
      expect((await signIn('ada', 'laptop', { machineName: guess })).body.code).toBe('machine_approval_required');
      expect((await signIn('ada', guess)).status).toBe(403);
    }
    const codes = new Set<string>();
    for (const name of ['one', 'two', 'three'])
      codes.add((await askApproval(server.url, await newOwner(name), name, 'laptop')).code);
    expect(codes.size).toBe(3);
  });

  const newOwner = async (username: string): Promise<Customer> => {
    const owner = await newCustomer(admin, integrator.id);
    await asTool(server.url, owner, username);
    return owner;
  };
});

describe('a machine that is removed', () => {
  it('loses its sessions and sockets, and can no longer approve', async () => {
    const { requestId } = await askApproval(server.url, customer, 'ada', 'laptop');
    const { machines } = (await decide(ada, requestId, 'approve')).body;
    const laptop = await asTool(server.url, customer, 'ada', 'laptop');
    const [gone, kept] = [await openToolSocket(server.url, laptop.token), await openToolSocket(server.url, ada.token)];
    const next = await askApproval(server.url, customer, 'ada', 'accomplice');
    expect((await ada.delete(`/api/cli/machines/${machines[1].id}`)).status).toBe(200);
    expect((await decide(laptop, next.requestId, 'approve')).status).toBeGreaterThanOrEqual(401);
    expect(await gone.closed).toBe(4401);
    expect(gone.frames.at(-1)).toEqual({ type: 'revoked', reason: 'This machine was removed from your machines' });
    expect((await laptop.get('/api/cli/session')).status).toBe(401);
    expect((await signIn('ada', 'laptop')).body.code).toBe('machine_approval_required');
    expect(kept.ws.readyState).toBe(kept.ws.OPEN);
    expect((await ada.get('/api/cli/session')).status).toBe(200);
    await kept.close();
  });

  it('ends sessions without a known machine too', async () => {
    const { token } = await server.product.sessions.open({
      kind: 'cli',
      userId: userIdOf.parse(ada.userId),
      customerId: customerId.parse(customer.id),
      integratorId: integratorId.parse(integrator.id),
      machine: null,
    });
    const before = clientOf(server.url, bearer(token));
    const { machines } = await machinesOf();
    expect((await admin.delete(`/api/admin/users/${ada.userId}/machines/${machines[0].id}`)).status).toBe(200);
    await eventually(
      () => before.get('/api/cli/session'),
      ({ status }) => status === 401,
    );
    // The next machine does not become the first one by itself.
    expect((await signIn('ada', 'machine-of-mallory')).body.code).toBe('machine_approval_required');
  });

  it('approves or is removed, never both, if both are requested concurrently', async () => {
    for (let round = 0; round < (IS_AT_LENGTH ? 10 : 2); round++) {
      const user = `racer-${round}`;
      const tool = await asTool(server.url, customer, user);
      const { requestId } = await askApproval(server.url, customer, user, 'accomplice');
      const { machines } = (await tool.get('/api/cli/machines')).body;
      const [approved, removed] = await Promise.all([
        decide(tool, requestId, 'approve'),
        admin.delete(`/api/admin/users/${tool.userId}/machines/${machines[0].id}`),
      ]);
      expect(removed.status).toBe(200);
      const order: string[] = [];
      for await (const { event } of server.product.events.read(`customer-${customer.id}`)) {
        if ('userId' in event.data && event.data.userId === tool.userId && /^Machine(Approved|Removed)$/.test(event.type))
          order.push(event.type);
      }
      expect(order).toEqual(approved.status === 200 ? ['MachineApproved', 'MachineRemoved'] : ['MachineRemoved']);
    }
  });
});

describe('a user that a version without approvals registered', () => {
  it('keeps the machine that signed in last, and needs approval for others', async () => {
    const bob = await asTool(server.url, customer, 'bob', 'old-desktop');
    const meta = {
      actor: { kind: 'user', id: bob.userId },
      commandId: bob.userId,
      correlationId: bob.userId,
      causationId: null,
      at: new Date().toISOString(),
    } as const;
    const id = customerId.parse(customer.id);
    const { revision } = await server.product.commands.customers.load(id);
    const moved = { type: 'UserMachineChanged', data: { userId: userIdOf.parse(bob.userId), machineId: 'new-laptop' } } as const;
    const appended = await server.product.events.append(streams.customer(id), [moved], { expected: revision, meta });
    expect(appended.ok).toBe(true);
    expect((await asTool(server.url, customer, 'bob', 'new-laptop')).userId).toBe(bob.userId);
    expect((await signIn('bob', 'old-desktop')).body.code).toBe('machine_approval_required');
  });
});

describe('approval that the customer disabled', () => {
  it('accepts every machine again, and is shown in the history', async () => {
    const portal = await asCustomer(server.url, customer);
    const { body } = await portal.put('/api/customer/machine-approval', { enforced: false });
    expect(body.profile.machineApprovalEnforced).toBe(false);
    expect((await asTool(server.url, customer, 'ada', 'laptop')).userId).toBe(ada.userId);
    await portal.put('/api/customer/machine-approval', { enforced: true });
    expect((await signIn('ada', 'laptop')).body.code).toBe('machine_approval_required');
    expect((await signIn('ada', 'machine-of-ada')).status).toBe(200);
    const { history } = (await portal.get('/api/customer/history')).body;
    expect(history.map(({ summary }: { summary: string }) => summary)).toEqual(
      expect.arrayContaining(['New machines no longer need approval', 'New machines need approval']),
    );
  });

  it('can be changed by the customer only', async () => {
    const partner = await asIntegrator(server.url, integrator);
    for (const client of [ada, partner, admin]) {
      expect((await client.put('/api/customer/machine-approval', { enforced: false })).status).toBe(403);
    }
    expect(await countOf('MachineApprovalRelaxed')).toBe(0);
  });
});
