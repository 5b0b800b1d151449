import { type RawBuilder, sql } from 'kysely';
import type { LicensePlan } from '../../contracts/customers.ts';
import type { LicenseTerm, TermFilter } from '../../contracts/terms.ts';
import type { CustomerRow } from '../../database/tables/customers.ts';
import { addDays } from '../../domain/calendar.ts';
import { announcementAt, endOf, type Term, termStateAt } from '../../domain/license/term.ts';
import { EXPIRING_DAYS, OFFLINE_LICENSE_DAYS } from '../../domain/limits.ts';
import type { PlanCopy } from '../../domain/plan/events.ts';

/** The columns of a perpetual license. */
export const PERPETUAL = {
  term_starts_at: null,
  term_expires_at: null,
  term_ends_at: null,
  term_grace_days: null,
  term_is_trial: null,
} satisfies Partial<CustomerRow>;

/** The columns of a term. */
export const termIn = ({ startsAt, expiresAt, graceDays, isTrial }: Term) => ({
  term_starts_at: startsAt,
  term_expires_at: expiresAt,
  term_ends_at: endOf({ expiresAt, graceDays }),
  term_grace_days: graceDays,
  term_is_trial: isTrial,
});

/** The columns that change with the expiry. */
export const expiringAt = (expiresAt: string, { term_grace_days: graceDays }: Readonly<CustomerRow>) => ({
  term_expires_at: expiresAt,
  term_ends_at: endOf({ expiresAt, graceDays: graceDays ?? 0 }),
});

/** The columns of a term that replies need. */
export type TermRow = {
  term_starts_at: Date | null;
  term_expires_at: Date | null;
  term_grace_days: number | null;
  term_is_trial: boolean | null;
};

/** The term of a row; null for a perpetual license. */
export const termOf = (row: TermRow): Term | null =>
  row.term_starts_at && row.term_expires_at
    ? {
        startsAt: row.term_starts_at.toISOString(),
        expiresAt: row.term_expires_at.toISOString(),
        graceDays: row.term_grace_days ?? 0,
        isTrial: row.term_is_trial ?? false,
      }
    : null;

/** The term as replies have it at an instant (ISO-8601 UTC). A perpetual license has no field for it. */
export const shownTerm = (term: Term | null, at: string): { term?: LicenseTerm } => {
  if (term === null) return {};
  const { startsAt, expiresAt, graceDays, isTrial } = term;
  const state = termStateAt(term, at);
  const shown = { startsAt, expiresAt, endsAt: endOf(term), graceDays, isTrial, state };
  return { term: state === 'expiring' ? { ...shown, isRenewalDue: announcementAt(term, at) !== null } : shown };
};

/** The plan of a license as replies have it. The built-in one has no field. */
export const shownPlan = (plan: PlanCopy | null): { plan?: LicensePlan } =>
  plan === null
    ? {}
    : {
        plan: {
          code: plan.code,
          name: plan.name,
          ...(plan.offlineDays !== OFFLINE_LICENSE_DAYS && { offlineDays: plan.offlineDays }),
        },
      };

/** Whether a row `c` of `read.customer` is in a state of its term at an instant. */
export const inTerm = (term: TermFilter, at: Date): RawBuilder<boolean> => {
  const soon = addDays(at.toISOString(), EXPIRING_DAYS);
  switch (term) {
    case 'perpetual':
      return sql<boolean>`c.term_expires_at is null`;
    case 'trial':
      return sql<boolean>`(c.term_expires_at is not null and c.term_is_trial)`;
    case 'active':
      return sql<boolean>`c.term_expires_at > ${soon}`;
    case 'expiring':
      return sql<boolean>`(c.term_expires_at > ${at} and c.term_expires_at <= ${soon})`;
    case 'grace':
      return sql<boolean>`(c.term_expires_at <= ${at} and c.term_ends_at > ${at})`;
    case 'expired':
      return sql<boolean>`(c.term_expires_at <= ${at} and c.term_ends_at <= ${at})`;
  }
};
