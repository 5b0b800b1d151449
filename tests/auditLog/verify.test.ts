import { describe, expect, it } from 'vitest';
import { signCheckpoint } from '../../src/auditLog/checkpoint.ts';
import { nodeHashOf, sha256 } from '../../src/auditLog/hashing.ts';
import { newSigningKey } from '../../src/auditLog/signedNote.ts';
import { compareCheckpoints } from '../../src/auditLog/verifyCheckpoint.ts';
import { checkEntry } from '../../src/auditLog/verifyEntry.ts';

const origin = 'latchkey/test';
const at = '2026-01-01T00:00:00.000Z';
const [left, right] = [sha256('left'), sha256('right')];
const checkpoint = { origin, size: 2, root: nodeHashOf(left, right), at };
const text = (hash: Buffer): string => hash.toString('base64');

/** A hash of a byte too many, one of a byte too few, one whose unused bits are set, and no base64. */
const malformed = (hash: Buffer): string[] => [
  text(Buffer.concat([hash, Buffer.of(0)])),
  text(hash.subarray(1)),
  `${text(hash).slice(0, -2)}${text(hash).at(-2) === '9' ? '8' : '9'}=`,
  `${text(hash)}\n`,
  '',
];

describe('the proof of an entry', () => {
  const messages = (leafHash: string, proof: readonly string[], index: number): string[] => {
    const line = { number: 1, previous: '', entry: {}, proven: { index, proof, leaf: null, leafHash } };
    return checkEntry(JSON.stringify(line), checkpoint).problems.map(({ message }) => message);
  };

  it('holds at its place', () => {
    expect(messages(text(left), [text(right)], 0)).toEqual([]);
    expect(messages(text(right), [text(left)], 1)).toEqual([]);
  });

  it('is unreadable with anything but the hash of 32 bytes', () => {
    for (const sibling of malformed(right))
      expect(messages(text(left), [sibling], 0)).toEqual(['The proof of the entry is unreadable']);
    for (const sibling of malformed(left))
      expect(messages(text(right), [sibling], 1)).toEqual(['The proof of the entry is unreadable']);
    for (const leaf of malformed(left)) expect(messages(leaf, [text(right)], 0)).toEqual(['The proof of the entry is unreadable']);
  });
});

describe('an entry', () => {
  const namedIn = (entry: Record<string, unknown>) => checkEntry(JSON.stringify({ number: 1, previous: '', entry }), null).named;
  const entry = { type: 'SeatsAllocated', at, id: '0b5a3e0c-6f0e-4c8e-9d55-6a3c1f0f7d11', summary: 'Seats set' };

  it('is named by its type, its time and its event', () => {
    expect(namedIn(entry)).toEqual({ type: entry.type, at, id: entry.id });
  });

  it('is not named by what a terminal could interpret', () => {
    for (const field of ['type', 'at', 'id']) {
      expect(namedIn({ ...entry, [field]: '\u001b[2J' })).toBeNull();
      expect(namedIn({ ...entry, [field]: 1 })).toBeNull();
    }
  });
});

describe('a consistency proof', () => {
  const key = newSigningKey(origin);
  const kept = signCheckpoint({ origin, size: 1, root: left, at }, [key]);
  const given = { origin, size: 2, root: text(checkpoint.root) };
  const compared = (proof: string) => compareCheckpoints(given, kept, { keys: [key.verifierKey], proof });

  it('holds between both checkpoints', () => {
    expect(compared(`${text(right)}\n`)).toEqual({ kind: 'compared', problems: [] });
  });

  it('is unreadable with anything but hashes of 32 bytes', () => {
    for (const hash of malformed(right).filter((line) => line.trim() === line && line !== '')) {
      expect(compared(hash)).toMatchObject({ problems: [{ kind: 'unreadable' }] });
    }
  });
});
