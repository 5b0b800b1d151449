import { resolve } from 'node:path';
import type { Command } from 'commander';
import {
  type OfflineLicenseClaims,
  type OfflineLicenseFile,
  offlineLicenseFile,
  type SigningKeySet,
  signingKeySet,
} from '../../contracts/offlineLicenses.ts';
import { UNLIMITED_SEATS } from '../../domain/limits.ts';
import { dayOf } from '../../domain/time.ts';
import { type Context, requestSignedIn } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { type Answer, failed, missing, misused } from '../failure.ts';
import { diskFailure } from '../home/diskErrors.ts';
import { readIfExists } from '../home/files.ts';
import { openLicenses } from '../home/licenses.ts';
import { licenseFingerprintOf, machineNameOf } from '../home/machine.ts';
import { isoTime } from '../io.ts';
import { verifyHere } from '../license/stored.ts';
import { addHelp } from '../terminal/help.ts';
import { table } from '../terminal/output.ts';
import { plain } from '../terminal/text.ts';
import type { Bind } from './command.ts';
import { describeEntitlements } from './describe.ts';
import { environmentOf } from './environment.ts';
import { GROUPS } from './groups.ts';

const seats = (count: number): string => (count === UNLIMITED_SEATS ? 'unlimited' : String(count));

const report = ({ output }: Context, verified: Answer<OfflineLicenseClaims>): ExitCode => {
  if (!verified.ok) return output.fail(verified.failure);
  const { jti: id, iat, exp, customer, license, user, machine } = verified.value;
  const [issuedAt, expiresAt] = [isoTime(iat * 1_000), isoTime(exp * 1_000)];
  const included = describeEntitlements(license.entitlements);
  output.result({ valid: true, id, customer, user, license, machine, issuedAt, expiresAt }, () => {
    const paint = output.out();
    return [
      paint.title(`The offline license of ${plain(customer.name)} is valid on this machine`),
      ...table(
        [
          ['User', `${plain(user.username)}, ${user.role}`],
          ['Tier', license.tier],
          ['Seats', `${seats(license.seats.developer)} developer, ${seats(license.seats.stakeholder)} stakeholder`],
          ['License', license.term === null ? 'perpetual' : `expires on ${dayOf(license.term.expiresAt)}`],
          ...(included === null ? [] : [['Includes', included] as const]),
          ['Machine', machine.name === null ? machine.fingerprint : `${plain(machine.name)} (${machine.fingerprint})`],
          ['Issued', issuedAt],
          ['Valid until', expiresAt],
        ],
        paint,
      ),
    ];
  });
  return EXIT.done;
};

const readFileAt = ({ io }: Context, path: string): Answer<string> => {
  try {
    const content = readIfExists(resolve(io.cwd, path));
    if (content !== null) return { ok: true, value: content };
    return { ok: false, failure: missing('file_missing', `There is no file ${plain(path)}`) };
  } catch (error) {
    const known = diskFailure(error);
    if (known === null) throw error;
    return { ok: false, failure: { ...known, hint: null } };
  }
};

const parsed = (content: string): unknown => {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
};

const keysFrom = (context: Context, path: string): Answer<SigningKeySet['keys']> => {
  const content = readFileAt(context, path);
  if (!content.ok) return content;
  const found = signingKeySet.safeParse(parsed(content.value));
  if (found.success) return { ok: true, value: found.data.keys };
  const hint = 'Get them from the address of the server with /.well-known/jwks.json';
  return { ok: false, failure: failed('keys_unreadable', `${plain(path)} contains no public keys`, { hint }) };
};

/**
 * The license of a file, with the keys that are given, or those that are stored. Only where there are none yet, those in a file of the portal
 * are trusted: else anybody could sign a license and add the key.
 */
const licenseFrom = async (
  context: Context,
  profileName: string,
  path: string,
  keysPath: string | undefined,
): Promise<Answer<OfflineLicenseFile>> => {
  const content = readFileAt(context, path);
  if (!content.ok) return content;
  const file = offlineLicenseFile.safeParse(parsed(content.value));
  const license = file.success ? file.data.license : content.value.trim();
  const { headerOf, notALicense } = await import('../license/verify.ts');
  if ((await headerOf(license)) === null) {
    const hint = 'Use the file from the portal, or a license as compact JWS.';
    return { ok: false, failure: notALicense(`${plain(path)} contains no offline license`, hint) };
  }
  if (keysPath !== undefined) {
    const keys = keysFrom(context, keysPath);
    return keys.ok ? { ok: true, value: { license, keys: keys.value } } : keys;
  }
  const keys = openLicenses(context.home).read(profileName)?.keys ?? [];
  if (keys.length > 0) return { ok: true, value: { license, keys } };
  if (file.success) return { ok: true, value: file.data };
  const hint = 'Add --keys FILE with the content of /.well-known/jwks.json of the server';
  return { ok: false, failure: failed('keys_missing', 'There are no public keys to verify the license with', { hint }) };
};

const fetchLicense = async (context: Context): Promise<ExitCode> => {
  const { output, home } = context;
  const name = context.profileName();
  if (!name.ok) return output.fail(name.failure);
  const body = { fingerprint: licenseFingerprintOf(home), machineName: machineNameOf() };
  const answer = await requestSignedIn(context, (api) => api.issueOfflineLicense(body));
  if (!answer.ok) return output.fail(answer.failure);
  const { license, keys, issuedAt } = answer.value.reply;
  const licenses = openLicenses(home);
  licenses.write(name.value, { license, keys });
  // The server knows the time, so this replaces one that a wrong clock left behind.
  licenses.recordTime(Date.parse(issuedAt), { reset: true });
  return report(context, await verifyHere(context, { license, keys }));
};

