import { type Attributes, context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { traceparentOf } from '../contracts/traceparent.ts';
import { contextOf, isTracing, tracer } from './spans.ts';

/** A span of a request to this server, and the context in which its handlers run. */
export type RequestSpan = Readonly<{
  /** Calls `next` with the span as the active one. */
  run: (next: () => void) => void;
  end: (result: { name: string; attributes: Attributes; isError: boolean }) => void;
}>;

/** Starts the span of a request, as a child of the sender's. Null without an exporter. */
export const startRequestSpan = (traceparent: unknown, attributes: Attributes): RequestSpan | null => {
  if (!isTracing()) return null;
  const parent = contextOf(traceparentOf(traceparent));
  const span = tracer().startSpan('HTTP request', { kind: SpanKind.SERVER, attributes }, parent);
  const within = trace.setSpan(parent, span);
  return {
    run: (next) => context.with(within, next),
    end: (result) => {
      span.updateName(result.name);
      span.setAttributes(result.attributes);
      if (result.isError) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
};
