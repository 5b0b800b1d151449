import { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair, importPKCS8, type JWTPayload, SignJWT } from 'jose';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Sealing } from './sealing.ts';

const ALGORITHM = 'EdDSA';
const TYPE = 'SigningKey';

/** A public key of Ed25519 in a JWK set. */
type PublicKey = Readonly<{ kty: 'OKP'; crv: 'Ed25519'; x: string; kid: string; use: 'sig'; alg: typeof ALGORITHM }>;

/** The keys that sign offline licenses and statements of usage. Private keys are sealed by a data key of their own. */
export type SigningKeys = Readonly<{
  /**
   * Signs claims as a compact JWS of a type with the active key, which is made at its first use. The issuer is the installation. The key is
   * published until `until` at least, ISO-8601 UTC.
   */
  sign: (claims: JWTPayload, options: Readonly<{ type: string; until: string }>) => Promise<string>;
  /** The active key first, then retired ones that signed what is still valid. */
  publicKeys: () => Promise<PublicKey[]>;
  /**
   * Replaces the active key. With `revoke`, former keys are not published any more, so that nothing that they signed is valid. Resolves to
   * the ids of the new and the former key.
   */
  rotate: (options?: Readonly<{ revoke?: boolean }>) => Promise<Readonly<{ active: string; former: string }>>;
}>;

const publicKeyOf = ({ kid, public_key: x }: { kid: string; public_key: string }): PublicKey => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x,
  kid,
  use: 'sig',
  alg: ALGORITHM,
});

/** Keys in `auth.signing_key`. `now` is in ms since 1970. */
export const createSigningKeys = ({ db, sealing, now }: { db: Database; sealing: Sealing; now: () => number }): SigningKeys => {
  const installation = async (): Promise<string> =>
    (await db.selectFrom('audit.log').select('log_id').executeTakeFirstOrThrow()).log_id;

  const contextOf = async (kid: string) => ({ owner: `signingKeys:${await installation()}`, eventType: TYPE, field: kid }) as const;

  const generate = async () => {
    const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
    const jwk = await exportJWK(publicKey);
    if (jwk.x === undefined) throw new Error('The new public key is incomplete');
    const kid = await calculateJwkThumbprint(jwk);
    const sealed = await sealing.seal(await exportPKCS8(privateKey), await contextOf(kid));
    return { kid, public_key: jwk.x, sealed, created_at: new Date(now()), retired_at: null, signs_until: null };
  };

  const load = () => db.selectFrom('auth.signing_key').select(['kid', 'sealed']).where('retired_at', 'is', null).executeTakeFirst();

  const active = async (): Promise<{ kid: string; sealed: string }> => {
    const found = await load();
    if (found) return found;
    await db
      .insertInto('auth.signing_key')
      .values(await generate())
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const made = await load();
    if (!made) throw new Error('There is no key to sign with');
    return made;
  };

  return {
    sign: async (claims, { type, until }) => {
      const { kid, sealed } = await active();
      const signsUntil = new Date(until);
      await db
        .updateTable('auth.signing_key')
        .set({ signs_until: sql`greatest(signs_until, ${signsUntil})` })
        .where('kid', '=', kid)
        .execute();
      const key = await importPKCS8(await sealing.open(sealed, await contextOf(kid)), ALGORITHM);
      return new SignJWT(claims)
        .setProtectedHeader({ alg: ALGORITHM, kid, typ: type })
        .setIssuer(`latchkey/${await installation()}`)
        .sign(key);
    },
    publicKeys: async () => {
      await active();
      const rows = await db
        .selectFrom('auth.signing_key')
        .select(['kid', 'public_key'])
        .where((where) => where.or([where('retired_at', 'is', null), where('signs_until', '>', new Date(now()))]))
        .orderBy('retired_at', (order) => order.desc().nullsFirst())
        .execute();
      return rows.map(publicKeyOf);
    },
    rotate: async ({ revoke = false } = {}) => {
      const former = await active();
      const next = await generate();
      await db.transaction().execute(async (transaction) => {
        const retired = await transaction
          .updateTable('auth.signing_key')
          .set({ retired_at: next.created_at })
          .where('kid', '=', former.kid)
          .where('retired_at', 'is', null)
          .executeTakeFirst();
        if (retired.numUpdatedRows === 0n) throw new Error('The key is being replaced by another command');
        await transaction.insertInto('auth.signing_key').values(next).execute();
        if (revoke)
          await transaction
            .updateTable('auth.signing_key')
            .set({ signs_until: null })
            .where('retired_at', 'is not', null)
            .execute();
      });
      return { active: next.kid, former: former.kid };
    },
  };
};
