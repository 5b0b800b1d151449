import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CliUser, createCliUser } from '../support/cliUser.ts';

let cliUser: CliUser;
beforeEach(async () => {
  cliUser = await createCliUser();
});
afterEach(() => cliUser.leave());

it('rejects other shells and lists the supported ones', async () => {
  expect((await cliUser.run(['completion', 'tcsh'])).err).toContain("latchkey: Unknown shell 'tcsh'. Use bash, zsh or fish.");
});

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

/** Writes the script for a shell, and a program `latchkey` that prints profile names. Resolves to the script's path. */
const scriptFor = async (shell: string): Promise<string> => {
  const { out } = await cliUser.run(['completion', shell]);
  const script = join(cliUser.home, `completion.${shell}`);
  writeFileSync(script, out);
  writeFileSync(join(cliUser.home, 'latchkey'), '#!/bin/sh\necho home\necho work\n');
  chmodSync(join(cliUser.home, 'latchkey'), 0o755);
  return script;
};

const withLatchkey = (): NodeJS.ProcessEnv => ({ ...process.env, HOME: cliUser.home, PATH: `${cliUser.home}:${process.env.PATH}` });

/** The completions of bash for a command line whose last word is incomplete. */
const offered = async (...words: readonly string[]): Promise<string[]> => {
  const script = await scriptFor('bash');
  const quoted = ['latchkey', ...words].map((word) => `'${word}'`).join(' ');
  const ask = `. '${script}'; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _latchkey; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const ran = spawnSync('bash', ['-c', ask], { encoding: 'utf8', env: withLatchkey() });
  expect(ran.stderr).toBe('');
  return ran.stdout.split('\n').filter((word) => word !== '');
};

/** Types into an interactive zsh on a pseudoterminal, presses tab twice, and returns whether the output matches the pattern. */
const pressTab = async (typed: string, pattern: string): Promise<string> => {
  const script = await scriptFor('zsh');
  const ask = `zmodload zsh/zpty
zpty terminal zsh -f -i
zpty -w terminal 'PROMPT=; autoload -U compinit; compinit -u -D; source ${script}; print R''EADY'
zpty -r terminal shown '*READY*'
zpty -w -n terminal $'latchkey ${typed}\\t\\t'
zpty -r terminal shown '${pattern}' && print shown
zpty -d terminal`;
  const ran = spawnSync('zsh', ['-f', '-c', ask], { encoding: 'utf8', env: withLatchkey(), timeout: 30_000 });
  return `${ran.stdout}${ran.stderr}`.trim();
};

/** Skips a test that this machine cannot run, and prints the reason. */
const needs = (shell: string, skip: (note: string) => never): void => {
  if (has(shell)) return;
  console.info(`Skipped: ${shell} is not installed`);
  skip(`${shell} is not installed`);
};

describe('completion in bash', () => {
  it('offers commands, options and values at valid positions', async ({ skip }) => {
    needs('bash', skip);
    expect(await offered('lo')).toEqual(['login', 'logout']);
    expect(await offered('he')).toEqual(['help']);
    expect(await offered('help', 'fl')).toEqual(['flush']);
    expect(await offered('')).toEqual(expect.arrayContaining(['login', 'record', 'flush', 'completion']));
    expect(await offered('-')).toEqual(expect.arrayContaining(['--json', '--profile', '--help']));
    expect(await offered('record', '--s')).toEqual(['--service', '--status', '--stdin', '--source']);
    expect(await offered('record', '--service', '')).toEqual(['jira', 'azdo', 'confluence']);
    expect(await offered('record', '--service', 'jira', '--o')).toEqual(['--operation', '--ok']);
    expect(await offered('profiles', '')).toEqual(expect.arrayContaining(['list', 'use', 'remove']));
    expect(await offered('profiles', 'use', '')).toEqual(expect.arrayContaining(['home', 'work']));
    expect(await offered('--profile', 'w')).toEqual(['work']);
    expect(await offered('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
    expect(await offered('completion', 'z')).toEqual(['zsh']);
  });

  it('completes the value of an option, also after `=`', async ({ skip }) => {
    needs('bash', skip);
    expect(await offered('--profile', 'record', '--st')).toEqual([]);
    expect(await offered('--profile', 'record', 'sta')).toEqual(['status']);
    expect(await offered('record', '--profile', '=', 'home', '--dur')).toEqual(['--duration-ms']);
    expect(await offered('record', '--service', '=', 'a')).toEqual(['azdo']);
    expect(await offered('record', '--service', '=')).toEqual(['jira', 'azdo', 'confluence']);
    expect(await offered('flush', '')).toEqual(expect.arrayContaining(['--timeout']));
  });
});

describe('completion in zsh and fish', () => {
  it('offers valid words in an interactive zsh', async ({ skip }) => {
    needs('zsh', skip);
    expect(await pressTab('lo', '*login*--*sign in*logout*--*end the session*')).toBe('shown');
    expect(await pressTab('record --service ', '*azdo*confluence*jira*')).toBe('shown');
    expect(await pressTab('record --service=a', '*--service=azdo*')).toBe('shown');
    expect(await pressTab('--profile x profiles use ', '*home*work*')).toBe('shown');
  });

  it('offers valid words in fish', async ({ skip }) => {
    needs('fish', skip);
    const script = await scriptFor('fish');
    const offeredByFish = (typed: string): string[] => {
      const ran = spawnSync('fish', ['-c', `source '${script}'; complete -C 'latchkey ${typed}'`], {
        encoding: 'utf8',
        env: withLatchkey(),
      });
      expect(ran.stderr).toBe('');
      return ran.stdout.split('\n').flatMap((line) => line.split('\t')[0] || []);
    };
    expect(offeredByFish('lo')).toEqual(['login', 'logout']);
    expect(offeredByFish('record --s')).toEqual(['--service', '--source', '--status', '--stdin']);
    expect(offeredByFish('record --service ')).toEqual(['azdo', 'confluence', 'jira']);
    expect(offeredByFish('record --service=a')).toEqual(['--service=azdo']);
    expect(offeredByFish('--profile record sta')).toEqual(['status']);
    expect(offeredByFish('profiles use ')).toEqual(expect.arrayContaining(['home', 'work']));
  });

  it('prints a script for zsh that bash can parse', async ({ skip }) => {
    needs('bash', skip);
    const { out } = await cliUser.run(['completion', 'zsh']);
    expect(spawnSync('bash', ['-n'], { input: out, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    expect(out.split('\n')[0]).toBe('#compdef latchkey');
  });

  it('prints a script for fish with balanced blocks and complete rules', async () => {
    const { out } = await cliUser.run(['completion', 'fish']);
    const lines = out.split('\n').map((line) => line.trim());
    const opened = lines.filter((line) => /^(function|for|if) /.test(line)).length;
    expect(lines.filter((line) => line === 'end')).toHaveLength(opened);
    const word = String.raw`(?:'[^'\\]*'|[\w-]+)`;
    const rule = new RegExp(
      `^complete -c latchkey(?: -f| -n '__latchkey_at "[a-z ]*"'(?: -a ${word}| -l [a-z-]+(?: -x(?: -a ${word})?)?)(?: -d '[^'\\\\]+')?)$`,
    );
    const rules = lines.filter((line) => line.startsWith('complete '));
    expect(rules.length).toBeGreaterThan(60);
    for (const line of rules) expect(line).toMatch(rule);
  });

  it('names every command in every shell', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { out, code } = await cliUser.run(['completion', shell]);
      expect(code).toBe(0);
      for (const word of ['login', 'status', 'whoami', 'logout', 'theme', 'connect', 'record', 'flush', 'profiles', 'completion']) {
        expect(out).toContain(word);
      }
    }
    expect((await cliUser.run(['completion', 'bash', '--json'])).json[0]).toMatchObject({
      script: expect.stringContaining('_latchkey'),
    });
  });
});
