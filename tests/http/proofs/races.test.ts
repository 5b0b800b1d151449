import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asAdmin, asIntegrator, type Client, newIntegrator, type Reply } from '../../support/apiClient.ts';
import { eventually } from '../../support/eventually.ts';
import { openServer, type TestServer } from '../../support/server.ts';

/** RACES=100 for a night. */
const TIMES = Number(process.env.RACES ?? 5);
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

  it(`never leaves a customer without its integrator, ${TIMES} times`, async () => {
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
