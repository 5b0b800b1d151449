import { readConfig } from '../config.ts';
import { readableError } from '../readableError.ts';
import { startServer } from '../server.ts';
import { DemoBrokenOff, openProgress } from './progress.ts';
import { seedAccounts, seedUsage } from './seed.ts';
import { runTraffic } from './traffic.ts';

/** The demo's own data, unless DATA_DIR says otherwise; its keys are no secrets. */
const DATA_DIR = './data/demo';
const ADMIN_KEY = 'latchkey-demo-admin';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const fail = (error: unknown): never => {
  process.stderr.write(`${error instanceof DemoBrokenOff ? error.message : readableError(error)}\n`);
  process.exit(1);
};

const run = async (): Promise<void> => {
  const config = readConfig({ DATA_DIR, ADMIN_KEY, ADMIN_EMAIL: 'admin@latchkey.example', LOG_LEVEL: 'warn', ...process.env });
  const progress = openProgress(config.dataDir);
  const { url, product, stop } = await startServer(config, { say, onFatal: (reason) => fail(new Error(reason)) });
  if (!url) throw new Error('The demo runs with ROLES that have api in them');
  let stopped = false;
  const isStopped = (): boolean => stopped;

  const seeded = await progress.accounts(() => seedAccounts(product, config.keyPrefix));

  const customer = seeded.customers.find(({ cast }) => cast.status === 'active');
  say(`Ready on ${url}. Press Ctrl-C to stop.`);
  say(`  Administrator       ${url}/admin/login               ${config.adminKey ?? 'as printed above'}`);
  say(`  Service integrator  ${url}/service-integrator/login  ${seeded.masterLicenseKeys[0] ?? ''}`);
  say(`  Customer            ${url}/portal/login              ${customer?.licenseKey ?? ''}`);

  const fill = async () => {
    await seedUsage(product, seeded, isStopped);
    if (stopped) return 'stopped';
    say('A year of usage is in.');
    return 'whole';
  };
  const background = [progress.usage(seeded, fill), runTraffic(url, seeded.customers, isStopped)];
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
