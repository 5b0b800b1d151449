import { DAY_MS } from '../../../../src/domain/time.ts';

/** The days until an instant (ISO-8601), of which the last has begun; 0 after it. */
export const daysUntil = (instant: string): number => Math.max(0, Math.ceil((Date.parse(instant) - Date.now()) / DAY_MS));
