import { traceparentOf } from '../contracts/traceparent.ts';
import type { Actor, EventMeta } from '../domain/event.ts';
import type { AnyEvent } from '../domain/events.ts';
import { isUuid } from '../domain/ids.ts';
import { SIGN_IN_METHODS } from '../domain/signIns/methods.ts';
import type { Sealing, SealingContext } from '../security/sealing.ts';
import { VaultUnavailable } from '../security/vault.ts';
import { type CodecEntry, codecEntryOf, splitStreamName } from './codecs/codecs.ts';
import { type Fields, isFields } from './jsonFields.ts';
import { ACTOR_ADDRESS, type Recorded, type StreamName, type Undecodable } from './port.ts';

/** An event as the client returns it, or with data and metadata as raw bytes. */
export type StoredEvent = Readonly<{
  id: string;
  streamId: string;
  type: string;
  contentType?: string;
  revision: bigint;
  position?: Readonly<{ commit: bigint }>;
  data: unknown;
  metadata: unknown;
  /** When the store committed it. */
  created?: Date;
}>;

/** `isForeign` if neither type nor metadata are the product's: another application wrote the event. */
export type Decoded =
  | Readonly<{ kind: 'event'; recorded: Recorded }>
  | Readonly<{ kind: 'undecodable'; undecodable: Undecodable; isForeign: boolean }>;

const ACTORS: Readonly<Record<string, true>> = { admin: true, integrator: true, customer: true, user: true, system: true };

const NOTHING_SEALED: Readonly<Record<string, string>> = Object.freeze({});

const isActor = (value: unknown): value is Actor =>
  isFields(value) && typeof value.kind === 'string' && ACTORS[value.kind] === true && typeof value.id === 'string';

/** The known parts of an actor; an address is sealed, so it is none of them. */
const actorOf = ({ kind, id, userId, tokenId, sessionId, method }: Actor): Actor => {
  const known = SIGN_IN_METHODS.find((one) => one === method);
  return {
    kind,
    id,
    ...(isUuid(userId) && { userId }),
    ...(isUuid(tokenId) && { tokenId }),
    ...(isUuid(sessionId) && { sessionId }),
    ...(known && { method: known }),
  };
};

/** The metadata of an event; `sealed` has the envelope of the actor's address. */
const metaOf = (metadata: unknown): Readonly<{ meta: EventMeta; codec: number; sealed: Readonly<Record<string, string>> }> => {
  if (!isFields(metadata)) throw new Error('No metadata');
  const { actor, commandId, correlationId, causationId, at, codec, reverts } = metadata;
  const traceparent = traceparentOf(metadata.traceparent);
  if (
    !isActor(actor) ||
    typeof commandId !== 'string' ||
    typeof correlationId !== 'string' ||
    !(causationId === null || typeof causationId === 'string') ||
    typeof at !== 'string' ||
    typeof codec !== 'number'
  ) {
    throw new Error('The metadata is not that of a Latchkey event');
  }
  const sealed = typeof actor.address === 'string' ? { [ACTOR_ADDRESS]: actor.address } : NOTHING_SEALED;
  const traced = traceparent === undefined ? undefined : { traceparent };
  const reverting = isUuid(reverts) ? { reverts } : undefined;
  const meta = { actor: actorOf(actor), commandId, correlationId, causationId, at, ...traced, ...reverting };
  return { meta, codec, sealed };
};

/** Parses JSON that is stored as bytes. */
const jsonOf = (data: unknown): unknown =>
  data instanceof Uint8Array ? JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString()) : data;

type StoredMeta = ReturnType<typeof metaOf>;

/** Parses metadata and caches the last one, because events of one append have equal metadata. */
const createMetaReader = (): ((metadata: unknown) => StoredMeta) => {
  let last: { bytes: Buffer; meta: StoredMeta } | null = null;
  return (metadata) => {
    if (!Buffer.isBuffer(metadata)) return metaOf(metadata);
    if (last?.bytes.equals(metadata)) return last.meta;
    const meta = metaOf(metadata.length === 0 ? undefined : jsonOf(metadata));
    last = { bytes: metadata, meta };
    return meta;
  };
};

/** The only cast to an event, after the codec has validated type and data. */
const eventOf = (type: string, data: AnyEvent['data']): AnyEvent => ({ type, data }) as AnyEvent;

