import type { Command } from 'commander';
import { type Context, signedOut } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import type { Answer } from '../failure.ts';
import { parseServer } from '../server.ts';
import { addHelp } from '../terminal/help.ts';
import type { Paint } from '../terminal/paint.ts';
import { plain } from '../terminal/text.ts';
import type { Bind } from './command.ts';
import { type Check, checkAll, checkMachine, chosenOf } from './doctorChecks.ts';
import { environmentOf } from './environment.ts';
import { GROUPS } from './groups.ts';

/** The address to check: the option, else the profile's, else the environment's. */
const serverOf = (context: Context, given: unknown): Answer<string> => {
  if (typeof given === 'string') return parseServer(given);
  const chosen = chosenOf(context);
  if (!chosen.ok) return chosen;
  const { name, profile } = chosen.value;
  if (profile !== null) return { ok: true, value: profile.server };
  const { LATCHKEY_SERVER } = context.io.env;
  if (LATCHKEY_SERVER) return parseServer(LATCHKEY_SERVER);
  return { ok: false, failure: { ...signedOut(name), hint: 'Name the server: latchkey doctor --server URL' } };
};

const MARKS = { ok: '✓', warning: '!', failed: '✗', skipped: '–' } as const;
const markOf = (paint: Paint, status: Check['status']): string => {
  if (status === 'ok') return paint.good(MARKS.ok);
  return status === 'failed' ? paint.bad(MARKS.failed) : paint.dim(MARKS[status]);
};

const describe = (checks: readonly Check[], paint: Paint): string[] => {
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks.flatMap(({ name, status, message, hint }) => [
    `${markOf(paint, status)} ${paint.title(name.padEnd(width))}  ${plain(message)}`,
    ...(hint === null ? [] : [`  ${' '.repeat(width)}  ${paint.dim(plain(hint))}`]),
  ]);
};

const doctor = async (context: Context, command: Command): Promise<ExitCode> => {
  const { output } = context;
  const server = serverOf(context, command.opts().server);
  if (!server.ok && server.failure.exit === EXIT.usage) return output.fail(server.failure);
  const checks = server.ok
    ? await context.waitFor(server.value, checkAll(context, server.value))
    : checkMachine(context, server.failure);
  const shown = checks.map(({ name, status, message, hint }) => ({ name, status, message, hint }));
  const bad = checks.find(({ status }) => status === 'failed');
  output.result({ ok: bad === undefined, server: server.ok ? server.value : null, checks: shown }, () =>
    describe(checks, output.out()),
  );
  return bad?.exit ?? EXIT.done;
};

/** Declares `latchkey doctor`: checks the address, TLS, clock, sign-in, files and queue, and says what to do. */
export const declareDoctor = (program: Command, bind: Bind): void => {
  const declared = program
    .command('doctor')
    .helpGroup(GROUPS.setUp)
    .summary('check the connection, the sign-in and the queue')
    .description(
      'Check the address of the server, its certificate, the clock, the sign-in, the files and the queue, and say what to do.',
    )
    .option('--server <url>', 'check this server instead of that of the profile (LATCHKEY_SERVER)')
    .action(bind(doctor));
  addHelp(declared, {
    examples: [
      ['latchkey doctor', 'why does latchkey not work here?'],
      ['latchkey doctor --server https://latchkey.example.com', 'before the first sign-in'],
      ['latchkey doctor --json', 'as JSON: ok, server, checks'],
    ],
    exits: {
      done: 'everything works, perhaps with warnings',
      failed: 'the clock, the files or the versions are wrong',
      notSignedIn: 'not signed in',
      refused: 'the server refuses the session, or the license has expired',
      unreachable: 'server unreachable, or not trusted',
    },
    environment: environmentOf(['LATCHKEY_SERVER', 'LATCHKEY_PROFILE'], { network: true }),
  });
};
