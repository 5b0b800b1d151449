import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import type { CliSessionReply } from '../../contracts/cli.ts';
import { MAX_CALL_AHEAD_MS } from '../../domain/limits.ts';
import { DAY_MS, dayOf } from '../../domain/time.ts';
import type { Api, Probe } from '../api/api.ts';
import { proxiesOf } from '../api/transport.ts';
import { type Context, signedOut } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import type { Answer, Failure } from '../failure.ts';
import { diskFailure } from '../home/diskErrors.ts';
import { makePrivateDirectory, readIfExists } from '../home/files.ts';
import type { Profile } from '../home/profiles.ts';
import { isLoopback } from '../server.ts';
import { duration } from '../terminal/text.ts';
import { CONNECT_MS } from '../waiting.ts';
import { describeCustomer, describeSeat, describeUser } from './describe.ts';
import { blockerOf, describeQueued, nextAttempt } from './queue.ts';
import { licenseRefusal } from './term.ts';

/** The result of one check. `hint` says what to do; `exit` is that of the command if this check is the first that failed. */
export type Check = Readonly<{
  name: 'Address' | 'Encryption' | 'Clock' | 'Sign-in' | 'Files' | 'Queue';
  status: 'ok' | 'warning' | 'failed' | 'skipped';
  message: string;
  hint: string | null;
  exit: ExitCode;
}>;

type Name = Check['name'];

const ok = (name: Name, message: string): Check => ({ name, status: 'ok', message, hint: null, exit: EXIT.done });
const warning = (name: Name, message: string, hint: string): Check => ({ name, status: 'warning', message, hint, exit: EXIT.done });
const skipped = (name: Name, message: string): Check => ({ name, status: 'skipped', message, hint: null, exit: EXIT.done });
const failure = (name: Name, { message, hint, exit }: Failure): Check => ({ name, status: 'failed', message, hint, exit });

/** Beyond this a clock is wrong and not only late: a `Date` header is exact to about a second. */
const CLOCK_MS = 30_000;
const EXPIRES_SOON_MS = 14 * DAY_MS;
/** Several full segments of the queue. */
const FREE_BYTES = 100 * 1024 * 1024;

/** When the certificate of a server expires, in epoch ms, and who issued it. The certificate has been trusted before. */
const certificateOf = (server: URL): Promise<{ expiresAt: number; issuer: string }> =>
  new Promise((resolve, reject) => {
    const host = server.hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(server.port || 443), servername: /^[\d.:]+$/.test(host) ? '' : host });
    socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error('no reply')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const { valid_to, issuer } = socket.getPeerCertificate();
      socket.destroy();
      resolve({ expiresAt: Date.parse(valid_to), issuer: [issuer?.O ?? issuer?.CN ?? 'an unknown issuer'].flat()[0] ?? '' });
    });
  });

const checkEncryption = async ({ io }: Context, server: string): Promise<Check> => {
  const name = 'Encryption';
  const url = new URL(server);
  if (url.protocol === 'http:') {
    if (isLoopback(server)) return ok(name, 'None is needed on this machine');
    return warning(name, 'The connection is not encrypted', 'Ask the administrator of the server for an address with https://');
  }
  if (proxiesOf(io.env).https !== '') return ok(name, 'The certificate is trusted, through the proxy of HTTPS_PROXY');
  const certificate = await certificateOf(url).catch(() => null);
  if (certificate === null) return skipped(name, 'The connection was lost before the certificate was read');
  const { expiresAt, issuer } = certificate;
  const day = dayOf(expiresAt);
  const message = `The certificate of ${issuer} is valid until ${day}`;
  if (expiresAt - io.now() > EXPIRES_SOON_MS) return ok(name, message);
  return warning(name, message, 'Ask the administrator of the server to renew it.');
};

const checkClock = ({ aheadMs }: Probe): Check => {
  const name = 'Clock';
  if (aheadMs === null) return skipped(name, 'The server did not send its time');
  if (Math.abs(aheadMs) < CLOCK_MS) return ok(name, 'This machine and the server agree');
  const message = `This machine is ${duration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} the server`;
  const hint = 'Set the clock of this machine, such as by turning on its time synchronization.';
  if (aheadMs <= MAX_CALL_AHEAD_MS) return warning(name, message, hint);
  return { name, status: 'failed', message: `${message}, which rejects calls from the future`, hint, exit: EXIT.failed };
};

/** The session of the profile. */
const sessionOf = async (profile: Profile | null, profileName: string, api: Api): Promise<Answer<CliSessionReply>> => {
  if (profile === null || profile.token === null) return { ok: false, failure: signedOut(profileName) };
  return api.session();
};

