import type { RecordedCall } from './events.ts';

/** The classes of HTTP statuses. */
export const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** Whether a status is of a class, such as 503 of `5xx`. */
export const isOfClass = (status: number | null, statusClass: (typeof STATUS_CLASSES)[number]): boolean =>
  status !== null && STATUS_CLASSES[Math.floor(status / 100) - 1] === statusClass;

/** How calls end: the class of the HTTP status, or without a status whether the tool reported an error. */
export const OUTCOMES = [...STATUS_CLASSES, 'success', 'error'] as const;
/** How one call ended; see `OUTCOMES`. */
export type Outcome = (typeof OUTCOMES)[number];

/** The outcome of a call. */
export const outcomeOf = ({ status, ok }: Pick<RecordedCall, 'status' | 'ok'>): Outcome =>
  status === null ? (ok ? 'success' : 'error') : (OUTCOMES[Math.floor(status / 100) - 1] ?? 'error');
