import type { ApiCallsReply } from '../../contracts/apiCalls.ts';
import type { Answer, Failure } from '../failure.ts';
import { type Batch, bodyOf, halvesOf, lineOf, MAX_BATCH_BYTES } from './batch.ts';
import { openRetryPolicy, type RetryLimits } from './retryPolicy.ts';
import { GAP, type Origin } from './sourceSpool.ts';
import type { RejectedCall } from './spool.ts';

/** Sources that are named. */
const NAMED_SOURCES = 20;

/** Calls of a source that the server has; by these they can be voided. */
export type SentSource = { sourceId: string; firstSequence: number; lastSequence: number };

/** Adds calls of a source to those that are named. */
export const addSource = (sources: SentSource[], { sourceId, firstSequence, lastSequence }: Readonly<SentSource>): void => {
  const known = sources.find((source) => source.sourceId === sourceId);
  if (known) {
    known.firstSequence = Math.min(known.firstSequence, firstSequence);
    known.lastSequence = Math.max(known.lastSequence, lastSequence);
  } else if (sources.length < NAMED_SOURCES) sources.push({ sourceId, firstSequence, lastSequence });
};

/** What became of calls of a batch. */
type Settled = Pick<ApiCallsReply, 'accepted' | 'duplicates' | 'rejected'>;

/** Sent calls by the server's reply, and the first and last of each of their sources. */
type Sent = { accepted: number; duplicates: number; rejected: number; sources: SentSource[] };

export type DeliveryOptions = Readonly<{
  /** Sends one request body. Resolves to a failure if the signal aborts. */
  post: (body: Buffer, signal: AbortSignal) => Promise<Answer<ApiCallsReply>>;
  retries: RetryLimits;
  signal: AbortSignal;
  /** Saves calls that the server rejects, before they are removed from the spool. */
  keepRejected: (calls: readonly RejectedCall[]) => void;
  onProgress?: ((sent: Readonly<Sent>) => void) | undefined;
}>;

/** Sends batches with retries, and counts the results. */
export type Delivery = Readonly<{
  sent: Readonly<Sent>;
  /** The maximum size of a batch. It decreases when the server or a proxy rejects a body as too large. */
  maxBytes: () => number;
  /** Sends one batch. Null if the server recorded or permanently rejected its calls. */
  deliver: (origin: Origin, batch: Batch, onReply?: (reply: ApiCallsReply) => void) => Promise<Failure | null>;
  /** Restarts the time limits of retries. */
  restartRetries: () => void;
}>;

const SMALLEST_BATCH_BYTES = 16 * 1024;
const TOO_LARGE = 413;
const NOT_UNDERSTOOD = [400, 422];

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
};

/** Opens the delivery of one upload. */
export const openDelivery = ({ post, retries: limits, signal, keepRejected, onProgress }: DeliveryOptions): Delivery => {
  const sent: Sent = { accepted: 0, duplicates: 0, rejected: 0, sources: [] };
  let retries = openRetryPolicy(limits, signal);
  let maxBytes = MAX_BATCH_BYTES;

  const reject = ({ sourceId, kind }: Origin, batch: Batch, refused: readonly { sequence: number; reason: string }[]): void => {
    const calls = refused.map(({ sequence, reason }) => {
      return { sourceId, run: kind === 'run', sequence, reason, call: parsed(lineOf(batch, sequence)) };
    });
    if (calls.length > 0) keepRejected(calls);
    sent.rejected += calls.length;
  };

  const settle = (origin: Origin, batch: Batch, damaged: ReadonlySet<number>, reply: Settled): void => {
    sent.accepted += reply.accepted;
    sent.duplicates += reply.duplicates;
    if (reply.accepted + reply.duplicates > 0)
      addSource(sent.sources, {
        sourceId: origin.sourceId,
        firstSequence: batch.first,
        lastSequence: batch.first + reply.accepted + reply.duplicates + reply.rejected.length - 1,
      });
    const rejectedOfBatch = reply.rejected.filter(
      ({ sequence }) => sequence >= batch.first && sequence < batch.first + batch.count,
    );
    const refused = rejectedOfBatch.flatMap(({ sequence, reason }) => {
      if (damaged.has(sequence)) return [{ sequence, reason: 'Unreadable in the queue' }];
      const isGap = lineOf(batch, sequence) === GAP;
      return isGap ? [] : [{ sequence, reason }];
    });
    reject(origin, batch, refused);
  };

  const deliver: Delivery['deliver'] = async (origin, batch, onReply) => {
    const { body, damaged } = bodyOf(origin.sourceId, batch);
    const answer = await retries.run((until) => post(body, until));
    if (answer.ok) {
      settle(origin, batch, damaged, answer.value);
      onReply?.(answer.value);
      onProgress?.(sent);
      return null;
    }
    const { failure } = answer;
    if (failure.calls !== null) {
      settle(origin, batch, damaged, failure.calls);
      onProgress?.(sent);
      return failure;
    }
    const tooLarge = failure.status === TOO_LARGE;
    if (!tooLarge && !NOT_UNDERSTOOD.includes(failure.status ?? 0)) return failure;
    if (batch.count > 1) {
      if (tooLarge) maxBytes = Math.max(SMALLEST_BATCH_BYTES, Math.min(maxBytes, Math.ceil(body.length / 2)));
      const [left, right] = halvesOf(batch);
      return (await deliver(origin, left, onReply)) ?? (await deliver(origin, right, onReply));
    }
    // The call itself is invalid, unless the server has not accepted any call yet, which means that the versions are incompatible.
    if (!tooLarge && sent.accepted + sent.duplicates === 0) return failure;
    reject(origin, batch, [{ sequence: batch.first, reason: failure.message }]);
    return null;
  };

  return {
    sent,
    maxBytes: () => maxBytes,
    deliver,
    restartRetries: () => {
      retries = openRetryPolicy(limits, signal);
    },
  };
};
