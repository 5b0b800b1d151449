import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { z } from 'zod';
import type { CliFrame } from '../../contracts/cli.ts';
import { userAgent } from '../api/version.ts';
import { NO_SEAT, REVOKED } from '../connect/endings.ts';
import type { Context, SignedIn } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import type { Failure } from '../failure.ts';
import type { Profile } from '../home/profiles.ts';
import { allowsCalls } from '../recording/quotaHold.ts';
import { addHelp } from '../terminal/help.ts';
import { openProgress } from '../terminal/progress.ts';
import { duration, jsonLine, plain } from '../terminal/text.ts';
import type { Bind } from './command.ts';
import { describeCallQuota, describeCustomer, describeEntitlements, describeSeat } from './describe.ts';
import { describeRequest } from './devices.ts';
import { environmentOf } from './environment.ts';
import { GROUPS } from './groups.ts';
import { secondsOption } from './numbers.ts';
import { paintedTerm, termNotice } from './term.ts';

const options = z.object({ giveUpAfter: z.number().optional(), wait: z.boolean().default(false) });

/** The text for a frame; null for a frame without one. */
const describeFrame = ({ output, io }: Context, frame: CliFrame): string | null => {
  const paint = output.out();
  switch (frame.type) {
    case 'welcome': {
      const connected = `${paint.good('●')} ${paint.title(`Connected to ${describeCustomer(frame.customer)}`)} as ${plain(frame.user.username)}`;
      const notice = termNotice(frame.term ?? undefined, io.now());
      return notice === null ? connected : `${connected}\n  ${notice.isWarning ? paint.bad(notice.text) : notice.text}`;
    }
    case 'theme':
      return `  Theme: ${paint.title(plain(frame.theme.displayName))}`;
    case 'seat':
      return `  Seat: ${describeSeat(frame.seat)}`;
    case 'term':
      return `  License: ${frame.term === null ? 'perpetual' : paintedTerm(frame.term, io.now(), paint)}`;
    case 'entitlements':
      return `  Includes: ${describeEntitlements(frame.entitlements ?? undefined) ?? 'everything'}`;
    case 'call_quota':
      return `  Quota: ${frame.callQuota === null ? 'none' : describeCallQuota(frame.callQuota)}`;
    case 'machine_request':
      return describeRequest(output, frame.request).join('\n');
    case 'revoked':
      return null; // the command reports the reason when it ends
  }
};

const updated = (profile: Profile, frame: CliFrame): Profile => {
  switch (frame.type) {
    case 'welcome':
      return {
        ...profile,
        user: frame.user,
        customer: frame.customer,
        theme: frame.theme,
        term: frame.term === undefined ? profile.term : (frame.term ?? undefined),
        entitlements: frame.entitlements,
        callQuota: frame.callQuota,
      };
    case 'theme':
      return { ...profile, theme: frame.theme };
    case 'seat':
      return { ...profile, seat: frame.seat };
    case 'term':
      return { ...profile, term: frame.term ?? undefined };
    case 'entitlements':
      return { ...profile, entitlements: frame.entitlements ?? undefined };
    case 'call_quota':
      return { ...profile, callQuota: frame.callQuota ?? undefined };
    case 'machine_request':
    case 'revoked':
      return profile;
  }
};

/** Saves the pushed state to the profile, so that other commands show the same. */
const saveState = ({ profiles, spoolOf }: Context, { name }: SignedIn, frame: CliFrame): void => {
  try {
    const found = profiles.read(name);
    if (!found.ok || found.value === null) return;
    const now = updated(found.value, frame);
    profiles.write(name, now);
    if ((frame.type === 'welcome' || frame.type === 'call_quota') && allowsCalls(now.callQuota)) spoolOf(now).quota.end();
  } catch {
    // An error of the disk must not end the connection.
  }
};

/** The reason of a lost connection. A refusal for want of a seat also advises to wait for one, which this command does. */
const lostText = ({ code, message }: Failure): string => {
  const said = code === NO_SEAT ? message.replace(/ Wait with "latchkey connect --wait"[^.]*\./, '') : message;
  return plain(said).replace(/\.$/, '');
};

const connect = async (context: Context, command: Command): Promise<ExitCode> => {
  const { io, output } = context;
  const { giveUpAfter, wait } = options.parse(command.opts());
  const signedIn = context.signedIn();
  if (!signedIn.ok) return output.fail(signedIn.failure);
  const { profile, token } = signedIn.value;
  // Loaded lazily, because only this command needs WebSockets.
  const { keepConnected } = await import('../connect/presence.ts');

  const opening = openProgress(io, output, () => profile.server);
  const failure = await keepConnected({
    server: profile.server,
    token,
    connectionId: randomUUID(),
    env: io.env,
    userAgent: userAgent(),
    signal: io.interrupted,
    waitsForSeat: wait,
    giveUpAfterMs: giveUpAfter === undefined ? null : giveUpAfter * 1000,
    onFrame: (raw, frame) => {
      opening.end();
      if (frame?.type === 'welcome' || frame?.type === 'theme') output.setTheme(frame.theme);
      if (frame !== null) saveState(context, signedIn.value, frame);
      const text = frame === null ? null : describeFrame(context, frame);
      if (output.json) io.stdout.write(jsonLine(raw));
      else if (text !== null) output.line(text);
    },
    onLost: (failure, retryInMs) => {
      opening.end();
      if (output.json)
        io.stdout.write(
          jsonLine({ type: 'disconnected', code: failure.code, reason: plain(failure.message), retryInMs: Math.round(retryInMs) }),
        );
      else output.note(`${output.err().bad('○')} ${lostText(failure)}; trying again in ${duration(retryInMs)}`);
    },
  });
  opening.end();
  if (failure === null) {
    // The carriage return overwrites the ^C that a terminal has echoed.
    if (!output.json) output.note(`${io.stderr.isTTY ? '\r' : ''}${output.err().dim('Disconnected')}`);
    return EXIT.done;
  }
  // The revoked frame is on standard output already; other failures are not.
  if (failure.code === REVOKED) return output.warn(failure);
  const api = context.api(profile.server, null);
  return output.fail(await api.explain(failure).finally(api.close));
};

/** Declares `latchkey connect`, which keeps the socket open and reconnects it. */
export const declareConnect = (program: Command, bind: Bind): void => {
  const command = program
    .command('connect')
    .helpGroup(GROUPS.work)
    .summary('stay connected until you press Ctrl-C')
    .description(
      'Stay connected until you press Ctrl-C. A lost connection is reopened. With --json, each message of the server is one line.',
    )
    .addOption(new Option('--give-up-after <seconds>', 'exit after this long without a connection').argParser(secondsOption))
    .option('--wait', 'wait for a floating seat while none is free')
    .action(bind(connect));
  addHelp(command, {
    examples: [
      ['latchkey connect', 'until Ctrl-C; prints messages of the server as they arrive'],
      [
        'latchkey connect --json',
        'one JSON object per line: welcome, theme, seat, term, entitlements, call_quota, machine_request, revoked, disconnected',
      ],
      ['latchkey connect --wait', 'takes a floating seat as soon as one is free'],
      ['latchkey connect --give-up-after 60', 'exits after one minute without a connection'],
    ],
    exits: {
      done: 'stopped with Ctrl-C',
      failed: 'failed, or incompatible versions',
      notSignedIn: 'the session ended; sign in again',
      refused: 'access was revoked, or no floating seat is free',
      unreachable: 'gave up, or not a Latchkey server',
    },
    environment: environmentOf(['LATCHKEY_PROFILE'], { network: true }),
  });
};
