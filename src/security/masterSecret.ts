import { hkdfSync } from 'node:crypto';

/** The keys derived from MASTER_SECRET: one wraps data keys, one is the pepper of lookups; and a name that reveals neither. */
export type MasterSecret = Readonly<{ id: string; wrappingKey: Buffer; pepper: Buffer }>;

/** The length of a master secret. */
export const MASTER_SECRET_BYTES = 32;

const derive = (secret: Buffer, label: string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', label, length));

/** Throws unless the secret has 32 bytes. */
export const masterSecretOf = (secret: Buffer): MasterSecret => {
  if (secret.length !== MASTER_SECRET_BYTES)
    throw new Error(`A master secret has ${MASTER_SECRET_BYTES} bytes, this one ${secret.length}`);
  return {
    id: derive(secret, 'master secret id v1', 8).toString('hex'),
    wrappingKey: derive(secret, 'data key wrapping v1', 32),
    pepper: derive(secret, 'license key pepper v1', 32),
  };
};
