import type { Problem } from '../../../src/contracts/replies.ts';
import { type Area, areaOf } from '../areas.ts';
import { ApiError } from './error.ts';
import { readToken } from './tokens.ts';

type QueryValue = string | number | boolean | null | undefined;

type CallOptions = {
  /** Shown if the server sends no text. */
  fallback?: string;
  /** Whose token is sent; the area of the browser's path by default. */
  as?: Area;
  /** What a 401 does: sign the area out, or only throw, as for a wrong key at a sign-in. */
  unauthorized?: 'sign out' | 'throw';
  signal?: AbortSignal;
};

type GetOptions = CallOptions & { query?: Record<string, QueryValue> };
type ChangeOptions = CallOptions & {
  ifMatch?: string | null;
  /** Identifies a change that is sent again after a failure, so that the server makes it once. By default each change has a new one. */
  idempotencyKey?: string;
  /** Equal for all changes of one bulk action. */
  bulkId?: string;
  /** Whether the request outlives the page. */
  keepalive?: boolean;
};

/** What identifies one change of a bulk action. */
export type BulkKeys = Pick<ChangeOptions, 'idempotencyKey' | 'bulkId'>;

/** How the end of a bulk action is recorded. */
export type RecordOptions = Pick<ChangeOptions, 'keepalive'>;

type FileOptions = GetOptions & { accept: string };

type Call = ChangeOptions & { method: string; accept?: string; body?: unknown; file?: Blob; query?: Record<string, QueryValue> };

/** A reply with its version (ETag), for `If-Match`. */
type Tagged<Reply> = { reply: Reply; etag: string | null };

const DEFAULT_FALLBACK = 'Request failed';
/** A change without a reply is sent again: its idempotency key makes that safe. */
const RESEND_AFTER_MS = [250, 1000];

/** A path with its query, without empty values. */
export const withQuery = (path: string, query: Readonly<Record<string, QueryValue>> = {}): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  return search.size > 0 ? `${path}?${search}` : path;
};

/** A key for `idempotencyKey`; `crypto.randomUUID` exists only on https and localhost. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const headersOf = (call: Call, path: string): Headers => {
  const headers = new Headers({ accept: call.accept ?? 'application/json' });
  const area = call.as ?? areaOf(location.pathname);
  const token = area && path.startsWith('/api/') ? readToken(area) : null;
  if (token) headers.set('authorization', `Bearer ${token}`);
  if (call.body !== undefined) headers.set('content-type', 'application/json');
  if (call.file) headers.set('content-type', 'text/csv');
  if (call.method !== 'GET') headers.set('idempotency-key', call.idempotencyKey ?? newIdempotencyKey());
  if (call.ifMatch) headers.set('if-match', call.ifMatch);
  if (call.bulkId) headers.set('bulk-id', call.bulkId);
  return headers;
};

/** Whether a reply says why a call failed. */
export const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string';

const failureOf = async (response: Response, fallback: string): Promise<ApiError> => {
  const body: unknown = await response.json().catch(() => null);
  const seconds = Number(response.headers.get('retry-after'));
  const retryAfterMs = seconds > 0 ? seconds * 1000 : undefined;
  return isProblem(body)
    ? new ApiError(body.error || fallback, {
        status: response.status,
        code: body.code,
        issues: body.issues,
        tenants: body.tenants,
        retryAfterMs,
      })
    : new ApiError(fallback, { status: response.status, code: 'unexpected_answer', retryAfterMs });
};

const wait = (ms: number): Promise<void> => new Promise((resolve) => window.setTimeout(resolve, ms));

const send = async (path: string, call: Call): Promise<Response> => {
  const fallback = call.fallback ?? DEFAULT_FALLBACK;
  const init: RequestInit = { method: call.method, headers: headersOf(call, path), credentials: 'same-origin' };
  if (call.signal) init.signal = call.signal;
  if (call.body !== undefined) init.body = JSON.stringify(call.body);
  if (call.file) init.body = call.file;
  if (call.keepalive) init.keepalive = true;
  const pauses = call.method === 'GET' ? [] : RESEND_AFTER_MS;
  for (let attempt = 0; ; attempt++) {
    try {
      return await fetch(withQuery(path, call.query), init);
    } catch (error) {
      if (call.signal?.aborted) throw error;
      const pause = pauses[attempt];
      if (pause === undefined) throw new ApiError(fallback, { status: 0, code: 'no_answer' });
      await wait(pause);
    }
  }
};

/** No live session, or one that may not make this call. */
const isRejected = ({ status, code }: ApiError): boolean => status === 401 || (status === 403 && code === 'forbidden');

/** One dialog for all calls that wait for it. */
let confirming: Promise<boolean> | undefined;

const confirmed = (): Promise<boolean> => {
  confirming ??= onReauthentication().finally(() => {
    confirming = undefined;
  });
  return confirming;
};

const answered = async (path: string, call: Call): Promise<Response> => {
  const response = await send(path, call);
  if (response.ok) return response;
  const failure = await failureOf(response, call.fallback ?? DEFAULT_FALLBACK);
  if (failure.code === 'reauthentication_required' && (await confirmed())) return answered(path, call);
  if (isRejected(failure) && call.unauthorized !== 'throw') onRejected(failure);
  throw failure;
};

const request = async <Reply>(path: string, call: Call): Promise<Reply> => {
  const response = await answered(path, call);
  const reply: Reply = await response.json();
  return reply;
};

let onReauthentication: () => Promise<boolean> = async () => false;

/** Sets what asks the user to authenticate again: it resolves to whether the call may be sent again. */
export const setReauthenticationHandler = (handler: () => Promise<boolean>): void => {
  onReauthentication = handler;
};

let onRejected: (failure: ApiError) => void = () => undefined;

/** Sets what runs when a call finds no live session, or one that may not make it. */
export const setRejectedHandler = (handler: (failure: ApiError) => void): void => {
  onRejected = handler;
};

/** A file with the name that the server gives it; null for none. */
export type NamedFile = Readonly<{ file: Blob; name: string | null }>;

/** The server's calls. `Reply` is a reply type of the contracts; every failure is thrown as an `ApiError`. */
export const api = {
  get: <Reply>(path: string, options: GetOptions = {}): Promise<Reply> => request(path, { ...options, method: 'GET' }),
  /** Like `get`, with the version to send as `ifMatch` with a change. */
  getTagged: async <Reply>(path: string, options: GetOptions = {}): Promise<Tagged<Reply>> => {
    const response = await answered(path, { ...options, method: 'GET' });
    const reply: Reply = await response.json();
    return { reply, etag: response.headers.get('etag') };
  },
  /** The reply as a file of the type `accept`. */
  getFile: async (path: string, options: FileOptions): Promise<NamedFile> => {
    const response = await answered(path, { ...options, method: 'GET' });
    const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
    return { file: await response.blob(), name: name ?? null };
  },
  post: <Reply>(path: string, body?: unknown, options: ChangeOptions = {}): Promise<Reply> =>
    request(path, { ...options, method: 'POST', body: body ?? {} }),
  /** Sends a CSV file, and returns the reply as it arrives. */
  postFile: async (path: string, file: Blob, options: GetOptions = {}): Promise<ReadableStream<Uint8Array> | null> =>
    (await answered(path, { ...options, method: 'POST', file })).body,
  put: <Reply>(path: string, body: unknown, options: ChangeOptions = {}): Promise<Reply> =>
    request(path, { ...options, method: 'PUT', body }),
  delete: <Reply>(path: string, options: ChangeOptions = {}): Promise<Reply> => request(path, { ...options, method: 'DELETE' }),
} as const;
