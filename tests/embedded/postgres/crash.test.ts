import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Exit } from '../../../src/embedded/postgres/launch.ts';
import type { Script } from '../../support/scripts.ts';
import { describeAtLength, itAtLength } from '../../support/tiers.ts';
import { newDirectory, query, start, startInProcess } from './serverSupport.ts';

/** With util-linux, the kernel sends PostgreSQL a signal when its parent process ends. */
const hasParentDeathSignal = spawnSync('setpriv', ['--pdeathsig', 'INT', '--', 'true']).status === 0;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const isGone = async (pid: number) => {
  while (isAlive(pid)) await delay(10);
};

const ready = async (script: Script) => {
  const [, pid, url = ''] = await script.line(/^ready (\d+) (\S+)$/);
  return { pid: Number(pid), url };
};

const namesIn = (directory: string): Promise<string[]> => readdir(directory).catch(() => []);

const lockOf = (directory: string) => join(directory, 'cluster', 'postmaster.pid');

/** Writes the id of another process into the lock file, as if the system had reused the id. */
const nameInLock = async (directory: string, pid: number) => {
  const [, ...rest] = (await readFile(lockOf(directory), 'utf8')).split('\n');
  await writeFile(lockOf(directory), [String(pid), ...rest].join('\n'));
};

describe('after kill -9 of the server', () => {
  it('restarts on the same directory, which it refused to another server, without losing acknowledged data', async () => {
    const directory = await newDirectory();
    const script = await startInProcess(directory);
    const { url } = await ready(script);
    await query(url, 'CREATE TABLE kept AS SELECT 7 AS n');
    await expect(start(directory)).rejects.toThrow(`is in use by process ${script.pid}`);
    await script.end('SIGKILL');
    const postgres = await start(directory);
    expect(await query(postgres.url('kept', 'owner'), 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
  });

  itAtLength('stops the orphaned server if parent-death signals are unsupported', async () => {
    const directory = await newDirectory();
    const script = await startInProcess(directory, { ...process.env, PATH: '/nonexistent' }); // without setpriv
    const { pid, url } = await ready(script);
    await query(url, 'CREATE TABLE kept AS SELECT 7 AS n');
    await script.end('SIGKILL');
    expect(isAlive(pid)).toBe(true);
    const lines: string[] = [];
    const postgres = await start(directory, { log: (line) => lines.push(line) });
    expect(lines[0]).toBe(`Stopping PostgreSQL ${pid}, left running by an earlier start`);
    expect(postgres.pid).not.toBe(pid);
    expect(await query(postgres.url('kept', 'owner'), 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
  });

  itAtLength.runIf(hasParentDeathSignal)('leaves no orphaned server if parent-death signals are supported', async () => {
    const script = await startInProcess(await newDirectory());
    const { pid } = await ready(script);
    await script.end('SIGKILL');
    await isGone(pid);
    expect(isAlive(pid)).toBe(false);
  });

  itAtLength('recreates the cluster after a crash during initdb', async () => {
    const directory = await newDirectory();
    const script = await startInProcess(directory);
    for (;;) {
      const [half] = (await namesIn(directory)).filter((name) => name.startsWith('.initdb-'));
      if (half && (await namesIn(join(directory, half, 'cluster'))).includes('base')) break;
      await delay(2);
    }
    await script.end('SIGKILL');
    expect(await readdir(directory)).not.toContain('cluster');
    const postgres = await start(directory);
    expect(await query(postgres.url('kept', 'owner'), 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
    expect(await readdir(directory)).toEqual(['cluster', 'passwords.json']);
  });
});

describeAtLength('after kill -9 of PostgreSQL itself', () => {
  it('calls onExit once and can be restarted without losing acknowledged data', async () => {
    const directory = await newDirectory();
    const exits: Exit[] = [];
    let resolveExit = () => {};
    const exited = new Promise<void>((resolve) => {
      resolveExit = resolve;
    });
    const onExit = (exit: Exit) => {
      exits.push(exit);
      resolveExit();
    };
    const first = await start(directory, { onExit });
    await query(first.url('kept', 'owner'), 'CREATE TABLE kept AS SELECT 7 AS n');
    process.kill(first.pid, 'SIGKILL');
    await exited;
    const second = await start(directory);
    expect(await query(second.url('kept', 'owner'), 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
    await first.stop();
    expect(exits).toEqual([{ code: null, signal: 'SIGKILL' }]);
  });

  it('starts if an unrelated process has the id in its lock file', async () => {
    const directory = await newDirectory();
    const first = await start(directory);
    const { uid, gid } = await stat(join(directory, 'cluster'));
    const unrelated = spawn('sleep', ['600'], { uid, gid, stdio: 'ignore' }); // of the same user: PostgreSQL itself would refuse to start
    onTestFinished(async () => {
      unrelated.kill('SIGKILL');
    });
    await once(unrelated, 'spawn');
    process.kill(first.pid, 'SIGKILL');
    await isGone(first.pid);
    await nameInLock(directory, unrelated.pid ?? 0);
    const second = await start(directory);
    expect(await query(second.url('kept', 'owner'), 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
    expect(unrelated.exitCode).toBeNull();
  });
});

describeAtLength('two servers on one directory', () => {
  it('lets exactly one of two concurrent starts on an empty directory succeed', async () => {
    const directory = await newDirectory();
    const scripts = await Promise.all([startInProcess(directory), startInProcess(directory), startInProcess(directory)]);
    const outcomes = await Promise.all(scripts.map((script) => script.line(/^(ready|refused) .*$/)));
    const [winner, ...others] = outcomes
      .map(([line], index) => ({ line, pid: scripts[index]?.pid }))
      .sort((a, b) => (a.line < b.line ? -1 : 1));
    expect(winner?.line).toMatch(/^ready/);
    for (const { line } of others) expect(line).toContain(`is in use by process ${winner?.pid}`);
    expect(await readdir(directory)).toEqual(['cluster', 'passwords.json']);
  });

  it('refuses a second start in the same process, and beside a process in another PID namespace', async () => {
    const directory = await newDirectory();
    const exits: Exit[] = [];
    const first = await start(directory, { onExit: (exit) => exits.push(exit) });
    await expect(start(directory)).rejects.toMatchObject({ reason: 'in_use' });
    await nameInLock(directory, 4_194_303); // as seen from another container
    await expect(start(directory)).rejects.toThrow('another container');
    await nameInLock(directory, first.pid);
    await first.stop();
    expect(exits).toEqual([]); // a stop is no exit
  });
});

describe('a directory that cannot be served', () => {
  itAtLength('reports both versions if another major version created it', async () => {
    const directory = await newDirectory();
    const postgres = await start(directory);
    await postgres.stop();
    await writeFile(join(directory, 'cluster', 'PG_VERSION'), '15\n');
    await expect(start(directory)).rejects.toThrow(/was created by PostgreSQL 15, but this release includes PostgreSQL \d+/);
  });

  it('is refused if it contains other files', async () => {
    const directory = await newDirectory();
    await mkdir(join(directory, 'cluster'), { recursive: true });
    await writeFile(join(directory, 'cluster', 'notes.txt'), 'mine');
    await expect(start(directory)).rejects.toMatchObject({ reason: 'not_a_cluster' });
    expect(await readFile(join(directory, 'cluster', 'notes.txt'), 'utf8')).toBe('mine');
  });

  itAtLength('reports the output of PostgreSQL if the start fails', async () => {
    await expect(start(await newDirectory(), { settings: { shared_buffers: 'plenty' } })).rejects.toThrow(
      'invalid value for parameter "shared_buffers"',
    );
  });
});
