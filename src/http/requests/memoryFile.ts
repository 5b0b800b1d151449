import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A file that is answered from memory. */
export type MemoryFile = Readonly<{
  /** Its Content-Type. */
  type: string;
  /** Seconds for which a cache may answer without asking again. */
  maxAge: number;
  body: Buffer;
  /** Names the content; without quotes. */
  hash: string;
  /** Compressed when it is first asked for, outside of the event loop. */
  gzipped: () => Promise<Buffer>;
}>;

const compress = promisify(gzip);

/** A file to serve from memory. It is hashed now, and compressed on its first request. `maxAge` is in seconds. */
export const memoryFile = (body: Buffer, { type, maxAge }: Pick<MemoryFile, 'type' | 'maxAge'>): MemoryFile => {
  let compressed: Promise<Buffer> | undefined;
  return {
    type,
    maxAge,
    body,
    hash: createHash('sha256').update(body).digest('base64url').slice(0, 22),
    gzipped: () => {
      compressed ??= compress(body);
      return compressed;
    },
  };
};

const REFUSES_GZIP = /\bgzip\s*;\s*q=0(\.0*)?\s*(,|$)/i;

const takesGzip = (accepted: string | undefined): boolean => accepted?.includes('gzip') === true && !REFUSES_GZIP.test(accepted);

/** Answers with a file, or with 304 where the client has it already. */
export const sendFromMemory = async (
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, maxAge, body, hash, gzipped }: MemoryFile,
): Promise<FastifyReply> => {
  const isGzip = takesGzip(headers['accept-encoding']);
  reply
    .header('etag', `"${hash}${isGzip ? '-gzip' : ''}"`)
    .header('vary', 'accept-encoding')
    .header('cache-control', `public, max-age=${maxAge}`);
  if (headers['if-none-match']?.includes(`"${hash}`)) return reply.code(304).send();
  if (isGzip) reply.header('content-encoding', 'gzip');
  return reply.type(type).send(isGzip ? await gzipped() : body);
};
