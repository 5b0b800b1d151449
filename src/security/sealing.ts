import { ERASED } from '../domain/event.ts';
import { decrypt, encrypt, envelopeOf, keyIdOf, partsOf } from './envelope.ts';
import type { Owner } from './owner.ts';
import type { DataKey, DestroyedKey, Vault } from './vault.ts';

/**
 * What a sealed text is; its envelope does not open with any other context. A text may be sealed by the data key of `formerOwner` instead,
 * and is erased with the owner all the same.
 */
export type SealingContext = Readonly<{ owner: Owner; formerOwner?: Owner | null; eventType: string; field: string }>;

/** Encrypts and decrypts single texts under the data key of their owner. */
export type Sealing = Readonly<{
  /** Throws `DataKeyDestroyed` for an erased owner. Without a promise when the key is cached. */
  seal: (text: string, context: SealingContext) => string | Promise<string>;
  /** ERASED when the data key of the owner was destroyed. Throws when the envelope was sealed with another context or was tampered with. */
  open: (envelope: string, context: SealingContext) => string | Promise<string>;
  /** Like `open`, for a text that is read again and again: what was opened is kept as long as the data key is cached. */
  reopen: (envelope: string, context: Omit<SealingContext, 'formerOwner'>) => string | Promise<string>;
}>;

/** How many opened texts are kept with a data key. */
const OPENED_TEXTS = 1_000;

const aadOf = (owner: Owner, { eventType, field }: SealingContext): string => `${owner}\n${eventType}\n${field}`;

/** Seals and opens single texts under their owner's data key. */
export const createSealing = (vault: Pick<Vault, 'keyFor' | 'keyById' | 'isErased'>): Sealing => {
  const sealWith = ({ keyId, key }: DataKey, text: string, context: SealingContext): string =>
    envelopeOf(keyId, encrypt(key, Buffer.from(text), aadOf(context.owner, context)));
  const openWith = ({ key, owner }: DataKey | DestroyedKey, box: Buffer, context: SealingContext): string | Promise<string> => {
    if (key === null) return ERASED;
    const { formerOwner } = context;
    if (!formerOwner || formerOwner === context.owner || owner !== formerOwner)
      return decrypt(key, box, aadOf(context.owner, context)).toString();
    const openFormer = (isErased: boolean): string =>
      isErased ? ERASED : decrypt(key, box, aadOf(formerOwner, context)).toString();
    const isErased = vault.isErased(context.owner);
    return isErased instanceof Promise ? isErased.then(openFormer) : openFormer(isErased);
  };
  const openedBy = new WeakMap<DataKey, Map<string, string>>();
  const reopenWith = (key: DataKey | DestroyedKey, envelope: string, context: SealingContext): string => {
    if (key.key === null) return ERASED;
    const aad = aadOf(context.owner, context);
    const name = `${envelope}\n${aad}`;
    const opened = openedBy.get(key) ?? new Map<string, string>();
    const known = opened.get(name);
    if (known !== undefined) return known;
    const text = decrypt(key.key, partsOf(envelope).box, aad).toString();
    if (opened.size >= OPENED_TEXTS) opened.clear();
    openedBy.set(key, opened.set(name, text));
    return text;
  };
  return {
    seal: (text, context) => {
      const key = vault.keyFor(context.owner);
      return key instanceof Promise ? key.then((loaded) => sealWith(loaded, text, context)) : sealWith(key, text, context);
    },
    open: (envelope, context) => {
      const { keyId, box } = partsOf(envelope);
      const key = vault.keyById(keyId);
      return key instanceof Promise ? key.then((loaded) => openWith(loaded, box, context)) : openWith(key, box, context);
    },
    reopen: (envelope, context) => {
      const key = vault.keyById(keyIdOf(envelope));
      return key instanceof Promise
        ? key.then((loaded) => reopenWith(loaded, envelope, context))
        : reopenWith(key, envelope, context);
    },
  };
};
