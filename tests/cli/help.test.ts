import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildAdminProgram } from '../../src/admin/program.ts';
import { runAdmin } from '../../src/admin/run.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { startCliServer } from '../support/cliServer.ts';
import { type CliUser, createCliUser } from '../support/cliUser.ts';

let cliUser: CliUser;
beforeEach(async () => {
  cliUser = await createCliUser();
});
afterEach(() => cliUser.leave());

const everyCommand = (command: Command, path: readonly string[] = []): string[][] => [
  [...path],
  ...command.commands.flatMap((child) => everyCommand(child, [...path, child.name()])),
];
/** `latchkey` with commands that do nothing, to parse command lines. */
const idle = (): Command => {
  const program = buildProgram(() => async () => undefined);
  const quiet = (command: Command): void => {
    command.exitOverride().configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
    command.commands.forEach(quiet);
  };
  quiet(program);
  return program;
};

const adminIo = (env: Readonly<Record<string, string>> = {}) => ({
  stdin: new PassThrough(),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  env,
  cwd: cliUser.home,
  now: () => Date.now(),
  interrupted: new AbortController().signal,
});
const admin = async (...argv: string[]): Promise<{ code: number; out: string; err: string }> => {
  const io = adminIo();
  const output = Promise.all([text(io.stdout), text(io.stderr)]);
  const code = await runAdmin(argv, io);
  io.stdout.end();
  io.stderr.end();
  const [out, err] = await output;
  return { code, out, err };
};

/** The command lines under "Examples:", without shell syntax. */
const examplesOf = (help: string): string[] => {
  const section = /^Examples:\n((?: {2}.*\n)+)/m.exec(help)?.[1] ?? '';
  return section.split('\n').flatMap((line) => {
    const [, example] = /(latchkey(?:-admin)? [^<>|)"]*|latchkey$)/.exec(line.startsWith('  #') ? '' : line) ?? [];
    return example === undefined ? [] : [example.trim()];
  });
};

describe('the help of latchkey', () => {
  it('has valid examples and exit codes for every command', async () => {
    const commands = everyCommand(idle());
    expect(commands.length).toBeGreaterThan(12);
    for (const path of commands) {
      const { code, out } = await cliUser.run([...path, '--help']);
      expect([path, code]).toEqual([path, 0]);
      expect(out).toMatch(/^Exit codes:\n {2}0 {2,3}\S/m);
      expect(out).toMatch(/^ {2}2 {2,3}wrong usage/m);
      const examples = examplesOf(out);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        const words = example.split(/\s+/).slice(1);
        if (words[0] !== 'help') await expect(idle().parseAsync(words, { from: 'user' }), example).resolves.toBeDefined();
      }
    }
  });

  it('has the exit codes of an offline license for every command that the server may not answer', async () => {
    const offline = (out: string) => [6, 7, 8, 9].filter((code) => new RegExp(`^ {2}${code} {2,3}\\S`, 'm').test(out));
    for (const path of everyCommand(idle())) {
      const { out } = await cliUser.run([...path, '--help']);
      if (/^ {2}5 {2,3}\S/m.test(out)) expect([path, offline(out)]).toEqual([path, [6, 7, 8, 9]]);
    }
    for (const name of ['record', 'status', 'entitled']) {
      const { out } = await cliUser.run([name, '--help']);
      expect(out).toMatch(/^ {2}9 {2,3}no connection, and the clock of this machine was set back$/m);
    }
  });

  it('is shown for a command by its path, and rejects an unknown one in one line', async () => {
    const { code, out, err } = await cliUser.run(['help', 'recrod']);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^latchkey: unknown command 'recrod'\n.*--help.*\n$/);
    for (const argv of [
      ['help', 'status', 'nonsense'],
      ['help', 'devices', 'aprove'],
    ]) {
      const unknown = await cliUser.run(argv);
      expect([unknown.code, unknown.out]).toEqual([2, '']);
      expect(unknown.err).toContain(`unknown command '${argv.slice(1).join(' ')}'`);
    }
    expect((await cliUser.run(['help', 'devices', 'approve'])).out).toMatch(/^Usage: latchkey devices approve /);
    expect((await cliUser.run(['help', 'devices', 'remove'])).out).toMatch(/^Usage: latchkey devices revoke/);
    expect((await cliUser.run(['--profile', 'work', 'help', 'record'])).out).toMatch(/^Usage: latchkey record /);
    expect((await cliUser.run(['help', 'recrod', '--json'])).json).toEqual([
      { success: false, error: "unknown command 'recrod'", code: 'wrong_usage' },
    ]);
  });

  it('lists every environment variable of the documentation', async () => {
    const { out } = await cliUser.run(['--help']);
    for (const variable of [
      'LATCHKEY_HOME',
      'LATCHKEY_PROFILE',
      'LATCHKEY_KEY',
      'HTTPS_PROXY',
      'NO_PROXY',
      'NO_COLOR',
      'FORCE_COLOR',
    ]) {
      expect(out).toMatch(new RegExp(`^ {2}${variable} `, 'm'));
    }
  });

  it("has the customer's colors on a terminal, and none elsewhere or when they are disabled", async () => {
    const server = await startCliServer();
    await cliUser.login(server.url);
    await server.close();
    const shown = { tty: true, env: { TERM: 'xterm', COLORTERM: 'truecolor' } };
    expect((await cliUser.run(['--help'], shown)).out).toContain('mExamples:\u001b[0m');
    for (const ran of [
      await cliUser.run(['--help']),
      await cliUser.run(['--help', '--no-color'], shown),
      await cliUser.run(['--help'], { ...shown, env: { ...shown.env, NO_COLOR: '1' } }),
    ]) {
      expect(ran.out).not.toContain('\u001b');
    }
  });
});

describe('the help of latchkey-admin', () => {
  it('has examples and exit codes for every command', async () => {
    const commands = everyCommand(buildAdminProgram(adminIo(), () => undefined));
    for (const path of commands) {
      const { code, out } = await admin(...path, '--help');
      expect([path, code]).toEqual([path, 0]);
      expect(out).toMatch(/^Exit codes:\n {2}0 {2}\S/m);
      expect(examplesOf(out).length).toBeGreaterThan(0);
    }
  });

  it('prints its version and completion scripts, and reports wrong usage, also as JSON', async () => {
    expect((await admin('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
    for (const shell of ['bash', 'zsh', 'fish']) expect((await admin('completion', shell)).out).toContain('rotate-master-secret');
    expect(await admin('rebuild', 'everything')).toMatchObject({ code: 2, err: expect.stringMatching(/^latchkey-admin: /) });
    const { code, out } = await admin('rebild', '--json');
    expect([code, JSON.parse(out)]).toMatchObject([2, { success: false, code: 'wrong_usage' }]);
  });

  it('reports a failure as JSON', async () => {
    const io = adminIo({ PORT: 'a port' });
    const output = text(io.stdout);
    expect(await runAdmin(['--json', 'verify'], io)).toBe(1);
    io.stdout.end();
    expect(JSON.parse(await output)).toMatchObject({ success: false, code: 'failed', error: expect.stringContaining('PORT') });
  });
});
