import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { keyDigest } from '../security/keys.ts';
import { masterSecretOf } from '../security/masterSecret.ts';
import type { Operator } from './operator.ts';
import { loadMasterSecret, masterSecretFile } from './secrets.ts';

/** Where the next secret waits while data keys are being wrapped anew, so that a crash in between loses nothing. */
const NEXT = 'rotation';
const PREVIOUS = 'master-secret.previous';

export type Rotation = Readonly<{
  rewrapped: number;
  /** Looks licence keys up under the new pepper: the read models have to be rebuilt with it. */
  digest: (licenseKey: string) => Buffer;
  /** Puts the new secret in the old one's place; the old one is kept beside it. Null where the environment holds it. */
  settle: () => Promise<string | null>;
}>;

/**
 * Wraps every data key under a new master secret: `given`, else a generated one that is written to the data directory first.
 * No server may run meanwhile. After a crash, running it again goes on with the same new secret.
 */
export const rotateMasterSecret = async (
  operator: Operator,
  { dataDir, given }: { dataDir: string; given: Buffer | null },
): Promise<Rotation> => {
  const waiting = join(dataDir, NEXT);
  const next = given ?? (await loadMasterSecret({ dataDir: waiting, given: null, dataExists: async () => false }));
  const secret = masterSecretOf(next);
  const rewrapped = await operator.product.vault.rewrap(secret);
  await operator.product.db.deleteFrom('http.idempotency').execute(); // their replies were sealed under the old secret
  return {
    rewrapped,
    digest: (licenseKey) => keyDigest(secret.pepper, licenseKey),
    settle: async () => {
      if (given) return null;
      const file = masterSecretFile(dataDir);
      if (existsSync(file)) await rename(file, join(dataDir, `${PREVIOUS}.${randomBytes(3).toString('hex')}`));
      await rename(masterSecretFile(waiting), file);
      return file;
    },
  };
};
