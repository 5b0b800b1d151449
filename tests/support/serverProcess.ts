import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ADMIN_KEY } from './keys.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const START_MS = 120_000;

export type ServerProcess = {
  /** Empty where it does not run the api. */
  url: string;
  pid: number;
  /** Everything it has printed so far. */
  output: () => string;
  /** The CPU time that all its threads have used so far, in µs; only of a process that was started as `measured`. */
  cpuTime: () => Promise<number>;
  /** Resolves once the process has ended for any reason. */
  ended: Promise<void>;
  /** `kill -9`: nothing is put in order. */
  kill: () => Promise<void>;
  /** Ctrl-C; resolves to the exit code. */
  stop: () => Promise<number | null>;
};

const REPORT_CPU = new URL('reportCpu.js', import.meta.url).href;

const cpuTimeOf = async (child: ChildProcess): Promise<number> => {
  child.send('report');
  const [microseconds]: unknown[] = await once(child, 'message');
  return Number(microseconds);
};

const endOf = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
};

/** Starts the built server as `npm start` does, or another built script, in a process of its own, and waits until it says that it is ready. */
export const startServerProcess = async (
  dataDir: string,
  env: Record<string, string> = {},
  script = 'bootstrap/main.js',
  { measured = false } = {},
): Promise<ServerProcess> => {
  const child = spawn(process.execPath, [...(measured ? ['--import', REPORT_CPU] : []), join(root, 'dist', script)], {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: '0', ADMIN_KEY, LOG_LEVEL: 'warn', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe', measured ? 'ipc' : 'ignore'],
  });
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('The output of the server cannot be read');
  const lines: string[] = [];
  createInterface({ input: stderr }).on('line', (line) => lines.push(line));
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`${reason}\n${lines.join('\n')}`));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail(`The server was not ready within ${START_MS / 1000} s`);
    }, START_MS);
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`The server ended with ${code} before it was ready`);
    });
    createInterface({ input: stdout }).on('line', (line) => {
      lines.push(line);
      const ready = /^Ready(?: on (http\S+?)\.? |\.)/.exec(line);
      if (!ready) return;
      clearTimeout(timer);
      resolve(ready[1] ?? '');
    });
  });
  if (child.pid === undefined) throw new Error('The server has no process id');
  return {
    url,
    pid: child.pid,
    output: () => lines.join('\n'),
    cpuTime: () => cpuTimeOf(child),
    ended: endOf(child).then(() => undefined),
    kill: async () => {
      child.kill('SIGKILL');
      await endOf(child);
    },
    stop: () => {
      child.kill('SIGINT');
      return endOf(child);
    },
  };
};
