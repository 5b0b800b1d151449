import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Account } from './account.ts';

export type Exit = { code: number | null; signal: NodeJS.Signals | null };

/** A program that is running: its id, how it ended once it has, and the last lines it wrote. */
export type Running = { child: ChildProcess; pid: number; exited: Promise<Exit>; lastLines: () => string };

type Run = {
  cwd?: string;
  account?: Account;
  env?: Record<string, string>;
  log?: (line: string) => void;
  /** What it reads from its standard input; without it there is nothing to read. */
  input?: string;
  /** Sent to the program by the kernel when this process dies, however it dies. */
  whenWeDie?: 'INT' | 'KILL';
};

const LAST_LINES = 40;
const LAST_WORDS_MS = 1_000;

/** Nothing of the caller's PGHOST, PGOPTIONS, LD_PRELOAD or locale may reach PostgreSQL, or it starts differently elsewhere. */
const environment = (extra: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
  ...extra,
});

let parentDeathSignals: Promise<boolean> | null = null;

/** Whether util-linux's setpriv is here; BusyBox's namesake has no --pdeathsig. */
const canSignalOnOurDeath = (): Promise<boolean> => {
  parentDeathSignals ??= runToEnd('setpriv', ['--pdeathsig', 'INT', '--', 'true'], {}).then(
    ({ code }) => code === 0,
    () => false,
  );
  return parentDeathSignals;
};

/**
 * Starts a program in a session of its own, so that a Ctrl-C in the terminal reaches only us and things stop in our
 * order. Where the account differs, the user and group are changed after entering `cwd`.
 */
export const launch = async (command: string, args: readonly string[], run: Run): Promise<Running> => {
  const wrapped = run.whenWeDie && (await canSignalOnOurDeath());
  const argv = wrapped ? ['setpriv', '--pdeathsig', run.whenWeDie ?? 'INT', '--', command, ...args] : [command, ...args];
  const options: SpawnOptions = {
    cwd: run.cwd ?? '/',
    env: environment(run.env),
    stdio: [run.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached: true,
    ...(run.account ? { uid: run.account.uid | 0, gid: run.account.gid | 0 } : {}),
  };
  const child = spawn(argv[0] ?? command, argv.slice(1), options);
  child.stdin?.on('error', () => undefined); // one that ended early is known by how it ended
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
      // its last words may still be in the pipe, but a process of its own may also hold that open
      const patience = setTimeout(resolve, LAST_WORDS_MS, { code, signal });
      child.once('close', () => {
        clearTimeout(patience);
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

/** Runs a program to its end. Rejects only when it could not be started at all. */
export const runToEnd = async (command: string, args: readonly string[], run: Run): Promise<Exit & { output: string }> => {
  const { exited, lastLines } = await launch(command, args, run);
  const exit = await exited;
  return { ...exit, output: lastLines() };
};
