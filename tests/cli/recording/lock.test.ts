import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lutimesSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/cli/io.ts';
import { tryLock } from '../../../src/cli/recording/lock.ts';
import { formatIdentity, identifyThisProcess, isRunning, parseIdentity } from '../../../src/cli/recording/processIdentity.ts';

const identity = identifyThisProcess();
const owner = { identity, now: systemClock };
let directory = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'latchkey-lock-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** A process that runs until its input is closed. */
const startOther = () => spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });

const createLock = (generation: number, content: string) => symlinkSync(content, join(directory, `writer-${generation}.lock`));

describe('a lock', () => {
  it('has one owner at a time and can be acquired again', () => {
    const first = tryLock(directory, 'writer', owner);
    expect(first?.isHeld()).toBe(true);
    expect(tryLock(directory, 'writer', owner)).toBeNull();
    expect(tryLock(directory, 'sender', owner)).not.toBeNull();
    first?.release();
    const second = tryLock(directory, 'writer', owner);
    expect(second?.isHeld()).toBe(true);
    expect(first?.isHeld()).toBe(false);
  });

  it('leaves one file after any number of acquisitions', () => {
    for (let time = 0; time < 20; time++) tryLock(directory, 'writer', owner)?.release();
    expect(readdirSync(directory)).toHaveLength(1);
  });

  it('of a running process is kept, and taken over when that process has ended', async () => {
    const other = startOther();
    const theirs = { ...identity, pid: other.pid ?? 0, start: '' };
    createLock(1, formatIdentity(theirs));
    expect(isRunning(theirs, identity)).toBe(true);
    expect(tryLock(directory, 'writer', owner)).toBeNull();
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(isRunning(theirs, identity)).toBe(false);
    expect(tryLock(directory, 'writer', owner)?.isHeld()).toBe(true);
  });

  it('is free if its pid belongs to another process', () => {
    createLock(1, formatIdentity({ ...identity, start: 'another start' }));
    expect(tryLock(directory, 'writer', owner)?.isHeld()).toBe(true);
  });

  it('of another host or boot expires after a minute, also with a clock that was set back', () => {
    createLock(1, formatIdentity({ ...identity, host: 'elsewhere' }));
    expect(isRunning({ ...identity, host: 'elsewhere' }, identity)).toBeNull();
    expect(tryLock(directory, 'writer', owner)).toBeNull();
    for (const shift of [-90, 90]) {
      const at = systemClock() / 1000 + shift;
      for (const name of readdirSync(directory)) lutimesSync(join(directory, name), at, at);
      const taken = tryLock(directory, 'writer', owner);
      expect(taken?.isHeld()).toBe(true);
      taken?.release();
      for (const name of readdirSync(directory)) rmSync(join(directory, name));
      createLock(1, formatIdentity({ ...identity, host: 'elsewhere' }));
    }
  });

  it('without a valid owner expires after a minute', () => {
    createLock(4, 'nonsense');
    expect(tryLock(directory, 'writer', owner)).toBeNull();
    const at = systemClock() / 1000 - 90;
    lutimesSync(join(directory, 'writer-4.lock'), at, at);
    expect(tryLock(directory, 'writer', owner)?.isHeld()).toBe(true);
    expect(readdirSync(directory)).toEqual(['writer-5.lock']);
  });

  it("fits into a symbolic link's inode", () => {
    tryLock(directory, 'writer', owner);
    const [name = ''] = readdirSync(directory);
    expect(readlinkSync(join(directory, name)).length).toBeLessThan(60);
    expect(parseIdentity(readlinkSync(join(directory, name)))).toEqual(identity);
  });

  it('is acquired by one of many concurrent processes', async () => {
    const module = join(import.meta.dirname, '../../../dist/cli/recording');
    const program = `
      const { tryLock } = await import('file://${module}/lock.js');
      const { identifyThisProcess } = await import('file://${module}/processIdentity.js');
      const { mkdirSync, rmdirSync } = await import('node:fs');
      const owner = { identity: identifyThisProcess(), now: () => Date.now() };
      for (let had = 0; had < 40; ) {
        const lock = tryLock('${directory}', 'busy', owner);
        if (lock === null) continue;
        mkdirSync('${directory}/inside');
        rmdirSync('${directory}/inside');
        lock.release();
        had++;
      }`;
    const file = join(directory, 'program.mjs');
    writeFileSync(file, program);
    const all = Array.from({ length: 3 }, () => spawn(process.execPath, [file], { stdio: ['ignore', 'ignore', 'pipe'] }));
    const ends = all.map(async (child) => {
      let output = '';
      child.stderr.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
      const [code] = await once(child, 'close');
      return { code, output };
    });
    expect(await Promise.all(ends)).toEqual(all.map(() => ({ code: 0, output: '' })));
  });

  it('detects that it was taken over', () => {
    const lock = tryLock(directory, 'writer', owner);
    createLock(2, formatIdentity({ ...identity, host: 'elsewhere' }));
    expect(lock?.isHeld()).toBe(false);
    rmSync(directory, { recursive: true });
    expect(lock?.isHeld()).toBe(false);
    lock?.touch();
    lock?.release();
  });
});
