import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import type { Database } from '../database/database.ts';
import type { Passwords } from './passwords.ts';

/** Crockford's base32: nothing in it is taken for something else when it is read aloud. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 5;
const GROUP_LENGTH = 5;

const digest = (key: string): Buffer => createHash('sha256').update(key).digest();

/** A key of 125 random bits, as `LK-ADMIN-XXXXX-XXXXX-XXXXX-XXXXX-XXXXX`. */
const newAdminKey = (prefix: string): string => {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return [prefix, 'ADMIN', ...Array.from({ length: GROUPS }, group)].join('-');
};

export type AdminKey = Readonly<{
  /** Makes sure that there is one; resolves to the key when it was generated just now, to be shown once. */
  ensure: () => Promise<string | null>;
  verify: (key: string) => Promise<boolean>;
  /** Replaces the generated key; the old one is refused from now on. Throws when the key is given by the environment. */
  rotate: () => Promise<string>;
}>;

/** The administrator's key: the one given, else a generated one of which only the argon2id hash is kept. */
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
}): AdminKey => ({
  ensure: async () => {
    if (given !== null) return null;
    const kept = await db.selectFrom('auth.admin_key').select('hash').executeTakeFirst();
    if (kept) return null;
    const key = newAdminKey(prefix);
    const written = await db
      .insertInto('auth.admin_key')
      .values({ id: true, hash: await passwords.hash(key) })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    return written ? key : null;
  },
  verify: async (key) => {
    if (given !== null) return timingSafeEqual(digest(key), digest(given));
    const kept = await db.selectFrom('auth.admin_key').select('hash').executeTakeFirst();
    return passwords.verify(kept?.hash ?? null, key);
  },
  rotate: async () => {
    if (given !== null) throw new Error('ADMIN_KEY gives the admin key: change the variable and restart instead.');
    const key = newAdminKey(prefix);
    const hash = await passwords.hash(key);
    await db
      .insertInto('auth.admin_key')
      .values({ id: true, hash })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ hash }))
      .execute();
    return key;
  },
});
