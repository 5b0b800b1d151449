import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../database/database.ts';
import { DAY_MS } from '../../domain/time.ts';
import { decrypt, encrypt, Unopenable } from '../../security/envelope.ts';
import type { Owner } from '../../security/owner.ts';
import type { Session } from '../../security/session.ts';
import { DataKeyDestroyed, type Vault } from '../../security/vault.ts';
import { ownerOfPrincipal, principalName } from '../principal.ts';
import { HttpProblem } from '../problems/problems.ts';
import { isUnsafe } from './guard.ts';
import { idempotencyKeyOf, uuidOf } from './meta.ts';

/** How long an attempt may work before another one takes over: more than a handler may take. */
const CLAIM_MS = 40_000;
const WAIT_MS = 15_000;
const KEPT_MS = DAY_MS;
const SWEEP_MS = 600_000;
const KEPT_HEADERS = ['etag', 'x-position', 'location', 'content-type', 'retry-after'] as const;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while this request is the first one of its `Idempotency-Key`. */
    claim: Claim | null;
  }
}

type Claim = Readonly<{ principal: string; key: string; id: string }>;

const contextOf = (principal: string, key: string): string => `${principal} ${key}`;

/** A reply without data of a tenant other than the caller's. */
const BARE = JSON.stringify({ success: true });

/** Null when it was sealed with another secret. */
const unseal = (secret: Buffer, sealed: Buffer, context: string): string | null => {
  try {
    return decrypt(secret, sealed, context).toString();
  } catch (error) {
    if (error instanceof Unopenable) return null;
    throw error;
  }
};

/** The owner of the data key that seals a reply; null for a reply without a tenant's data. */
const ownerOfReply = ({ session, dataOwner }: FastifyRequest, body: string): Owner | null => {
  const ofCaller = session && ownerOfPrincipal(session.owner);
  return body === BARE ? ofCaller : (dataOwner ?? ofCaller);
};

/** Deletes the stored replies that hold an erased owner's data, and the clients' keys beside them. */
export const forgetRepliesOf = async (db: Database, owner: Owner): Promise<void> => {
  await db.deleteFrom('http.idempotency').where('owner', '=', owner).execute();
};

/** Replies that depend on the request are stored; those that depend on the moment are not. */
const isLasting = (status: number): boolean => status < 500 && ![401, 403, 408, 429].includes(status);

/**
 * A mutation with an `Idempotency-Key` runs once. A repeated request gets the first reply, another request with that key is refused,
 * and a request before the first reply waits. Replies are stored for a day. They are sealed with the data key of the tenant whose data
 * they contain, so that its erasure covers them; replies without a tenant's data with `secret` (32 bytes).
 */
