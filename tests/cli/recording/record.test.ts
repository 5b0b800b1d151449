import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CliServer, problemOf, startCliServer } from '../../support/cliServer.ts';
import { type CliUser, callLine, callLines, createCliUser } from '../../support/cliUser.ts';
import { until } from '../../support/eventually.ts';

let server: CliServer;
let cliUser: CliUser;

beforeEach(async () => {
  server = await startCliServer();
  cliUser = await createCliUser();
  await cliUser.login(server.url);
});
afterEach(async () => {
  await cliUser.leave();
  await server.close();
});

const WHAT = ['--service', 'azdo', '--instance', 'https://dev.azure.com/acme', '--operation', 'GET:/wit', '--duration-ms', '42.5'];
const recorded = () => [...server.sources.values()].flatMap((source) => [...source.values()]);

describe('latchkey record', () => {
  it('records one call and reports its outcome', async () => {
    const now = () => Date.parse('2026-03-01T10:00:00.000Z');
    const ran = await cliUser.run(['record', '--json', ...WHAT, '--status', '404'], { now });
    expect(ran).toMatchObject({ code: 0, err: '', json: [{ recorded: 1, accepted: 1, duplicates: 0, rejected: 0, spooled: 0 }] });
    expect(Object.keys(ran.json[0] ?? {})).toEqual(['recorded', 'accepted', 'duplicates', 'rejected', 'spooled', 'sources']);
    expect(ran.json).toMatchObject([{ sources: [{ sourceId: [...server.sources.keys()][0], firstSequence: 1, lastSequence: 1 }] }]);
    expect(recorded()).toEqual([
      {
        service: 'azdo',
        instanceUrl: 'https://dev.azure.com/acme',
        operation: 'GET:/wit',
        status: 404,
        durationMs: 42.5,
        at: '2026-03-01T10:00:00.000Z',
      },
    ]);
    expect((await cliUser.run(['record', ...WHAT, '--ok'])).out).toMatch(/^Recorded 1 call: 1 accepted\nSource: \S+, call 2\n$/);
    expect((await cliUser.run(['record', ...WHAT, '--failed', '--at', '2026-02-01T00:00:00Z'])).code).toBe(0);
    expect(recorded().slice(1)).toMatchObject([{ ok: true }, { ok: false, at: '2026-02-01T00:00:00Z' }]);
    expect([...server.sources.values()].map((source) => [...source.keys()])).toEqual([[1, 2, 3]]);
  });

  it('rejects an invalid call before anything is written', async () => {
    const cases = [
      [['--status', '200'], 'Missing: --service, --instance, --operation, --duration-ms'],
      [WHAT, 'Missing: --status, --ok or --failed'],
      [[...WHAT, '--ok', '--failed'], 'Use either --ok or --failed'],
      [[...WHAT, '--status', 'ok'], "option '--status <code>' argument 'ok' is invalid. Not a number."],
      [[...WHAT, '--status', '20'], '--status: '],
      [[...WHAT, '--ok', '--at', 'yesterday'], '--at: Must be a UTC time like 2026-01-31T12:00:00Z'],
      [[...WHAT, '--ok', '--service', 'github'], "Unknown service 'github'. Use jira, azdo or confluence."],
      [[...WHAT, '--ok', '--instance', 'acme'], '--instance: Must be an http or https address'],
      [[...WHAT, '--ok', '--duration-ms', '-1'], '--duration-ms: '],
      [[...WHAT, '--ok', '--stdin'], '--stdin reads complete calls'],
      [[...WHAT, '--ok', '--source', 'x'], '--source requires --stdin'],
      [['--stdin', '--source', ' '], '--source: '],
      [['--stdin', '--timeout', 'long'], 'Not a number.'],
    ] as const;
    for (const [argv, message] of cases) {
      const ran = await cliUser.run(['record', ...argv]);
      expect([argv, ran.code, ran.err]).toEqual([argv, 2, expect.stringContaining(message)]);
    }
    expect((await cliUser.run(['status', '--json'])).json[0]).toMatchObject({ spooled: 0 });
  });

  it('queues calls while the server is unreachable, and sends them with the next one', async () => {
    server.override((path) => (path.endsWith('api-calls') ? problemOf(503, 'unavailable', 'Closed for repair') : null));
    const offline = await cliUser.run(['record', '--json', ...WHAT, '--ok']);
    expect(offline).toMatchObject({ code: 5, json: [{ recorded: 1, accepted: 0, spooled: 1 }] });
    expect(offline.err).toBe(
      'latchkey: Closed for repair\n1 call queued. Run latchkey flush to send it, or record another call.\n',
    );
    expect((await cliUser.run(['record', ...WHAT, '--ok'])).out).toBe('Recorded 1 call: 2 queued\n');
    server.override(null);
    expect(await cliUser.run(['record', '--json', ...WHAT, '--ok'])).toMatchObject({
      code: 0,
      json: [{ recorded: 1, accepted: 3, spooled: 0 }],
    });
    expect(server.total()).toBe(3);
  });

  it('waits at most --timeout for a silent server, and pauses sending afterwards', async () => {
    server.override((path) => (path.endsWith('api-calls') ? 'no reply' : null));
    const now = () => Date.parse('2026-03-01T10:00:00.000Z');
    const slow = await cliUser.run(['record', '--timeout', '1', ...WHAT, '--ok'], { now });
    expect([slow.code, slow.err]).toEqual([5, expect.stringContaining('did not reply in time')]);
    await until(() => server.requests.at(-1) === '/api/cli/api-calls');
    const requested = server.requests.length;
    const queued = await cliUser.run(['record', ...WHAT, '--ok'], { now });
    expect([queued.code, queued.err]).toEqual([5, expect.stringContaining('did not reply recently. The next attempt is in 5 s')]);
    expect(server.requests.length).toBe(requested);
    server.override(null);
    expect(await cliUser.run(['flush', '--json'])).toMatchObject({ code: 0, json: [{ accepted: 2, spooled: 0 }] });
  });

  it('honours the Retry-After of another process', async () => {
    const throttled = { ...problemOf(429, 'too_many', 'Slow down'), headers: { 'retry-after': '600' } };
    server.override((path) => (path.endsWith('api-calls') ? throttled : null));
    const begun = Date.parse('2026-03-01T10:00:00.000Z');
    const now = () => begun;
    expect((await cliUser.run(['record', ...WHAT, '--ok'], { now })).code).toBe(5);
    const queued = await cliUser.run(['record', ...WHAT, '--ok'], { now });
    expect(queued.err).toContain('The next attempt is in 10 min');
    const later = () => begun + 601_000;
    server.override(null);
    expect(await cliUser.run(['record', '--json', ...WHAT, '--ok'], { now: later })).toMatchObject({
      code: 0,
      json: [{ accepted: 3 }],
    });
  });

  it('ignores a pause that a clock change would extend', async () => {
    server.override((path) =>
      path.endsWith('api-calls') ? { ...problemOf(503, 'overloaded', 'Busy'), headers: { 'retry-after': '600' } } : null,
    );
    const later = Date.parse('2027-01-01T12:00:00Z');
    expect((await cliUser.run(['record', ...WHAT, '--ok'], { now: () => later })).code).toBe(5);
    server.override(null);
    const earlier = later - 86_400_000;
    expect(await cliUser.run(['record', '--json', ...WHAT, '--ok'], { now: () => earlier })).toMatchObject({
      code: 0,
      json: [{ recorded: 1, accepted: 2, spooled: 0 }],
    });
    const [calls] = server.sources.values();
    expect([...(calls ?? [])].map(([sequence, call]) => [sequence, (call as { at: string }).at])).toEqual([
      [1, '2027-01-01T12:00:00.000Z'],
      [2, '2026-12-31T12:00:00.000Z'],
    ]);
  });

  it('reports rejected calls, exits with 1 and saves them', async () => {
    const ran = await cliUser.run(['record', ...WHAT, '--ok', '--operation', 'REFUSED']);
    expect(ran).toMatchObject({ code: 1, out: 'Recorded 1 call: 1 rejected\n' });
    const [, file = ''] = /^rejected REFUSED: Refused by name\nRejected calls and reasons: (.*)\n$/.exec(ran.err) ?? [];
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ reason: 'Refused by name', call: { operation: 'REFUSED' } });
  });

  it('exits with 4 when the license is suspended, and queues the call', async () => {
    server.override((path) =>
      path.endsWith('api-calls') ? problemOf(403, 'customer_suspended', 'This license is suspended.') : null,
    );
    const ran = await cliUser.run(['record', ...WHAT, '--ok']);
    expect(ran.code).toBe(4);
    expect(ran.err).toContain('This license is suspended.\n');
    expect(ran.out).toBe('Recorded 1 call: 1 queued\n');
  });

  it('requires a profile', async () => {
    const signedOut = await createCliUser();
    expect(await signedOut.run(['record', ...WHAT, '--ok'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('You are not signed in'),
    });
    await signedOut.leave();
  });
});

