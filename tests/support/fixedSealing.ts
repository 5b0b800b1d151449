import { createSealing, type Sealing } from '../../src/security/sealing.ts';
import type { DataKey } from '../../src/security/vault.ts';

/** The data key of all stored fixtures, whatever their owner. */
const fixedKey: DataKey = { keyId: '00000000-0000-4000-8000-0000000000aa', owner: 'fixture', key: Buffer.alloc(32, 7) };

/** Real sealing under one fixed key, for what needs no vault. */
export const fixedSealing: Sealing = createSealing({ keyFor: () => fixedKey, keyById: () => fixedKey });
