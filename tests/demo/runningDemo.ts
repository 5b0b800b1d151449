import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Seeded } from '../../src/demo/seed.ts';
import { asAdmin, asCustomer, asIntegrator } from '../support/apiClient.ts';
import { type DemoClients, demoLists, watchFeed } from '../support/demoLists.ts';
import { eventually } from '../support/eventually.ts';
import { type ServerProcess, startServerProcess } from '../support/serverProcess.ts';

/** The built demo on a data directory of its own. */
export type RunningDemo = {
  dataDir: string;
  start: () => Promise<ServerProcess>;
  /** The process that was started last. */
  now: () => ServerProcess;
  /** What the demo has stored about the accounts that it created. */
  seeded: () => Promise<Seeded>;
  writeProgress: (progress: object | null) => Promise<void>;
  close: () => Promise<void>;
};

export const openDemo = async (): Promise<RunningDemo> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-demo-'));
  const progressFile = join(dataDir, 'demo.json');
  let demo: ServerProcess | null = null;
  return {
    dataDir,
    start: async () => {
      demo = await startServerProcess(dataDir, {}, 'demo/main.js');
      return demo;
    },
    now: () => {
      if (!demo) throw new Error('The demo was not started');
      return demo;
    },
    seeded: async () => JSON.parse(await readFile(progressFile, 'utf8')).seeded,
    writeProgress: (progress) => writeFile(progressFile, JSON.stringify(progress)),
    close: async () => {
      await demo?.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

/** Clients that are signed in with the printed keys. */
export const clientsOf = async ({ url, output }: ServerProcess): Promise<DemoClients> => {
  const lines = await eventually(output, (printed) => printed.includes('/portal/login'));
  const [masterLicenseKey = '', licenseKey = ''] = lines.match(/LK-(?:SI|[A-Z]{3})-\S+/g) ?? [];
  return {
    admin: await asAdmin(url),
    integrator: await asIntegrator(url, { masterLicenseKey }),
    customer: await asCustomer(url, { licenseKey }),
  };
};

/** The number of lists, once all of them have entries. */
export const fillsEveryList = async (running: ServerProcess): Promise<number> => {
  const clients = await clientsOf(running);
  const feed = watchFeed(running.url, clients.admin);
  try {
    const lists = [...(await demoLists(clients)), ...feed.lists];
    for (const { name, count } of lists) {
      await eventually(count, (entries) => entries > 0).catch((error: unknown) => {
        throw new Error(`There are no ${name}`, { cause: error });
      });
    }
    return lists.length;
  } finally {
    feed.close();
  }
};
