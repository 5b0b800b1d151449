import type { NO_FILTERS } from './callFilter.ts';

/** The address of a list of calls with filters. */
export const callsAddress = (path: string, filters: Partial<Record<keyof typeof NO_FILTERS, string>>): string => {
  const text = new URLSearchParams(filters).toString();
  return text === '' ? path : `${path}?${text}`;
};
