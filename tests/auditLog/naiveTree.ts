import { createHash } from 'node:crypto';

/** RFC 6962, section 2.1, word for word: nothing is stored, and everything is calculated from the list of leaves. */

const sha = (...parts: readonly Uint8Array[]): Buffer => {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest();
};

/** MTH({d}) of one leaf. */
export const naiveLeaf = (data: Uint8Array): Buffer => sha(Buffer.of(0), data);

const splitAt = (count: number): number => {
  let k = 1;
  while (k * 2 < count) k *= 2;
  return k;
};

/** MTH(D[n]) of the hashes of leaves. */
export const naiveRoot = (leaves: readonly Buffer[]): Buffer => {
  const [only] = leaves;
  if (!only) return sha();
  if (leaves.length === 1) return only;
  const k = splitAt(leaves.length);
  return sha(Buffer.of(1), naiveRoot(leaves.slice(0, k)), naiveRoot(leaves.slice(k)));
};

/** PATH(m, D[n]). */
export const naivePath = (m: number, leaves: readonly Buffer[]): Buffer[] => {
  if (leaves.length <= 1) return [];
  const k = splitAt(leaves.length);
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)];
  return m < k ? [...naivePath(m, left), naiveRoot(right)] : [...naivePath(m - k, right), naiveRoot(left)];
};

const subproof = (m: number, leaves: readonly Buffer[], isWhole: boolean): Buffer[] => {
  if (m === leaves.length) return isWhole ? [] : [naiveRoot(leaves)];
  const k = splitAt(leaves.length);
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)];
  return m <= k ? [...subproof(m, left, isWhole), naiveRoot(right)] : [...subproof(m - k, right, false), naiveRoot(left)];
};

/** PROOF(m, D[n]). */
export const naiveConsistency = (m: number, leaves: readonly Buffer[]): Buffer[] => (m === 0 ? [] : subproof(m, leaves, true));
