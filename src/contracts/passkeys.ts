import { z } from 'zod';
import type { PasskeyId } from '../domain/ids.ts';
import { MAX_PASSKEY_NAME } from '../domain/limits.ts';
import { idOf, instant, text } from './fields.ts';
import { ok } from './replies.ts';

const BASE64URL = /^[A-Za-z0-9_-]+$/;
const base64url = (max: number) =>
  z.string().max(max, `Must be at most ${max} characters`).regex(BASE64URL, 'Must be base64url without padding');

/** A UUID, in lower case after parsing. */
export const passkeyId = idOf<PasskeyId>();

/** What the own browser reads, as text: `navigator.credentials.create()` for a passkey that is added. */
const registration = z.strictObject({
  clientDataJSON: base64url(1_500),
  attestationObject: base64url(3_000),
  transports: z
    .array(
      z
        .string()
        .max(20)
        .regex(/^[a-z-]+$/),
    )
    .max(8),
});
export type PasskeyRegistration = z.infer<typeof registration>;

/** The result of `navigator.credentials.get()` as text: what an authenticator signed, and whose passkey it says it is. */
export const passkeyAssertion = z.strictObject({
  credentialId: base64url(1_364),
  clientDataJSON: base64url(1_500),
  authenticatorData: base64url(800),
  signature: base64url(1_024),
  userHandle: base64url(86),
});
export type PasskeyAssertion = z.infer<typeof passkeyAssertion>;

/** A new passkey, and how its owner calls it. */
export const newPasskey = z.strictObject({ name: text(MAX_PASSKEY_NAME, 'Please enter a name'), registration });

export type NewPasskey = z.infer<typeof newPasskey>;

/** A sign-in with a passkey; no email address is needed. */
export const passkeyLogin = z.strictObject({ assertion: passkeyAssertion });
export type PasskeyLoginBody = z.infer<typeof passkeyLogin>;

const descriptor = z.object({ type: z.literal('public-key'), id: z.string(), transports: z.array(z.string()) });
/** `publicKey` of `navigator.credentials.get()`, with binary values as base64url. Times are ms. */
const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
  allowCredentials: z.array(descriptor),
});
/** The options for a sign-in or a confirmation with a passkey, with a new challenge. */
export const passkeyRequestReply = ok({ options: requestOptions });
export type PasskeyRequestReply = z.infer<typeof passkeyRequestReply>;

/** `publicKey` of `navigator.credentials.create()`, with binary values as base64url. Times are ms. */
const creationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});
/** The options for a passkey that the signed-in named user adds, with a new challenge. */
export const passkeyCreationReply = ok({ options: creationOptions });
export type PasskeyCreationReply = z.infer<typeof passkeyCreationReply>;

/** A passkey as its owner sees it. `host` is the host name on which it signs in. */
export const passkey = z.object({
  passkeyId: z.custom<PasskeyId>((value) => typeof value === 'string'),
  name: z.string(),
  host: z.string(),
  /** Whether a provider keeps a copy, so that the loss of a device does not lose it. */
  isBackedUp: z.boolean(),
  addedAt: instant,
  lastUsedAt: instant.nullable(),
});
export type OwnPasskey = z.infer<typeof passkey>;
/** The passkey that the signed-in named user added. */
export const passkeyReply = ok({ passkey });
