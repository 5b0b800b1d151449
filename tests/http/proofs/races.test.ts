import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
} from '../../support/apiClient.ts';
import { eventually } from '../../support/eventually.ts';
import { openServer, type TestServer } from '../../support/server.ts';

/** RACES=100 for a night. */
const TIMES = Number(process.env.RACES ?? 1);
const AT_ONCE = 50;
const THEMES = '/api/service-integrator/themes';

let server: TestServer;
/** Another node of the same deployment: what only holds in one process is found out. */
let node: Awaited<ReturnType<TestServer['openNode']>>;
let admin: Client;
let elsewhere: Client;

beforeAll(async () => {
  server = await openServer();
  node = await server.openNode({ ROLES: 'api' });
  admin = await asAdmin(server.url);
  elsewhere = await asAdmin(node.url);
});

afterAll(() => server.close());

const onEither = (index: number): Client => (index % 2 ? elsewhere : admin);
const statuses = (replies: readonly Reply[]): number[] => [...new Set(replies.map(({ status }) => status))].sort();

describe('deleting a service integrator while customers are created', () => {
  const create = (client: Client, serviceIntegratorId: string, index: number): Promise<Reply> =>
    client.post('/api/admin/customers', {
      name: `Racer ${index}`,
      contactEmail: 'racer@race.example',
      serviceIntegratorId,
      developerSeats: 1,
      stakeholderSeats: 1,
    });

  it(`never leaves a customer without its integrator (races: ${TIMES})`, async () => {
    const outcomes = { deleted: 0, kept: 0 };
    for (let time = 0; time < TIMES; time++) {
      const { id } = await newIntegrator(admin, { companyName: `Race ${time}` });
      const [deletion, creations] = await Promise.all([
        // A little later each time, so that now the one and now the other is first.
        sleep((time * 7) % 40).then(() => onEither(time).delete(`/api/admin/service-integrators/${id}`)),
        Promise.all(Array.from({ length: AT_ONCE }, (_, index) => create(onEither(index), id, index))),
      ]);
      const made = creations.filter(({ status }) => status === 201).map(({ body }) => body.customer.id);
      const isDeleted = deletion.status === 200;
      expect(statuses(creations).filter((status) => ![201, 400].includes(status))).toEqual([]);
      expect([200, 409]).toContain(deletion.status);

      // The truth is the stream; then the screens say the same.
      const { state } = await server.product.commands.integrators.load(id);
      const enrolled = 'customers' in state ? [...state.customers.entries()].map(([customerId]) => customerId) : [];
      expect(state.status).toBe(isDeleted ? 'deleted' : 'active');
      expect(isDeleted ? made : enrolled.toSorted()).toEqual(isDeleted ? [] : made.toSorted());
      const listed = await eventually(
        () => admin.get(`/api/admin/customers?serviceIntegratorId=${id}&limit=100`),
        ({ body }) => body.total === made.length,
      );
      expect(listed.body.customers.map((customer: { id: string }) => customer.id).sort()).toEqual(made.toSorted());
      expect((await admin.get(`/api/admin/service-integrators/${id}`)).status).toBe(isDeleted ? 404 : 200);
      outcomes[isDeleted ? 'deleted' : 'kept'] += 1;
    }
    expect(outcomes.deleted + outcomes.kept).toBe(TIMES);
    process.stderr.write(`Races won by the deletion: ${outcomes.deleted} of ${TIMES}\n`);
  }, 3_600_000);
});

describe('a catalogue of themes', () => {
  /** The same integrator signed in at both nodes. */
  const newPartner = async (): Promise<readonly [Client, Client]> => {
    const integrator = await newIntegrator(admin);
    return [await asIntegrator(server.url, integrator), await asIntegrator(node.url, integrator)];
  };
  const look = { displayName: 'Racer', primaryColor: '#0070AD' };

  it(`has one default after ${AT_ONCE} concurrent requests for other ones`, async () => {
    const [here, there] = await newPartner();
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) {
      ids.push((await here.post(THEMES, { ...look, themeName: `racer-${index}` })).body.theme.id);
    }
    const calls = Array.from({ length: AT_ONCE }, (_, index) =>
      (index % 2 ? here : there).post(`${THEMES}/${ids[index % ids.length]}/set-default`),
    );
    const replies = await Promise.all(calls);
    expect(statuses(replies)).toEqual([200]);
    const { body } = await here.get(THEMES);
    expect(body.themes).toHaveLength(5);
    expect(body.themes.filter(({ isDefault }: { isDefault: boolean }) => isDefault)).toHaveLength(1);
  });

  it('accepts one of two themes with the same name', async () => {
    const [here, there] = await newPartner();
    for (let time = 0; time < 10; time++) {
      const theme = { ...look, themeName: `twin-${time}`, isDefault: true };
      const replies = await Promise.all([here.post(THEMES, theme), there.post(THEMES, theme)]);
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
      expect(replies.find(({ status }) => status === 409)?.body.code).toBe('theme_name_taken');
    }
    const { body } = await here.get(THEMES);
    expect(body.themes).toHaveLength(10);
    expect(body.themes.filter(({ isDefault }: { isDefault: boolean }) => isDefault)).toHaveLength(1);
  });
});

