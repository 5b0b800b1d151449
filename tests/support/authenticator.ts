import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type {
  PasskeyAssertion,
  PasskeyCreationReply,
  PasskeyRegistration,
  PasskeyRequestReply,
} from '../../src/contracts/passkeys.ts';

/** What a dishonest browser or authenticator does otherwise. */
export type Deviation = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  crossOrigin?: boolean;
  userVerified?: boolean;
  counter?: number;
  userHandle?: string;
  credentialId?: string;
  /** The key that signs, in place of the passkey's own. */
  key?: KeyObject;
  format?: string;
  statement?: Map<string, unknown>;
};

/** An authenticator with one passkey (ES256), whose counter rises by one with each signature. */
export type Authenticator = {
  credentialId: string;
  /** Answers `navigator.credentials.create()` on a page of `origin`. */
  create: (origin: string, options: PasskeyCreationReply['options'], deviation?: Deviation) => PasskeyRegistration;
  /** Answers `navigator.credentials.get()`. */
  sign: (origin: string, options: PasskeyRequestReply['options'], deviation?: Deviation) => PasskeyAssertion;
};

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const uint = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

const collected = (type: string, origin: string, challenge: string, { crossOrigin = false }: Deviation): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));

const flagsOf = ({ userVerified = true }: Deviation): number => PRESENT + (userVerified ? VERIFIED : 0);

/** The public key as authenticators write it (COSE). */
const coseOf = (key: KeyObject): Buffer => {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const entries: [number, number | Uint8Array][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ];
  return Buffer.from(isoCBOR.encode(new Map(entries)));
};

export const newAuthenticator = (): Authenticator => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const credentialId = id.toString('base64url');
  let userHandle = '';
  let counter = 0;
  const headOf = (rpId: string, flags: number, deviation: Deviation): Buffer =>
    Buffer.concat([sha256(deviation.rpId ?? rpId), uint(flags, 1), uint(deviation.counter ?? counter, 4)]);
  return {
    credentialId,
    create: (origin, { challenge, rp, user }, deviation = {}) => {
      userHandle = user.id;
      const { type = 'webauthn.create', format = 'none', statement = new Map() } = deviation;
      const clientDataJSON = collected(type, deviation.origin ?? origin, deviation.challenge ?? challenge, deviation);
      const authData = Buffer.concat([
        headOf(rp.id, flagsOf(deviation) + ATTESTED, deviation),
        Buffer.alloc(16),
        uint(id.length, 2),
        id,
        coseOf(publicKey),
      ]);
      const attestation = new Map<string, unknown>([
        ['fmt', format],
        ['attStmt', statement],
        ['authData', new Uint8Array(authData)],
      ]);
      return {
        clientDataJSON: clientDataJSON.toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0])).toString('base64url'),
        transports: ['internal'],
      };
    },
    sign: (origin, { challenge, rpId }, deviation = {}) => {
      counter += 1;
      const { type = 'webauthn.get', key = privateKey } = deviation;
      const clientDataJSON = collected(type, deviation.origin ?? origin, deviation.challenge ?? challenge, deviation);
      const authenticatorData = headOf(rpId, flagsOf(deviation), deviation);
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), key);
      return {
        credentialId: deviation.credentialId ?? credentialId,
        clientDataJSON: clientDataJSON.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: deviation.userHandle ?? userHandle,
      };
    },
  };
};
