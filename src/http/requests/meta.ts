import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor, EventMeta } from '../../domain/event.ts';
import { clientAddressOf } from '../../security/clientNetworks.ts';
import type { Session } from '../../security/session.ts';
import { activeTraceparent } from '../../tracing/spans.ts';
import { actorOf, principalName } from '../principal.ts';
import { HttpProblem } from '../problems/problems.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The session that this sign-in has opened, while it is completed. */
    openedSession: Session | null;
  }
}

/** What an `Idempotency-Key` may be: up to 200 visible characters of ASCII. */
export const IDEMPOTENCY_KEY_PATTERN = /^[\x21-\x7e]{1,200}$/;

/** The request's `Idempotency-Key`, null when it has none. Throws `idempotency_key_invalid`. */
export const idempotencyKeyOf = (request: FastifyRequest): string | null => {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY_PATTERN.test(key)) throw new HttpProblem('idempotency_key_invalid');
  return key;
};

/** SHA-256 of some words. */
export const digestOf = (...words: readonly string[]): Buffer => createHash('sha256').update(JSON.stringify(words)).digest();

/** A UUID that is always the same for the same words. */
export const uuidOf = (...words: readonly string[]): string => {
  const hash = digestOf(...words);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x80, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = hash.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

/** Gives every request its time and the id of its command: the only places where clock and chance enter. */
export const stampRequests = (app: FastifyInstance, { now, newId }: { now: () => number; newId: () => string }): void => {
  app.decorateRequest('receivedAt', 0);
  app.decorateRequest('commandId', '');
  app.decorateRequest('bodyDigest', null);
  app.decorateRequest('openedSession', null);
  app.addHook('onRequest', (request, _reply, next) => {
    request.receivedAt = now();
    request.commandId = newId();
    next();
  });
  // After the session is known: a key names one command of one principal, also after a crash half way.
  app.addHook('preValidation', (request, _reply, next) => {
    if (request.headers['idempotency-key'] === undefined) return next();
    try {
      const key = idempotencyKeyOf(request);
      if (key !== null && request.session) request.commandId = uuidOf('command', principalName(request.session), key);
      next();
    } catch (error) {
      next(error as Error);
    }
  });
};

/** The actor with the session, its method and the address from which it acts. Nothing seals the address of the system. */
export const locatedActor = (actor: Actor, session: Session | null | undefined, ip: string): Actor => {
  if (actor.kind === 'system') return actor;
  const method = session?.method ?? null;
  const address = clientAddressOf(ip);
  return {
    ...actor,
    ...(session && actor.tokenId === undefined && { sessionId: session.id }),
    ...(method !== null && { method }),
    ...(address !== null && { address }),
  };
};

/** The changes of one bulk action have the same correlation id, which depends on who makes them: nobody joins the action of another. */
export const bulkCorrelationOf = (session: Session, bulkId: string): string => uuidOf('bulk', principalName(session), bulkId);

const correlationOf = ({ id, session, headers: { 'bulk-id': bulkId } }: FastifyRequest): string =>
  session && typeof bulkId === 'string' && IDEMPOTENCY_KEY_PATTERN.test(bulkId) ? bulkCorrelationOf(session, bulkId) : id;

const metaWith = (request: FastifyRequest, actor: Actor): EventMeta => {
  const traceparent = activeTraceparent();
  return {
    actor,
    commandId: request.commandId,
    correlationId: correlationOf(request),
    causationId: null,
    at: new Date(request.receivedAt).toISOString(),
    ...(traceparent !== undefined && { traceparent }),
  };
};

/** Everything that a command of this request carries beside its data. */
export const metaOf = (request: FastifyRequest, actor: Actor = actorOf(request.session?.owner)): EventMeta =>
  metaWith(request, locatedActor(actor, request.session ?? request.openedSession, request.ip));

/**
 * The metadata of recorded calls, without session and address: calls of several requests become one event, and their events stay as
 * small as they can be.
 */
export const metaOfCalls = (request: FastifyRequest): EventMeta => metaWith(request, actorOf(request.session?.owner));

/** The metadata of a command that may revert an event, whose id is `reverts`. */
export const metaOfRevert = (request: FastifyRequest, reverts: string | undefined): EventMeta => ({
  ...metaOf(request),
  ...(reverts !== undefined && { reverts }),
});

/** The id of a thing that this request creates: the same one when the request is repeated with its `Idempotency-Key`. */
export const newIdFor = (request: FastifyRequest, kind: string): string => uuidOf(kind, request.commandId);

/** The meta of a second command that follows from a request's first one. */
export const followUp = (meta: EventMeta, name: string): EventMeta => ({
  ...meta,
  commandId: uuidOf(name, meta.commandId),
  causationId: meta.commandId,
});
