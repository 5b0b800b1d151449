import {
  appendFileSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isoTime, systemClock } from '../../../src/cli/io.ts';
import { openAppender } from '../../../src/cli/recording/appender.ts';
import { retire } from '../../../src/cli/recording/sourceSpool.ts';
import { openSpool, type Spool } from '../../../src/cli/recording/spool.ts';
import { type Disk, realDisk, type SpoolWriter } from '../../../src/cli/recording/writer.ts';

let directory = '';
let writers: SpoolWriter[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'latchkey-spool-'));
  writers = [];
});
afterEach(() => {
  for (const writer of writers) writer.close();
  rmSync(directory, { recursive: true, force: true });
});

const open = (disk?: Disk): Spool => openSpool(join(directory, 'spool'), systemClock, disk);
const write = (spool: Spool): SpoolWriter => {
  const writer = spool.writer();
  writers.push(writer);
  return writer;
};
const end = (writer: SpoolWriter) => {
  writers = writers.filter((other) => other !== writer);
  writer.close();
};
const lines = (count: number, from = 1): string[] => Array.from({ length: count }, (_, index) => `{"call":${from + index}}`);
const segmentsOf = (spool: Spool) => spool.sources().flatMap(({ segments }) => segments);
const contentOf = (spool: Spool) => segmentsOf(spool).map(({ file }) => readFileSync(file, 'utf8'));

/** A disk with a capacity of `bytes` bytes. */
const fullAfter = (bytes: number): Disk & { free: (more: number) => void } => {
  let capacity = bytes;
  return {
    ...realDisk,
    free: (more) => {
      capacity += more;
    },
    write: async (fd, buffer, offset, length, position) => {
      if (capacity === 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      const written = await realDisk.write(fd, buffer, offset, Math.min(length, capacity), position);
      capacity -= written;
      return written;
    },
  };
};

describe('a spool', () => {
  it('numbers calls 1, 2, 3… across writers', async () => {
    const spool = open();
    const first = write(spool);
    expect(await first.append(lines(2))).toEqual({ first: 1, count: 2, problem: null });
    expect(await first.append(lines(1, 3))).toMatchObject({ first: 3, count: 1 });
    end(first);
    const second = write(open());
    expect(second.sourceId).toBe(first.sourceId);
    expect(await second.append(lines(1, 4))).toMatchObject({ first: 4, count: 1 });
    expect(contentOf(spool)).toEqual([`${lines(4).join('\n')}\n`]);
    expect(spool.pending()).toBe(4);
  });

  it('is empty until the first write creates it', () => {
    const spool = open();
    expect([spool.pending(), spool.isEmpty(), spool.sources(), spool.pausedUntil()]).toEqual([0, true, [], 0]);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('gives each concurrent writer its own source, and reuses sources', async () => {
    const spool = open();
    const together = [write(spool), write(spool), write(spool)];
    expect(new Set(together.map(({ sourceId }) => sourceId)).size).toBe(3);
    await Promise.all(together.map((writer) => writer.append(lines(5))));
    expect(spool.pending()).toBe(15);
    together.forEach(end);
    const again = [write(spool), write(spool)];
    expect(together.map(({ sourceId }) => sourceId)).toEqual(expect.arrayContaining(again.map(({ sourceId }) => sourceId)));
    expect(spool.sources()).toHaveLength(3);
  });

  it('drops an incomplete line and reuses its number for the next call', async () => {
    const spool = open();
    const first = write(spool);
    await first.append(lines(3));
    end(first);
    const [segment] = segmentsOf(spool);
    appendFileSync(segment?.file ?? '', '{"call":4,"tor');
    expect(spool.pending()).toBe(3);
    const second = write(open());
    expect(await second.append(['{"call":"new"}'])).toMatchObject({ first: 4, count: 1 });
    expect(contentOf(spool)).toEqual([`${lines(3).join('\n')}\n{"call":"new"}\n`]);
  });

  it('continues after an incomplete first line, and after an empty segment', async () => {
    const spool = open();
    const first = write(spool);
    await first.append(lines(1));
    end(first);
    truncateSync(segmentsOf(spool)[0]?.file ?? '', 5);
    const second = write(spool);
    expect(await second.append(lines(1))).toMatchObject({ first: 1, count: 1 });
  });

  it('begins a new segment when one is full', async () => {
    const spool = open();
    const writer = write(spool);
    for (let group = 0; group < 5; group++) await writer.append(lines(4_000, group * 4_000 + 1));
    expect(segmentsOf(spool).map(({ first }) => first)).toEqual([1, 8_001, 16_001]);
    expect(spool.pending()).toBe(20_000);
    end(writer);
    expect(await write(spool).append(lines(1))).toMatchObject({ first: 20_001 });
  });

  it('creates files and folders that only their owner can read', async () => {
    const spool = open();
    await write(spool).append(lines(1));
    const entries = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => lstatSync(join(directory, name)));
    expect(entries.filter((entry) => entry.isDirectory()).map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o700, 0o700]);
    expect(new Set(entries.filter((entry) => entry.isFile()).map(({ mode }) => mode & 0o777))).toEqual(new Set([0o600]));
  });

  it('completes an append in flight synchronously at exit, without writing a call twice', async () => {
    const spool = open();
    const writer = write(spool);
    const pending = writer.append(lines(100));
    const now = writer.appendSync(lines(10, 101));
    expect(now).toMatchObject({ first: 1, count: 110, problem: null });
    await pending;
    expect(contentOf(spool)).toEqual([`${lines(110).join('\n')}\n`]);
  });

  it('stays open for an append that does not end in time, and is closed after it', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const spool = open({
      ...realDisk,
      write: async (...given) => {
        await held;
        return realDisk.write(...given);
      },
    });
    const appender = openAppender({
      open: () => spool.writer(),
      fallback: async () => false,
      onProblem: (problem) => expect.unreachable(problem.message),
      attempts: 1,
      pause: sleep,
    });
    appender.add(lines(5));
    expect(await appender.closeWithin(20)).toBe(false);
    const [source] = spool.sources();
    expect(source && spool.tryWriterLock(source)).toBeNull();
    expect(appender.waiting()).toBe(5);
    release();
    expect(await appender.closeWithin(60_000)).toBe(true);
    expect(appender.counts()).toEqual({ spooled: 5, sentDirectly: 0, lost: 0 });
    expect(contentOf(spool)).toEqual([`${lines(5).join('\n')}\n`]);
    expect(source && spool.tryWriterLock(source)).not.toBeNull();
  });

  it('counts the calls of a run without its gaps', async () => {
    const spool = open();
    const run = spool.runWriter('build-7', 1);
    await run.append(['null', '{"call":2}', 'null', '{"call":4}', 'null']);
    run.close();
    expect(spool.sources().map(({ origin }) => [origin.sourceId, origin.kind])).toEqual([['build-7', 'run']]);
    expect(spool.pending()).toBe(2);
    expect(await write(spool).append(lines(1))).toMatchObject({ first: 1 });
  });

  it('continues a run after the last number of its previous writer', async () => {
    const spool = open();
    const run = spool.runWriter('build-7', 41);
    expect(await run.append(lines(2))).toMatchObject({ first: 41, count: 2 });
    run.close();
    expect(spool.pending()).toBe(2);
  });
});

