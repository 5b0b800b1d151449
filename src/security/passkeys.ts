import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject, decodeClientDataJSON, parseAuthenticatorData } from '@simplewebauthn/server/helpers';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { PasskeyId, UserId } from '../domain/ids.ts';
import { type Ceremony, type ChallengeVerdict, createPasskeyChallenges, type PasskeyChallenges } from './passkeyChallenges.ts';

/** The algorithms of keys, by their COSE numbers: Ed25519, ECDSA with P-256, RSA with SHA-256. */
export const PASSKEY_ALGORITHMS = [-8, -7, -257] as const;

/** A ceremony, and the origins of the pages that may take part in it. */
type Expected = Ceremony & Readonly<{ origins: readonly string[] }>;

/** What a browser sends after it has created a passkey; binary values are base64url. */
type Registration = Readonly<{ clientDataJSON: string; attestationObject: string; transports: readonly string[] }>;
/** What a browser sends after an authenticator has signed a challenge; binary values are base64url. */
type Assertion = Readonly<{
  credentialId: string;
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
  userHandle: string;
}>;
/** A passkey of a member. */
type Known = Readonly<{ passkeyId: PasskeyId; credentialId: string; publicKey: string; host: string }>;
type Created = Readonly<{ credentialId: string; publicKey: string; isBackedUp: boolean; counter: number }>;

/** Verifies what authenticators signed (WebAuthn), always with user verification. */
export type Passkeys = Readonly<{
  newChallenge: PasskeyChallenges['issue'];
  /** The passkey that a registration creates; its challenge is used up. */
  created: (registration: Registration, expected: Expected) => Promise<Created | Exclude<ChallengeVerdict, 'accepted'>>;
  /** Whether a passkey signed the assertion now; its challenge is used up. A signature counter that does not rise is rejected. */
  use: (assertion: Assertion, passkey: Known, userId: UserId, expected: Expected) => Promise<ChallengeVerdict>;
  /** Keeps the first counter of a passkey. */
  start: (passkeyId: PasskeyId, userId: UserId, counter: number) => Promise<void>;
  /** When each passkey of a member was used last. */
  lastUses: (userId: UserId) => Promise<ReadonlyMap<PasskeyId, Date>>;
  /** Forgets the uses of a member's passkeys. */
  forget: (userId: UserId) => Promise<void>;
}>;

/** How authenticators name the owner of a passkey. */
export const userHandleOf = (userId: UserId): string => Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url');

const UUID = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

/** The user whom a user handle names; null for bytes that are no UUID. */
export const userIdOfHandle = (userHandle: string): UserId | null => {
  const hex = Buffer.from(userHandle, 'base64url').toString('hex');
  return UUID.test(hex) ? (hex.replace(UUID, '$1-$2-$3-$4-$5') as UserId) : null;
};

/** The data that a browser collected; null for other texts, and for a page in a frame of another site. */
const collected = (clientDataJSON: string): { challenge: string } | null => {
  try {
    const { challenge, crossOrigin } = decodeClientDataJSON(clientDataJSON);
    return typeof challenge === 'string' && crossOrigin !== true ? { challenge } : null;
  } catch {
    return null;
  }
};

/** Without certificates nothing is fetched to verify an attestation: no attestation was requested. */
const hasCertificates = (attestationObject: string): boolean => {
  const attestation = decodeAttestationObject(Buffer.from(attestationObject, 'base64url'));
  return attestation.get('attStmt').get('x5c') !== undefined || !['none', 'packed'].includes(attestation.get('fmt'));
};

/** What the library throws is about what the client sent. */
const orNull = <Value>(verification: () => Promise<Value>): Promise<Value | null> =>
  Promise.resolve()
    .then(verification)
    .catch(() => null);