describe('latchkey record --stdin', () => {
  it('records every line and sends concurrently with reading', async () => {
    const ran = await cliUser.run(['record', '--stdin', '--json'], { stdin: callLines(5_000) });
    expect(ran).toMatchObject({
      code: 0,
      err: '',
      json: [{ recorded: 5_000, accepted: 5_000, duplicates: 0, rejected: 0, spooled: 0 }],
    });
    expect(server.total()).toBe(5_000);
  });

  it('reports that an input sent again has nothing new', async () => {
    const argv = ['record', '--stdin', '--source', 'build-43'];
    const stdin = `${callLine(1)}\n${callLine(2)}\n`;
    await cliUser.run(argv, { stdin });
    expect((await cliUser.run(argv, { stdin })).out).toBe('Nothing new: both calls were already recorded\n');
    expect((await cliUser.run(argv, { stdin: `${stdin}${callLine(3)}\n` })).out).toBe(
      'Recorded 3 calls: 1 accepted, 2 duplicates\nSource: build-43, calls 1 to 3\n',
    );
  });

  it('reports that it also sent what was queued before', async () => {
    await cliUser.run(['record', '--stdin', '--source', 'build-44', '--no-send'], { stdin: callLines(2) });
    const ran = await cliUser.run(['record', '--stdin', '--source', 'build-45'], { stdin: callLines(3) });
    expect(ran.out.split('\n').toSorted()).toEqual([
      '',
      'Recorded 3 calls and sent those queued before: 5 accepted',
      'Source: build-44, calls 1 to 2',
      'Source: build-45, calls 1 to 3',
    ]);
  });

  it('counts the same input under the same source once', async () => {
    const stdin = callLines(2_500);
    const argv = ['record', '--stdin', '--source', 'build-42', '--json'];
    expect((await cliUser.run(argv, { stdin })).json).toEqual([
      {
        recorded: 2_500,
        accepted: 2_500,
        duplicates: 0,
        rejected: 0,
        spooled: 0,
        sources: [{ sourceId: 'build-42', firstSequence: 1, lastSequence: 2_500 }],
      },
    ]);
    expect((await cliUser.run(argv, { stdin })).json).toEqual([
      {
        recorded: 2_500,
        accepted: 0,
        duplicates: 2_500,
        rejected: 0,
        spooled: 0,
        sources: [{ sourceId: 'build-42', firstSequence: 1, lastSequence: 2_500 }],
      },
    ]);
    const longer = `${stdin}${callLine(1)}\n`;
    expect((await cliUser.run(argv, { stdin: longer })).json).toEqual([
      {
        recorded: 2_501,
        accepted: 1,
        duplicates: 2_500,
        rejected: 0,
        spooled: 0,
        sources: [{ sourceId: 'build-42', firstSequence: 1, lastSequence: 2_501 }],
      },
    ]);
    expect([...server.sources].map(([source, calls]) => [source, calls.size])).toEqual([['build-42', 2_501]]);
  });

  it('reports invalid lines with number and reason, and records the others', async () => {
    const stdin = [
      `\ufeff${callLine(1)}`,
      '',
      'not json',
      callLine(4, { service: 'github' }),
      `${callLine(5)}\r`,
      callLine(6, { extra: 1 }),
      '[1,2]',
      `"${'x'.repeat(70_000)}"`,
      '   ',
      callLine(10, { status: undefined, ok: false }),
      callLine(11, { at: 'noon' }),
      '{"service":"jira","instanceUrl":7}',
    ].join('\n');
    const ran = await cliUser.run(['record', '--stdin', '--source', 'mixed'], { stdin });
    expect(ran.code).toBe(1);
    expect(ran.out).toBe('Recorded 3 calls: 3 accepted, 7 rejected\nSource: mixed, calls 1 to 10\n');
    const printed = ran.err.trimEnd().split('\n');
    expect(printed).toEqual([
      'line 3: Not JSON',
      'line 4: service: Must be one of jira, azdo, confluence',
      'line 6: extra: Unknown field',
      'line 7: Must be an object',
      'line 8: Longer than 65536 bytes',
      'line 11: at: Must be a UTC time like 2026-01-31T12:00:00Z',
      'line 12: instanceUrl: Must be text; operation: Required; durationMs: Required',
    ]);
    expect([...(server.sources.get('mixed')?.keys() ?? [])]).toEqual([1, 5, 10]);

    const json = await cliUser.run(['record', '--stdin', '--json'], { stdin: `${callLine(1)}\nnope\n` });
    expect(json).toMatchObject({ code: 1, err: '{"line":2,"reason":"Not JSON"}\n', json: [{ recorded: 1, rejected: 1 }] });
  });

  it('lets a corrected line count under its own number', async () => {
    const argv = ['record', '--stdin', '--source', 'fixed', '--json'];
    await cliUser.run(argv, { stdin: `${callLine(1)}\n{oops\n${callLine(3)}\n` });
    expect((await cliUser.run(argv, { stdin: callLines(3) })).json).toEqual([
      {
        recorded: 3,
        accepted: 1,
        duplicates: 2,
        rejected: 0,
        spooled: 0,
        sources: [{ sourceId: 'fixed', firstSequence: 1, lastSequence: 3 }],
      },
    ]);
    expect([...(server.sources.get('fixed')?.keys() ?? [])].sort()).toEqual([1, 2, 3]);
  });

  it('rejects bytes that are not UTF-8', async () => {
    const stdin = new PassThrough();
    stdin.end(Buffer.concat([Buffer.from(`${callLine(1)}\n`), Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from(callLine(3))]));
    expect(await cliUser.run(['record', '--stdin'], { stdin })).toMatchObject({ code: 1, err: 'line 2: Not UTF-8\n' });
    expect(server.total()).toBe(2);
  });

  it('sends calls while the input is open', async () => {
    const stdin = new PassThrough();
    const running = cliUser.run(['record', '--stdin', '--json'], { stdin });
    stdin.write(callLines(3));
    await until(() => server.total() === 3);
    stdin.write(callLine(4).slice(0, 20));
    stdin.write(`${callLine(4).slice(20)}\n`);
    await until(() => server.total() === 4);
    stdin.end();
    expect(await running).toMatchObject({ code: 0, json: [{ recorded: 4, accepted: 4, spooled: 0 }] });
  });

  it('keeps the calls that it read before Ctrl-C', async () => {
    server.override((path) => (path.endsWith('api-calls') ? 'no reply' : null));
    const interrupt = new AbortController();
    const stdin = new PassThrough();
    const running = cliUser.run(['record', '--stdin', '--json'], { stdin, interrupted: interrupt.signal });
    stdin.write(callLines(30));
    await until(() => server.requests.at(-1) === '/api/cli/api-calls');
    interrupt.abort();
    const ran = await running;
    expect(ran).toMatchObject({ code: 1, json: [{ recorded: 30, accepted: 0, spooled: 30 }] });
    expect(ran.err).toContain('Interrupted: the rest was not read');
    server.override(null);
    expect(await cliUser.run(['flush', '--json'])).toMatchObject({
      code: 0,
      json: [{ accepted: 30, duplicates: 0, rejected: 0, spooled: 0 }],
    });
  });

  it('queues all calls offline, numbered by line', async () => {
    const { url } = server;
    await server.close();
    const argv = ['record', '--stdin', '--timeout', '0', '--json'];
    const stdin = `${callLine(1)}\nnope\n${callLine(3)}\n`;
    expect(await cliUser.run([...argv, '--source', 'offline'], { stdin })).toMatchObject({
      code: 5,
      json: [{ recorded: 2, rejected: 1, spooled: 2 }],
    });
    expect(await cliUser.run(argv, { stdin: callLines(12_000) })).toMatchObject({
      code: 5,
      json: [{ recorded: 12_000, spooled: 12_002 }],
    });
    const again = await startCliServer();
    await cliUser.login(again.url);
    expect(await cliUser.run(['flush', '--json'])).toMatchObject({ code: 0, json: [{ accepted: 12_002, spooled: 0 }] });
    expect([...(again.sources.get('offline')?.keys() ?? [])]).toEqual([1, 3]);
    expect(url).not.toBe(again.url);
    server = again;
  });

  it('waits for its input on a terminal, and for the server only with calls to send', async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    let shown = '';
    const onErr = (text: string) => {
      shown += text;
    };
    const running = cliUser.run(['record', '--stdin'], { stdin, tty: true, env: { TERM: 'xterm' }, onErr });
    await sleep(1_500);
    expect(shown).not.toContain('waiting for');
    server.override((path) => (path === '/api/cli/api-calls' ? sleep(2_500).then(() => null) : null));
    stdin.end(callLines(1));
    expect((await running).code).toBe(0);
    expect(shown).toContain(`waiting for ${server.url}, `);
  });

  it('shows a progress bar on a terminal and none elsewhere', async () => {
    const shown = await cliUser.run(['record', '--stdin'], {
      stdin: callLines(2_000),
      tty: true,
      env: { LANG: 'en_US.UTF-8', TERM: 'xterm' },
    });
    expect(shown.err).toContain('2,000 recorded');
    expect(shown.err.endsWith('\r\u001b[2K')).toBe(true);
    const flushed = await cliUser.run(['flush'], { tty: true, env: { TERM: 'dumb' } });
    expect([flushed.out, flushed.err]).toEqual(['No queued calls\n', '']);
  });
});
