import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startEventStore } from '../../src/embedded/eventstore/server.ts';
import { clientOf } from '../../src/eventstore/connect.ts';
import { failureOf, newStream, readSeats, seatsClaimed } from '../eventstore/support.ts';
import { runAdminTool } from '../support/adminTool.ts';
import { asAdmin, newCustomer, newIntegrator } from '../support/apiClient.ts';
import { createAuthority } from '../support/certificates.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/freePort.ts';
import { startServerProcess } from '../support/serverProcess.ts';
import { describeAtLength } from '../support/tiers.ts';
import { openServerFixture } from './eventstore/serverSupport.ts';
import { newDirectory, query, start } from './postgres/serverSupport.ts';

/** Nodes of each role. With the two of `npm run test:proofs`, one projector is killed. */
const NODES = Number(process.env.NODES_OF_ROLE ?? 1);

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-nodes-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
};

const startNode = async (...args: Parameters<typeof startServerProcess>) => {
  const node = await startServerProcess(...args);
  onTestFinished(async () => {
    await node.stop();
  });
  return node;
};

describeAtLength('a node with only the embedded stores', () => {
  it('serves api and projector nodes over TCP, at the addresses that it prints', async () => {
    const dataDir = await newFolder();
    const [database, eventStore] = [await freePort(), await freePort()];
    const secret = { MASTER_SECRET: Buffer.alloc(32, 9).toString('base64') };
    const stores = await startNode(dataDir, {
      ...secret,
      ROLES: 'embedded',
      EMBEDDED_DATABASE_PORT: String(database),
      EMBEDDED_EVENTSTORE_PORT: String(eventStore),
    });
    expect(stores.output()).toContain(`postgres://127.0.0.1:${database}/latchkey?sslmode=disable`);
    expect(stores.output()).toContain(`esdb://127.0.0.1:${eventStore}?tls=false`);
    const path = join(dataDir, 'nodes.env');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const variables = Object.fromEntries(
      (await readFile(path, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/s, 2)),
    );
    expect(Object.keys(variables)).toEqual(['DATABASE_URL', 'DATABASE_OWNER_URL', 'EVENTSTORE_URL']);

    // It writes nothing, so that events can be copied into its store.
    expect(await runAdminTool(['export'], { DATA_DIR: dataDir, ...secret })).toMatchObject({ code: 0, out: '' });
    const nodes = async (role: string) => {
      const started = [];
      while (started.length < NODES) started.push(await startNode(await newFolder(), { ...variables, ...secret, ROLES: role }));
      return started;
    };
    const [projectors, apis] = [await nodes('projector'), await nodes('api')];
    const [writer, reader] = [await asAdmin(apis[0]?.url ?? ''), await asAdmin(apis.at(-1)?.url ?? '')];
    const integrator = await newIntegrator(writer);
    const isVisible = async (name: string): Promise<void> => {
      const { id } = await newCustomer(writer, integrator.id, { name });
      const read = () => reader.get(`/api/admin/customers/${id}`);
      const { body } = await eventually(read, ({ status }) => status === 200);
      expect(body.customer.name).toBe(name);
    };
    await isVisible('Acme');
    if (NODES === 1) return;
    await projectors[0]?.kill();
    await isVisible('Globex');
  });
});

describe('an embedded store that listens with TLS', () => {
  const authority = createAuthority();
  const tls = authority.issue(['localhost', '127.0.0.1']);

  it('serves the event store only to clients with the credentials', async () => {
    const fixture = await openServerFixture();
    onTestFinished(fixture.close);
    const credentials = { username: 'latchkey', password: 'a-long-password' };
    const server = await startEventStore({
      databaseUrl: fixture.databaseUrl,
      listen: { socketPath: fixture.socketPath },
      network: { host: 'localhost', port: 0, tls, credentials },
      log: () => undefined,
    });
    onTestFinished(server.close);
    const ca = join(await newFolder(), 'ca.pem');
    await writeFile(ca, authority.cert);
    const appendWith = async (credentials: string): Promise<unknown[]> => {
      const url = `${server.networkConnectionString}&tlsCAFile=${encodeURIComponent(ca)}`.replace('://', `://${credentials}`);
      const client = clientOf(url);
      const stream = newStream();
      try {
        await client.appendToStream(stream, seatsClaimed(2));
        return await readSeats(client, stream);
      } finally {
        await client.dispose();
      }
    };
    expect(await appendWith('latchkey:a-long-password@')).toEqual([0, 1]);
    for (const wrong of ['', 'latchkey:wrong@']) {
      expect(await failureOf(appendWith(wrong))).toMatchObject({ code: 16 });
    }
    const local = clientOf(server.connectionString);
    onTestFinished(() => local.dispose());
    expect(await local.appendToStream(newStream(), seatsClaimed(1))).toMatchObject({ success: true });
  });

  it('serves PostgreSQL only to clients with TLS and the password', async () => {
    const port = await freePort();
    const ca = join(await newFolder(), 'ca.pem');
    await writeFile(ca, authority.cert);
    const postgres = await start(await newDirectory(), { network: { host: '127.0.0.1', port, tls } });
    const url = postgres.networkUrl('kept', 'owner') ?? '';
    expect(url).toContain(`@127.0.0.1:${port}/kept?sslmode=verify-full`);
    expect(await query(`${url}&sslrootcert=${ca}`, 'select ssl from pg_stat_ssl where pid = pg_backend_pid()')).toEqual([
      { ssl: true },
    ]);
    expect(await failureOf(query(url, 'select 1'))).toMatchObject({ code: expect.stringMatching(/SELF_SIGNED|UNABLE_TO/) });
    expect(await query(postgres.url('kept', 'owner'), 'select 1 as n')).toEqual([{ n: 1 }]);
  });
});