const registered = ({ clientDataJSON, attestationObject, transports }: Registration, challenge: string, expected: Expected) =>
  orNull(async () => {
    if (hasCertificates(attestationObject)) return null;
    const { credentialID = new Uint8Array() } = parseAuthenticatorData(
      decodeAttestationObject(Buffer.from(attestationObject, 'base64url')).get('authData'),
    );
    const id = Buffer.from(credentialID).toString('base64url');
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject, transports: [...transports] },
      },
      expectedChallenge: challenge,
      expectedOrigin: [...expected.origins],
      expectedRPID: expected.host,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
    });
    return verified ? registrationInfo : null;
  });

const authenticated = (assertion: Assertion, { publicKey }: Known, challenge: string, expected: Expected) =>
  orNull(async () => {
    const { credentialId, clientDataJSON, authenticatorData, signature, userHandle } = assertion;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature, userHandle },
      },
      expectedChallenge: challenge,
      expectedOrigin: [...expected.origins],
      expectedRPID: expected.host,
      requireUserVerification: true,
      // The counter is compared where it is stored, because of races.
      credential: { id: credentialId, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
    });
    return verified ? authenticationInfo : null;
  });

/** `secret` is 32 bytes that all nodes share; `now` is ms since 1970. */
export const createPasskeys = ({ db, secret, now }: { db: Database; secret: Buffer; now: () => number }): Passkeys => {
  const challenges = createPasskeyChallenges({ db, secret, now });

  /** Uses up the challenge in the collected data, before anything else is looked at: each is answered once, right or wrong. */
  const challengeOf = async (
    clientDataJSON: string,
    expected: Expected,
  ): Promise<{ challenge: string } | Exclude<ChallengeVerdict, 'accepted'>> => {
    const data = collected(clientDataJSON);
    if (!data) return 'rejected';
    const verdict = await challenges.use(data.challenge, expected);
    return verdict === 'accepted' ? data : verdict;
  };

  /** Authenticators without a counter always send 0. */
  const count = async (passkeyId: PasskeyId, userId: UserId, counter: number): Promise<boolean> => {
    const { rows } = await sql`
      insert into auth.passkey_use (passkey_id, user_id, counter, used_at)
      values (${passkeyId}, ${userId}, ${counter}, ${new Date(now())})
      on conflict (passkey_id) do update set counter = excluded.counter, used_at = excluded.used_at
      where auth.passkey_use.counter < excluded.counter or (auth.passkey_use.counter = 0 and excluded.counter = 0)
      returning passkey_id`.execute(db);
    return rows.length === 1;
  };

  return {
    newChallenge: challenges.issue,
    created: async (registration, expected) => {
      const data = await challengeOf(registration.clientDataJSON, expected);
      if (typeof data === 'string') return data;
      const info = await registered(registration, data.challenge, expected);
      if (!info) return 'rejected';
      const { id, publicKey, counter } = info.credential;
      const isBackedUp = info.credentialBackedUp;
      return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), isBackedUp, counter };
    },
    use: async (assertion, passkey, userId, expected) => {
      const data = await challengeOf(assertion.clientDataJSON, expected);
      if (typeof data === 'string') return data;
      if (passkey.host !== expected.host || passkey.credentialId !== assertion.credentialId) return 'rejected';
      const info = await authenticated(assertion, passkey, data.challenge, expected);
      if (!info) return 'rejected';
      return (await count(passkey.passkeyId, userId, info.newCounter)) ? 'accepted' : 'rejected';
    },
    start: async (passkeyId, userId, counter) => {
      await db
        .insertInto('auth.passkey_use')
        .values({ passkey_id: passkeyId, user_id: userId, counter, used_at: null })
        .onConflict((conflict) => conflict.column('passkey_id').doNothing())
        .execute();
    },
    lastUses: async (userId) => {
      const rows = await db
        .selectFrom('auth.passkey_use')
        .select(['passkey_id', 'used_at'])
        .where('user_id', '=', userId)
        .execute();
      return new Map(rows.flatMap(({ passkey_id, used_at }) => (used_at === null ? [] : [[passkey_id, used_at] as const])));
    },
    forget: async (userId) => {
      await db.deleteFrom('auth.passkey_use').where('user_id', '=', userId).execute();
    },
  };
};
