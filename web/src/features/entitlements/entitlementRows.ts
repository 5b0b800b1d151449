import type { LicenseEntitlements } from '../../../../src/contracts/entitlements.ts';
import { dayOf } from '../../../../src/domain/time.ts';

type Instants = Readonly<{ startsAt: string | null; endsAt: string | null }>;

/** An entitlement in a form: days of UTC (yyyy-mm-dd), empty without limit. */
export type EntitlementRow = Readonly<{
  key: number;
  code: string;
  from: string;
  until: string;
  /** The instants that the row began with, which stay while their days stay: a program may have set other times than those of days. */
  exact: Instants;
}>;

const NO_INSTANTS: Instants = { startsAt: null, endsAt: null };

const instantOf = (day: string, time: string, exact: string | null): string | null => {
  if (day === '') return null;
  return exact !== null && day === dayOf(exact) ? exact : `${day}${time}`;
};

/** The rows with an empty one after them. */
export const withNewRow = (rows: readonly EntitlementRow[]): EntitlementRow[] => {
  const key = Math.max(0, ...rows.map((row) => row.key)) + 1;
  return [...rows, { key, code: '', from: '', until: '', exact: NO_INSTANTS }];
};

/** Rows of what a plan or a license includes; none for everything. */
export const rowsOf = (entitlements: LicenseEntitlements | null | undefined): EntitlementRow[] =>
  (entitlements ?? []).map(({ code, startsAt, endsAt }, key) => ({
    key,
    code,
    from: startsAt === null ? '' : dayOf(startsAt),
    until: endsAt === null ? '' : dayOf(endsAt),
    exact: { startsAt, endsAt },
  }));

/** What the rows say, in their order; null for everything, without rows. The last day is included. */
export const entitlementsOf = (rows: readonly EntitlementRow[]) =>
  rows.length === 0
    ? null
    : rows.map(({ code, from, until, exact }) => ({
        code,
        startsAt: instantOf(from, 'T00:00:00.000Z', exact.startsAt),
        endsAt: instantOf(until, 'T23:59:59.999Z', exact.endsAt),
      }));
