import { createSealing, type Sealing } from '../../src/security/sealing.ts';
import type { DataKey } from '../../src/security/vault.ts';
import { customerIdOf } from './builders/ids.ts';

const KEY = Buffer.alloc(32, 7);

/** The data key of texts that are sealed now, whatever their owner. */
const fixedKey: DataKey = { keyId: '00000000-0000-4000-8000-0000000000bb', owner: 'fixture', key: KEY };
/** The data key of the fixtures that were recorded before users had keys of their own. */
const formerKey: DataKey = { keyId: '00000000-0000-4000-8000-0000000000aa', owner: `customer:${customerIdOf()}`, key: KEY };

/** Real sealing under fixed keys, for what needs no vault. */
export const fixedSealing: Sealing = createSealing({
  keyFor: () => fixedKey,
  keyById: (keyId) => (keyId === formerKey.keyId ? formerKey : fixedKey),
  isErased: () => false,
});
