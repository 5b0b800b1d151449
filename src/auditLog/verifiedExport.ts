import { sha256 } from './hashing.ts';
import type { Leaf } from './leaf.ts';
import { openNote, type SigningKey, signNote, type VerifierKey } from './signedNote.ts';

/** The first field of a file. */
export const EXPORT_FORMAT = 'latchkey verified history v1';

/** The first line. `of` and `filter` say which entries are in the file, `keys` are all public keys of the log. */
export type ExportHead = Readonly<{
  format: typeof EXPORT_FORMAT;
  of: Readonly<Record<string, unknown>>;
  filter: Readonly<Record<string, unknown>>;
  exportedAt: string;
  checkpoint: string;
  keys: readonly VerifierKey[];
}>;

/**
 * The place of an entry's event in the tree. `leaf` is null if the event was deleted since: then its hash proves only that there was an
 * event. `data` and `metadata` are the stored bytes as text, in exports of administrators. Hashes are in base64.
 */
export type Proven = Readonly<{
  index: number;
  proof: readonly string[];
  leaf: Leaf | null;
  leafHash: string;
  data?: string;
  metadata?: string;
}>;

/** A line with an entry: its number from 1, the SHA-256 of the line before in base64, the entry, and its proof. */
export type ExportLine = Readonly<{ number: number; previous: string; entry: unknown; proven: Proven | null }>;

/** The last line: the number of entries, the SHA-256 of the line before, and a signed note of both. */
export type ExportEnd = Readonly<{ entries: number; previous: string; signature: string }>;

/** The SHA-256 of a line without its line break. */
export const hashOfLine = (line: string): string => sha256(line).toString('base64');

const endText = (origin: string, { entries, previous }: Pick<ExportEnd, 'entries' | 'previous'>): string =>
  `${origin}/export\n${entries}\n${previous}\n`;

/** Signs the end of a file. The first line of the note keeps it from being taken for a checkpoint. */
export const signEnd = (origin: string, end: Pick<ExportEnd, 'entries' | 'previous'>, keys: readonly SigningKey[]): string =>
  signNote(endText(origin, end), keys);

/** Whether one of the keys signed the end of a file. */
export const isSignedEnd = (origin: string, end: ExportEnd, keys: readonly VerifierKey[]): boolean =>
  openNote(end.signature, keys)?.text === endText(origin, end);
