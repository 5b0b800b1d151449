import type { FastifySchemaCompiler } from 'fastify';
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import { z } from 'zod';
import { countIssues, type Issue, issuesOf } from '../../contracts/issues.ts';
import { MAX_ISSUES } from '../limits.ts';
import { HttpProblem, type ProblemCode } from '../problems/problems.ts';
import { replyBytes } from './replyBytes.ts';

/** Messages that need the name of the field before them; any other is a sentence of its own. */
const IS_PREDICATE = /^(?:Must|Required|Unknown field|Not valid)\b/;

const textOf = ({ path, message }: Issue): string =>
  IS_PREDICATE.test(message) ? `${path === '' ? 'Request' : path}: ${message}` : message;

/** A problem whose text says the first of `count` issues, of which some may not be listed. */
export const validationProblem = (issues: readonly Issue[], count = issues.length): HttpProblem => {
  const [first] = issues;
  const more = count > 1 ? ` (and ${(count - 1).toLocaleString('en-US')} more)` : '';
  const text = first && `${textOf(first)}${more}`;
  const moreIssues = count - issues.length;
  return new HttpProblem('validation_failed', {
    issues,
    ...(moreIssues > 0 && { moreIssues }),
    ...(text !== undefined && { text }),
  });
};

/** The first issues that a schema found, and how many more there are. */
export const problemOfSchema = (error: z.core.$ZodError): HttpProblem =>
  validationProblem(issuesOf(error, MAX_ISSUES), countIssues(error));

/** What an address that names nothing is: a thing that is not there. */
const byParameter: Record<string, ProblemCode> = {
  customerId: 'customer_not_found',
  integratorId: 'integrator_not_found',
  userId: 'user_not_found',
  themeId: 'theme_not_found',
  credentialId: 'credential_not_found',
  name: 'theme_not_found',
  tokenId: 'api_token_not_found',
  entryId: 'entry_not_found',
};

/** Checks requests against their contracts. Nothing is coerced that a contract does not coerce. */
export const checkRequests: FastifySchemaCompiler<unknown> = ({ schema, method, url, httpPart }) => {
  if (!(schema instanceof z.ZodType))
    throw new Error(`${method} ${url} describes its ${httpPart} by something that is not a schema`);
  return (data: unknown) => {
    const { success, data: value, error } = schema.safeParse(data);
    if (success) return { value };
    if (httpPart !== 'params') return { error: problemOfSchema(error) };
    return { error: new HttpProblem(byParameter[error.issues[0]?.path.join('.') ?? ''] ?? 'not_found') };
  };
};

/** A reply that breaks its own contract: a bug of this server. */
class BrokenReply extends Error {
  override readonly name = 'BrokenReply';
}

/** Replies leave as their contract describes them: what it does not name stays here. Those that may be kept for a repeated command are text. */
export const replySerializer: FastifySerializerCompiler<unknown> = ({ schema, method, url }) => {
  if (!(schema instanceof z.ZodType)) throw new Error(`${method} ${url} describes its reply by something that is not a schema`);
  // Fastify sends bytes too, though its type does not say so.
  const serialize = (method === 'GET' ? replyBytes : JSON.stringify) as (reply: unknown) => string;
  return (data) => {
    const { success, data: reply, error } = schema.safeParse(data);
    if (success) return serialize(reply);
    const broken = error.issues.map(({ path, code }) => `${path.join('.')} (${code})`);
    throw new BrokenReply(`The reply of ${method} ${url} breaks its contract: ${broken.join(', ')}`);
  };
};
