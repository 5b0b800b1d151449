import type { Problem } from '../../../src/contracts/replies.ts';

export type Issue = NonNullable<Problem['issues']>[number];

type Failure = { status: number; code: string; issues?: Issue[] | undefined; retryAfterMs?: number | undefined };

/** A call that did not succeed. `message` is for people; status 0 means that no answer came. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly issues: readonly Issue[];
  readonly retryAfterMs: number | undefined;

  constructor(message: string, failure: Failure) {
    super(message);
    this.name = 'ApiError';
    this.status = failure.status;
    this.code = failure.code;
    this.issues = failure.issues ?? [];
    this.retryAfterMs = failure.retryAfterMs;
  }
}

export const isApiError = (error: unknown): error is ApiError => error instanceof ApiError;
export const isMissing = (error: unknown): boolean => isApiError(error) && error.status === 404;
export const isSignedOut = (error: unknown): boolean => isApiError(error) && (error.status === 401 || error.status === 403);

/** The text of an error for people, with the cause where no server said one. */
export const causeOf = (error: unknown, fallback: string): string => {
  const text = messageOf(error, fallback);
  if (!isApiError(error)) return text;
  if (error.status === 0) return `${text}. The server did not answer. Check your connection, then try again.`;
  return error.code === 'unexpected_answer' ? `${text}. The server answered with status ${error.status}. Try again later.` : text;
};

/** The text of an error for people. */
export const messageOf = (error: unknown, fallback: string): string =>
  isApiError(error) && error.message ? error.message : fallback;