export const runOnce = (
  app: FastifyInstance,
  {
    db,
    vault,
    secret,
    now,
    newId,
  }: { db: Database; vault: Pick<Vault, 'keyFor'>; secret: Buffer; now: () => number; newId: () => string },
): void => {
  app.decorateRequest('claim', null);
  app.decorateRequest('dataOwner', null);

  /** Null when the owner was erased. */
  const keyOf = async (owner: Owner | null): Promise<Buffer | null> => {
    if (owner === null) return secret;
    try {
      return (await vault.keyFor(owner)).key;
    } catch (error) {
      if (error instanceof DataKeyDestroyed) return null;
      throw error;
    }
  };

  const forget = async ({ principal, key, id }: Claim): Promise<void> => {
    await db
      .deleteFrom('http.idempotency')
      .where('principal', '=', principal)
      .where('key', '=', key)
      .where('claim', '=', id)
      .execute();
  };

  const claim = async (
    request: FastifyRequest,
    reply: FastifyReply,
    principal: string,
    key: string,
  ): Promise<FastifyReply | undefined> => {
    const fingerprint = uuidOf(request.method, request.url, request.bodyDigest ?? '');
    const id = newId();
    const claimedUntil = (): Date => new Date(now() + CLAIM_MS);
    const giveUpAt = now() + WAIT_MS;
    for (let pause = 20; ; pause = Math.min(pause * 2, 500)) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('http.idempotency')
        .values({
          principal,
          key,
          fingerprint,
          claim: id,
          claimed_until: claimedUntil(),
          created_at: new Date(now()),
          status: null,
          headers: null,
          sealed_body: null,
          owner: null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows === 1n) {
        request.claim = { principal, key, id };
        return undefined;
      }
      const first = await db
        .selectFrom('http.idempotency')
        .selectAll()
        .where('principal', '=', principal)
        .where('key', '=', key)
        .executeTakeFirst();
      if (!first) continue;
      if (first.fingerprint !== fingerprint) throw new HttpProblem('idempotency_key_reused');
      if (first.status !== null && first.sealed_body !== null) {
        const sealingKey = await keyOf(first.owner as Owner | null);
        if (sealingKey === null) {
          // The request runs again, and is answered as for any deleted customer or integrator.
          await forget({ principal, key, id: first.claim });
          continue;
        }
        const body = unseal(sealingKey, first.sealed_body, contextOf(principal, key));
        if (body === null) throw new HttpProblem('idempotency_key_reused');
        return reply
          .code(first.status)
          .headers({ ...first.headers, 'idempotent-replayed': 'true' })
          .serializer((text: string) => text)
          .send(body);
      }
      if (first.claimed_until.getTime() < now()) {
        const { numUpdatedRows } = await db
          .updateTable('http.idempotency')
          .set({ claim: id, claimed_until: claimedUntil() })
          .where('principal', '=', principal)
          .where('key', '=', key)
          .where('claim', '=', first.claim)
          .where('status', 'is', null)
          .executeTakeFirst();
        if (numUpdatedRows === 1n) {
          request.claim = { principal, key, id };
          return undefined;
        }
      }
      if (now() > giveUpAt) throw new HttpProblem('idempotency_in_progress');
      await sleep(pause);
    }
  };

  const claimFirst = async (request: FastifyRequest, reply: FastifyReply, session: Session): Promise<FastifyReply | undefined> => {
    const key = idempotencyKeyOf(request);
    return key === null ? undefined : claim(request, reply, principalName(session), key);
  };

  const keep = async (request: FastifyRequest, reply: FastifyReply, held: Claim, payload: unknown): Promise<void> => {
    request.claim = null;
    const { principal, key, id } = held;
    try {
      if (!isLasting(reply.statusCode) || typeof payload !== 'string') {
        return await forget(held);
      }
      const owner = ownerOfReply(request, payload);
      const sealingKey = await keyOf(owner);
      if (sealingKey === null) return await forget(held);
      const headers = Object.fromEntries(
        KEPT_HEADERS.flatMap((name) => {
          const value = reply.getHeader(name);
          return value === undefined ? [] : [[name, String(value)]];
        }),
      );
      await db
        .updateTable('http.idempotency')
        .set({
          status: reply.statusCode,
          headers: JSON.stringify(headers),
          owner,
          sealed_body: encrypt(sealingKey, Buffer.from(payload), contextOf(principal, key)),
        })
        .where('principal', '=', principal)
        .where('key', '=', key)
        .where('claim', '=', id)
        .execute();
    } catch (error) {
      // The command is done and its ids follow from the key, so doing it again after the claim is over changes nothing.
      request.log.error({ err: error }, 'The reply could not be stored for its idempotency key');
    }
  };

  // Most requests have no key, and pass without a promise.
  app.addHook('preHandler', (request, reply, next) => {
    const { session, headers, method, routeOptions } = request;
    const isConcerned = headers['idempotency-key'] !== undefined && isUnsafe(method) && routeOptions.config.idempotent !== false;
    if (!isConcerned || !session) return next();
    claimFirst(request, reply, session).then((answered) => answered ?? next(), next);
  });
  app.addHook('onSend', (request, reply, payload, next) => {
    if (!request.claim) return next();
    keep(request, reply, request.claim, payload).then(() => next(null, payload), next);
  });

  const sweeper = setInterval(() => {
    db.deleteFrom('http.idempotency')
      .where('created_at', '<', new Date(now() - KEPT_MS))
      .execute()
      .catch((error: unknown) => app.log.error({ err: error }, 'Old idempotency keys could not be deleted'));
  }, SWEEP_MS);
  app.addHook('onClose', async () => clearInterval(sweeper));
};
