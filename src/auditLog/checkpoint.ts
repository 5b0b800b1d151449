import { decodeHash } from './hashing.ts';
import { openNote, type SigningKey, signNote, type VerifierKey } from './signedNote.ts';

/** What a checkpoint says. `origin` names the log, `at` is when it was signed, ISO 8601. */
export type LogCheckpoint = Readonly<{ origin: string; size: number; root: Buffer; at: string }>;

/** The name of a log, and of its keys. */
export const originOf = (logId: string): string => `latchkey/${logId}`;

/** The checkpoint as a note of C2SP tlog-checkpoint. The time is an extension line. */
export const signCheckpoint = ({ origin, size, root, at }: LogCheckpoint, keys: readonly SigningKey[]): string =>
  signNote(`${origin}\n${size}\n${root.toString('base64')}\ntime ${at}\n`, keys);

const checkpointOf = (text: string): LogCheckpoint | null => {
  const [origin = '', size = '', root = '', time = ''] = text.split('\n');
  const hash = decodeHash(root);
  if (origin === '' || !/^(0|[1-9]\d{0,15})$/.test(size) || !hash) return null;
  return { origin, size: Number(size), root: hash, at: time.replace(/^time /, '') };
};

/** What a checkpoint says that one of the keys signed, and which keys did; null if it is invalid. */
export const openCheckpoint = (
  note: string,
  keys: readonly VerifierKey[],
): (LogCheckpoint & Readonly<{ signedBy: readonly VerifierKey[] }>) | null => {
  const opened = openNote(note, keys);
  const checkpoint = opened && checkpointOf(opened.text);
  return checkpoint && { ...checkpoint, signedBy: opened.signedBy };
};
