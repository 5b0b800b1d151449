import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { type Issue, issuesOf } from '../../contracts/issues.ts';
import { HttpProblem, type ProblemCode } from '../problems/problems.ts';

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
