import type { z } from 'zod';

/** One thing that is wrong with what was given: where, and what. */
export type Issue = { path: string; message: string };

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
export const issuesOf = (error: z.core.$ZodError): Issue[] =>
  error.issues.flatMap((issue) => {
    const path = issue.path.join('.');
    if (issue.code !== 'unrecognized_keys') return [{ path, message: wordsOf(issue) }];
    return issue.keys.map((key) => ({ path: path === '' ? key : `${path}.${key}`, message: 'Unknown field' }));
  });
