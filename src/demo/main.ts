import { readConfig } from '../bootstrap/config.ts';
import type { Product } from '../bootstrap/product.ts';
import { readableError } from '../bootstrap/readableError.ts';
import { startServer } from '../bootstrap/server.ts';
import { DemoIncomplete, openProgress } from './progress.ts';
import { requestMachineApprovals, type Seeded, seedAccounts } from './seed.ts';
import { startTraffic } from './traffic.ts';
import { writeNewestDays, writeYear } from './usage.ts';

/** The default of DATA_DIR. The keys of the demo are no secrets. */
const DATA_DIR = './data/demo';
const ADMIN_KEY = 'latchkey-demo-admin';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const fail = (error: unknown): never => {
  process.stderr.write(`${error instanceof DemoIncomplete ? error.message : readableError(error)}\n`);
  process.exit(1);
};

const run = async (): Promise<void> => {
  const config = readConfig({ DATA_DIR, ADMIN_KEY, ADMIN_EMAIL: 'admin@latchkey.example', LOG_LEVEL: 'warn', ...process.env });
  const progress = openProgress(config.dataDir);
  const make = async (product: Product): Promise<Seeded> => {
    const made = await seedAccounts(product, { keyPrefix: config.keyPrefix, adminKey: config.adminKey ?? ADMIN_KEY });
    await writeNewestDays(product, made);
    return made;
  };
  let accounts: Promise<Seeded> | undefined;
  const accountsOf = (product: Product): Promise<Seeded> => {
    accounts ??= progress.accounts(() => make(product));
    return accounts;
  };
  const { url, product, stop } = await startServer(config, {
    say,
    onFatal: (reason) => fail(new Error(reason)),
    prepare: async (opened) => requestMachineApprovals(opened, await accountsOf(opened)),
  });
  if (!url) throw new Error('The demo runs with ROLES that have api in them');
  const seeded = await accountsOf(product);
  let stopped = false;
  const isStopped = (): boolean => stopped;

  const customer = seeded.customers.find(({ spec }) => spec.status === 'active');
  say(`Ready on ${url}. Press Ctrl-C to stop.`);
  say(`  Administrator       ${url}/admin/login               ${config.adminKey ?? 'as printed above'}`);
  say(`  Service integrator  ${url}/service-integrator/login  ${seeded.masterLicenseKeys[0] ?? ''}`);
  say(`  Customer            ${url}/portal/login              ${customer?.licenseKey ?? ''}`);

  const traffic = startTraffic(url, seeded.customers, isStopped);
  const fill = async () => {
    // The tools connect first, because writing a year of usage uses the whole processor for a while.
    await traffic.connected;
    await writeYear(product, seeded, isStopped);
    if (stopped) return 'stopped';
    say('A year of usage is written.');
    return 'complete';
  };
  const background = [progress.usage(seeded, fill), traffic.ended];
  const end = (): void => {
    if (stopped) process.exit(1);
    stopped = true;
    Promise.allSettled(background)
      .then(stop)
      .then(() => process.exit(0), fail);
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  await Promise.all(background);
};

run().catch(fail);
