import type { CliLogin, CliLoginReply } from '../../contracts/cli.ts';
import type { RequestedApproval } from '../../contracts/machines.ts';
import type { Api } from '../api/api.ts';
import type { Context } from '../context.ts';
import { type Answer, type Failure, failed } from '../failure.ts';
import { jsonLine, plain } from '../terminal/text.ts';
import { wait } from '../waiting.ts';

const FIRST_POLL_MS = 1_000;
const LONGEST_POLL_MS = 5_000;

const INTERRUPTED = failed('interrupted', 'Interrupted: you are not signed in', {
  hint: 'The request stays open. Run latchkey login again to continue.',
});

const announce = ({ io, output }: Context, { email }: CliLogin, approval: RequestedApproval): void => {
  if (output.json) io.stdout.write(jsonLine({ type: 'approval_required', ...approval }));
  const paint = output.err();
  output.note(`This machine needs approval to sign in as ${plain(email)}.`);
  output.note(`  Code: ${paint.title(plain(approval.code))}`);
  output.note(`  Compare it, then approve it with: latchkey devices approve ${plain(approval.code)}`);
  output.note('  on a machine where you are signed in, on the Users screen of the portal, or ask your service integrator.');
  output.note(paint.dim(`  Waiting until ${plain(approval.expiresAt)}. Ctrl-C stops waiting; the request stays open.`));
};

/**
 * Polls until a machine's request is decided, for at most `limitMs`, and signs in after the approval. Each poll is a sign-in that
 * finds the same request, so a cancelled wait needs no cleanup.
 */
export const waitForApproval = async (
  context: Context,
  { api, details, limitMs }: { api: Api; details: CliLogin; limitMs: number },
  refusal: Failure & { approval: RequestedApproval },
): Promise<Answer<CliLoginReply>> => {
  const { signal, now } = { signal: context.io.interrupted, now: context.io.now };
  const startedAt = performance.now();
  const ends = Date.parse(refusal.approval.expiresAt);
  announce(context, details, refusal.approval);
  let last: Failure = refusal;
  for (let pause = FIRST_POLL_MS; ; pause = Math.min(LONGEST_POLL_MS, pause * 1.5)) {
    const left = Math.min(limitMs - (performance.now() - startedAt), ends - now());
    if (left <= 0) return { ok: false, failure: last };
    if (!(await wait(Math.min(pause, left, LONGEST_POLL_MS), signal))) return { ok: false, failure: INTERRUPTED };
    const answer = await api.login(details);
    if (answer.ok) return answer;
    const { failure } = answer;
    if (failure.code === INTERRUPTED.code) return { ok: false, failure: INTERRUPTED };
    // The request survives a restart or an overload of the server, so transient failures are retried.
    if (failure.approval === null && !failure.passing) return answer;
    last = failure;
  }
};
