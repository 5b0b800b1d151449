import type { CustomerImpact } from '../../../../src/contracts/impact.ts';
import { format } from '../../lib/format.ts';

const counted = (n: number, one: string, many: string): string => `${format.whole(n)} ${n === 1 ? one : many}`;
const minutesText = (n: number): string => counted(n, 'minute', 'minutes');

type Now = Pick<CustomerImpact, 'activeDeveloperSeats' | 'connected'>;

/** The texts of floating seats. */
export const floatingSeatsTexts = {
  field: 'Floating seats, free after (minutes)',
  hint: 'From 1 to 1,440 minutes without use. Any number of users share the developer seats. Leave it empty for named seats.',
  loading: 'Looking at who uses the seats…',
  loadFailed: 'Failed to look at who uses the seats',
  /** What sharing the seats means now; `limit` is null where any number may be used. */
  shared: ({ activeDeveloperSeats: users, connected }: Now, limit: number | null, minutes: number): string => {
    const who = users === 1 ? '1 user shares' : `${format.whole(users)} users share`;
    const seats = limit === null ? 'any number of seats' : counted(limit, 'seat', 'seats');
    const rest = limit === null ? 0 : Math.max(0, connected.count - limit);
    const tools =
      connected.count === 0
        ? ''
        : rest === 0
          ? ` Connected now: ${format.whole(connected.count)}; each takes a seat.`
          : ` Connected now: ${format.whole(connected.count)}; ${format.whole(connected.count - rest)} take a seat, ${format.whole(rest)} will be disconnected.`;
    return `${who} ${seats}. A seat becomes free ${minutesText(minutes)} after the last use.${tools}`;
  },
  changed: (minutes: number): string => `A seat becomes free ${minutesText(minutes)} after the last use.`,
  /** What named seats mean for the users. */
  named: ({ activeDeveloperSeats: users }: Now, limit: number | null): string => {
    const who = users === 1 ? '1 user gets a seat of their own.' : `${format.whole(users)} users get a seat of their own.`;
    const over = limit === null ? 0 : Math.max(0, users - limit);
    return over === 0
      ? who
      : `${who} That is ${format.whole(over)} more than the limit: new users are rejected until enough seats are free.`;
  },
} as const;
