import { createHmac, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { generateSecret, generateURI, verify } from 'otplib';
import type { Database } from '../database/database.ts';
import type { UserId } from '../domain/ids.ts';
import { RECOVERY_CODES } from '../domain/limits.ts';

/** 160 random bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** Clocks may differ by one step of 30 s. */
const TOLERANCE_S = 30;
/** No I, L, O and U, as in keys. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Letters of a recovery code: 80 random bits. */
const LETTERS = 16;

/** One-time passwords of 30 s (RFC 6238), each accepted once, and recovery codes. */
export type OneTimePasswords = Readonly<{
  /** A new shared secret, base32. */
  newSecret: () => string;
  /** The address that an authenticator app reads from a QR code. */
  uriOf: (secret: string, names: Readonly<{ issuer: string; account: string }>) => string;
  /** Whether the code belongs to the secret now; nothing is used up. */
  proves: (secret: string, code: string) => Promise<boolean>;
  /** Whether the code belongs to the secret, and uses it up: of concurrent uses of one code, on any node, one is accepted. */
  use: (userId: UserId, secret: string, code: string) => Promise<boolean>;
  /** New recovery codes, as `XXXX-XXXX-XXXX-XXXX`. */
  newRecoveryCodes: () => string[];
  /** How a recovery code is kept. Accepts it in any spelling. */
  hashOf: (recoveryCode: string) => string;
}>;

const isCode = (code: string): boolean => /^\d{6}$/.test(code);

/** `pepper` keeps hashes of recovery codes useless without the secret; `now` is ms since 1970. */
export const createOneTimePasswords = ({
  db,
  pepper,
  now,
}: {
  db: Database;
  pepper: Buffer;
  now: () => number;
}): OneTimePasswords => {
  const check = (secret: string, token: string) =>
    verify({ secret, token, epoch: Math.floor(now() / 1000), epochTolerance: TOLERANCE_S });
  const digitsOf = (code: string): string => code.replaceAll(/\s/g, '');

  return {
    newSecret: () => generateSecret({ length: SECRET_BYTES }),
    uriOf: (secret, { issuer, account }) => generateURI({ issuer, label: account, secret }),
    proves: async (secret, code) => isCode(digitsOf(code)) && (await check(secret, digitsOf(code))).valid,
    use: async (userId, secret, code) => {
      const digits = digitsOf(code);
      if (!isCode(digits)) return false;
      const result = await check(secret, digits);
      if (!result.valid || !('timeStep' in result)) return false;
      // The later step wins: an older code is not accepted after a newer one.
      const { rows } = await sql`
        insert into auth.one_time_password (user_id, step) values (${userId}, ${result.timeStep})
        on conflict (user_id) do update set step = excluded.step
        where auth.one_time_password.step < excluded.step
        returning step`.execute(db);
      return rows.length === 1;
    },
    newRecoveryCodes: () =>
      Array.from({ length: RECOVERY_CODES }, () => {
        const letters = Array.from(randomBytes(LETTERS), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
        return letters.replaceAll(/(.{4})(?=.)/g, '$1-');
      }),
    hashOf: (recoveryCode) => {
      const letters = recoveryCode.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');
      return createHmac('sha256', pepper).update(`recovery ${letters}`).digest('hex');
    },
  };
};
