import { randomUUID } from 'node:crypto';
import type { EventData } from '@eventstore/db-client';
import type { EventMeta } from '../domain/event.ts';
import type { AnyEvent } from '../domain/events.ts';
import type { Sealing } from '../security/sealing.ts';
import { placeOf, splitStreamName } from './codecs/codecs.ts';
import type { StreamName } from './port.ts';

const utf8 = new TextEncoder();

/**
 * Metadata goes as bytes, since the client would base64 a text and decode it again. So does the data of the one event of which
 * there are millions; all others are JSON to the store too, for whoever looks into it.
 */
const eventData = (id: string, type: string, data: Record<string, unknown> | Uint8Array, metadata: Uint8Array): EventData =>
  data instanceof Uint8Array
    ? { id, type, contentType: 'application/octet-stream', data, metadata }
    : { id, type, contentType: 'application/json', data, metadata };

const isHot = (type: string): boolean => type === 'ApiCallsRecorded';

/** What the store is handed for an event: its data checked, its sensitive fields sealed. Throws for an event that no codec could read. */
export const encodeEvent = async (
  sealing: Sealing,
  stream: StreamName,
  event: AnyEvent,
  meta: EventMeta,
  eventId: string = randomUUID(),
): Promise<EventData> => {
  const name = splitStreamName(stream);
  const place = name && placeOf(name.category, event.type);
  const shape = place?.codec.shapes[place.codec.version];
  if (!name || !place || !shape) throw new Error(`No codec for ${event.type} in ${stream}`);
  const data: Record<string, unknown> = shape.store ? shape.store(event.data) : { ...shape.parse(event.data) };
  for (const field of shape.sealed) {
    const text = data[field];
    if (typeof text !== 'string') continue;
    const owner = place.ownerOf(name.id, data);
    if (!owner) throw new Error(`No owner for the encrypted field ${field} of ${event.type} in ${stream}`);
    data[field] = await sealing.seal(text, { owner, eventType: event.type, field });
  }
  const { actor, commandId, correlationId, causationId, at } = meta;
  const metadata = { actor, commandId, correlationId, causationId, at, codec: place.codec.version };
  return eventData(
    eventId,
    event.type,
    isHot(event.type) ? utf8.encode(JSON.stringify(data)) : data,
    utf8.encode(JSON.stringify(metadata)),
  );
};
