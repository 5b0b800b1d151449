import { randomUUID } from 'node:crypto';
import type { EventData } from '@eventstore/db-client';
import type { Actor, EventMeta } from '../domain/event.ts';
import type { AnyEvent } from '../domain/events.ts';
import { actorOwner } from '../security/owner.ts';
import type { Sealing } from '../security/sealing.ts';
import { DataKeyDestroyed } from '../security/vault.ts';
import { codecEntryOf, splitStreamName } from './codecs/codecs.ts';
import { ACTOR_ADDRESS, type StreamName } from './port.ts';

const utf8 = new TextEncoder();

/**
 * Metadata is passed as bytes, because the client would base64-encode a string and decode it again. So is the data of the high-volume
 * event. All other data is marked as JSON, so that operators can inspect it in the store.
 */
const eventData = (id: string, type: string, data: Record<string, unknown> | Uint8Array, metadata: Uint8Array): EventData =>
  data instanceof Uint8Array
    ? { id, type, contentType: 'application/octet-stream', data, metadata }
    : { id, type, contentType: 'application/json', data, metadata };

const isHighVolume = (type: string): boolean => type === 'ApiCallsRecorded';

/** The actor with a sealed address; without it where nothing can seal it, such as after the removal of the named user. */
const sealedActor = async (sealing: Sealing, { address, ...actor }: Actor, at: string, eventType: string): Promise<Actor> => {
  const owner = address === undefined ? null : actorOwner(actor, at);
  if (address === undefined || owner === null) return actor;
  try {
    return { ...actor, address: await sealing.seal(address, { owner, eventType, field: ACTOR_ADDRESS }) };
  } catch (error) {
    if (error instanceof DataKeyDestroyed) return actor;
    throw error;
  }
};

/** Encodes an event for the store: validates its data and encrypts its sensitive fields. Throws for an event without a codec. */
export const encodeEvent = async (
  sealing: Sealing,
  stream: StreamName,
  event: AnyEvent,
  meta: EventMeta,
  eventId: string = randomUUID(),
): Promise<EventData> => {
  const name = splitStreamName(stream);
  const entry = name && codecEntryOf(name.category, event.type);
  const shape = entry?.codec.shapes[entry.codec.version];
  if (!name || !entry || !shape) throw new Error(`No codec for ${event.type} in ${stream}`);
  const data: Record<string, unknown> = shape.store ? shape.store(event.data) : { ...shape.parse(event.data) };
  for (const field of shape.sealed) {
    const text = data[field];
    if (typeof text !== 'string') continue;
    const owner = entry.ownerOf(name.id, data);
    if (!owner) throw new Error(`No owner for the encrypted field ${field} of ${event.type} in ${stream}`);
    data[field] = await sealing.seal(text, { owner, eventType: event.type, field });
  }
  const { commandId, correlationId, causationId, at, traceparent, reverts } = meta;
  const actor = await sealedActor(sealing, meta.actor, at, event.type);
  const more = { ...(traceparent !== undefined && { traceparent }), ...(reverts !== undefined && { reverts }) };
  const metadata = { actor, commandId, correlationId, causationId, at, ...more, codec: entry.codec.version };
  return eventData(
    eventId,
    event.type,
    isHighVolume(event.type) ? utf8.encode(JSON.stringify(data)) : data,
    utf8.encode(JSON.stringify(metadata)),
  );
};
