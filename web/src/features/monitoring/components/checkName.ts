import { monitoringTexts } from '../texts.ts';

/** "event store" of `eventStore`. */
export const nameOf = (check: string): string =>
  monitoringTexts.checkNames[check] ??
  check.replace(/[-_]/g, ' ').replace(/([a-z])([A-Z])/g, (_pair, end: string, start: string) => `${end} ${start.toLowerCase()}`);

/** The id of the row of a check. */
export const checkId = (check: string): string => `check-${check}`;
