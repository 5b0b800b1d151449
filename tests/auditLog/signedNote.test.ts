import { describe, expect, it } from 'vitest';
import { openCheckpoint, originOf, signCheckpoint } from '../../src/auditLog/checkpoint.ts';
import { sha256 } from '../../src/auditLog/hashing.ts';
import { isVerifierKey, newSigningKey, openNote, signNote } from '../../src/auditLog/signedNote.ts';

const key = newSigningKey('latchkey/log');
const other = newSigningKey('latchkey/log');

describe('a signed note', () => {
  it('opens with the key that signed it, and with no other', () => {
    const note = signNote('a\nb\n', [key]);
    expect(openNote(note, [key.verifierKey])).toEqual({ text: 'a\nb\n', signedBy: [key.verifierKey] });
    expect(openNote(note, [other.verifierKey])).toBeNull();
    expect(openNote(note, [])).toBeNull();
  });

  it('opens with each of two keys that signed it', () => {
    const note = signNote('text\n', [key, other]);
    expect(openNote(note, [other.verifierKey])?.signedBy).toEqual([other.verifierKey]);
    expect(openNote(note, [key.verifierKey, other.verifierKey])?.signedBy).toHaveLength(2);
  });

  it('does not open after any byte was changed, removed or added', () => {
    const note = signNote('latchkey\n12\n', [key]);
    for (let at = 0; at < note.length; at++) {
      const changed = `${note.slice(0, at)}${note[at] === 'x' ? 'y' : 'x'}${note.slice(at + 1)}`;
      expect(openNote(changed, [key.verifierKey]), `changed at ${at}`).toBeNull();
      expect(openNote(note.slice(0, at) + note.slice(at + 1), [key.verifierKey]), `removed at ${at}`).toBeNull();
    }
    expect(openNote(`${note}x`, [key.verifierKey])).toBeNull();
    expect(openNote(note.replace('12', '123'), [key.verifierKey])).toBeNull();
  });

  it('opens with a key of the example of C2SP', () => {
    const verifierKey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
    const text = `If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n`;
    const signature = 'x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=';
    expect(openNote(`${text}\n— PeterNeumann ${signature}\n`, [verifierKey])?.text).toBe(text);
  });

  it.each(['', 'name', 'name+00000000+AA==', `${key.verifierKey}x`, key.verifierKey.replace(/\+[0-9a-f]{8}\+/, '+00000000+')])(
    'has no key "%s"',
    (text) => {
      expect(isVerifierKey(text)).toBe(false);
    },
  );
});

describe('a checkpoint', () => {
  const origin = originOf('0198c0de-0000-7000-8000-000000000000');
  const signing = newSigningKey(origin);
  const checkpoint = { origin, size: 42, root: sha256('root'), at: '2026-01-31T12:00:00.000Z' };

  it('says the origin, the size, the root and the time', () => {
    const note = signCheckpoint(checkpoint, [signing]);
    expect(note.split('\n').slice(0, 3)).toEqual([origin, '42', checkpoint.root.toString('base64')]);
    expect(openCheckpoint(note, [signing.verifierKey])).toEqual({ ...checkpoint, signedBy: [signing.verifierKey] });
  });

  it.each(['\n42\nAAAA\n', 'log\n-1\nAAAA\n', 'log\n1e3\nAAAA\n', 'log\n42\nAAAA\n', 'log\n'])(
    'is not the signed text %j',
    (text) => {
      expect(openCheckpoint(signNote(text, [signing]), [signing.verifierKey])).toBeNull();
    },
  );
});
