import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** The user and group that a program runs as; null is the user of this process. */
export type Account = { uid: number; gid: number } | null;

export type Exit = { code: number | null; signal: NodeJS.Signals | null };

/** A running program. `lastLines` returns the end of its output. */
export type Running = { child: ChildProcess; pid: number; exited: Promise<Exit>; lastLines: () => string };

type Run = {
  cwd?: string;
  account?: Account;
  env?: Record<string, string>;
  log?: (line: string) => void;
  /** Its standard input; closed by default. */
  input?: string;
  /** The signal that the kernel sends to the program when this process ends, also after SIGKILL. */
  parentDeathSignal?: 'INT' | 'KILL';
};

const LAST_LINES = 40;
const OUTPUT_TIMEOUT_MS = 1_000;

/** Excludes the caller's PGHOST, PGOPTIONS, LD_PRELOAD and locale, which would change PostgreSQL's behavior. */
const environment = (extra: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
  ...extra,
});

let parentDeathSignalSupport: Promise<boolean> | null = null;

/** Whether util-linux's setpriv is installed; that of BusyBox has no --pdeathsig. */
const supportsParentDeathSignal = (): Promise<boolean> => {
  parentDeathSignalSupport ??= runToEnd('setpriv', ['--pdeathsig', 'INT', '--', 'true'], {}).then(
    ({ code }) => code === 0,
    () => false,
  );
  return parentDeathSignalSupport;
};

/**
 * Starts a program in a separate session, so that Ctrl-C in the terminal reaches only this process, which then stops its children in
 * order. The program changes to `account` after it has entered `cwd`.
 */
export const launch = async (command: string, args: readonly string[], run: Run): Promise<Running> => {
  const wrapped = run.parentDeathSignal && (await supportsParentDeathSignal());
  const argv = wrapped ? ['setpriv', '--pdeathsig', run.parentDeathSignal ?? 'INT', '--', command, ...args] : [command, ...args];
  const options: SpawnOptions = {
    cwd: run.cwd ?? '/',
    env: environment(run.env),
    stdio: [run.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached: true,
    ...(run.account ? { uid: run.account.uid | 0, gid: run.account.gid | 0 } : {}),
  };
  const child = spawn(argv[0] ?? command, argv.slice(1), options);
  child.stdin?.on('error', () => undefined); // the exit code reports a program that ended early
  child.stdin?.end(run.input);
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      if (lines.length > LAST_LINES) lines.shift();
      run.log?.(line);
    });
  }
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      // Wait for buffered output, but not forever: a child of the program may keep the pipe open.
      const timer = setTimeout(resolve, OUTPUT_TIMEOUT_MS, { code, signal });
      child.once('close', () => {
        clearTimeout(timer);
        resolve({ code, signal });
      });
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  return { child, pid: child.pid ?? 0, exited, lastLines: () => lines.join('\n') };
};

/** Runs a program until it exits. Rejects only if it cannot be started. */
export const runToEnd = async (command: string, args: readonly string[], run: Run): Promise<Exit & { output: string }> => {
  const { exited, lastLines } = await launch(command, args, run);
  const exit = await exited;
  return { ...exit, output: lastLines() };
};
