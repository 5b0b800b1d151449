import type { z } from 'zod';

/** One invalid value of a request: its path and the reason. */
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

/** The message of an issue; a message that the contract defines is kept. */
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

const MAX_NAMED = 100;
/** A name that a client chose, which may be as long as its request. */
export const shortened = (name: string): string => (name.length > MAX_NAMED ? `${name.slice(0, MAX_NAMED)}…` : name);

/** One issue a field, unknown fields one by one; only the first `most` of them. */
export const issuesOf = (error: z.core.$ZodError, most = Number.POSITIVE_INFINITY): Issue[] => {
  const issues: Issue[] = [];
  for (const issue of error.issues) {
    if (issues.length >= most) break;
    const path = shortened(issue.path.join('.'));
    if (issue.code !== 'unrecognized_keys') {
      issues.push({ path, message: wordsOf(issue) });
      continue;
    }
    for (const key of issue.keys.slice(0, most - issues.length)) {
      issues.push({ path: path === '' ? shortened(key) : `${path}.${shortened(key)}`, message: 'Unknown field' });
    }
  }
  return issues;
};

/** How many issues `issuesOf` gives without a limit. */
export const countIssues = (error: z.core.$ZodError): number =>
  error.issues.reduce((count, issue) => count + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0);
