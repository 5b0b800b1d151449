import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EXIT } from '../../src/cli/exit.ts';
import { type CliServer, problemOf, type ReplyOverride, startCliServer } from '../support/cliServer.ts';
import { type CliUser, createCliUser, ONE_CALL } from '../support/cliUser.ts';

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

const ONE = ['record', ...ONE_CALL];
const REQUESTING = [['status'], ['whoami'], ['theme'], ONE, ['flush']];

/** The server's behaviour, and the exit code of a command that sends a request. */
const answers: readonly (readonly [name: string, behaviour: ReplyOverride, exit: number, code: string])[] = [
  ['an ended session', () => problemOf(401, 'session_required', 'Please sign in'), EXIT.notSignedIn, 'session_required'],
  [
    'a suspended license',
    () => problemOf(403, 'customer_suspended', 'This license is suspended.'),
    EXIT.refused,
    'customer_suspended',
  ],
  [
    'the role stakeholder',
    () => problemOf(403, 'role_not_allowed', 'Your role is stakeholder, which has portal access only.'),
    EXIT.refused,
    'role_not_allowed',
  ],
  ['a suspended user', () => problemOf(403, 'user_suspended', 'This user is suspended.'), EXIT.refused, 'user_suspended'],
  [
    'a busy server',
    () => ({ ...problemOf(503, 'overloaded', 'Try again'), headers: { 'retry-after': '3600' } }),
    EXIT.unreachable,
    'overloaded',
  ],
  ['a broken connection', () => 'reset', EXIT.unreachable, 'unreachable'],
  ['another service', () => ({ status: 200, body: '<html></html>' }), EXIT.unreachable, 'not_latchkey'],
  ['a server of another version', () => problemOf(404, 'not_found', 'Not found'), EXIT.failed, 'out_of_date'],
];

describe('the exit code', () => {
  it.each(answers)('of commands that send a request is the documented one with %s', async (_name, behaviour, exit) => {
    server.override(behaviour);
    await cliUser.run([...ONE, '--no-send']);
    for (const argv of REQUESTING) {
      const { code } = await cliUser.run([...argv, ...(argv[0] === 'flush' ? ['--timeout', '0'] : [])]);
      expect([argv[0], code]).toEqual([argv[0], exit]);
    }
    const spooled = (await cliUser.run(['status', '--json'])).json[0]?.spooled;
    expect(spooled).toBe(2);
  });

  it.each(answers)('of a sign-in is the documented one with %s, with its code as JSON', async (_name, behaviour, exit, code) => {
    server.override(behaviour);
    const ran = await cliUser.run(['login', '--json', '--server', server.url, '--key', 'LK-ENT-TEST-ABCDE']);
    expect(ran).toMatchObject({ code: exit, json: [{ success: false, code, error: expect.any(String) }] });
  });

  it('is 3 without a sign-in', async () => {
    for (const argv of [['status'], ['whoami'], ['theme'], ['connect'], ONE, ['record', '--stdin'], ['flush']]) {
      const ran = await cliUser.run([...argv, '--profile', 'nobody', '--json']);
      expect([argv[0], ran.code, ran.json[0]?.code]).toEqual([argv[0], EXIT.notSignedIn, 'not_signed_in']);
    }
  });

  it('is 2 for wrong numbers', async () => {
    for (const argv of [
      [...ONE, '--timeout', '-1'],
      ['flush', '--timeout', 'long'],
      ['connect', '--give-up-after', '-5'],
      ['connect', '--give-up-after', ''],
    ]) {
      expect([argv, (await cliUser.run(argv)).code]).toEqual([argv, EXIT.usage]);
    }
  });

  it('is 2 for a wrong command line, with the help of its command', async () => {
    for (const [argv, help] of [
      [['--key-stdin'], 'latchkey --help'],
      [['login', '--key-stdin'], 'latchkey login --help'],
      [['license', 'verify', 'one', 'two'], 'latchkey license verify --help'],
    ] as const) {
      const { code, err } = await cliUser.run([...argv]);
      expect([code, err.split('\n').at(-2)]).toEqual([EXIT.usage, `(see ${help})`]);
    }
  });
});

