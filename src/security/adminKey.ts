import { createHash, timingSafeEqual } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { newAdminKey } from './keys.ts';
import type { Passwords } from './passwords.ts';

const digest = (key: string): Buffer => createHash('sha256').update(key).digest();

/** Where the hash of the generated key is kept, and that of the given one. */
type KeyTable = 'auth.admin_key' | 'auth.given_admin_key';

/** The key of administrators, generated or from the environment. */
export type AdminKey = Readonly<{
  /**
   * Makes sure that there is one; resolves to the key when it was generated just now, to be shown once. Where another one was in force
   * before, `onReplaced` ends what that opened, first: a start that breaks off half way does it again.
   */
  ensure: (onReplaced: () => Promise<unknown>) => Promise<string | null>;
  /** `source` is the client's address: sources take turns at the slow hash. */
  verify: (key: string, source?: string) => Promise<boolean>;
  /** Replaces the generated key; the old one is refused from now on. Throws when the key is given by the environment. */
  rotate: () => Promise<string>;
}>;

/** The administrator's key: the one given, else a generated one. Only argon2id hashes are kept, of the given one to see that it changed. */
export const adminKeyOf = ({
  db,
  passwords,
  prefix,
  given,
}: {
  db: Database;
  passwords: Passwords;
  prefix: string;
  given: string | null;
}): AdminKey => {
  const hashIn = async (table: KeyTable): Promise<string | null> =>
    (await db.selectFrom(table).select('hash').executeTakeFirst())?.hash ?? null;

  /** Keeps a key's hash in place of the one before. */
  const keep = async (table: KeyTable, key: string): Promise<void> => {
    const hash = await passwords.hash(key);
    await db
      .insertInto(table)
      .values({ id: true, hash })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ hash }))
      .execute();
  };

  /** Keeps the given key's hash, to notice another one later. */
  const takeOver = async (key: string, onReplaced: () => Promise<unknown>): Promise<void> => {
    const before = await hashIn('auth.given_admin_key');
    if (before !== null && (await passwords.verify(before, key))) return;
    if (before !== null || (await hashIn('auth.admin_key')) !== null) await onReplaced();
    await keep('auth.given_admin_key', key);
  };

  /** Null where there is one already. */
  const generate = async (): Promise<string | null> => {
    if ((await hashIn('auth.admin_key')) !== null) return null;
    const key = newAdminKey(prefix);
    const written = await db
      .insertInto('auth.admin_key')
      .values({ id: true, hash: await passwords.hash(key) })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    return written ? key : null;
  };

  /** The generated key as it was verified last on this node: the same key is then compared without argon2id. */
  let verified: { phc: string; digest: Buffer } | undefined;

  return {
    ensure: async (onReplaced) => {
      if (given !== null) {
        await takeOver(given, onReplaced);
        return null;
      }
      if ((await hashIn('auth.given_admin_key')) !== null) {
        await onReplaced();
        await db.deleteFrom('auth.given_admin_key').execute();
      }
      return generate();
    },
    verify: async (key, source) => {
      if (given !== null) return timingSafeEqual(digest(key), digest(given));
      const phc = await hashIn('auth.admin_key');
      if (verified?.phc === phc && timingSafeEqual(verified.digest, digest(key))) return true;
      const isRight = await passwords.verify(phc, key, source);
      if (isRight && phc !== null) verified = { phc, digest: digest(key) };
      return isRight;
    },
    rotate: async () => {
      if (given !== null) throw new Error('ADMIN_KEY sets the admin key. Change the variable and restart instead.');
      const key = newAdminKey(prefix);
      await keep('auth.admin_key', key);
      return key;
    },
  };
};
