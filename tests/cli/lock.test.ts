import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/cli/io.ts';
import { tryLock } from '../../src/cli/spool/lock.ts';
import { isRunning, markThisProcess } from '../../src/cli/spool/processMark.ts';

const mark = markThisProcess();
const owner = { mark, now: systemClock };
let directory = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'latchkey-lock-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** A process that lives until its input is closed. */
const startOther = () => spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });

const leave = (generation: number, content: string) => writeFileSync(join(directory, `writer-${generation}.lock`), content);

describe('a lock', () => {
  it('is had by one at a time and can be had again', () => {
    const first = tryLock(directory, 'writer', owner);
    expect(first?.held()).toBe(true);
    expect(tryLock(directory, 'writer', owner)).toBeNull();
    expect(tryLock(directory, 'sender', owner)).not.toBeNull();
    first?.release();
    const second = tryLock(directory, 'writer', owner);
    expect(second?.held()).toBe(true);
    expect(first?.held()).toBe(false);
  });

  it('leaves one file however often it was had', () => {
    for (let time = 0; time < 20; time++) tryLock(directory, 'writer', owner)?.release();
    expect(readdirSync(directory)).toHaveLength(1);
  });

  it('of a process that runs is kept, and taken over when that process is gone', async () => {
    const other = startOther();
    const theirs = { ...mark, pid: other.pid ?? 0, start: '' };
    leave(1, JSON.stringify(theirs));
    expect(isRunning(theirs, mark)).toBe(true);
    expect(tryLock(directory, 'writer', owner)).toBeNull();
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(isRunning(theirs, mark)).toBe(false);
    expect(tryLock(directory, 'writer', owner)?.held()).toBe(true);
  });

  it('is not taken for held because its process id was given to another process', () => {
    leave(1, JSON.stringify({ ...mark, start: 'another start' }));
    expect(tryLock(directory, 'writer', owner)?.held()).toBe(true);
  });

  it('of another host or boot is taken over after a minute without a sign, on either side of a wrong clock', () => {
    leave(1, JSON.stringify({ ...mark, host: 'elsewhere' }));
    expect(isRunning({ ...mark, host: 'elsewhere' }, mark)).toBeNull();
    expect(tryLock(directory, 'writer', owner)).toBeNull();
    for (const shift of [-90, 90]) {
      const at = systemClock() / 1000 + shift;
      for (const name of readdirSync(directory)) utimesSync(join(directory, name), at, at);
      const taken = tryLock(directory, 'writer', owner);
      expect(taken?.held()).toBe(true);
      taken?.release();
      for (const name of readdirSync(directory)) rmSync(join(directory, name));
      leave(1, JSON.stringify({ ...mark, host: 'elsewhere' }));
    }
  });

  it('that was only half taken when its process died is free after a minute', () => {
    leave(4, '');
    expect(tryLock(directory, 'writer', owner)).toBeNull();
    const at = systemClock() / 1000 - 90;
    utimesSync(join(directory, 'writer-4.lock'), at, at);
    expect(tryLock(directory, 'writer', owner)?.held()).toBe(true);
    expect(readdirSync(directory)).toEqual(['writer-5.lock']);
  });

  it('notices that it was taken over', () => {
    const lock = tryLock(directory, 'writer', owner);
    leave(2, JSON.stringify({ ...mark, host: 'elsewhere' }));
    expect(lock?.held()).toBe(false);
    rmSync(directory, { recursive: true });
    expect(lock?.held()).toBe(false);
    lock?.touch();
    lock?.release();
  });
});
