import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streams } from '../../../src/commands/streams.ts';
import type { Customer } from '../../../src/contracts/customers.ts';
import type { SeatsReply } from '../../../src/contracts/seats.ts';
import type { UserId } from '../../../src/domain/ids.ts';
import { MINUTE_MS } from '../../../src/domain/time.ts';
import { endLease } from '../../../src/http/floatingSeats.ts';
import { asAdmin, asTool, type Client, clientOf, newCustomer, newIntegrator, toolLoginOf } from '../../support/apiClient.ts';
import { metaOf } from '../../support/builders/command.ts';
import { eventually } from '../../support/eventually.ts';
import { claimAtOnce, heldAfter, leaseEventsOf, registerDevelopers } from '../../support/floatingClaims.ts';
import { openServer, type TestServer } from '../../support/server.ts';

const SEATS = 10;
const CLAIMS = 1_000;
const ROUNDS = 50;
const CLAIMS_OF_ROUND = 20;
/** A node names so many persons of a customer in a minute, and counts the others together. */
const NAMED_PERSONS = 100;
/** A lease of a node that was killed is swept after that of its connection, and after the sweeper was steady for a while. */
const SWEPT_MS = 60_000;
const LIMIT_MS = 600_000;

/** The clock of both nodes. */
let ahead = 0;
const now = () => Date.now() + ahead;
const time = () => new Date(now()).toISOString();

let server: TestServer;
let second: Awaited<ReturnType<TestServer['openNode']>>;
let admin: Client;
let integratorId: string;

beforeAll(async () => {
  server = await openServer({}, { now });
  second = await server.openNode();
  admin = await asAdmin(server.url);
  integratorId = (await newIntegrator(admin)).id;
});
afterAll(() => server.close());

const newFloating = async (developerSeats: number, minutes: number): Promise<Customer> => {
  const { id, name, contactEmail } = await newCustomer(admin, integratorId, { developerSeats });
  const body = { name, contactEmail, floatingDeveloperMinutes: minutes };
  return (await admin.put(`/api/admin/customers/${id}`, body)).body.customer;
};
const seatsOf = async ({ id }: Customer): Promise<SeatsReply> => (await admin.get(`/api/admin/customers/${id}/seats`)).body;

describe('floating seats', () => {
  it(
    `are held by exactly ${SEATS} of ${CLAIMS} users on two nodes, never by more, also while seats change hands`,
    async () => {
      const { id } = await newFloating(SEATS, 1_440);
      const nodes = [server.product, second.product];
      const { customer, userIds } = await registerDevelopers(server.product, id, CLAIMS, time());
      const claims = await claimAtOnce(nodes, customer, userIds, time());
      expect([...new Set(claims)].sort()).toEqual(['held', 'seat_limit_reached']);
      expect(claims.filter((claim) => claim === 'held')).toHaveLength(SEATS);
      const first = heldAfter(await leaseEventsOf(server.product, id));
      expect(first.most).toBe(SEATS);
      expect([...first.holders].sort()).toEqual(userIds.filter((_, n) => claims[n] === 'held').sort());

      // After the minute of their windows the denials of both nodes are written with the next one.
      ahead += 2 * MINUTE_MS;
      const others = userIds.filter((userId) => !first.holders.has(userId));
      const late = await claimAtOnce(nodes, customer, others.slice(0, 2), time());
      expect(late).toEqual(['seat_limit_reached', 'seat_limit_reached']);
      const { denials } = await eventually(
        () => seatsOf({ id } as Customer),
        (reply) => reply.denials[0]?.attempts === CLAIMS - SEATS + 2,
      );
      expect(denials).toMatchObject([{ kind: 'developer', reason: 'seat_limit_reached' }]);
      let written = 0;
      for await (const _ of server.product.events.read(streams.seatDenials(id))) written += 1;
      expect(written).toBeLessThanOrEqual(2 * (NAMED_PERSONS + 2) + 2);

      for (let round = 0; round < ROUNDS; round += 1) {
        const { holders } = heldAfter(await leaseEventsOf(server.product, id));
        expect(holders.size).toBe(SEATS);
        const [leaving] = holders;
        const waiting = userIds.filter((userId) => !holders.has(userId)).slice(round * 10, round * 10 + CLAIMS_OF_ROUND);
        const releasing = nodes[round % 2] ?? server.product;
        const owner = { customerId: id, userId: leaving as UserId };
        await Promise.all([
          claimAtOnce(nodes, customer, waiting, time()),
          endLease(releasing, owner, 'released', metaOf({ at: time() })),
        ]);
        await claimAtOnce(nodes, customer, waiting.slice(-2), time());
      }
      const last = heldAfter(await leaseEventsOf(server.product, id));
      expect([last.holders.size, last.most]).toEqual([SEATS, SEATS]);
      const shown = await eventually(
        () => seatsOf({ id } as Customer),
        ({ seats }) => seats.every((seat) => last.holders.has(seat.id)) && seats.length === SEATS,
      );
      expect(shown.kinds.developer).toEqual({ allocated: SEATS, active: CLAIMS, floating: { minutes: 1_440, leased: SEATS } });
    },
    LIMIT_MS,
  );

  it(
    'of a node that was killed become free after the minutes of the license',
    async () => {
      const customer = await newFloating(1, 1);
      const signIn = (username: string) => clientOf(server.url).post('/api/cli/login', toolLoginOf(customer, username));
      const ada = await asTool(server.url, customer, 'ada');
      const connection = { connectionId: randomUUID(), userId: ada.userId, customerId: customer.id, integratorId };
      const script = (name: string) => fileURLToPath(new URL(`../../support/${name}`, import.meta.url));
      const node = spawn(
        process.execPath,
        [script('run.js'), script('holdLease.ts'), server.stores.databaseUrl, '1', JSON.stringify(connection)],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      await Promise.race([once(node.stdout, 'data'), once(node, 'exit')]);
      node.kill('SIGKILL');
      ahead += 5 * MINUTE_MS;
      expect((await signIn('bob')).status).toBe(409); // the node may have been slow only
      // The end of a connection is noted with the clock of that moment, so the clock must not move before.
      await eventually(
        async () => (await server.product.seatUses.of(customer.id)).get(ada.userId as UserId),
        (use) => use?.isConnected === false && now() - (use.usedAt ?? 0) < MINUTE_MS / 2,
        SWEPT_MS,
      );
      ahead += MINUTE_MS;
      await eventually(
        () => seatsOf(customer),
        ({ seats }) => seats.length === 0,
      );
      expect((await signIn('bob')).status).toBe(200);
    },
    SWEPT_MS * 2,
  );
});
