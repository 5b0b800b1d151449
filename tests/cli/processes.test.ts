import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CliServer, startCliServer } from '../support/cliServer.ts';
import { type CliUser, callLines, createCliUser } from '../support/cliUser.ts';
import { until } from '../support/eventually.ts';
import { itAtLength } from '../support/tiers.ts';

const root = join(import.meta.dirname, '../..');
let server: CliServer;
let cliUser: CliUser;
let children: ChildProcess[] = [];

beforeEach(async () => {
  server = await startCliServer();
  cliUser = await createCliUser();
  await cliUser.login(server.url);
  children = [];
});
afterEach(async () => {
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  await cliUser.leave();
  await server.close();
});

const env = () => ({ PATH: process.env.PATH, LATCHKEY_HOME: cliUser.home, HOME: cliUser.home });

const start = (argv: readonly string[]) => {
  const child = spawn(process.execPath, [...argv], { env: env(), stdio: ['pipe', 'pipe', 'pipe'] });
  children.push(child);
  child.stdin.on('error', () => {}); // the process may be killed during a write
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, out, err }));
  return { child, ended, out: () => out };
};
const latchkey = (...argv: string[]) => start([join(root, 'bin/latchkey.js'), ...argv]);

const ONE = [
  '--service',
  'jira',
  '--instance',
  'https://acme.example',
  '--operation',
  'GET:/issue',
  '--status',
  '200',
  '--duration-ms',
  '42',
];

/** Concurrent recordings, recordings that are killed, and calls of an import that is killed. `npm run test:proofs` sets more. */
const RECORDINGS = Number(process.env.CONCURRENT_RECORDINGS ?? 3);
const KILLED = Number(process.env.KILLED_RECORDINGS ?? 3);
const CALLS_OF_STDIN = 1_000;
const IMPORTED = Number(process.env.IMPORTED_CALLS ?? 12_000);
/** Many concurrent processes are slow on a busy machine. */
const TIMEOUT_MS = 240_000;
const longTimeout = { timeout: TIMEOUT_MS };

describe('the command as a child process', longTimeout, () => {
  it('terminates with its exit code', async () => {
    expect(await latchkey('record', '--json', '--timeout', '60', ...ONE).ended).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(
        /^\{"recorded":1,"accepted":1,"duplicates":0,"rejected":0,"spooled":0,"sources":\[\{"sourceId":"[^"]+","firstSequence":1,"lastSequence":1\}\]\}\n$/,
      ),
    });
    expect(await latchkey('nonsense').ended).toMatchObject({ code: 2 });
    expect(await latchkey('status', '--profile', 'nobody').ended).toMatchObject({ code: 3 });
  });

  it('handles a reader that closes the pipe', async () => {
    const { child, ended } = latchkey('--help');
    child.stdout.destroy();
    expect(await ended).toMatchObject({ code: 0, err: '' });
  });

  it('terminates cleanly on SIGINT and SIGTERM', async () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const { child, ended, out } = latchkey('connect');
      await until(() => out().includes('Connected to Acme'), TIMEOUT_MS);
      child.kill(signal);
      expect(await ended).toMatchObject({ code: 0, err: 'Disconnected\n' });
      await until(() => server.sockets() === 0, TIMEOUT_MS);
    }
  });

  it('counts every call once with concurrent recordings', async () => {
    const running = Array.from({ length: RECORDINGS }, () => latchkey('record', '--timeout', '60', ...ONE).ended);
    const many = Array.from({ length: 2 }, () => {
      const import_ = latchkey('record', '--stdin', '--json', '--timeout', '60');
      import_.child.stdin.end(callLines(CALLS_OF_STDIN));
      return import_.ended;
    });
    for (const ran of await Promise.all([...running, ...many])) expect(ran).toMatchObject({ code: 0 });
    expect(await latchkey('flush', '--json').ended).toMatchObject({ code: 0 });
    expect(server.total()).toBe(RECORDINGS + 2 * CALLS_OF_STDIN);
  });

  it('loses no recorded call when it is killed', async () => {
    let reported = 0;
    let killed = 0;
    for (let round = 0; round < KILLED; round++) {
      server.override((path) => (path.endsWith('api-calls') && Math.random() < 0.3 ? 'drop the reply' : null));
      const { child, ended, out } = latchkey('record', '--json', ...ONE);
      const timer = setTimeout(() => child.kill('SIGKILL'), 120 + Math.random() * 250);
      const { signal } = await ended;
      clearTimeout(timer);
      if (signal !== null) killed++;
      if (out().includes('"recorded":1')) reported++;
    }
    server.override(null);
    const flushed = await latchkey('flush', '--json').ended;
    expect(flushed.code).toBe(0);
    expect(server.total()).toBeGreaterThanOrEqual(reported);
    expect(server.total()).toBeLessThanOrEqual(reported + killed);
    for (const calls of server.sources.values())
      expect([...calls.keys()].sort((a, b) => a - b)).toEqual([...calls.keys()].map((_, i) => i + 1));
  });

  itAtLength('sends the rest of a killed import, and counts a file that is sent again once', async () => {
    const stdin = callLines(IMPORTED);
    let batches = 0;
    server.override((path) => {
      if (path.endsWith('api-calls')) batches++;
      return batches % 5 === 4 ? 'drop the reply' : null;
    });
    const { child, ended } = latchkey('record', '--stdin', '--source', 'nightly');
    child.stdin.write(stdin.slice(0, stdin.length / 2));
    await until(() => batches >= 5, TIMEOUT_MS);
    child.kill('SIGKILL');
    await ended;
    // Requests that it had sent may still be handled.
    await until(() => server.connections() === 0, TIMEOUT_MS);
    server.override(null);
    const before = server.total();
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(IMPORTED);

    const again = latchkey('record', '--stdin', '--source', 'nightly', '--json', '--timeout', '60');
    again.child.stdin.end(stdin);
    const ran = await again.ended;
    expect(ran.code).toBe(0);
    const printed = JSON.parse(ran.out);
    expect(printed).toMatchObject({ recorded: IMPORTED, rejected: 0, spooled: 0 });
    expect(printed.accepted).toBe(IMPORTED - before);
    expect(server.sources.get('nightly')?.size).toBe(IMPORTED);
    expect(server.total()).toBe(IMPORTED);
  });

  itAtLength('sends an unnamed import that was killed exactly as far as it was recorded', async () => {
    const { url } = server;
    await server.close();
    const { child, ended } = latchkey('record', '--stdin', '--no-send');
    child.stdin.write(callLines(20_000));
    const pending = async () => Number((await cliUser.run(['status', '--json'])).json[0]?.spooled);
    await until(async () => (await pending()) > 0, TIMEOUT_MS);
    child.kill('SIGKILL');
    await ended;
    const spooled = await pending();
    server = await startCliServer();
    await cliUser.login(server.url);
    expect(await latchkey('flush', '--json').ended).toMatchObject({
      code: 0,
      out: expect.stringContaining(`"accepted":${spooled},`),
    });
    expect(server.total()).toBe(spooled);
    expect(server.url).not.toBe(url);
  });
});

