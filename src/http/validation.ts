import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { HttpProblem, type Issue, type ProblemCode } from './problems.ts';

const NAMES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

const limited = (origin: string, limit: number | bigint): string =>
  origin === 'string' ? `${limit} characters` : origin === 'array' ? `${limit} entries` : String(limit);

/** What is wrong, in words for people; a contract's own words stay as they are. */
const wordsOf = (issue: z.core.$ZodIssue): string => {
  const { message } = issue;
  if (issue.code === 'invalid_type' && message.startsWith('Invalid input')) {
    return message.endsWith('received undefined') ? 'Required' : `Must be ${NAMES[issue.expected] ?? `a ${issue.expected}`}`;
  }
  if (issue.code === 'too_big' && message.startsWith('Too big')) return `Must be at most ${limited(issue.origin, issue.maximum)}`;
  if (issue.code === 'too_small' && message.startsWith('Too small'))
    return `Must be at least ${limited(issue.origin, issue.minimum)}`;
  if (issue.code === 'invalid_value' && message.startsWith('Invalid')) return `Must be one of ${issue.values.join(', ')}`;
  return message.startsWith('Invalid') ? 'Not valid' : message;
};

/** One issue a field; unknown fields are named one by one. */
const issuesOf = (error: z.core.$ZodError): Issue[] =>
  error.issues.flatMap((issue) => {
    const path = issue.path.join('.');
    if (issue.code !== 'unrecognized_keys') return [{ path, message: wordsOf(issue) }];
    return issue.keys.map((key) => ({ path: path === '' ? key : `${path}.${key}`, message: 'Unknown field' }));
  });

/** A problem whose text names the first thing that is wrong. */
export const validationProblem = (issues: readonly Issue[]): HttpProblem => {
  const [first] = issues;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  const text = first && `${first.path === '' ? 'Request' : first.path}: ${first.message}${more}`;
  return new HttpProblem('validation_failed', { issues, ...(text !== undefined && { text }) });
};

/** What a schema said. */
export const problemOfSchema = (error: z.core.$ZodError): HttpProblem => validationProblem(issuesOf(error));

/** What an address that names nothing is: a thing that is not there. */
const byParameter: Record<string, ProblemCode> = {
  customerId: 'customer_not_found',
  integratorId: 'integrator_not_found',
  userId: 'user_not_found',
  themeId: 'theme_not_found',
  credentialId: 'credential_not_found',
  name: 'theme_not_found',
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
