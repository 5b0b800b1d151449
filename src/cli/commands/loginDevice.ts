import type { CliLoginReply } from '../../contracts/cli.ts';
import { type BeginDevice, type BeginDeviceReply, beginDevice } from '../../contracts/deviceAuthorization.ts';
import { issuesOf } from '../../contracts/issues.ts';
import type { Api } from '../api/api.ts';
import { openInBrowser } from '../browser.ts';
import type { Context } from '../context.ts';
import { type Answer, failed, misused, refused } from '../failure.ts';
import { machineIdOf, machineNameOf } from '../home/machine.ts';
import { isoTime } from '../io.ts';
import { duration, jsonLine, plain } from '../terminal/text.ts';
import { MAX_WAIT_MS, wait } from '../waiting.ts';

const INTERRUPTED = failed('interrupted', 'Interrupted: you are not signed in', {
  hint: 'Run latchkey login again for a new code.',
});
const NOT_APPROVED = refused('authorization_pending', 'The sign-in was not approved in time', {
  hint: 'Run latchkey login again for a new code.',
});
const WITH_KEY = 'The server may be older than this tool. Sign in with the license key: latchkey login --with-key';

/** What `slow_down` adds to the interval, in seconds (RFC 8628, section 3.5). */
const SLOWER_S = 5;

/** What this machine sends to start a sign-in. `email` is the only user who may approve it. */
const requestOf = (context: Context, email: string | undefined): Answer<BeginDevice> => {
  const machineName = machineNameOf();
  const parsed = beginDevice.safeParse({
    machineId: machineIdOf(context.home),
    ...(machineName !== undefined && { machineName }),
    ...(email && { email }),
  });
  if (parsed.success) return { ok: true, value: parsed.data };
  return {
    ok: false,
    failure: misused(
      issuesOf(parsed.error)
        .map(({ path, message }) => `--${path}: ${message}`)
        .join('; '),
    ),
  };
};

const announce = ({ io, output }: Context, email: string | undefined, begun: BeginDeviceReply, expiresAt: number): void => {
  const { userCode, verificationUri, verificationUriComplete, interval } = begun;
  if (output.json) {
    const shown = { userCode, verificationUri, verificationUriComplete, expiresAt: isoTime(expiresAt), interval };
    io.stdout.write(jsonLine({ type: 'device_code', ...shown }));
  }
  const paint = output.err();
  output.note('To sign in, open this address in a browser, and approve the code there with your account:');
  output.note(`  Address: ${plain(verificationUri)}`);
  output.note(`  Code:    ${paint.title(plain(userCode))}`);
  output.note(paint.dim(`  Both in one: ${plain(verificationUriComplete)}`));
  if (email) output.note(`  Only ${plain(email)} can approve it.`);
  output.note(paint.dim(`  Waiting for up to ${duration(begun.expiresIn * 1000)}. Press Ctrl-C to cancel.`));
};

/** Asks for the user's decision until there is one, for at most `limitMs`. A server that cannot be reached is asked again. */
const waitForDecision = async (
  { io }: Context,
  { api, begun, limitMs }: { api: Api; begun: BeginDeviceReply; limitMs: number },
): Promise<Answer<CliLoginReply>> => {
  const startedAt = performance.now();
  let intervalMs = begun.interval * 1000;
  for (let pauseMs = intervalMs; ; ) {
    const left = limitMs - (performance.now() - startedAt);
    if (!(await wait(Math.min(pauseMs, left), io.interrupted))) return { ok: false, failure: INTERRUPTED };
    if (left < pauseMs) return { ok: false, failure: NOT_APPROVED };
    const answer = await api.pollDevice(begun.deviceCode);
    if (answer.ok) return answer;
    const { code, passing, retryAfterMs } = answer.failure;
    if (code === INTERRUPTED.code) return { ok: false, failure: INTERRUPTED };
    if (code === 'slow_down') intervalMs += SLOWER_S * 1000;
    else if (code !== 'authorization_pending' && !passing) return answer;
    pauseMs = passing ? Math.min(MAX_WAIT_MS, Math.max(2 * pauseMs, retryAfterMs ?? 0)) : intervalMs;
  }
};

export type DeviceLogin = Readonly<{
  api: Api;
  server: string;
  email: string | undefined;
  /** Whether to open the address in a browser. */
  opens: boolean;
  /** How long to wait for the decision, in seconds; undefined until the code expires. */
  waitS: number | undefined;
}>;

/** Signs in by a code that the user approves in the portal: the device authorization of RFC 8628. */
export const signInByDevice = async (
  context: Context,
  { api, server, email, opens, waitS }: DeviceLogin,
): Promise<Answer<CliLoginReply>> => {
  const request = requestOf(context, email);
  if (!request.ok) return request;
  const begun = await context.waitFor(server, api.beginDevice(request.value));
  if (!begun.ok) {
    const { failure } = begun;
    return { ok: false, failure: failure.code === 'out_of_date' ? { ...failure, hint: WITH_KEY } : failure };
  }
  const { expiresIn, verificationUriComplete } = begun.value;
  announce(context, email, begun.value, context.io.now() + expiresIn * 1000);
  if (opens && !(await openInBrowser(verificationUriComplete, context.io))) {
    context.output.note('No browser could be opened. Open the address yourself.');
  }
  const limitMs = Math.min(waitS ?? expiresIn, expiresIn) * 1000;
  return waitForDecision(context, { api, begun: begun.value, limitMs });
};
