import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { sha256 } from './hashing.ts';

/** The type of an Ed25519 key in a signed note. */
const ED25519 = 1;
const KEY_ID_BYTES = 4;
const PUBLIC_KEY_BYTES = 32;
/** What comes before the 32 bytes of an Ed25519 public key in its DER form (SPKI). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** A public key as C2SP writes it: name, id in hex, and type with key in base64, separated by `+`. */
export type VerifierKey = string;

/** A key pair. `privateKey` is PKCS #8 in base64. */
export type SigningKey = Readonly<{ verifierKey: VerifierKey; privateKey: string }>;

type ParsedKey = Readonly<{ name: string; id: Buffer; publicKey: KeyObject }>;

const idOf = (name: string, typedKey: Buffer): Buffer =>
  sha256(Buffer.concat([Buffer.from(`${name}\n`), typedKey])).subarray(0, KEY_ID_BYTES);

const parsedKey = (text: VerifierKey): ParsedKey | null => {
  const [, name = '', hex = '', key = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text.trim()) ?? [];
  const typedKey = Buffer.from(key, 'base64');
  if (name === '' || typedKey.toString('base64') !== key || typedKey.length !== 1 + PUBLIC_KEY_BYTES || typedKey[0] !== ED25519)
    return null;
  const id = Buffer.from(hex, 'hex');
  if (!id.equals(idOf(name, typedKey))) return null;
  const der = Buffer.concat([SPKI_PREFIX, typedKey.subarray(1)]);
  return { name, id, publicKey: createPublicKey({ key: der, format: 'der', type: 'spki' }) };
};

/** Whether a text is the public key of a signed note, with the id that fits. */
export const isVerifierKey = (text: string): boolean => parsedKey(text) !== null;

/** Generates a key of that name, which contains neither a blank nor a plus sign. */
export const newSigningKey = (name: string): SigningKey => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(SPKI_PREFIX.length);
  const typedKey = Buffer.concat([Buffer.from([ED25519]), raw]);
  return {
    verifierKey: `${name}+${idOf(name, typedKey).toString('hex')}+${typedKey.toString('base64')}`,
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  };
};

/** Signs a text, which ends with a line break, as a note of C2SP: the text, an empty line, and a line for each key. */
export const signNote = (text: string, keys: readonly SigningKey[]): string => {
  const lines = keys.map(({ verifierKey, privateKey }) => {
    const key = parsedKey(verifierKey);
    if (!key) throw new Error('The public key of the audit log is invalid');
    const secret = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' });
    const signature = Buffer.concat([key.id, sign(null, Buffer.from(text), secret)]);
    return `— ${key.name} ${signature.toString('base64')}\n`;
  });
  return `${text}\n${lines.join('')}`;
};

const SIGNATURE = /^— (\S+) ([A-Za-z0-9+/=]+)$/;

/** The text of a note, if one of the keys signed it, and the keys that did. Null if none did or it is not a note. */
export const openNote = (
  note: string,
  keys: readonly VerifierKey[],
): Readonly<{ text: string; signedBy: readonly VerifierKey[] }> | null => {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) return null;
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2, -1).split('\n');
  const signatures = lines.map((line) => SIGNATURE.exec(line));
  if (signatures.some((found) => found === null)) return null;
  const signedBy = keys.filter((verifierKey) => {
    const key = parsedKey(verifierKey);
    return signatures.some((found) => {
      const bytes = Buffer.from(found?.[2] ?? '', 'base64');
      const isCanonical = bytes.toString('base64') === found?.[2];
      const isOfKey = key !== null && isCanonical && found?.[1] === key.name && bytes.subarray(0, KEY_ID_BYTES).equals(key.id);
      return isOfKey && verify(null, Buffer.from(text), key.publicKey, bytes.subarray(KEY_ID_BYTES));
    });
  });
  return signedBy.length > 0 ? { text, signedBy } : null;
};