const checkSignIn = (session: Answer<CliSessionReply>): Check => {
  const name = 'Sign-in';
  if (!session.ok) return failure(name, session.failure);
  const { user, customer, seat, term } = session.value;
  const refusal = licenseRefusal(term, null);
  if (refusal !== null) return failure(name, refusal);
  return ok(name, `${describeUser(user)} of ${describeCustomer(customer)}; seat: ${describeSeat(seat)}`);
};

const checkFiles = ({ home }: Context): Check => {
  const name = 'Files';
  try {
    for (const directory of new Set([home.config, home.state])) {
      makePrivateDirectory(directory);
      rmSync(mkdtempSync(join(directory, '.doctor-')), { recursive: true });
    }
    const { bavail, bsize } = statfsSync(home.state);
    if (bavail * bsize < FREE_BYTES) {
      return warning(
        name,
        `Less than 100 MB are free in ${home.state}`,
        'Free some space: calls that cannot be queued are sent directly, or lost.',
      );
    }
    return ok(name, `${home.state} can be written`);
  } catch (error) {
    const known = diskFailure(error);
    if (known === null) throw error;
    return failure(name, known);
  }
};

/** `session` is the current one, null if it is not known. */
const checkQueue = ({ io, spoolOf }: Context, profile: Profile | null, session: CliSessionReply | null): Check => {
  const name = 'Queue';
  if (profile === null) return skipped(name, 'There is a queue after the first sign-in');
  const spool = spoolOf(profile);
  const pending = spool.pending();
  const pausedMs = spool.pausedUntil() - io.now();
  if (pending > 0) {
    const paused = pausedMs > 0 ? `, and sending is paused for ${duration(pausedMs)}` : '';
    const blocker = blockerOf(spool, session);
    return warning(name, `Not sent yet: ${describeQueued(pending, blocker)}${paused}`, nextAttempt(pending, blocker));
  }
  if (readIfExists(spool.rejectedFile) !== null) {
    return warning(
      name,
      'All calls are sent; some were rejected',
      `The reasons are in ${spool.rejectedFile}. Remove the file when you are done.`,
    );
  }
  return ok(name, 'All calls are sent');
};

const NOT_REACHED = 'The server was not reached';
const NOT_NAMED = 'No server is named';

const checkServer = async (context: Context, server: string, probed: Answer<Probe>): Promise<Check[]> => {
  if (probed.ok) {
    const { version, tookMs } = probed.value;
    const name = version === null ? 'Latchkey' : `Latchkey ${version}`;
    const address = ok('Address', `${server} is ${name}, and replied in ${tookMs} ms`);
    return [address, await checkEncryption(context, server), checkClock(probed.value)];
  }
  const isTrust = probed.failure.code === 'tls';
  return [
    isTrust ? ok('Address', `${server} replies`) : failure('Address', probed.failure),
    isTrust ? failure('Encryption', probed.failure) : skipped('Encryption', NOT_REACHED),
    skipped('Clock', NOT_REACHED),
  ];
};

/** The selected profile. Files that cannot be read are something to report, like any other finding. */
export const chosenOf = (context: Context): ReturnType<Context['chosen']> => {
  try {
    return context.chosen();
  } catch (error) {
    const known = diskFailure(error);
    if (known === null) throw error;
    return { ok: false, failure: known };
  }
};

/** Checks what needs no server. `unnamed` is why none is known. */
export const checkMachine = (context: Context, unnamed: Failure): readonly Check[] => {
  const chosen = chosenOf(context);
  return [
    failure('Address', unnamed),
    ...(['Encryption', 'Clock', 'Sign-in'] as const).map((name) => skipped(name, NOT_NAMED)),
    checkFiles(context),
    checkQueue(context, chosen.ok ? chosen.value.profile : null, null),
  ];
};

/** Checks a server, and the session and queue of the selected profile if they are of that server. */
export const checkAll = async (context: Context, server: string): Promise<readonly Check[]> => {
  const chosen = chosenOf(context);
  const used = chosen.ok && chosen.value.profile?.server === server ? chosen.value.profile : null;
  const api = context.api(server, used?.token ?? null);
  try {
    const probed = await api.probe();
    const ofServer = await checkServer(context, server, probed);
    const profileName = chosen.ok ? chosen.value.name : '';
    const session = !chosen.ok ? chosen : probed.ok ? await sessionOf(used, profileName, api) : null;
    const signIn = session === null ? skipped('Sign-in', NOT_REACHED) : checkSignIn(session);
    return [...ofServer, signIn, checkFiles(context), checkQueue(context, used, session?.ok ? session.value : null)];
  } finally {
    await api.close();
  }
};
