import { DAY_MS, dayOf, daysBetween, HOUR_MS, QUARTER_MS } from '../domain/time.ts';
import { createCache } from '../flow/cache.ts';

/** Clocks are at most 14 hours ahead of UTC and 12 behind it. */
const MARGIN_MS = 26 * HOUR_MS;
/** Days since 1970-01-01, a Thursday, to days since a Monday. */
const THURSDAY = 3;
const HOURS_OF_A_DAY = 24;
const DAYS_OF_A_WEEK = 7;
/** Hours of a week. */
export const WEEK_HOURS = HOURS_OF_A_DAY * DAYS_OF_A_WEEK;

/** A day of a time zone: from its first instant until that of the next day, in ms since 1970. 23 to 25 hours where clocks change. */
export type LocalDay = Readonly<{ day: string; start: number; end: number }>;

/** The time that clocks of a zone show in a period. Instants are ms since 1970. */
export type LocalTime = Readonly<{
  /** The day that a clock shows, yyyy-mm-dd. */
  dayAt: (at: number) => string;
  /** The hour of the week that a clock shows: 0 is Monday from 00:00 to 01:00. */
  weekHourAt: (at: number) => number;
  /** The days from `first` to `last`, which are in the period. */
  days: (first: string, last: string) => LocalDay[];
}>;

type Clock = (at: number) => number;

const openClock = (zone: string): Clock => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  return (at) => {
    const parts = format.formatToParts(at);
    const part = (wanted: Intl.DateTimeFormatPartTypes): number => Number(parts.find(({ type }) => type === wanted)?.value ?? 0);
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  };
};

/** A format takes longer to make than to use a hundred times. Callers choose how names are written, so their number is limited. */
const clocks = createCache<string, Clock>(100);

const clockOf = (zone: string): Clock => {
  const clock = clocks.get(zone) ?? openClock(zone);
  clocks.set(zone, clock);
  return clock;
};

type Span = Readonly<{ from: number; offset: number }>;

/** The differences of a zone's clocks from UTC in a period, oldest first. All clocks changed at whole quarters of an hour since 1972. */
const spansOf = (zone: string, from: number, to: number): Span[] => {
  const clock = clockOf(zone);
  const offsetAt = (at: number): number => clock(at) - at;
  const start = Math.floor(from / DAY_MS) * DAY_MS;
  const spans: Span[] = [{ from: start, offset: offsetAt(start) }];
  for (let day = start; day < to; day += DAY_MS) {
    const [before, after] = [spans.at(-1)?.offset ?? 0, offsetAt(day + DAY_MS)];
    if (before === after) continue;
    let [low, high] = [0, DAY_MS / QUARTER_MS];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (offsetAt(day + middle * QUARTER_MS) === before) low = middle;
      else high = middle;
    }
    spans.push({ from: day + high * QUARTER_MS, offset: after });
  }
  return spans;
};

/** Each screen of usage asks for the same period again and again. */
const knownSpans = createCache<string, readonly Span[]>(1_000);

const spansAround = (zone: string, first: string, last: string): readonly Span[] => {
  const name = `${zone} ${first} ${last}`;
  const spans = knownSpans.get(name) ?? spansOf(zone, Date.parse(first) - 2 * DAY_MS, Date.parse(last) + 3 * DAY_MS);
  knownSpans.set(name, spans);
  return spans;
};

/** The time of an IANA zone from two days before a local day until two days after another one. */
export const localTimeOf = (zone: string, first: string, last: string): LocalTime => {
  const spans = spansAround(zone, first, last);
  const shownAt = (at: number): number => {
    const span = spans.findLast(({ from }) => from <= at) ?? spans[0];
    return at + (span?.offset ?? 0);
  };
  /** The first instant at which a clock shows the day or a later one. */
  const startOf = (day: string): number => {
    const midnight = Date.parse(day);
    let [low, high] = [(midnight - MARGIN_MS) / QUARTER_MS, (midnight + MARGIN_MS) / QUARTER_MS];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (shownAt(middle * QUARTER_MS) < midnight) low = middle;
      else high = middle;
    }
    return high * QUARTER_MS;
  };
  return {
    dayAt: (at) => dayOf(shownAt(at)),
    weekHourAt: (at) => {
      const shown = shownAt(at);
      const day = Math.floor(shown / DAY_MS);
      return ((day + THURSDAY) % DAYS_OF_A_WEEK) * HOURS_OF_A_DAY + Math.floor((shown - day * DAY_MS) / HOUR_MS);
    },
    days: (from, to) => {
      const days = daysBetween(from, to);
      const starts = days.map(startOf);
      const end = startOf(dayOf(Date.parse(to) + DAY_MS));
      return days.map((day, index) => ({ day, start: starts[index] ?? 0, end: starts[index + 1] ?? end }));
    },
  };
};

/** The day that clocks of a zone show at an instant (ms since 1970). */
export const localDayAt = (zone: string, at: number): string => dayOf(clockOf(zone)(at));
