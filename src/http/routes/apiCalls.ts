import { z } from 'zod';
import { type ApiCallsReply, apiCallsReply, recordApiCalls } from '../../contracts/apiCalls.ts';
import type { RecordedCall } from '../../domain/apiCalls/events.ts';
import { isRegistered } from '../../domain/customer/state.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { checkBatch, checkCall } from '../apiCalls/check.ts';
import { rejectionAfter, rememberLicenses } from '../apiCalls/licenses.ts';
import { fitting, quotaExceeded, recordedRanges } from '../apiCalls/quota.ts';
import { highestSeen, isSeen, rememberRanges } from '../apiCalls/seenRanges.ts';
import type { App, HttpDeps } from '../deps.ts';
import { claimSeatOrDeny } from '../floatingSeats.ts';
import { BODY_LIMIT } from '../limits.ts';
import { principalAs } from '../principal.ts';
import { HttpProblem } from '../problems/problems.ts';
import { found, problems } from '../replies.ts';
import { quietLevel } from '../requests/logging.ts';
import { metaOf, metaOfCalls } from '../requests/meta.ts';
import type { Counters } from '../requests/metrics.ts';
import { problemOfSchema } from '../requests/validation.ts';
import { checkSessionsOnce, workable } from '../tool.ts';

/** Bytes of bodies in flight; a request beyond them is asked to retry. */
const MAX_BYTES_IN_FLIGHT = 64 * BODY_LIMIT.calls;

const parsed = (body: unknown) => {
  try {
    return checkBatch(body);
  } catch (error) {
    if (error instanceof z.ZodError) throw problemOfSchema(error);
    throw error;
  }
};

/** What became of the calls of a batch before a sequence. */
const outcomeBefore = (
  end: number,
  { accepted, rejected, firstSequence }: Pick<ApiCallsReply, 'accepted' | 'rejected'> & { firstSequence: number },
): Pick<ApiCallsReply, 'accepted' | 'duplicates' | 'rejected'> => {
  const before = rejected.filter(({ sequence }) => sequence < end);
  return { accepted, duplicates: end - firstSequence - accepted - before.length, rejected: before };
};

/** The calls that a command-line tool made: each is judged alone, and those accepted are durable before the reply. */
export const apiCallRoutes = (app: App, deps: HttpDeps & { counters: Counters }): void => {
  const { settings, recordCalls, claimCalls, systemQueries, commands, now, counters } = deps;
  const licenses = rememberLicenses(systemQueries.customers.recording, now);
  const voidsOf = async (customerId: CustomerId) => {
    const { state } = await commands.customers.load(customerId);
    return isRegistered(state) ? state.voids : 0;
  };
  const seen = rememberRanges(systemQueries.usage.sourceRanges, voidsOf, now);
  const checkSession = checkSessionsOnce({ commands });
  let bytesInFlight = 0;

  app.route({
    method: 'POST',
    url: '/api/cli/api-calls',
    // The check takes two thirds of the time of `JSON.parse`, and accepts the costliest shape: many small objects.
    config: { audience: ['cli'], permission: 'calls:record', idempotent: false, bodyShape: 'unchecked' },
    bodyLimit: BODY_LIMIT.calls,
    logLevel: quietLevel(settings.logLevel),
    helmet: false,
    schema: {
      summary: 'Record API calls',
      description:
        'Call `i` has the sequence `firstSequence + i`; a (source, sequence) pair counts once, no matter how often it is sent, unless it was voided. `duplicates` includes ' +
        'every call that the same node has acknowledged. A call that another node acknowledged, or the same one before a restart, is ' +
        'reported as accepted until the read model has counted it; in a batch that continues where the last one at this node ended, for ' +
        'up to 5 s longer. Calls that were made after the license stopped working are rejected with the code `license_expired`. ' +
        'Beyond a hard monthly quota calls are refused with `quota_exceeded`: those before `calls.refusedFrom` are done. ' +
        'Where seats float, recording takes a seat: without a free one all calls are refused with `seat_limit_reached`, to be sent again later.',
      tags: ['Command-line tool'],
      body: recordApiCalls,
      response: { 202: apiCallsReply, ...problems(400, 401, 403, 409, 503) },
    },
    validatorCompiler: () => (value) => ({ value }),
    serializerCompiler: () => JSON.stringify,
    onRequest: async (request, reply) => {
      const bytes = Math.min(Number(request.headers['content-length']) || BODY_LIMIT.calls, BODY_LIMIT.calls);
      if (bytesInFlight + bytes > MAX_BYTES_IN_FLIGHT) throw new HttpProblem('overloaded');
      bytesInFlight += bytes;
      reply.raw.once('close', () => {
        bytesInFlight -= bytes;
      });
    },
    handler: async (request, reply) => {
      const { customerId, userId } = principalAs(request, 'cli');
      await checkSession(found(request.session, 'session_required'));
      const { sourceId, firstSequence, calls } = parsed(request.body);
      const meta = metaOfCalls(request);
      const source = await seen.of(customerId, sourceId, [firstSequence, firstSequence + calls.length - 1]);
      const { endsAt, hasCallQuota, isFloating } = await licenses.of(customerId, meta.at);
      if (isFloating) {
        const { customer, user } = workable((await commands.customers.load(customerId)).state, userId);
        await claimSeatOrDeny(deps, customer, user, { meta: metaOf(request) });
      }
      const rejected: ApiCallsReply['rejected'] = [];
      const recorded: (RecordedCall | null)[] = [];
      let first = firstSequence;
      let duplicates = 0;
      for (const [index, call] of calls.entries()) {
        const sequence = firstSequence + index;
        const checked = checkCall(call, meta.at, request.receivedAt);
        const isKnown = isSeen(source, sequence);
        const late = typeof checked === 'string' || isKnown ? null : rejectionAfter(endsAt, checked);
        if (typeof checked === 'string') rejected.push({ sequence, reason: checked });
        else if (late) rejected.push({ sequence, ...late });
        else if (isKnown) duplicates += 1;
        // Leading duplicates are left out: that leaves no gap in the sequences.
        if (isKnown && recorded.length === 0) first = sequence + 1;
        else recorded.push(typeof checked === 'string' || late ? null : checked);
      }
      const valid = calls.length - duplicates - rejected.length;
      const ranges = hasCallQuota && valid > 0 ? recordedRanges(first, recorded) : [];
      const claim = ranges.length > 0 ? await claimCalls({ customerId, sourceId, ranges, at: meta.at }) : null;
      const accepted = claim?.calls ?? valid;
      const fits = accepted < valid ? fitting(recorded, accepted) : recorded;
      if (accepted > 0) {
        await recordCalls({ customerId, userId, sourceId, firstSequence: first, calls: fits }, meta);
        seen.acknowledge(customerId, sourceId, recordedRanges(first, fits), source.voids);
      }
      const refusedFrom = accepted < valid ? first + fits.length : firstSequence + calls.length;
      const done = outcomeBefore(refusedFrom, { accepted, rejected, firstSequence });
      counters.count('latchkey_api_calls_accepted_total', accepted);
      counters.count('latchkey_api_calls_duplicate_total', done.duplicates);
      counters.count('latchkey_api_calls_rejected_total', done.rejected.length);
      if (claim?.quota && accepted < valid) {
        counters.count('latchkey_api_calls_over_quota_total', valid - accepted);
        throw quotaExceeded(claim.quota, { ...done, sent: calls.length, refusedFrom });
      }
      reply.code(202);
      return {
        success: true as const,
        ...done,
        nextSequence: Math.max(firstSequence + calls.length, highestSeen(source) + 1),
      };
    },
  });
};