const importLicense = async (context: Context, command: Command): Promise<ExitCode> => {
  const { output, home } = context;
  const name = context.profileName();
  if (!name.ok) return output.fail(name.failure);
  const { keys } = command.opts<{ keys?: string }>();
  const file = await licenseFrom(context, name.value, command.args[0] ?? '', keys);
  if (!file.ok) return output.fail(file.failure);
  const verified = await verifyHere(context, file.value);
  if (verified.ok) openLicenses(home).write(name.value, file.value);
  return report(context, verified);
};

const verifyLicense = async (context: Context, command: Command): Promise<ExitCode> => {
  const { output, home } = context;
  const name = context.profileName();
  if (!name.ok) return output.fail(name.failure);
  const { file: path, keys } = command.opts<{ file?: string; keys?: string }>();
  if (path !== undefined) {
    const file = await licenseFrom(context, name.value, path, keys);
    return file.ok ? report(context, await verifyHere(context, file.value)) : output.fail(file.failure);
  }
  if (keys !== undefined) return output.fail(misused('--keys needs --file'));
  const stored = openLicenses(home).read(name.value);
  if (stored !== null) return report(context, await verifyHere(context, stored));
  const hint = 'Run: latchkey license fetch. Without a connection: latchkey license import FILE';
  return output.fail(failed('no_offline_license', 'There is no offline license on this machine', { hint }));
};

const showFingerprint = async ({ output, home }: Context): Promise<ExitCode> => {
  const fingerprint = licenseFingerprintOf(home);
  output.result({ fingerprint }, () => [fingerprint]);
  return EXIT.done;
};

const LICENSE_EXITS = {
  done: 'the offline license is valid on this machine',
  licenseExpired: 'it has expired',
  wrongMachine: 'it is for another machine',
  licenseForged: 'it was not signed by the server, or was changed',
  clockRolledBack: 'the clock of this machine was set back',
} as const;

/** Declares `latchkey license`: offline licenses. */
export const declareLicense = (program: Command, bind: Bind): void => {
  const license = program
    .command('license')
    .helpGroup(GROUPS.signIn)
    .summary('get and verify a license for work without a connection')
    .description(
      'An offline license is a signed file for this machine, valid for 7 days, or as many as the plan of the license says. Commands that cannot reach the server verify it. If it is not valid, they exit with its code.',
    );
  addHelp(license, {
    examples: [
      ['latchkey license fetch', 'before you work without a connection'],
      ['latchkey license verify', 'without a server'],
    ],
    exits: { done: 'done', failed: 'failed' },
    more: 'docs/cli.md describes the files and how a machine without any connection gets a license.',
  });
  const fetched = license
    .command('fetch')
    .summary('get an offline license from the server')
    .description('Get an offline license for this machine, and store it with the public keys that verify it.')
    .action(bind(fetchLicense));
  addHelp(fetched, {
    examples: [['latchkey license fetch', 'valid for some days without a connection']],
    exits: {
      ...LICENSE_EXITS,
      failed: 'failed',
      notSignedIn: 'not signed in',
      refused: 'refused: the license has expired or is suspended, or this machine is not approved',
      unreachable: 'server unreachable; the stored license is valid, or there is none',
    },
    environment: environmentOf(['LATCHKEY_PROFILE'], { network: true }),
  });
  const imported = license
    .command('import')
    .summary('store an offline license from a file')
    .description('Verify an offline license that was downloaded from the portal for this machine, and store it.')
    .argument('<file>', 'the file from the portal, or a license as compact JWS')
    .option('--keys <file>', 'public keys of the server: the content of its address /.well-known/jwks.json')
    .action(bind(importLicense));
  addHelp(imported, {
    examples: [['latchkey license import offline-license.json', 'the file from the portal']],
    exits: { ...LICENSE_EXITS, failed: 'failed, or there are no public keys' },
    environment: environmentOf(['LATCHKEY_PROFILE'], { network: false }),
  });
  const verified = license
    .command('verify')
    .summary('verify the offline license without a server')
    .description('Verify the stored offline license, or that of a file: signature, machine, clock and expiry.')
    .option('--file <file>', 'the file from the portal, or a license as compact JWS')
    .option('--keys <file>', 'public keys of the server, for --file')
    .action(bind(verifyLicense));
  addHelp(verified, {
    examples: [
      ['latchkey license verify', 'the stored one'],
      ['latchkey license verify --file license.jwt --keys jwks.json', 'a file'],
      ['latchkey license verify --json', 'as JSON: valid, customer, user, license, machine, expiresAt'],
    ],
    exits: { ...LICENSE_EXITS, failed: 'there is no offline license on this machine, or no public keys' },
    environment: environmentOf(['LATCHKEY_PROFILE'], { network: false }),
  });
  const fingerprint = license
    .command('fingerprint')
    .summary('show the fingerprint of this machine')
    .description('Show the fingerprint of this machine, with which the portal issues an offline license for it.')
    .action(bind(showFingerprint));
  addHelp(fingerprint, {
    examples: [['latchkey license fingerprint', 'enter it in the portal']],
    exits: { done: 'shown', failed: 'failed' },
  });
};
