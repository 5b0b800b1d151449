import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/cli/io.ts';
import { batchesOf, bodyOf, MAX_BATCH_BYTES } from '../../../src/cli/recording/batch.ts';
import { readSegment } from '../../../src/cli/recording/sourceSpool.ts';
import { openSpool, type Spool } from '../../../src/cli/recording/spool.ts';
import { startCliServer } from '../../support/cliServer.ts';
import { callLine, createCliUser } from '../../support/cliUser.ts';
import { IS_AT_LENGTH } from '../../support/tiers.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'latchkey-torn-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Hundreds of files and commands are slow on a busy machine. */
const longTimeout = { timeout: 240_000 };
/** So many bytes between the ends at which a write stops. */
const STEP = IS_AT_LENGTH ? 1 : 7;
const LINES = [callLine(1), callLine(2, { operation: 'GET:/größe/☂' }), callLine(3)];

const onlySegment = (spool: Spool): { file: string; first: number } => {
  const [segment] = spool.sources().flatMap(({ segments }) => segments);
  if (segment === undefined) throw new Error('There is no segment');
  return segment;
};

/** The calls to send, each with its number. */
const sentFrom = (spool: Spool): [sequence: number, operation: string][] => {
  const segment = onlySegment(spool);
  return [...batchesOf(readSegment(segment), segment.first, 0, () => MAX_BATCH_BYTES)].flatMap((batch) => {
    const { body, damaged } = bodyOf('source', batch);
    expect(damaged.size).toBe(0);
    const { firstSequence, calls } = JSON.parse(body.toString());
    return calls.map((call: { operation: string }, index: number) => [firstSequence + index, call.operation]);
  });
};

describe('a spool with an interrupted last write', longTimeout, () => {
  it('keeps every complete line and its number, wherever the write stopped', async () => {
    const original = join(directory, 'original');
    const writer = openSpool(original, systemClock).writer();
    await writer.append(LINES);
    writer.close();
    const content = readFileSync(onlySegment(openSpool(original, systemClock)).file);
    const operations = ['GET:/issue/1', 'GET:/größe/☂', 'GET:/issue/3'];
    expect(sentFrom(openSpool(original, systemClock)).map(([, operation]) => operation)).toEqual(operations);

    for (let bytes = 0; bytes <= content.length; bytes += STEP) {
      const copy = join(directory, `torn-${bytes}`);
      cpSync(original, copy, { recursive: true, verbatimSymlinks: true });
      const spool = openSpool(copy, systemClock);
      truncateSync(onlySegment(spool).file, bytes);
      const kept = content.subarray(0, bytes).toString('latin1').split('\n').length - 1;
      expect([bytes, spool.pending()]).toEqual([bytes, kept]);

      const next = spool.writer();
      expect(await next.append([callLine(9)])).toEqual({ first: kept + 1, count: 1, problem: null });
      next.close();
      const expected = [...operations.slice(0, kept), 'GET:/issue/9'];
      expect(sentFrom(spool)).toEqual(expected.map((operation, index) => [index + 1, operation]));
      rmSync(copy, { recursive: true });
    }
  });

  it('ignores an incomplete pause file', () => {
    const spool = openSpool(join(directory, 'spool'), systemClock);
    spool.pause(60_000);
    const file = join(directory, 'spool/hold.json');
    const content = readFileSync(file);
    for (let bytes = 0; bytes < content.length; bytes++) {
      writeFileSync(file, content.subarray(0, bytes));
      expect([bytes, spool.pausedUntil()]).toEqual([bytes, 0]);
    }
    writeFileSync(file, content);
    expect(spool.pausedUntil()).toBeGreaterThan(systemClock());
  });
});

describe('a truncated profile', longTimeout, () => {
  it('is never accepted, and always reported', async () => {
    const server = await startCliServer();
    const cliUser = await createCliUser();
    await cliUser.login(server.url);
    const file = join(cliUser.home, 'profiles/default.json');
    const copy = join(directory, 'profile.json');
    copyFileSync(file, copy);
    const length = readFileSync(copy).length;
    const requested = server.requests.length;
    for (let bytes = 0; bytes < length - 1; bytes += STEP) {
      writeFileSync(file, readFileSync(copy).subarray(0, bytes), { mode: 0o600 });
      const ran = await cliUser.run(['whoami', '--json']);
      expect([bytes, ran.code, ran.json[0]?.code]).toEqual([bytes, 1, 'profile_unreadable']);
    }
    expect(server.requests).toHaveLength(requested);
    await cliUser.leave();
    await server.close();
  });
});
