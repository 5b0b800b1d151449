import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type { ExitCode } from '../../src/cli/exit.ts';
import { run } from '../../src/cli/run.ts';
import { KEY } from './cliServer.ts';

export type Ran = Readonly<{
  code: ExitCode;
  out: string;
  err: string;
  /** Standard output as JSON, one value a line. */
  json: readonly Record<string, unknown>[];
}>;

export type Given = Readonly<{
  stdin?: string | Readable;
  env?: Readonly<Record<string, string>>;
  interrupted?: AbortSignal;
  now?: () => number;
  tty?: boolean;
  /** Receives standard output as it is written. */
  onOut?: (text: string) => void;
  onErr?: (text: string) => void;
}>;

export type CliUser = Readonly<{
  home: string;
  run: (argv: readonly string[], given?: Given) => Promise<Ran>;
  login: (server: string, options?: { now?: () => number }) => Promise<Ran>;
  leave: () => Promise<void>;
}>;

/** Runs the command in this process with a home directory of its own. */
export const createCliUser = async (): Promise<CliUser> => {
  const home = await mkdtemp(join(tmpdir(), 'latchkey-cli-'));
  const cliUser: CliUser = {
    home,
    run: async (argv, { stdin = '', env = {}, interrupted, now, tty = false, onOut, onErr } = {}) => {
      const out: string[] = [];
      const err: string[] = [];
      const stdout = Object.assign(new PassThrough(), { isTTY: tty, columns: 80 });
      const stderr = Object.assign(new PassThrough(), { isTTY: tty, columns: 80 });
      stdout.on('data', (chunk: Buffer) => {
        out.push(chunk.toString());
        onOut?.(chunk.toString());
      });
      stderr.on('data', (chunk: Buffer) => {
        err.push(chunk.toString());
        onErr?.(chunk.toString());
      });
      const code = await run(argv, {
        stdin: typeof stdin === 'string' ? Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]) : stdin,
        stdout,
        stderr,
        env: { LATCHKEY_HOME: home, HOME: home, PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', ...env },
        cwd: home,
        ...(interrupted && { interrupted }),
        ...(now && { now }),
      });
      const text = out.join('');
      const lines = text.split('\n').filter((line) => line.startsWith('{'));
      return { code, out: text, err: err.join(''), json: lines.map((line) => JSON.parse(line)) };
    },
    login: (server, options) =>
      cliUser.run(['login', '--server', server, '--key', KEY, '--username', 'ada', '--email', 'ada@example.com'], options),
    leave: () => rm(home, { recursive: true, force: true }),
  };
  return cliUser;
};

/** The options of `record` for one call that succeeded, which waits for a busy server. */
export const ONE_CALL: readonly string[] =
  '--service jira --instance https://acme.atlassian.net --operation GET:/issue --status 200 --duration-ms 42 --timeout 60'.split(
    ' ',
  );

/** A line of NDJSON as `record` reads it. */
export const callLine = (index: number, more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    service: 'jira',
    instanceUrl: 'https://acme.atlassian.net',
    operation: `GET:/issue/${index}`,
    status: 200,
    durationMs: 12,
    ...more,
  });

export const callLines = (count: number, more?: Readonly<Record<string, unknown>>): string =>
  Array.from({ length: count }, (_, index) => `${callLine(index + 1, more)}\n`).join('');
