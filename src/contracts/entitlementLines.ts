import { dayOf, isDay } from '../domain/time.ts';

/*
 * Entitlements as text, as forms, the history and the command-line tool show them. Apart from the schema, which screens without a form do
 * not load.
 */

type Entry = Readonly<{ code: string; startsAt: string | null; endsAt: string | null }>;

const LINE = /^(?<code>\S+)(?:\s+from\s+(?<from>\S+))?(?:\s+until\s+(?<until>\S+))?$/;
const MORNING = 'T00:00:00.000Z';
const NIGHT = 'T23:59:59.999Z';

/** The day of an instant in UTC, or the instant where it is not at that time of the day. */
const dayIfAt = (instant: string, time: string): string => (instant.endsWith(time) ? dayOf(instant) : instant);

/** "reports from 2027-01-01 until 2027-12-31"; days are those of UTC, and the last one is included. */
export const entitlementLine = ({ code, startsAt, endsAt }: Entry): string =>
  [
    code,
    ...(startsAt === null ? [] : [`from ${dayIfAt(startsAt, MORNING)}`]),
    ...(endsAt === null ? [] : [`until ${dayIfAt(endsAt, NIGHT)}`]),
  ].join(' ');

/** All of them in one line, as `entitlementsIn` reads them; null for everything. */
export const entitlementsText = (entitlements: readonly Entry[] | null): string | null =>
  entitlements === null ? null : entitlements.map(entitlementLine).join(', ');

const instantOf = (typed: string | undefined, time: string): string | null => {
  if (typed === undefined) return null;
  return isDay(typed) ? `${typed}${time}` : typed;
};

/** Entitlements from lines like those of `entitlementLine`; null if there are none. Lines of another form become codes, which the contract refuses. */
export const entitlementsIn = (typed: string): Entry[] | null => {
  const lines = typed
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0) return null;
  return lines.map((line) => {
    const { code = line, from, until } = LINE.exec(line)?.groups ?? {};
    return { code, startsAt: instantOf(from, MORNING), endsAt: instantOf(until, NIGHT) };
  });
};
