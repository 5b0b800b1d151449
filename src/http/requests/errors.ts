import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { InvalidCursor } from '../../projections/lists/cursor.ts';
import { DataKeyDestroyed } from '../../security/vault.ts';
import type { EdgeCode } from '../problems/edgeProblems.ts';
import { outageOf } from '../problems/outages.ts';
import { HttpProblem } from '../problems/problems.ts';
import { validationProblem } from './validation.ts';

const byFastifyCode: Record<string, EdgeCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_BAD_URL: 'invalid_request',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
};

const tooLarge = (bodyLimit: number): HttpProblem =>
  new HttpProblem('body_too_large', {
    text: `The body is larger than the ${bodyLimit / 1024} kB that this endpoint accepts. Send less in one request.`,
  });

/** What an error means to the client; null when it is a bug of this server. `bodyLimit` is that of the route, in bytes. */
export const problemOf = (error: unknown, bodyLimit?: number): HttpProblem | null => {
  if (error instanceof HttpProblem) return error;
  if (error instanceof InvalidCursor)
    return validationProblem([{ path: 'cursor', message: 'Must be the nextCursor of this list' }]);
  // A write that was decided before its customer was deleted, or its user removed, comes too late.
  if (error instanceof DataKeyDestroyed) {
    if (error.owner.startsWith('user:')) return new HttpProblem('user_not_found');
    return new HttpProblem(error.owner.startsWith('customer:') ? 'customer_not_found' : 'integrator_not_found');
  }
  const outage = outageOf(error);
  if (outage) return new HttpProblem(outage);
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number') return null;
  const known = 'code' in error && typeof error.code === 'string' ? byFastifyCode[error.code] : undefined;
  if (known === 'body_too_large' && bodyLimit !== undefined) return tooLarge(bodyLimit);
  if (known) return new HttpProblem(known);
  if (error.statusCode === 403 || error.statusCode === 404) return new HttpProblem('not_found');
  return error.statusCode >= 400 && error.statusCode < 500 ? new HttpProblem('invalid_request') : null;
};

/** Whether the client went away before its request was complete. */
const hungUp = (error: unknown, { raw }: FastifyRequest): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ECONNRESET' && raw.destroyed && !raw.complete;

/** Every failure has the one form of `problem` in the contracts, and never a stack. */
export const answerProblem = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const problem = hungUp(error, request) ? new HttpProblem('invalid_request') : problemOf(error, request.routeOptions.bodyLimit);
  if (!problem) {
    request.log.error({ err: error }, 'unexpected error');
    const { body } = new HttpProblem('internal_error', { text: `Something went wrong on the server (reference ${request.id})` });
    return sendProblem(reply, 500, { ...body, correlationId: request.id });
  }
  if (problem.status === 503) request.log.warn({ err: error, code: problem.code }, 'refused for now');
  if (problem.retryAfter !== undefined) reply.header('retry-after', String(problem.retryAfter));
  return sendProblem(reply, problem.status, problem.body);
};

/** Problems are written past the routes' reply contracts, which describe successes. */
const sendProblem = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body);

const RAW: Record<string, readonly [status: string, code: EdgeCode]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'invalid_request'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request_timeout'],
};

/** Replies to requests that are not HTTP. */
export const answerClientErrors = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, code] = RAW[error.code ?? ''] ?? ['400 Bad Request', 'invalid_request'];
  const body = JSON.stringify(new HttpProblem(code).body);
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
};
