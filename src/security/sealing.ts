import { ERASED } from '../domain/event.ts';
import { decrypt, encrypt, envelopeOf, partsOf } from './envelope.ts';
import type { Owner } from './owner.ts';
import type { DataKey, DestroyedKey, Vault } from './vault.ts';

/**
 * Where a sealed text belongs; anywhere else its envelope does not open. A text may be sealed by the data key of `formerOwner` instead,
 * and is erased with the owner all the same.
 */
export type SealedPlace = Readonly<{ owner: Owner; formerOwner?: Owner | null; eventType: string; field: string }>;

/** Encrypts and decrypts single texts under the data key of their owner. */
export type Sealing = Readonly<{
  /** Throws `DataKeyDestroyed` for an erased owner. Without a promise when the key is cached. */
  seal: (text: string, place: SealedPlace) => string | Promise<string>;
  /** ERASED when the data key of the owner was destroyed. Throws when the envelope does not belong there or was tampered with. */
  open: (envelope: string, place: SealedPlace) => string | Promise<string>;
}>;

const aadOf = (owner: Owner, { eventType, field }: SealedPlace): string => `${owner}\n${eventType}\n${field}`;

/** Seals and opens single texts under their owner's data key. */
export const createSealing = (vault: Pick<Vault, 'keyFor' | 'keyById' | 'isErased'>): Sealing => {
  const sealWith = ({ keyId, key }: DataKey, text: string, place: SealedPlace): string =>
    envelopeOf(keyId, encrypt(key, Buffer.from(text), aadOf(place.owner, place)));
  const openWith = ({ key, owner }: DataKey | DestroyedKey, box: Buffer, place: SealedPlace): string | Promise<string> => {
    if (key === null) return ERASED;
    const { formerOwner } = place;
    if (!formerOwner || formerOwner === place.owner || owner !== formerOwner)
      return decrypt(key, box, aadOf(place.owner, place)).toString();
    const openFormer = (isErased: boolean): string => (isErased ? ERASED : decrypt(key, box, aadOf(formerOwner, place)).toString());
    const isErased = vault.isErased(place.owner);
    return isErased instanceof Promise ? isErased.then(openFormer) : openFormer(isErased);
  };
  return {
    seal: (text, place) => {
      const key = vault.keyFor(place.owner);
      return key instanceof Promise ? key.then((loaded) => sealWith(loaded, text, place)) : sealWith(key, text, place);
    },
    open: (envelope, place) => {
      const { keyId, box } = partsOf(envelope);
      const key = vault.keyById(keyId);
      return key instanceof Promise ? key.then((loaded) => openWith(loaded, box, place)) : openWith(key, box, place);
    },
  };
};