describe('voids of a source at two nodes at the same time', () => {
  const COUNT = 20;
  const call = { service: 'jira', instanceUrl: 'https://acme.atlassian.net', operation: 'GET:/issue', status: 200, durationMs: 10 };
  const calls = Array.from({ length: COUNT }, () => call);
  const VOIDS = '/api/customer/voids';
  let portals: readonly Client[];
  let tools: readonly Client[];

  beforeAll(async () => {
    const customer = await newCustomer(admin, (await newIntegrator(admin)).id, { name: 'Voider' });
    const [portal, tool] = [await asCustomer(server.url, customer), await asTool(server.url, customer)];
    portals = [portal, clientOf(node.url, portal.headers)];
    tools = [tool, clientOf(node.url, tool.headers)];
  });

  const at = (clients: readonly Client[], index: number): Client => clients[index % clients.length] as Client;
  const send = (index: number, sourceId: string): Promise<Reply> =>
    at(tools, index).post('/api/cli/api-calls', { sourceId, firstSequence: 1, calls });
  const voidAll = (index: number, sourceId: string): Promise<Reply> => at(portals, index).post(VOIDS, { sourceId, reason: 'Race' });
  const listed = async (sourceId: string, counting = ''): Promise<{ sequence: number }[]> =>
    (await at(portals, 0).get(`/api/customer/calls?sourceId=${sourceId}&limit=500${counting}`)).body.calls;
  const counted = (sourceId: string) => listed(sourceId, '&counting=counted');
  const total = async (): Promise<number> => (await at(portals, 0).get('/api/customer/usage?days=7')).body.usage.totalApiCalls;
  const voidedOf = async (sourceId: string): Promise<{ calls: number }[]> => {
    const { voids } = (await at(portals, 0).get(VOIDS)).body;
    return voids.filter((one: { sourceId: string }) => one.sourceId === sourceId);
  };

  it(`void each call once, and count it once when it is sent again (races: ${TIMES})`, async () => {
    for (let time = 0; time < TIMES; time++) {
      const sourceId = `twice-${time}`;
      const before = await total();
      expect((await send(time, sourceId)).status).toBe(202);
      await eventually(total, (found) => found === before + COUNT);
      expect(statuses(await Promise.all([0, 1, 2, 3].map((index) => voidAll(index, sourceId))))).toEqual([200]);
      await eventually(total, (found) => found === before);
      const voids = await eventually(
        () => voidedOf(sourceId),
        ({ length }) => length === 4,
      );
      expect(voids.map((one) => one.calls).sort((one, other) => other - one)).toEqual([COUNT, 0, 0, 0]);
      for (const index of [time, time + 1]) expect((await send(index, sourceId)).status).toBe(202);
      await eventually(total, (found) => found === before + COUNT);
      expect((await counted(sourceId)).map(({ sequence }) => sequence).sort((one, other) => one - other)).toEqual(
        calls.map((_, index) => index + 1),
      );
    }
  }, 3_600_000);

  it(`leave no call counted twice while both nodes record the same ones (races: ${TIMES})`, async () => {
    for (let time = 0; time < TIMES; time++) {
      const sourceId = `while-${time}`;
      const before = await total();
      const replies = await Promise.all([
        ...[0, 1, 2, 3].map((index) => send(index, sourceId)),
        sleep(time * 5).then(() => voidAll(time, sourceId)),
        sleep(time * 5).then(() => voidAll(time + 1, sourceId)),
      ]);
      const made = replies.filter(({ status }) => status === 200).length;
      // A void before the first call is refused.
      expect(statuses(replies).filter((status) => ![200, 202, 409].includes(status))).toEqual([]);
      // What was voided counts again, what counts already is a duplicate.
      for (const index of [time, time + 1]) expect((await send(index, sourceId)).status).toBe(202);
      // With its voids in the read model, all calls of the source are counted for good.
      await eventually(
        () => voidedOf(sourceId),
        ({ length }) => length === made,
      );
      await eventually(total, (found) => found === before + COUNT);
      const sequences = (await counted(sourceId)).map(({ sequence }) => sequence);
      expect([sequences.length, new Set(sequences).size]).toEqual([COUNT, COUNT]);
      const voided = (await voidedOf(sourceId)).reduce((sum, one) => sum + one.calls, 0);
      expect((await listed(sourceId)).length).toBe(COUNT + voided);
    }
  }, 3_600_000);
});
