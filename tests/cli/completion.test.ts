import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newPerson, type Person } from '../support/cliRun.ts';

let person: Person;
beforeEach(async () => {
  person = await newPerson();
});
afterEach(() => person.leave());

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;

/** What bash offers after these words, the last of which is being typed. */
const offered = async (...words: readonly string[]): Promise<string[]> => {
  const { out } = await person.run(['completion', 'bash']);
  const script = join(person.home, 'completion.bash');
  writeFileSync(script, out);
  writeFileSync(join(person.home, 'latchkey'), '#!/bin/sh\necho home\necho work\n');
  chmodSync(join(person.home, 'latchkey'), 0o755);
  const quoted = ['latchkey', ...words].map((word) => `'${word}'`).join(' ');
  const ask = `. '${script}'; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _latchkey; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const ran = spawnSync('bash', ['-c', ask], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${person.home}:${process.env.PATH}` },
  });
  expect(ran.stderr).toBe('');
  return ran.stdout.split('\n').filter((word) => word !== '');
};

/** Skips a test that this machine cannot run, and says so. */
const needs = (shell: string, skip: (note: string) => never): void => {
  if (has(shell)) return;
  console.info(`Skipped: ${shell} is not installed`);
  skip(`${shell} is not installed`);
};

describe('completion in bash', () => {
  it('offers commands, options and values where they may stand', async ({ skip }) => {
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

  it('takes the value of an option for what it is, also behind a sign', async ({ skip }) => {
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
  it('is a script that zsh can read', async ({ skip }) => {
    needs('zsh', skip);
    const { out } = await person.run(['completion', 'zsh']);
    expect(spawnSync('zsh', ['-n'], { input: out, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });

  it('is a script that fish can read', async ({ skip }) => {
    needs('fish', skip);
    const { out } = await person.run(['completion', 'fish']);
    expect(spawnSync('fish', ['-n'], { input: out, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });

  it('is a script for zsh that is whole, as far as bash knows what both have in common', async ({ skip }) => {
    needs('bash', skip);
    const { out } = await person.run(['completion', 'zsh']);
    expect(spawnSync('bash', ['-n'], { input: out, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    expect(out.split('\n')[0]).toBe('#compdef latchkey');
  });

  it('is a script for fish that is whole: every block is ended, every rule is one', async () => {
    const { out } = await person.run(['completion', 'fish']);
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
      const { out, code } = await person.run(['completion', shell]);
      expect(code).toBe(0);
      for (const word of ['login', 'status', 'whoami', 'logout', 'theme', 'connect', 'record', 'flush', 'profiles', 'completion']) {
        expect(out).toContain(word);
      }
    }
    expect((await person.run(['completion', 'bash', '--json'])).json[0]).toMatchObject({
      script: expect.stringContaining('_latchkey'),
    });
  });
});
