import { execFile } from 'node:child_process';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import type { z } from 'zod';
import { type CliLogin, cliLogin } from '../../contracts/cli.ts';
import { issuesOf } from '../../contracts/issues.ts';
import { isOutOfDate } from '../api/version.ts';
import type { Context } from '../context.ts';
import { type Answer, type Failure, failed, misused } from '../failure.ts';
import { machineIdOf, machineNameOf } from '../home/machine.ts';
import type { Profile } from '../home/profiles.ts';
import { parseServer } from '../server.ts';
import { ask, askSecret, firstLine } from '../terminal/prompt.ts';
import { plain } from '../terminal/text.ts';

type LoginOptions = Readonly<{
  server?: string | undefined;
  key?: string | undefined;
  username?: string | undefined;
  email?: string | undefined;
}>;

const CANCELLED = failed('cancelled', 'Cancelled. You are not signed in.');

type Question = Readonly<{
  label: string;
  /** The option for the hint, if the value is missing. */
  flag: string;
  known: readonly (string | undefined)[];
  suggestion: () => Promise<string | null>;
  /** Why an answer is not valid; null if it is valid. */
  validationError: (answer: string) => string | null;
}>;

/** Prompts the user until the answer is valid; null if the user cancels. */
const promptUntilValid = async ({ io, output }: Context, { label, validationError }: Question, suggested: string | null) => {
  for (;;) {
    const answer = await ask(io, output, label, suggested);
    const reason = answer ? validationError(answer) : null;
    if (reason === null) return answer;
    output.note(plain(reason));
  }
};

const validationErrorOf =
  (schema: z.ZodType) =>
  (answer: string): string | null =>
    schema.safeParse(answer).error?.issues[0]?.message ?? null;

/** Returns the first known value. Otherwise prompts on a terminal, or uses the suggestion elsewhere. */
const answerTo = async (context: Context, question: Question): Promise<Answer<string>> => {
  const { io } = context;
  const { label, flag, known, suggestion } = question;
  const given = known.find((value) => value !== undefined && value !== '');
  if (given !== undefined) return { ok: true, value: given };
  const suggested = await suggestion();
  const answer = io.stdin.isTTY ? await promptUntilValid(context, question, suggested) : suggested;
  if (answer) return { ok: true, value: answer };
  const failure = io.stdin.isTTY && answer === null ? CANCELLED : misused(`${label} is missing`, { hint: `Pass it with ${flag}.` });
  return { ok: false, failure };
};

/** A prefix, the code of a plan, and groups of four and five letters or digits. */
const KEY_FORM = /^[A-Z0-9]+-[A-Z]{3}-[A-Z0-9]{4}-[A-Z0-9]{5}$/i;
const NOT_A_KEY = 'Not a license key. It has the form LK-ENT-7K2M-Q9XTR.';

/** A 401 means that the key is unknown, so the default hint to run `login` does not help. */
export const unknownKey = (failure: Failure): Failure => ({ ...failure, hint: 'Check the license key.' });

/** Asks the server whether users may sign in with a license key. */
export type CheckKey = (licenseKey: string) => Promise<Answer<unknown>>;

/** Prompts for the license key, unless it is given, until the server knows it, before anything else is asked for. */
export const askKey = async ({ io, output }: Context, check: CheckKey, given?: string): Promise<Answer<string>> => {
  for (let first = given; ; first = undefined) {
    const key = first || (await askSecret(io, output, 'License key'));
    if (!key) return { ok: false, failure: CANCELLED };
    if (!KEY_FORM.test(key)) {
      output.note(NOT_A_KEY);
      continue;
    }
    const checked = await check(key);
    // Earlier servers have no check: there the sign-in decides.
    if (checked.ok || isOutOfDate(checked.failure)) return { ok: true, value: key };
    if (checked.failure.status !== 401) return checked;
    output.note(plain(checked.failure.message));
  }
};

