import type { RecordedCall } from './events.ts';

/** How calls end: the class of the HTTP status, or without a status whether the tool reported an error. */
export const OUTCOMES = ['1xx', '2xx', '3xx', '4xx', '5xx', 'success', 'error'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The outcome of a call. */
export const outcomeOf = ({ status, ok }: Pick<RecordedCall, 'status' | 'ok'>): Outcome =>
  status === null ? (ok ? 'success' : 'error') : (OUTCOMES[Math.floor(status / 100) - 1] ?? 'error');
