import { z } from 'zod';
import { apiCallsReply, recordApiCalls } from '../../contracts/apiCalls.ts';
import type { RecordedCall } from '../../domain/apiCalls/events.ts';
import { isWithin } from '../../projections/usage/ranges.ts';
import { checkBatch, checkCall } from '../apiCalls/check.ts';
import { rememberRanges } from '../apiCalls/seenRanges.ts';
import type { App, HttpDeps } from '../deps.ts';
import { principalAs } from '../principal.ts';
import { HttpProblem } from '../problems/problems.ts';
import { problems } from '../replies.ts';
import { MAX_BODY } from '../requests/body.ts';
import { quietLevel } from '../requests/logging.ts';
import { metaOf } from '../requests/meta.ts';
import type { Counters } from '../requests/metrics.ts';
import { problemOfSchema } from '../requests/validation.ts';

/** Bodies that may be at work at once; a request beyond them is told to come back. */
const MAX_BYTES_IN_FLIGHT = 64 * MAX_BODY;

const parsed = (body: unknown) => {
  try {
    return checkBatch(body);
  } catch (error) {
    if (error instanceof z.ZodError) throw problemOfSchema(error);
    throw error;
  }
};

/** The calls that a command-line tool made: each is judged alone, and those accepted are durable before the reply. */
export const apiCallRoutes = (
  app: App,
  { settings, recordCalls, queries, now, counters }: HttpDeps & { counters: Counters },
): void => {
  const seen = rememberRanges(queries.usage.sourceRanges, now);
  let bytesInFlight = 0;

  app.route({
    method: 'POST',
    url: '/api/cli/api-calls',
    config: { audience: ['cli'], idempotent: false },
    logLevel: quietLevel(settings.logLevel),
    helmet: false,
    schema: {
      summary: 'Record API calls',
      description: 'Call `i` has the sequence `firstSequence + i`; a (source, sequence) counts once however often it is sent.',
      tags: ['Command-line tool'],
      body: recordApiCalls,
      response: { 202: apiCallsReply, ...problems(400, 401, 403, 503) },
    },
    validatorCompiler: () => (value) => ({ value }),
    serializerCompiler: () => JSON.stringify,
    onRequest: async (request, reply) => {
      const bytes = Math.min(Number(request.headers['content-length'] ?? MAX_BODY) || MAX_BODY, MAX_BODY);
      if (bytesInFlight + bytes > MAX_BYTES_IN_FLIGHT) throw new HttpProblem('overloaded');
      bytesInFlight += bytes;
      reply.raw.once('close', () => {
        bytesInFlight -= bytes;
      });
    },
    handler: async (request, reply) => {
      const { customerId, userId } = principalAs(request, 'cli');
      const { sourceId, firstSequence, calls } = parsed(request.body);
      const meta = metaOf(request);
      const ranges = await seen(customerId, sourceId);
      const rejected: { sequence: number; reason: string }[] = [];
      const recorded: (RecordedCall | null)[] = [];
      let first = firstSequence;
      let duplicates = 0;
      for (const [index, call] of calls.entries()) {
        const sequence = firstSequence + index;
        const checked = checkCall(call, meta.at, request.receivedAt);
        const isKnown = isWithin(ranges, sequence);
        if (typeof checked === 'string') rejected.push({ sequence, reason: checked });
        else if (isKnown) duplicates += 1;
        // What was counted before need not be kept again where leaving it out leaves no hole.
        if (isKnown && recorded.length === 0) first = sequence + 1;
        else recorded.push(typeof checked === 'string' ? null : checked);
      }
      const accepted = calls.length - duplicates - rejected.length;
      if (accepted > 0) await recordCalls({ customerId, userId, sourceId, firstSequence: first, calls: recorded }, meta);
      counters.count('latchkey_api_calls_accepted_total', accepted);
      counters.count('latchkey_api_calls_duplicate_total', duplicates);
      counters.count('latchkey_api_calls_rejected_total', rejected.length);
      reply.code(202);
      return {
        success: true as const,
        accepted,
        duplicates,
        rejected,
        nextSequence: Math.max(firstSequence + calls.length, (ranges.at(-1)?.[1] ?? 0) + 1),
      };
    },
  });
};