describe('the wait of latchkey flush', () => {
  const flushed = async (behaviour: ReplyOverride, ...more: string[]) => {
    await cliUser.run([...ONE, '--no-send']);
    server.override((path, body) => (path === '/api/cli/api-calls' ? behaviour(path, body) : null));
    const startedAt = performance.now();
    const { code, err } = await cliUser.run(['flush', ...more]);
    return { code, err, seconds: (performance.now() - startedAt) / 1000 };
  };

  it.each([
    ['a busy server', () => problemOf(503, 'overloaded', 'Try again'), 'Try again'],
    ['a failing server', () => ({ status: 500, body: '<h1>Error</h1>' }), 'replied with status 500'],
    ['a server without a reply', () => 'no reply', 'did not reply in time'],
  ] satisfies [string, ReplyOverride, string][])('ends after --timeout with %s', async (_name, behaviour, message) => {
    const { code, err, seconds } = await flushed(behaviour, '--timeout', '1');
    expect([code, err]).toEqual([EXIT.unreachable, expect.stringContaining(message)]);
    expect(seconds).toBeGreaterThan(0.9);
    expect(seconds).toBeLessThan(5);
  });

  it('is none for a proxy that requires a password', async () => {
    const { code, err, seconds } = await flushed(() => ({ status: 407, body: '' }));
    expect([code, err]).toEqual([EXIT.unreachable, expect.stringContaining('Check HTTPS_PROXY')]);
    expect(seconds).toBeLessThan(5);
  });

  it('is explained by its help', async () => {
    const { out } = await cliUser.run(['flush', '--help']);
    expect(out.replace(/\s+/g, ' ')).toContain('(default: retry for 5 s without a reply, for 60 s if the server is busy)');
  });
});

describe('a refused request', () => {
  it('is reported with each issue once', async () => {
    const issues = [
      { path: 'name', message: 'Must not be empty' },
      { path: 'at', message: 'Not a date' },
    ];
    const error = 'name: Must not be empty (and 1 more)';
    server.override(() => ({ status: 400, body: { success: false, code: 'validation_failed', error, issues } }));
    expect((await cliUser.run(['whoami'])).err).toBe(`latchkey: ${error} (at: Not a date)\n`);
  });
});

describe('a server of another version', () => {
  const speaking =
    (version: string): ReplyOverride =>
    (path) => {
      if (path === '/api/version') return { status: 200, body: { success: true, version } };
      return problemOf(404, 'not_found', 'Not found');
    };

  it('is reported as newer, older or equal', async () => {
    const own = (await cliUser.run(['--version'])).out.trim();
    server.override(speaking('99.1.0'));
    const newer = await cliUser.run(['whoami']);
    expect(newer.err).toContain(`This latchkey is ${own}, the server at ${server.url} is 99.1.0`);
    expect(newer.err).toContain('Update latchkey to 99.1.0.');
    server.override(speaking('0.0.9'));
    expect((await cliUser.run(['whoami'])).err).toContain('Ask the administrator to update the server');
    server.override(speaking(own));
    expect((await cliUser.run(['whoami'])).err).toContain('Both have the same version');
    server.override(() => problemOf(404, 'not_found', 'Not found'));
    expect((await cliUser.run(['whoami'])).err).toContain('One of them is out of date');
  });

  it('receives one request for its version, even from a command with many requests', async () => {
    await cliUser.run(['record', '--stdin', '--no-send'], { stdin: '' });
    server.override(speaking('99.1.0'));
    await cliUser.run([...ONE]);
    expect(server.requests.filter((path) => path === '/api/version')).toHaveLength(1);
  });
});
