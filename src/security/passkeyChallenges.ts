import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { PASSKEY_CHALLENGE_MS } from '../domain/limits.ts';
import { HOUR_MS } from '../domain/time.ts';
import { sha256Of } from './sha256.ts';

/**
 * What a challenge is for. `host` is the host name of the console, and `subject` the session or invitation that the challenge belongs to;
 * it is empty for a sign-in, before which there is neither.
 */
export type Ceremony = Readonly<{ purpose: 'sign_in' | 'confirm' | 'add' | 'join'; host: string; subject: string }>;

/** `rejected` is a challenge that this server did not issue for the ceremony, or that was answered before. */
export type ChallengeVerdict = 'accepted' | 'expired' | 'rejected';

/** Challenges that are issued without being stored, so that requests without a session write nothing, and accepted once. */
export type PasskeyChallenges = Readonly<{
  /** A new challenge, base64url. */
  issue: (ceremony: Ceremony) => string;
  /** Uses up a challenge. Of concurrent uses of one, on any node, one is accepted. */
  use: (challenge: string, ceremony: Ceremony) => Promise<ChallengeVerdict>;
}>;

const RANDOM_BYTES = 16;
const TIME_BYTES = 6;
const HEAD_BYTES = RANDOM_BYTES + TIME_BYTES;
/** The clocks of two nodes may differ: an answered challenge is kept for so long after its end. */
const KEPT_MS = HOUR_MS;

/** `secret` is 32 bytes that all nodes share; `now` is ms since 1970. */
export const createPasskeyChallenges = ({
  db,
  secret,
  now,
}: {
  db: Database;
  secret: Buffer;
  now: () => number;
}): PasskeyChallenges => {
  const tagOf = (head: Buffer, { purpose, host, subject }: Ceremony): Buffer =>
    createHmac('sha256', secret)
      .update(head)
      .update(JSON.stringify([purpose, host, subject]))
      .digest();

  const isNew = async (challenge: string, expiresAt: number): Promise<boolean> => {
    await db
      .deleteFrom('auth.passkey_challenge')
      .where('expires_at', '<', new Date(now() - KEPT_MS))
      .execute();
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('auth.passkey_challenge')
      .values({ challenge_hash: sha256Of(challenge), expires_at: new Date(expiresAt) })
      .onConflict((conflict) => conflict.column('challenge_hash').doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  };

  return {
    issue: (ceremony) => {
      const head = Buffer.alloc(HEAD_BYTES);
      randomBytes(RANDOM_BYTES).copy(head);
      head.writeUIntBE(now() + PASSKEY_CHALLENGE_MS, RANDOM_BYTES, TIME_BYTES);
      return Buffer.concat([head, tagOf(head, ceremony)]).toString('base64url');
    },
    use: async (challenge, ceremony) => {
      const bytes = Buffer.from(challenge, 'base64url');
      const head = bytes.subarray(0, HEAD_BYTES);
      const tag = bytes.subarray(HEAD_BYTES);
      // Two spellings of the same bytes would be two challenges.
      if (bytes.toString('base64url') !== challenge || head.length < HEAD_BYTES) return 'rejected';
      const expected = tagOf(head, ceremony);
      if (tag.length !== expected.length || !timingSafeEqual(tag, expected)) return 'rejected';
      const expiresAt = head.readUIntBE(RANDOM_BYTES, TIME_BYTES);
      if (now() >= expiresAt) return 'expired';
      return (await isNew(challenge, expiresAt)) ? 'accepted' : 'rejected';
    },
  };
};