const keyOf = async (context: Context, given: string | undefined, check: CheckKey): Promise<Answer<string>> => {
  const { io } = context;
  const known = given || io.env.LATCHKEY_KEY;
  if (io.stdin.isTTY) return askKey(context, check, known);
  const key = known || (await firstLine(io));
  if (key) return { ok: true, value: key };
  const hint = 'Pass it on standard input, in LATCHKEY_KEY or with --key; or sign in with a code: --device.';
  return { ok: false, failure: misused('The license key is missing', { hint }) };
};

const systemUser = ({ io }: Context): string | null => {
  try {
    return io.env.USER || userInfo().username;
  } catch {
    return null; // the user id has no name, as in some containers
  }
};

const emailOfGit = async ({ io }: Context): Promise<string | null> => {
  try {
    const options = { cwd: io.cwd, env: { ...io.env }, timeout: 2_000 };
    const { stdout } = await promisify(execFile)('git', ['config', '--get', 'user.email'], options);
    return stdout.trim() || null;
  } catch {
    return null; // git is not installed or not configured
  }
};

/** The server to sign in to: from the option, the environment, or the user, with the profile's server as the suggestion. */
export const askServer = async (context: Context, given: string | undefined, profile: Profile | null): Promise<Answer<string>> => {
  const answer = await answerTo(context, {
    label: 'Server',
    flag: '--server URL',
    known: [given, context.io.env.LATCHKEY_SERVER],
    suggestion: async () => profile?.server ?? null,
    validationError: (typed) => {
      const parsed = parseServer(typed);
      return parsed.ok ? null : `${parsed.failure.message}. ${parsed.failure.hint}`;
    },
  });
  return answer.ok ? parseServer(answer.value) : answer;
};

const FLAGS: Readonly<Record<string, string>> = { licenseKey: 'The license key', username: '--username', email: '--email' };

/** A wrong key is reported before a missing detail. With all details the sign-in itself reports it. */
const missing = async (
  { io }: Context,
  failure: Answer<never> & { ok: false },
  { check, licenseKey }: Readonly<{ check: CheckKey; licenseKey: string }>,
): Promise<Answer<never>> => {
  const checked = io.stdin.isTTY ? null : await check(licenseKey);
  return checked === null || checked.ok || checked.failure.status !== 401
    ? failure
    : { ok: false, failure: unknownKey(checked.failure) };
};

type KnownDetails = Readonly<{ given: LoginOptions; profile: Profile | null; check: CheckKey }>;

/** The sign-in details from options and the environment. Prompts for missing ones, with the profile, git and the system as suggestions. */
export const askDetails = async (context: Context, { given, profile, check }: KnownDetails): Promise<Answer<CliLogin>> => {
  const { env } = context.io;
  const licenseKey = await keyOf(context, given.key, check);
  if (!licenseKey.ok) return licenseKey;
  const username = await answerTo(context, {
    label: 'Username',
    flag: '--username',
    known: [given.username, env.LATCHKEY_USERNAME],
    suggestion: async () => profile?.user.username ?? systemUser(context),
    validationError: validationErrorOf(cliLogin.shape.username),
  });
  if (!username.ok) return missing(context, username, { check, licenseKey: licenseKey.value });
  const email = await answerTo(context, {
    label: 'Email',
    flag: '--email',
    known: [given.email, env.LATCHKEY_EMAIL],
    suggestion: async () => profile?.user.email ?? (env.EMAIL || (await emailOfGit(context))),
    validationError: validationErrorOf(cliLogin.shape.email),
  });
  if (!email.ok) return missing(context, email, { check, licenseKey: licenseKey.value });
  const details = {
    licenseKey: licenseKey.value,
    username: username.value,
    email: email.value,
    machineId: machineIdOf(context.home),
    machineName: machineNameOf(),
  };
  const parsed = cliLogin.safeParse(details);
  if (parsed.success) return { ok: true, value: parsed.data };
  const reasons = issuesOf(parsed.error).map(({ path, message }) => `${FLAGS[path] ?? path}: ${message}`);
  return { ok: false, failure: misused(reasons.join('; ')) };
};
