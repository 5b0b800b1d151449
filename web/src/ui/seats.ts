import type { Customer } from '../../../src/contracts/customers.ts';
import { UNLIMITED_SEATS } from '../../../src/domain/limits.ts';

const WARNING_PERCENT = 70;
const DANGER_PERCENT = 90;

export type MeterTone = 'success' | 'warning' | 'danger';

/** `percent` of active over allocated seats, null when unlimited; 100 if seats are active and none are allocated. */
export const seatUsage = (active: number, allocated: number): { percent: number | null; tone: MeterTone } => {
  if (allocated === UNLIMITED_SEATS) return { percent: null, tone: 'success' };
  const percent = allocated > 0 ? Math.round((active / allocated) * 100) : active > 0 ? 100 : 0;
  const tone = percent >= DANGER_PERCENT ? 'danger' : percent >= WARNING_PERCENT ? 'warning' : 'success';
  return { percent, tone };
};

/** The developer seats in use: floating ones that users hold, or else one for each active user. */
export const developersIn = ({
  activeDeveloperSeats,
  leasedDeveloperSeats,
}: Pick<Customer, 'activeDeveloperSeats' | 'leasedDeveloperSeats'>): number => leasedDeveloperSeats ?? activeDeveloperSeats;
