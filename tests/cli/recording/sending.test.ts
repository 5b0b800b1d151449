import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openApi } from '../../../src/cli/api/api.ts';
import type { Failure } from '../../../src/cli/failure.ts';
import { systemClock } from '../../../src/cli/io.ts';
import { openDelivery } from '../../../src/cli/recording/delivery.ts';
import { openSpool, type RejectedCall, type Spool } from '../../../src/cli/recording/spool.ts';
import { openUploader } from '../../../src/cli/recording/uploader.ts';
import { type CliServer, problemOf, startCliServer } from '../../support/cliServer.ts';
import { type CliUser, callLines, createCliUser } from '../../support/cliUser.ts';
import { itAtLength } from '../../support/tiers.ts';

let server: CliServer;
let cliUser: CliUser;
let spool: Spool;
let token = '';
let closing: (() => Promise<void>)[] = [];

beforeEach(async () => {
  server = await startCliServer();
  cliUser = await createCliUser();
  await cliUser.login(server.url);
  token = JSON.parse(readFileSync(join(cliUser.home, 'profiles/default.json'), 'utf8')).token;
  spool = openSpool(join(cliUser.home, 'spool-of-the-test'), systemClock);
  closing = [];
});
afterEach(async () => {
  for (const close of closing) await close();
  await cliUser.leave();
  await server.close();
});

const linesOf = (count: number, more?: Readonly<Record<string, unknown>>) => callLines(count, more).trimEnd().split('\n');

const spoolCalls = async (lines: readonly string[], run: string | null = null): Promise<string> => {
  const writer = run === null ? spool.writer() : spool.runWriter(run, 1);
  for (let at = 0; at < lines.length; at += 4_000) await writer.append(lines.slice(at, at + 4_000));
  writer.close();
  return writer.sourceId;
};

const rejected: RejectedCall[] = [];

const drain = async ({ unansweredMs = 30_000, busyMs = 30_000 } = {}) => {
  rejected.length = 0;
  const { signal } = new AbortController();
  const api = openApi({ server: server.url, token, env: {}, now: systemClock, signal });
  closing.push(api.close);
  const delivery = openDelivery({
    post: api.record,
    retries: { unansweredMs, busyMs },
    signal,
    keepRejected: (calls) => {
      spool.keepRejected(calls);
      rejected.push(...calls);
    },
  });
  const lock = spool.tryUploadLock();
  const failure: Failure | null = await openUploader(spool, delivery).drain();
  lock?.release();
  return { failure, ...delivery.sent };
};

/** Requests with calls, as [first sequence, number of calls]. */
const batches: [number, number][] = [];
const watch = (behaviour: Parameters<CliServer['override']>[0] = null) => {
  batches.length = 0;
  server.override((path, body) => {
    if (path !== '/api/cli/api-calls') return null;
    const { firstSequence, calls } = body as { firstSequence: number; calls: unknown[] };
    batches.push([firstSequence, calls.length]);
    return behaviour?.(path, body) ?? null;
  });
};

