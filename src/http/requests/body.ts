import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpProblem } from '../problems/problems.ts';

export const MAX_BODY = 1024 * 1024;

const NUL_ESCAPE = Buffer.from('\\u0000');

const holdsNul = (value: unknown): boolean => {
  const pending = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string' && next.includes('\0')) return true;
    if (typeof next === 'object' && next !== null) {
      for (const [key, inner] of Object.entries(next)) {
        if (key.includes('\0')) return true;
        if (inner !== undefined && inner !== null) pending.push(inner);
      }
    }
  }
  return false;
};

/** JSON in UTF-8 without a NUL anywhere. An empty body is none at all. Throws `invalid_json` or `validation_failed`. */
const parseJson = (body: Buffer): unknown => {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw new HttpProblem('invalid_json');
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new HttpProblem('invalid_json');
  }
  if (body.includes(NUL_ESCAPE) && holdsNul(value)) {
    throw new HttpProblem('validation_failed', { text: 'Text must not contain NUL characters' });
  }
  return value;
};

/** Bodies are JSON and nothing else. */
export const acceptJsonOnly = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: MAX_BODY },
    (request: FastifyRequest, body: Buffer, done) => {
      if (request.headers['idempotency-key'] !== undefined) {
        request.bodyDigest = createHash('sha256').update(body).digest('hex');
      }
      let value: unknown;
      try {
        value = parseJson(body);
      } catch (error) {
        return done(error as Error);
      }
      done(null, value);
    },
  );
};
