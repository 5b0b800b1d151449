import type { EventMeta } from '../domain/event.ts';
import { activeTraceparent, inSpan } from '../tracing/spans.ts';
import type { EventStore } from './port.ts';

const traced = (meta: EventMeta, traceparent: string | undefined): EventMeta =>
  traceparent === undefined ? meta : { ...meta, traceparent };

/** An event store whose appends are spans. The events hold the span, so that what projects them continues the trace. */
export const traceAppends = <Store extends Pick<EventStore, 'append'>>(events: Store): Store => ({
  ...events,
  append: (stream, list, options) => {
    const { meta } = options;
    const first = 'actor' in meta ? meta : meta[0];
    const attributes = { 'db.system.name': 'eventstoredb', 'latchkey.events': list.length };
    return inSpan(`append to ${stream.slice(0, stream.indexOf('-'))}`, { attributes, parent: first?.traceparent }, () => {
      const own = activeTraceparent();
      const metas = 'actor' in meta ? traced(meta, own) : meta.map((one) => traced(one, own));
      return events.append(stream, list, { ...options, meta: metas });
    });
  },
});
