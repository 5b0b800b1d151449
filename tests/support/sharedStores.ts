import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareDatabase } from '../../src/database/prepare.ts';
import { LOGINS } from '../../src/embedded/postgres/passwords.ts';
import { startPostgres } from '../../src/embedded/postgres/server.ts';
import { inDatabase } from './inDatabase.ts';

/** The stores of one test run, as every test file gets them. */
export type SharedStores = {
  /** A database whose role may create others. */
  adminUrl: string;
  /** Names a migrated database that files copy, which takes a third of the time of migrating; null in stores that others use too. */
  template: string | null;
  /** Null where each test file starts an embedded event store of its own. */
  eventStoreUrl: string | null;
};

const TEMPLATE = 'migrated';

export type RunningStores = { stores: SharedStores; label: string; close: () => Promise<void> };

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm';
/** The most that the databases of the files that run together take, several times over. */
const FREE_BYTES = 8 * 2 ** 30;

/** A copy of a database takes half the time in memory. A container may have little of it. */
const folderForStores = async (): Promise<string> => {
  const free = await statfs(MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free >= FREE_BYTES ? MEMORY : tmpdir();
};

/** Checking the password takes 6 of the 16 ms of CPU time of a connection, and a server of a test opens 27. */
const trustSuperuser = async (directory: string, url: string): Promise<void> => {
  const rules = [`local all ${LOGINS.superuser} trust`, 'local all all scram-sha-256', ''];
  await writeFile(join(directory, 'cluster', 'pg_hba.conf'), rules.join('\n'));
  await inDatabase(url, (client) => client.query('select pg_reload_conf()'));
};

/** An embedded PostgreSQL in a folder of its own. It need not outlive a power cut, so it does not wait for the disk. */
const startEmbedded = async () => {
  const directory = await mkdtemp(join(await folderForStores(), 'latchkey-stores-'));
  const postgres = await startPostgres({
    directory,
    databases: [TEMPLATE],
    log: () => undefined,
    settings: { fsync: 'off', full_page_writes: 'off', max_connections: '300', scram_iterations: '1' },
  });
  await trustSuperuser(directory, postgres.url('postgres', 'superuser'));
  await prepareDatabase(postgres.url(TEMPLATE, 'superuser'), null, { onError: () => undefined });
  return {
    adminUrl: postgres.url('postgres', 'superuser'),
    close: async () => {
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

/** The stores named by DATABASE_URL and EVENTSTORE_URL, containers with TEST_STORES=containers, otherwise the embedded ones. */
export const startSharedStores = async (env: NodeJS.ProcessEnv): Promise<RunningStores> => {
  if (env.TEST_STORES === 'containers') {
    const { startContainers } = await import('./containers.ts'); // loads a Docker client, which nearly no run needs
    return startContainers();
  }
  if (env.TEST_STORES && env.TEST_STORES !== 'embedded') throw new Error('TEST_STORES is embedded or containers');
  const { DATABASE_URL, EVENTSTORE_URL } = env;
  const eventStoreUrl = EVENTSTORE_URL ?? null;
  const given = eventStoreUrl ? 'the event store of EVENTSTORE_URL' : 'an embedded event store for each test file';
  if (DATABASE_URL) {
    return {
      stores: { adminUrl: DATABASE_URL, template: null, eventStoreUrl },
      label: `the PostgreSQL of DATABASE_URL, ${given}`,
      close: async () => undefined,
    };
  }
  const { adminUrl, close } = await startEmbedded();
  return { stores: { adminUrl, template: TEMPLATE, eventStoreUrl }, label: `embedded PostgreSQL, ${given}`, close };
};
