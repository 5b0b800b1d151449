import { openCheckpoint } from './checkpoint.ts';
import { decodeHashes } from './hashing.ts';
import type { Problem } from './problem.ts';
import { isConsistent } from './proofs.ts';
import type { VerifierKey } from './signedNote.ts';

/** What a checkpoint of an export says; `root` in base64. */
type Given = Readonly<{ origin: string; size: number; root: string }>;

/** A comparison: problems, or the sizes between which a consistency proof is needed. */
export type Comparison =
  | Readonly<{ kind: 'compared'; problems: readonly Problem[] }>
  | Readonly<{ kind: 'proof_needed'; from: number; to: number }>;

const failed = (kind: Problem['kind'], message: string): Comparison => ({
  kind: 'compared',
  problems: [{ kind, line: null, message }],
});
const forged = (message: string): Comparison => failed('forged', message);

const UNREADABLE_PROOF = 'The consistency proof is unreadable: each of its lines must be a SHA-256 in base64';

/**
 * Compares the checkpoint of an export with one that was kept elsewhere, a signed note: both must be of one log, which only grew between
 * them. `proof` is the consistency proof in base64, one hash a line; null if there is none.
 */
export const compareCheckpoints = (
  given: Given,
  kept: string,
  { keys, proof }: { keys: readonly VerifierKey[]; proof: string | null },
): Comparison => {
  const known = openCheckpoint(kept, keys);
  if (!known) return forged('No trusted key signed the checkpoint that was kept');
  if (known.origin !== given.origin) return forged(`The checkpoint that was kept is of another audit log, ${known.origin}`);
  const ours = { size: given.size, root: Buffer.from(given.root, 'base64') };
  const [older, newer] = known.size <= ours.size ? [known, ours] : [ours, known];
  if (older.size < newer.size && proof === null) return { kind: 'proof_needed', from: older.size, to: newer.size };
  const hashes = decodeHashes((proof ?? '').split('\n').filter((line) => line !== ''));
  if (!hashes) return failed('unreadable', UNREADABLE_PROOF);
  if (isConsistent(older, newer, older.size === newer.size ? [] : hashes)) return { kind: 'compared', problems: [] };
  return forged(
    older.size === newer.size
      ? 'The audit log of the export and the checkpoint that was kept have the same size, but different events'
      : `The audit log of ${newer.size} events does not begin with that of ${older.size} events: it was rewritten or rolled back`,
  );
};
