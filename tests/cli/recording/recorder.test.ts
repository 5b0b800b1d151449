import { pbkdf2 } from 'node:crypto';
import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRecorder, type Recorder, type RecorderOptions, type RecorderProblem } from '../../../src/cli/recording/recorder.ts';
import type { ApiCall } from '../../../src/contracts/apiCalls.ts';
import { type CliServer, problemOf, startCliServer } from '../../support/cliServer.ts';
import { type CliUser, createCliUser } from '../../support/cliUser.ts';
import { until } from '../../support/eventually.ts';
import { itAtLength } from '../../support/tiers.ts';

let server: CliServer;
let cliUser: CliUser;
let recorders: Recorder[] = [];
const problems: RecorderProblem[] = [];

beforeEach(async () => {
  server = await startCliServer();
  cliUser = await createCliUser();
  await cliUser.login(server.url);
  recorders = [];
  problems.length = 0;
});
afterEach(async () => {
  for (const recorder of recorders) await recorder.close({ deadlineMs: 0 });
  await cliUser.leave();
  await server.close();
});

/** Enough for a busy machine. */
const LONG_DEADLINE = { deadlineMs: 60_000 };

const create = (options: RecorderOptions = {}): Recorder => {
  const env = { LATCHKEY_HOME: cliUser.home };
  const recorder = createRecorder({ env, onProblem: (problem) => problems.push(problem), sendEveryMs: 10, ...options });
  recorders.push(recorder);
  return recorder;
};

const call = (index = 1): ApiCall => ({
  service: 'confluence',
  instanceUrl: 'https://acme.example/wiki',
  operation: `GET:/page/${index}`,
  status: 200,
  durationMs: 7,
});

