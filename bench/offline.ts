import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { asAdmin, type Customer, newCustomer, newIntegrator, signIn } from './support/apiClients.ts';
import { report, reportRatio } from './support/figures.ts';
import { freePort } from './support/freePort.ts';
import { CALLS_PATH } from './support/ingestion.ts';
import { runLoad } from './support/load.ts';
import { startProduct } from './support/product.ts';
import { settings } from './support/settings.ts';
import { runTool, type ToolRun } from './support/tool.ts';

/** A week offline: a program records half of the calls, the command the other half, and `flush` sends all of them afterwards. */

const { calls, limits } = settings({ calls: 1_000_000, limits: 10 });
const GROUP = 1_000;
/** Requests that the command has in flight. */
const IN_FLIGHT = 4;
const COUNTED_MS = 60_000;

const home = await mkdtemp(join(tmpdir(), 'latchkey-bench-home-'));
const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
const port = String(await freePort());
const start = () => startProduct({ dataDir, env: { PORT: port } });

const totalOf = async (url: string, { id }: Customer): Promise<number> =>
  (await (await asAdmin(url))('GET', `/api/admin/customers/${id}`)).customer.totalApiCalls;

const counted = async (url: string, customer: Customer): Promise<number> => {
  const begun = performance.now();
  while ((await totalOf(url, customer)) < calls && performance.now() - begun < COUNTED_MS) await delay(50);
  await delay(1_000); // enough for a duplicate to be counted as well
  return totalOf(url, customer);
};

/** CPU ms of only parsing and validating `lines` lines. */
const checking = async (lines: number): Promise<number> => (await runTool({ kind: 'checking', home, calls: lines })).cpuMs;

const perCall = (cpuMs: number, count: number): number => (cpuMs * 1000) / count;

const spoolBytes = async (): Promise<number> => {
  const files = await readdir(join(home, 'spool'), { recursive: true });
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(home, 'spool', file)).catch(() => null))?.size ?? 0));
  return sizes.reduce((sum, size) => sum + size, 0);
};

const reportMemory = ({ peakBytes }: ToolRun, { peakBytes: idle }: ToolRun): void => {
  report('  peak memory', peakBytes / 2 ** 20, `MiB, of which ${Math.round(idle / 2 ** 20)} without calls`);
};

try {
  const before = await start();
  const admin = await asAdmin(before.url);
  const customer = await newCustomer(admin, await newIntegrator(admin), 'Acme');
  const user = ['--username', 'ada', '--email', 'ada@acme.example'];
  await runTool({ kind: 'command', home, argv: ['login', '--server', before.url, '--key', customer.licenseKey, ...user] });
  await before.stop();

  const idle = await runTool({ kind: 'command', home, argv: ['profiles', 'list', '--json'] });
  const half = Math.floor(calls / 2);
  const program = await runTool({ kind: 'program', home, calls: half });
  const command = await runTool({
    kind: 'command',
    home,
    argv: ['record', '--stdin', '--json', '--timeout', '0'],
    calls: calls - half,
  });
  report('recorded by a program, offline', (half / program.ms) * 1000, 'calls/s');
  report('  CPU', perCall(program.cpuMs, half), 'µs a call');
  reportMemory(program, idle);
  report('recorded by the command, offline', ((calls - half) / command.ms) * 1000, 'calls/s');
  reportRatio(
    '  CPU',
    perCall(command.cpuMs, calls - half),
    'parsing and checking',
    perCall(await checking(half), half),
    'µs a call',
  );
  reportMemory(command, idle);
  report('on disk', (await spoolBytes()) / 2 ** 20, 'MiB');

  const after = await start();
  const flush = await runTool({ kind: 'command', home, argv: ['flush', '--json'] });
  const total = await counted(after.url, customer);
  const sources = await Promise.all(
    Array.from({ length: IN_FLIGHT }, async (_, index) => {
      const { token } = await signIn(after.url, customer, `user-${index}`);
      return { token, sourceId: `source-${index}` };
    }),
  );
  const bare = await runLoad({ url: after.url, path: CALLS_PATH, sources, batch: GROUP, seconds: limits, warmUp: 2 });
  await after.stop();
  const rate = (calls / flush.ms) * 1000;
  reportRatio('sent afterwards', rate, 'the same requests, prepared in memory', bare.callsPerSecond, 'calls/s');
  report('  duration', flush.ms / 1000, 's');
  report('  CPU', perCall(flush.cpuMs, calls), 'µs a call');
  reportMemory(flush, idle);
  console.log(`  its output: ${flush.out}`);
  report('counted by the server minus recorded', total - calls, 'calls');
} finally {
  await rm(home, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
}
