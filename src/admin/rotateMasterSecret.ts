import { loadMasterSecret, removeOldSecrets, replaceMasterSecret, rotationDir } from '../bootstrap/secrets.ts';
import { keyDigest } from '../security/keys.ts';
import { masterSecretOf } from '../security/masterSecret.ts';
import type { Operator } from './operator.ts';

export type Rotation = Readonly<{
  rewrapped: number;
  /** Looks up license keys with the new pepper: the read models must be rebuilt with it. */
  digest: (licenseKey: string) => Buffer;
  /** Puts the new secret in the old one's place, and removes those of earlier rotations. Null where the environment holds it. */
  settle: () => Promise<string | null>;
}>;

/**
 * Wraps every data key under a new master secret: `given`, else a generated one that is written to the data directory first.
 * No server may run during it. After a crash, running it again continues with the same new secret.
 */
export const rotateMasterSecret = async (
  operator: Operator,
  { dataDir, given }: { dataDir: string; given: Buffer | null },
): Promise<Rotation> => {
  const next = given ?? (await loadMasterSecret({ dataDir: rotationDir(dataDir), given: null, dataExists: async () => false }));
  const secret = masterSecretOf(next);
  const rewrapped = await operator.product.vault.rewrap(secret);
  await operator.product.db.deleteFrom('http.idempotency').execute(); // their replies were sealed under the old secret
  return {
    rewrapped,
    digest: (licenseKey) => keyDigest(secret.pepper, licenseKey),
    settle: async () => {
      await removeOldSecrets(dataDir);
      return given ? null : replaceMasterSecret(dataDir);
    },
  };
};