const recordedOf = (
  stored: StoredEvent,
  meta: EventMeta,
  data: AnyEvent['data'],
  sealed: Readonly<Record<string, string>>,
): Decoded => {
  if (!stored.position) throw new Error('The store gave no position');
  return {
    kind: 'event',
    recorded: {
      id: stored.id,
      stream: stored.streamId as StreamName,
      revision: stored.revision,
      position: stored.position.commit,
      event: eventOf(stored.type, data),
      meta,
      storedAt: stored.created?.getTime() ?? Date.parse(meta.at),
      sealed,
    },
  };
};

/** An event whose type the product does not have in that stream. */
class NoCodec extends Error {}

const hasOwnMetadata = (stored: Pick<StoredEvent, 'metadata'>): boolean => {
  try {
    metaOf(jsonOf(stored.metadata));
    return true;
  } catch {
    return false;
  }
};

/** Whether another application wrote the event: neither its type nor its metadata are the product's. */
export const isForeign = (stored: Pick<StoredEvent, 'streamId' | 'type' | 'metadata'>): boolean => {
  const name = splitStreamName(stored.streamId);
  return !(name && codecEntryOf(name.category, stored.type)) && !hasOwnMetadata(stored);
};

const undecodableOf = (stored: StoredEvent, error: unknown): Decoded => ({
  kind: 'undecodable',
  isForeign: error instanceof NoCodec && isForeign(stored),
  undecodable: {
    id: stored.id,
    stream: stored.streamId,
    revision: stored.revision,
    position: stored.position?.commit ?? 0n,
    type: stored.type,
    reason: error instanceof Error ? error.message : String(error),
  },
});

/**
 * Validates, decrypts and upcasts a stored event. Returns an `undecodable` result for an unreadable event; throws only
 * `VaultUnavailable`. Returns synchronously if the data keys are cached.
 */
export const createDecoder = (sealing: Pick<Sealing, 'open'>): ((stored: StoredEvent) => Decoded | Promise<Decoded>) => {
  const openAll = (entry: CodecEntry, id: string, type: string, fields: readonly string[], data: Fields) => {
    const owner = entry.ownerOf(id, data);
    const formerOwner = entry.formerOwnerOf?.(id, data) ?? null;
    const sealed: Record<string, string> = {};
    const opened: Fields = { ...data };
    const pendingFields: Promise<void>[] = [];
    for (const field of fields) {
      const envelope = data[field];
      if (envelope === null) continue;
      if (typeof envelope !== 'string' || !owner) throw new Error(`${field} is not encrypted`);
      sealed[field] = envelope;
      const at: SealingContext = { owner, formerOwner, eventType: type, field };
      const text = sealing.open(envelope, at);
      if (text instanceof Promise) {
        const pending = text.then((given) => {
          opened[field] = given;
        });
        pending.catch(() => undefined); // unhandled if a later field throws
        pendingFields.push(pending);
      } else opened[field] = text;
    }
    return { opened, sealed, pendingFields };
  };

  const readMeta = createMetaReader();

  return (stored) => {
    const failed = (error: unknown): Decoded => {
      if (error instanceof VaultUnavailable) throw error;
      return undecodableOf(stored, error);
    };
    try {
      const name = splitStreamName(stored.streamId);
      const entry = name && codecEntryOf(name.category, stored.type);
      if (!entry) throw new NoCodec(`No codec for ${stored.type}`);
      const { meta, codec, sealed: ofMeta } = readMeta(stored.metadata);
      const shape = entry.codec.shapes[codec];
      if (!shape) throw new Error(`No codec for version ${codec} of ${stored.type}`);
      const data = jsonOf(stored.data);
      if (shape.sealed.length === 0) return recordedOf(stored, meta, shape.parse(data), ofMeta);
      if (!isFields(data)) throw new Error('The data is not an object');
      const { opened, sealed: ofData, pendingFields } = openAll(entry, name.id, stored.type, shape.sealed, data);
      const sealed = { ...ofData, ...ofMeta };
      if (pendingFields.length === 0) return recordedOf(stored, meta, shape.parse(opened), sealed);
      return Promise.all(pendingFields)
        .then(() => recordedOf(stored, meta, shape.parse(opened), sealed))
        .catch(failed);
    } catch (error) {
      return failed(error);
    }
  };
};
