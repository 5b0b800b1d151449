import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';

/**
 * Spans of OpenTelemetry. Without an exporter (`turnTracingOn` was not called) every function here only calls the work that it gets.
 * Attributes hold no personal data, no keys and no addresses of clients.
 */

/** The spans that an event, a batch or an announcement belongs to, at most: a batch of a thousand events is of a few of them. */
const MAX_TRACES = 8;
const SAMPLED = '01';

let isOn = false;

/** Call it once an exporter is registered with OpenTelemetry. */
export const turnTracingOn = (): void => {
  isOn = true;
};

/** Whether spans are exported. Without an exporter, the code that makes spans is skipped. */
export const isTracing = (): boolean => isOn;

/** Makes the spans of the product. */
export const tracer = (): Tracer => trace.getTracer('latchkey');

/** The context of a span elsewhere; the active one if there is none. */
export const contextOf = (traceparent: string | undefined): Context =>
  traceparent === undefined ? context.active() : propagation.extract(context.active(), { traceparent });

const traceparentOfSpan = (span: Span | undefined): string | undefined => {
  if (!span?.isRecording()) return undefined;
  const { traceId, spanId } = span.spanContext();
  return `00-${traceId}-${spanId}-${SAMPLED}`;
};

/** The active span as a `traceparent`; undefined if no trace is recorded. */
export const activeTraceparent = (): string | undefined => (isOn ? traceparentOfSpan(trace.getSpan(context.active())) : undefined);

/** The name of the error only: messages may contain what a user has sent. */
const fail = (span: Span, error: unknown): void => {
  const name = error instanceof Error ? error.name : typeof error;
  span.setAttribute('error.type', name);
  span.setStatus({ code: SpanStatusCode.ERROR });
};

/** Runs work as a span, which is active meanwhile. Its parent is the active span, otherwise `parent` (a `traceparent`). */
export const inSpan = async <T>(
  name: string,
  { attributes = {}, parent }: { attributes?: Attributes; parent?: string | undefined },
  work: () => Promise<T>,
): Promise<T> => {
  if (!isOn) return work();
  const from = trace.getSpan(context.active()) ? context.active() : contextOf(parent);
  return tracer().startActiveSpan(name, { attributes }, from, async (span) => {
    try {
      return await work();
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
};

/** Work that belongs to several traces: a span in each. */
export type SharedSpans = Readonly<{ traceparents: readonly string[]; end: (error?: unknown) => void }>;

const NO_SPANS: SharedSpans = { traceparents: [], end: () => undefined };

/** Starts a span in each trace of some `traceparent`s; of many, only in the first few. */
export const startSharedSpans = (name: string, attributes: Attributes, parents: Iterable<string | undefined>): SharedSpans => {
  if (!isOn) return NO_SPANS;
  const distinct = new Set<string>();
  for (const parent of parents) {
    if (parent !== undefined) distinct.add(parent);
    if (distinct.size === MAX_TRACES) break;
  }
  if (distinct.size === 0) return NO_SPANS;
  const spans = [...distinct].map((parent) => tracer().startSpan(name, { kind: SpanKind.CONSUMER, attributes }, contextOf(parent)));
  return {
    traceparents: spans.flatMap((span) => traceparentOfSpan(span) ?? []),
    end: (error) => {
      for (const span of spans) {
        if (error !== undefined) fail(span, error);
        span.end();
      }
    },
  };
};
