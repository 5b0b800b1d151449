import type { Problem } from '../../../src/contracts/replies.ts';

type Issue = NonNullable<Problem['issues']>[number];

type Tenants = NonNullable<Problem['tenants']>;

type Failure = {
  status: number;
  code: string;
  issues?: Issue[] | undefined;
  tenants?: Tenants | undefined;
  retryAfterMs?: number | undefined;
};

/** A failed call. `message` is shown to users; status 0 means that the server did not reply. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly issues: readonly Issue[];
  /** Where a sign-in may continue, with the code `tenant_required`. */
  readonly tenants: Tenants;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, failure: Failure) {
    super(message);
    this.name = 'ApiError';
    this.status = failure.status;
    this.code = failure.code;
    this.issues = failure.issues ?? [];
    this.tenants = failure.tenants ?? [];
    this.retryAfterMs = failure.retryAfterMs;
  }
}

/** Whether an error has a status and a code of the server, rather than being a bug. */
export const isApiError = (error: unknown): error is ApiError => error instanceof ApiError;
/** Whether a read failed without a reply of the server. */
export const isUnanswered = (error: unknown): boolean => !isApiError(error) || error.status === 0;
/** Whether what a request named does not exist, or belongs to another tenant: the server does not distinguish them. */
export const isMissing = (error: unknown): boolean => isApiError(error) && error.status === 404;
/** Whether a request failed because the session has ended or may not use the route. */
export const isSignedOut = (error: unknown): boolean => isApiError(error) && (error.status === 401 || error.status === 403);

/** The text of an error for users, with a cause and a next step if the server sent no text. */
export const causeOf = (error: unknown, fallback: string): string => {
  const text = messageOf(error, fallback);
  if (!isApiError(error)) return text;
  if (error.status === 0) return `${text}. The server did not answer. Check your connection, then try again.`;
  return error.code === 'unexpected_answer' ? `${text}. The server answered with status ${error.status}. Try again later.` : text;
};

/** The text of an error for users. */
export const messageOf = (error: unknown, fallback: string): string =>
  isApiError(error) && error.message ? error.message : fallback;