describe('a recorder', () => {
  it('writes and sends in the background', async () => {
    const recorder = create();
    for (let index = 0; index < 2_500; index++) expect(recorder.record(call(index))).toBe(true);
    await until(() => server.total() === 2_500);
    expect(await recorder.close(LONG_DEADLINE)).toEqual({
      recorded: 2_500,
      accepted: 2_500,
      duplicates: 0,
      rejected: 0,
      invalid: 0,
      dropped: 0,
      waiting: 0,
      spooled: 0,
      sources: [{ sourceId: expect.any(String), firstSequence: 1, lastSequence: 2_500 }],
    });
    expect(problems).toEqual([]);
  });

  it('accepts a call immediately, independent of the server', async () => {
    server.override((path) => (path.endsWith('api-calls') ? 'no reply' : null));
    const recorder = create({ lingerMs: 0 });
    for (let index = 0; index < 100; index++) recorder.record(call(index));
    expect(recorder.counts()).toMatchObject({ waiting: 100, recorded: 0 });
    expect(server.requests).not.toContain('/api/cli/api-calls');
    await until(() => recorder.counts().spooled === 100);
    const closed = await recorder.close({ deadlineMs: 50 });
    expect(closed).toMatchObject({ recorded: 100, accepted: 0, spooled: 100, waiting: 0, dropped: 0 });
    server.override(null);
    expect((await cliUser.run(['flush', '--json'])).json[0]).toMatchObject({ accepted: 100, spooled: 0 });
    expect(server.total()).toBe(100);
  });

  it('flushes on request', async () => {
    const recorder = create({ lingerMs: 60_000, sendEveryMs: 60_000 });
    recorder.record(call());
    expect(recorder.counts()).toMatchObject({ waiting: 1, recorded: 0 });
    expect(await recorder.flush(LONG_DEADLINE)).toMatchObject({ recorded: 1, accepted: 1, spooled: 0 });
    expect(server.total()).toBe(1);
  });

  it('rejects an invalid call without throwing', async () => {
    const recorder = create();
    const hostile = {
      ...call(),
      get operation(): string {
        throw new Error('boo');
      },
    };
    expect(recorder.record({ ...call(), durationMs: Number.NaN })).toBe(false);
    expect(recorder.record({ ...call(), instanceUrl: 'acme' })).toBe(false);
    expect(recorder.record(hostile)).toBe(false);
    expect(recorder.counts()).toMatchObject({ invalid: 3, waiting: 0 });
    expect(problems).toEqual([{ code: 'call_invalid', message: expect.stringContaining('durationMs') }]);
  });

  it('continues when onProblem throws', async () => {
    const recorder = create({
      onProblem: () => {
        throw new Error('not handled');
      },
    });
    expect(recorder.record({ ...call(), durationMs: -1 })).toBe(false);
    expect(recorder.record(call())).toBe(true);
    expect(await recorder.flush(LONG_DEADLINE)).toMatchObject({ accepted: 1 });
  });

  it('reports a problem once, and recovers', async () => {
    server.override((path) => (path.endsWith('api-calls') ? problemOf(403, 'customer_suspended', 'Suspended') : null));
    const recorder = create();
    recorder.record(call(1));
    await until(() => problems.length === 1);
    recorder.record(call(2));
    expect(await recorder.flush(LONG_DEADLINE)).toMatchObject({ recorded: 2, accepted: 0, spooled: 2 });
    expect(problems).toEqual([{ code: 'customer_suspended', message: 'Suspended' }]);
    server.override(null);
    expect(await recorder.flush(LONG_DEADLINE)).toMatchObject({ accepted: 2, spooled: 0 });
  });

  it('closes no file to which it still writes', async () => {
    const recorder = create({ lingerMs: 0, sendEveryMs: 60_000 });
    recorder.record(call(1));
    await recorder.flush(LONG_DEADLINE);
    // All threads of the process are busy, so a write waits for one.
    const busy = Promise.all(Array.from({ length: 8 }, () => promisify(pbkdf2)('any', 'any', 400_000, 32, 'sha256')));
    recorder.record(call(2));
    expect(await recorder.close({ deadlineMs: 0 })).toMatchObject({ recorded: 2, waiting: 0, dropped: 0 });
    const other = join(cliUser.home, 'other');
    const fd = openSync(other, 'w'); // with the number of a file that was closed
    await busy;
    await sleep(100);
    closeSync(fd);
    expect(readFileSync(other, 'utf8')).toBe('');
    expect((await cliUser.run(['flush', '--json'])).json[0]).toMatchObject({ accepted: 1, spooled: 0 });
    expect(server.total()).toBe(2);
  });

  it('drops calls after close, which is idempotent', async () => {
    const recorder = create();
    recorder.record(call());
    const [one, two] = await Promise.all([recorder.close(LONG_DEADLINE), recorder.close(LONG_DEADLINE)]);
    expect([one.accepted, two.dropped]).toEqual([1, 0]);
    expect(recorder.record(call())).toBe(false);
    expect(recorder.counts()).toMatchObject({ dropped: 1, accepted: 1 });
    expect(problems).toMatchObject([{ code: 'call_dropped' }]);
  });

  it('keeps calls in memory until a sign-in, up to a limit', async () => {
    const home = join(cliUser.home, 'later');
    const recorder = create({ env: { LATCHKEY_HOME: home }, maxWaiting: 3, lingerMs: 0 });
    for (let index = 0; index < 5; index++) recorder.record(call(index));
    await until(() => problems.length > 0);
    expect(recorder.counts()).toMatchObject({ waiting: 3, dropped: 2, recorded: 0 });
    await cliUser.run(
      ['login', '--server', server.url, '--key', 'LK-ENT-TEST-ABCDE', '--username', 'ada', '--email', 'a@example.com'],
      {
        env: { LATCHKEY_HOME: home },
      },
    );
    await until(() => server.total() === 3);
    expect(await recorder.close(LONG_DEADLINE)).toMatchObject({ recorded: 3, accepted: 3, waiting: 0, dropped: 2 });
  });

  itAtLength('limits the memory of long calls', () => {
    const recorder = create({ env: { LATCHKEY_HOME: join(cliUser.home, 'nobody') } });
    const long = { ...call(), instanceUrl: `https://acme.atlassian.net/${'x'.repeat(2_000)}` };
    let taken = 0;
    while (recorder.record(long)) taken++;
    expect(taken).toBeLessThan(20_000);
    expect(taken).toBeGreaterThan(10_000);
    expect([recorder.record(call()), recorder.counts().dropped]).toEqual([false, 2]);
    expect(problems).toContainEqual({
      code: 'call_dropped',
      message: `The write buffer is full: ${taken} calls are waiting for the disk`,
    });
  });

  it('keeps calls in memory while the disk is full, and sends them directly', async () => {
    const recorder = create({ lingerMs: 0 });
    recorder.record(call(1));
    expect(await recorder.flush(LONG_DEADLINE)).toMatchObject({ accepted: 1 });
    const spool = join(cliUser.home, 'spool');
    rmSync(spool, { recursive: true, force: true });
    writeFileSync(spool, 'a file where a folder should be');
    recorder.record(call(2));
    await until(() => server.total() === 2);
    expect(problems.map(({ code }) => code)).toContain('spool_failed');
    rmSync(spool);
    mkdirSync(spool);
    chmodSync(spool, 0o700);
    recorder.record(call(3));
    await until(() => server.total() === 3);
    expect(await recorder.close(LONG_DEADLINE)).toMatchObject({ recorded: 3, waiting: 0, dropped: 0 });
  });

  it('shares the spool with other processes without reusing their numbers', async () => {
    const together = [create(), create(), create()];
    for (const [index, recorder] of together.entries()) {
      for (let number = 0; number < 300; number++) recorder.record(call(index * 1_000 + number));
    }
    const ran = await cliUser.run([
      'record',
      '--service',
      'jira',
      '--instance',
      'https://a.example',
      '--operation',
      'x',
      '--ok',
      '--duration-ms',
      '1',
    ]);
    expect(ran.code).toBe(0);
    await Promise.all(together.map((recorder) => recorder.close(LONG_DEADLINE)));
    await cliUser.run(['flush']);
    expect(server.total()).toBe(901);
    expect(server.sources.size).toBeGreaterThanOrEqual(3);
  });

  it('uses a new sign-in, and does not send calls of one customer as another', async () => {
    const recorder = create();
    recorder.record(call(1));
    await recorder.flush(LONG_DEADLINE);
    await cliUser.run(['logout']);
    recorder.record(call(2));
    expect(await recorder.flush(LONG_DEADLINE)).toMatchObject({ accepted: 1, spooled: 1 });
    await cliUser.login(server.url);
    expect(await recorder.flush(LONG_DEADLINE)).toMatchObject({ accepted: 2, spooled: 0 });
  });
});
