import { DAY_MS, HOUR_MS, QUARTER_MS } from '../../../../../src/domain/time.ts';

const DAYS_OF_A_WEEK = 7;
/** Days since 1970-01-01, a Thursday, to days since a Monday. */
const THURSDAY = 3;

/** A day of the time zone with its calls. */
export type WeekDay = Readonly<{ day: string; from: string; to: string; calls: number }>;

/** An hour of a day as clocks of a zone show it: from an instant until before another. */
export type WeekHour = Readonly<{ day: string; from: string; to: string }>;

const weekDayOf = (day: string): number => (Date.parse(day) / DAY_MS + THURSDAY) % DAYS_OF_A_WEEK;

/** When clocks of the zone show an hour of a day; null where they skip it. An hour that they show twice lasts for both. */
const hourIn = ({ day, from, to }: WeekHour, hour: number, clock: Intl.DateTimeFormat): WeekHour | null => {
  let [first, last] = [0, 0];
  for (let at = Date.parse(from); at < Date.parse(to); at += QUARTER_MS) {
    if (Number(clock.format(at)) !== hour) continue;
    if (first === 0) first = at;
    last = at + QUARTER_MS;
  }
  return first === 0 ? null : { day, from: new Date(first).toISOString(), to: new Date(last).toISOString() };
};

/** The hours of days with calls that a cell of the week adds up, newest first. `cell` is an hour since Monday, 00:00. */
export const hoursOfCell = ({ daily, zone }: Readonly<{ daily: readonly WeekDay[]; zone: string }>, cell: number): WeekHour[] => {
  const hoursOfADay = DAY_MS / HOUR_MS;
  const [weekDay, hour] = [Math.floor(cell / hoursOfADay), cell % hoursOfADay];
  const clock = new Intl.DateTimeFormat('en', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' });
  return daily
    .filter(({ day, calls }) => calls > 0 && weekDayOf(day) === weekDay)
    .flatMap((day) => hourIn(day, hour, clock) ?? [])
    .reverse();
};