describe('a program with a recorder', longTimeout, () => {
  const program = async (body: string): Promise<string> => {
    const file = join(cliUser.home, 'program.mjs');
    const recorder = pathToFileURL(join(root, 'dist/cli/recording/recorder.js')).href;
    const call = `{ service: 'jira', instanceUrl: 'https://a.example', operation: 'GET:/x', status: 200, durationMs: 1 }`;
    await writeFile(
      file,
      `import { createRecorder } from '${recorder}';\nconst recorder = createRecorder();\nconst call = ${call};\n${body}\n`,
    );
    return file;
  };
  const spooled = async () => (await cliUser.run(['status', '--json'])).json[0]?.spooled;

  it('writes calls in memory to disk when it ends', async () => {
    const file = await program('for (let i = 0; i < 1_000; i++) recorder.record(call);');
    expect(await start([file]).ended).toMatchObject({ code: 0, err: '' });
    await cliUser.run(['flush']);
    expect(server.total()).toBe(1_000);
  });

  itAtLength('may call process.exit during a write', async () => {
    server.override((path) => (path.endsWith('api-calls') ? 'reset' : null));
    const body = `
      for (let i = 0; i < 5_000; i++) recorder.record(call);
      setTimeout(() => { for (let i = 0; i < 300; i++) recorder.record(call); process.exit(7); }, 51);`;
    expect(await start([await program(body)]).ended).toMatchObject({ code: 7, err: '' });
    expect(await spooled()).toBe(5_300);
    server.override(null);
    expect((await cliUser.run(['flush', '--json'])).json[0]).toMatchObject({ accepted: 5_300, spooled: 0 });
  });

  it('is not kept alive by the recorder and not affected by a failing server', async () => {
    await server.close();
    const file = await program('recorder.record(call); setTimeout(() => console.log("done"), 200);');
    expect(await start([file]).ended).toMatchObject({ code: 0, out: 'done\n', err: '' });
    expect(await spooled()).toBe(1);
    server = await startCliServer();
  });

  itAtLength('loses at most the calls of the last lingerMs when it is killed', async () => {
    await server.close();
    const file = await program(
      'recorder.record(call); setInterval(() => { if (recorder.counts().recorded === 1) console.log("safe"); }, 5);',
    );
    const { child, ended, out } = start([file]);
    await until(() => out().includes('safe'), TIMEOUT_MS);
    child.kill('SIGKILL');
    await ended;
    expect(await spooled()).toBe(1);
    server = await startCliServer();
  });
});
