import { type Fields, isFields, parsedOf } from './jsonFields.ts';
import type { Position } from './port.ts';

/** What the metadata of a copied event says about its original, as the field `copied`. `storedAt` is an ISO 8601 time. */
export type Original = Readonly<{ position: Position; revision: bigint; storedAt: string }>;

const OPEN = '{'.charCodeAt(0);
const CLOSE = '}'.charCodeAt(0);

const copiedOf = (metadata: unknown): Fields | null => {
  const fields = metadata instanceof Uint8Array ? parsedOf(metadata) : metadata;
  return isFields(fields) && isFields(fields.copied) ? fields.copied : null;
};

const EMPTY_OBJECT = Buffer.from('{}');

/** Adds the original's place and time to metadata, whose other bytes stay. A copy of a copy keeps the first time. */
export const withOriginal = (stored: Buffer, { position, revision, storedAt }: Original): Buffer => {
  const metadata = stored.length === 0 ? EMPTY_OBJECT : stored;
  const isJson = metadata.length >= 2 && metadata[0] === OPEN && metadata[metadata.length - 1] === CLOSE;
  if (!isJson) throw new Error('The metadata of the event is not a JSON object');
  const former = metadata.includes('"copied":') ? copiedOf(metadata) : null;
  const kept = former ? Buffer.from(JSON.stringify({ ...(parsedOf(metadata) as Fields), copied: undefined })) : metadata;
  const copied = { position: String(position), revision: String(revision), storedAt: former?.storedAt ?? storedAt };
  const text = `${kept.length > 2 ? ',' : ''}"copied":${JSON.stringify(copied)}}`;
  return Buffer.concat([kept.subarray(0, -1), Buffer.from(text)]);
};

/** Where the original of a copied event is; null for any other event. */
export const originalOf = (metadata: unknown): Pick<Original, 'position' | 'revision'> | null => {
  const copied = copiedOf(metadata);
  if (typeof copied?.position !== 'string' || typeof copied.revision !== 'string') return null;
  return { position: BigInt(copied.position), revision: BigInt(copied.revision) };
};

/** The metadata, revision and time of the original of a copied event; null for any other event. */
export const withoutOriginal = (metadata: Buffer): Readonly<{ metadata: Buffer; revision: bigint; storedAt: string }> | null => {
  if (!metadata.includes('"copied":')) return null;
  const { position, revision, storedAt } = copiedOf(metadata) ?? {};
  if (typeof revision !== 'string' || typeof storedAt !== 'string') return null;
  const added = `"copied":${JSON.stringify({ position, revision, storedAt })}}`;
  const text = metadata.toString();
  if (!text.endsWith(added)) return null;
  const rest = text.slice(0, -added.length).replace(/,$/, '');
  return { metadata: Buffer.from(`${rest}}`), revision: BigInt(revision), storedAt };
};
