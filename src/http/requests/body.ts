import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { shortened } from '../../contracts/issues.ts';
import { sha256Of } from '../../security/sha256.ts';
import { BYTES_A_PIECE, PIECES } from '../limits.ts';
import { HttpProblem } from '../problems/problems.ts';
import { answerInPlace } from './answerInPlace.ts';
import { isTooComplex } from './bodyShape.ts';
import { validationProblem } from './validation.ts';

const NUL_ESCAPE = Buffer.from('\\u0000');

/** The path of a text that holds a NUL; of the object, where the name of a field holds it. Undefined where none does. */
const pathOfNul = (value: unknown): string | undefined => {
  const pending: { value: unknown; path: string }[] = [{ value, path: '' }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value: held, path } = next;
    if (typeof held === 'string' && held.includes('\0')) return path;
    if (typeof held === 'object' && held !== null) {
      for (const [key, inner] of Object.entries(held)) {
        if (key.includes('\0')) return path;
        if (inner !== undefined && inner !== null) pending.push({ value: inner, path: path === '' ? key : `${path}.${key}` });
      }
    }
  }
  return undefined;
};

/**
 * JSON in UTF-8 without a NUL anywhere, where a route does not check each value itself. An empty body is none at all. Throws
 * `body_too_complex` before it parses, `invalid_json` or `validation_failed`.
 */
const parseJson = (request: FastifyRequest, body: Buffer): unknown => {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw new HttpProblem('invalid_json');
  const isChecked = request.routeOptions.config.bodyShape !== 'unchecked';
  if (isChecked && isTooComplex(body)) throw new HttpProblem('body_too_complex');
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw new HttpProblem('invalid_json');
  }
  const path = isChecked && body.includes(NUL_ESCAPE) ? pathOfNul(value) : undefined;
  if (path !== undefined) throw validationProblem([{ path: shortened(path), message: 'Must not contain NUL characters' }]);
  return value;
};

/** A body of text for a route that declares it. Throws `unsupported_media_type` elsewhere, and `invalid_csv` for text that is not UTF-8. */
const readCsv = ({ routeOptions }: FastifyRequest, body: Buffer): string => {
  if (routeOptions.config.body !== 'csv') throw new HttpProblem('unsupported_media_type');
  if (!isUtf8(body) || body.includes(0)) throw new HttpProblem('invalid_csv');
  return body.toString('utf8');
};

/** Bodies are JSON, or CSV where the route declares it, and nothing else. */
export const acceptDeclaredBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    try {
      done(null, readCsv(request, body));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    if (request.headers['idempotency-key'] !== undefined) {
      request.bodyDigest = sha256Of(body);
    }
    let value: unknown;
    try {
      value = parseJson(request, body);
    } catch (error) {
      return done(error as Error);
    }
    done(null, value);
  });
};

/** Whether more of a body may arrive than its route would read, so that the connection should not stay open to discard it. */
const hasTooMuchUnread = ({ raw: { complete, headers }, routeOptions: { bodyLimit } }: FastifyRequest): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > bodyLimit);

const hasBody = ({ raw: { headers } }: FastifyRequest): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** Rejects bodies in very many pieces, and closes the connection after a reply that did not wait for the end of too large a body. */
export const boundBodies = (app: FastifyInstance): void => {
  app.addHook('preParsing', (request, reply, payload, next) => {
    let pieces = 0;
    let bytes = 0;
    const count = (piece: Buffer): void => {
      pieces += 1;
      bytes += piece.length;
      if (pieces <= PIECES + bytes / BYTES_A_PIECE) return;
      request.raw.off('data', count);
      answerInPlace(reply, new HttpProblem('invalid_request'));
    };
    if (hasBody(request)) request.raw.on('data', count);
    next(null, payload);
  });
  app.addHook('onSend', (request, reply, _payload, next) => {
    if (hasTooMuchUnread(request)) reply.header('connection', 'close');
    next();
  });
};