describe('sending', () => {
  it('delivers every call once in batches of a thousand, and removes acknowledged calls', async () => {
    const source = await spoolCalls(linesOf(20_500));
    watch();
    const sources = [{ sourceId: source, firstSequence: 1, lastSequence: 20_500 }];
    expect(await drain()).toEqual({ failure: null, accepted: 20_500, duplicates: 0, rejected: 0, sources });
    expect(Math.max(...batches.map(([, count]) => count))).toBe(1_000);
    expect(server.sources.get(source)?.size).toBe(20_500);
    expect(spool.isEmpty()).toBe(true);
    expect(spool.sources().map(({ segments, acked }) => [segments.length, acked])).toEqual([[0, 20_500]]);
    const writer = spool.writer();
    expect(await writer.append(linesOf(1))).toMatchObject({ first: 20_501 });
    writer.close();
  });

  it('resends calls after a lost reply, and they count once', async () => {
    await spoolCalls(linesOf(6_000));
    let requests = 0;
    watch(() => {
      requests++;
      if (requests % 3 === 1) return 'drop the reply';
      return requests % 3 === 2 ? 'reset' : null;
    });
    const sent = await drain();
    expect(sent.failure).toBeNull();
    expect(sent.accepted + sent.duplicates).toBe(6_000);
    expect(sent.duplicates).toBeGreaterThan(0);
    expect(server.total()).toBe(6_000);
    expect(spool.isEmpty()).toBe(true);
  });

  itAtLength('pauses all requests in flight for Retry-After', async () => {
    await spoolCalls(linesOf(4_000));
    let refusals = 0;
    const refusedAt: number[] = [];
    const servedAt: number[] = [];
    watch(() => {
      if (refusals++ < 4) {
        refusedAt.push(performance.now());
        return { ...problemOf(503, 'overloaded', 'Busy'), headers: { 'retry-after': '1' } };
      }
      servedAt.push(performance.now());
      return null;
    });
    expect(await drain()).toMatchObject({ failure: null, accepted: 4_000 });
    expect(Math.min(...servedAt) - Math.min(...refusedAt)).toBeGreaterThanOrEqual(990);
  });

  it('stops at a Retry-After beyond its time limit, and leaves the spool unchanged', async () => {
    await spoolCalls(linesOf(10));
    watch(() => ({ ...problemOf(429, 'too_many', 'Slow down'), headers: { 'retry-after': '3600' } }));
    const { failure } = await drain();
    expect(failure).toMatchObject({ exit: 5, code: 'too_many', retryAfterMs: 3_600_000 });
    expect(spool.pending()).toBe(10);
  });

  it('leaves the spool unchanged without a response', async () => {
    await spoolCalls(linesOf(10));
    const { url } = server;
    await server.close();
    expect((await drain({ unansweredMs: 0 })).failure).toMatchObject({
      exit: 5,
      message: `${url} is unreachable: connection refused`,
    });
    expect(spool.pending()).toBe(10);
    server = await startCliServer();
  });

  it('stops when the session has ended or the license is suspended', async () => {
    await spoolCalls(linesOf(10));
    watch(() => problemOf(403, 'customer_suspended', 'This license is suspended.'));
    expect((await drain()).failure).toMatchObject({ exit: 4, code: 'customer_suspended' });
    watch();
    server.endSessions();
    expect((await drain()).failure).toMatchObject({ exit: 3, code: 'session_required' });
    expect(spool.pending()).toBe(10);
  });

  it('saves single calls that the server rejects, and continues with the others', async () => {
    const lines = linesOf(2_000).map((line, index) => (index % 500 === 7 ? line.replace(/GET:[^"]*/, 'REFUSED') : line));
    const source = await spoolCalls(lines);
    expect(await drain()).toEqual({
      failure: null,
      accepted: 1_996,
      duplicates: 0,
      rejected: 4,
      sources: [{ sourceId: source, firstSequence: 1, lastSequence: 2_000 }],
    });
    expect(rejected.map(({ sequence, reason }) => [sequence, reason])).toEqual(
      [8, 508, 1_008, 1_508].map((at) => [at, 'Refused by name']),
    );
    const kept = readFileSync(join(spool.directory, 'rejected.ndjson'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(kept[1]).toMatchObject({ sourceId: source, sequence: 508, call: { operation: 'REFUSED', service: 'jira' } });
    expect(spool.isEmpty()).toBe(true);
  });

  it('sends smaller batches when large ones are rejected', async () => {
    await spoolCalls(linesOf(3_000));
    watch((_, body) => (JSON.stringify(body).length > 40_000 ? { status: 413, body: '<h1>Too large</h1>' } : null));
    expect(await drain()).toEqual({
      failure: null,
      accepted: 3_000,
      duplicates: 0,
      rejected: 0,
      sources: [{ sourceId: expect.any(String), firstSequence: 1, lastSequence: 3_000 }],
    });
    expect(server.total()).toBe(3_000);
  });

  it('keeps bodies below a mebibyte', async () => {
    await spoolCalls(linesOf(2_000, { instanceUrl: `https://acme.example/${'x'.repeat(2_000)}` }));
    let largest = 0;
    watch((_, body) => {
      largest = Math.max(largest, JSON.stringify(body).length);
      return null;
    });
    expect(await drain()).toMatchObject({ failure: null, accepted: 2_000 });
    expect(largest).toBeLessThan(1024 * 1024);
    expect(largest).toBeGreaterThan(512 * 1024);
  });

  it('finds the call that makes the server reject a batch', async () => {
    await spoolCalls(linesOf(1_100));
    watch((_, body) =>
      JSON.stringify(body).includes('GET:/issue/777"') ? problemOf(400, 'validation_failed', 'Cannot be') : null,
    );
    expect(await drain()).toEqual({
      failure: null,
      accepted: 1_099,
      duplicates: 0,
      rejected: 1,
      sources: [{ sourceId: expect.any(String), firstSequence: 1, lastSequence: 1_100 }],
    });
    expect(rejected).toMatchObject([{ sequence: 777, reason: 'Cannot be' }]);
  });

  it('keeps calls when the server accepts none', async () => {
    await spoolCalls(linesOf(64));
    watch(() => problemOf(400, 'validation_failed', 'Unknown field'));
    expect((await drain()).failure).toMatchObject({ exit: 1, status: 400 });
    expect(spool.pending()).toBe(64);
    expect(batches.length).toBeLessThan(10);
  });

  it('sends the readable lines after a disk error', async () => {
    const source = await spoolCalls([...linesOf(3), '\u0000\u0000\u0000', ...linesOf(2)]);
    expect(await drain()).toMatchObject({ failure: null, accepted: 5, rejected: 1 });
    expect(rejected).toMatchObject([{ sequence: 4, reason: 'Unreadable in the queue' }]);
    expect([...(server.sources.get(source)?.keys() ?? [])]).toEqual([1, 2, 3, 5, 6]);
  });

  it('skips the gaps of a run and removes the run when it is sent', async () => {
    const [one = '', two = ''] = linesOf(2);
    await spoolCalls(['null', one, 'null', 'null', two, 'null'], 'file.ndjson');
    watch();
    expect(await drain()).toEqual({
      failure: null,
      accepted: 2,
      duplicates: 0,
      rejected: 0,
      sources: [{ sourceId: 'file.ndjson', firstSequence: 2, lastSequence: 5 }],
    });
    expect(batches).toEqual([[2, 4]]);
    expect([...(server.sources.get('file.ndjson')?.keys() ?? [])]).toEqual([2, 5]);
    expect(spool.sources()).toEqual([]);
  });

  it('sends nothing for a run that is all gaps', async () => {
    await spoolCalls(
      Array.from({ length: 3_000 }, () => 'null'),
      'empty',
    );
    watch();
    expect(await drain()).toMatchObject({ failure: null, accepted: 0 });
    expect(batches).toEqual([]);
    expect(spool.sources()).toEqual([]);
  });

  itAtLength('sends the sources in turns', async () => {
    await spoolCalls(linesOf(66_000), 'long');
    await spoolCalls(linesOf(10), 'short');
    const order: string[] = [];
    server.override((path, body) => {
      if (path === '/api/cli/api-calls') order.push((body as { sourceId: string }).sourceId);
      return null;
    });
    expect(await drain()).toMatchObject({ failure: null, accepted: 66_010 });
    expect(order.indexOf('short')).toBeLessThanOrEqual(64);
  });

  it('uses a new source after a backup of the spool was restored', async () => {
    const source = await spoolCalls(linesOf(5));
    server.sources.get(source);
    await drain();
    const numbers = new Map<number, unknown>(Array.from({ length: 100 }, (_, index) => [index + 1, {}]));
    (server.sources as Map<string, Map<number, unknown>>).set(source, numbers);
    await spoolCalls(linesOf(1));
    expect(await drain()).toMatchObject({ duplicates: 1 });
    const other = await spoolCalls(linesOf(1));
    expect(other).not.toBe(source);
    expect(await drain()).toMatchObject({ accepted: 1 });
    expect(spool.sources()).toHaveLength(1);
  });
});