describe('a full disk', () => {
  it('keeps the complete lines that fit and reports the rest', async () => {
    const disk = fullAfter(3 * '{"call":1}\n'.length + 5);
    const spool = open(disk);
    const writer = write(spool);
    const appended = await writer.append(lines(5));
    expect(appended).toMatchObject({ first: 1, count: 3, problem: { code: 'ENOSPC' } });
    expect(contentOf(spool)).toEqual([`${lines(3).join('\n')}\n`]);
    end(writer);
    disk.free(1_000);
    expect(await write(spool).append(lines(2, 4))).toMatchObject({ first: 4, count: 2, problem: null });
    expect(contentOf(spool)).toEqual([`${lines(5).join('\n')}\n`]);
  });

  it('reports a failed sync although the lines are written', async () => {
    const spool = open({ ...realDisk, sync: () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' })) });
    expect(await write(spool).append(lines(2))).toMatchObject({ first: 1, count: 2, problem: { code: 'EIO' } });
  });
});

describe('a copied home directory', () => {
  it('is sent, but uses new sources on the other machine', async () => {
    const spool = open();
    const writer = write(spool);
    await writer.append(lines(3));
    end(writer);
    const [source] = spool.sources();
    const origin = join(source?.directory ?? '', 'origin.json');
    writeFileSync(origin, readFileSync(origin, 'utf8').replace(/"machine":"\w+"/, '"machine":"another"'));
    const here = write(spool);
    expect(here.sourceId).not.toBe(writer.sourceId);
    expect(await here.append(lines(1))).toMatchObject({ first: 1 });
    expect(spool.pending()).toBe(4);
    expect(spool.sources().map((seen) => spool.mayRemoveSegments(seen))).toEqual(expect.arrayContaining([false, true]));
  });

  it('is not written again when another machine uses its numbers', async () => {
    const spool = open();
    const writer = write(spool);
    await writer.append(lines(3));
    for (const source of spool.sources()) retire(source);
    expect(await writer.append(lines(1))).toMatchObject({ count: 0, problem: expect.any(Error) });
    end(writer);
    expect(write(spool).sourceId).not.toBe(writer.sourceId);
    expect(spool.pending()).toBe(3);
  });

  it('is not written if a source is not valid or has lost its progress', async () => {
    const spool = open();
    const writer = write(spool);
    await writer.append(lines(3));
    end(writer);
    const [source] = spool.sources();
    for (const name of readdirSync(source?.directory ?? ''))
      if (name.startsWith('acked-')) rmSync(join(source?.directory ?? '', name));
    expect(spool.pending()).toBe(3);
    expect(write(spool).sourceId).not.toBe(writer.sourceId);
    renameSync(join(source?.directory ?? '', 'origin.json'), join(source?.directory ?? '', 'gone'));
    expect(spool.pending()).toBe(0);
  });
});

describe('a pause for Retry-After', () => {
  it('applies to all processes, and ends when the clock is set back', () => {
    let now = systemClock();
    const spool = openSpool(join(directory, 'spool'), () => now);
    spool.writer().close();
    spool.pause(30_000);
    expect(isoTime(spool.pausedUntil())).toBe(isoTime(now + 30_000));
    now -= 86_400_000;
    expect(spool.pausedUntil()).toBe(0);
    spool.resume();
    expect(spool.pausedUntil()).toBe(0);
  });
});
