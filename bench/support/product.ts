import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './root.ts';

export const ADMIN_KEY = 'the-admin-key-of-the-benchmarks';

/** The built server in a child process. */
export type Product = {
  /** Empty for a process with the embedded stores only. */
  url: string;
  pid: number;
  /** The server's process. */
  process: ChildProcess;
  dataDir: string;
  stop: () => Promise<void>;
};

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

/**
 * Starts the server as `npm start` does. Without a `dataDir`, it uses a temporary one, which `stop` removes. With PROFILE=folder in the
 * environment of the benchmark, each thread writes a CPU profile to that folder. `nodeArguments` precede the script.
 */
export const startProduct = async ({
  dataDir,
  env = {},
  nodeArguments = [],
}: {
  dataDir?: string;
  env?: NodeJS.ProcessEnv;
  nodeArguments?: readonly string[];
} = {}): Promise<Product> => {
  const directory = dataDir ?? (await mkdtemp(join(tmpdir(), 'latchkey-bench-')));
  const { PROFILE } = process.env;
  const profiling = PROFILE ? ['--cpu-prof', '--cpu-prof-interval', '500', '--cpu-prof-dir', PROFILE] : [];
  const child: ChildProcess = spawn(process.execPath, [...profiling, ...nodeArguments, join(ROOT, 'dist/bootstrap/main.js')], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, PORT: '0', ADMIN_KEY, LOG_LEVEL: 'warn', DATA_DIR: directory, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGINT');
    await ended(child);
    if (dataDir === undefined) await rm(directory, { recursive: true, force: true });
  };
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it was ready`)));
    if (child.stdout)
      createInterface({ input: child.stdout }).on('line', (line) => {
        const ready = /^Ready(?: on http:\/\/localhost(\S+))?/.exec(line);
        if (ready) resolve(ready[1] === undefined ? '' : `http://127.0.0.1${ready[1]}`);
      });
  });
  return { url, pid: child.pid ?? 0, process: child, dataDir: directory, stop };
};
