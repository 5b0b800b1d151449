import type { Plan, PlanChoice } from '../../contracts/plans.ts';
import type { Database } from '../../database/database.ts';
import { OFFLINE_LICENSE_DAYS } from '../../domain/limits.ts';
import type { PlanTerms } from '../../domain/plan/events.ts';
import { BUILT_IN_PLAN } from '../../domain/plan/terms.ts';

/** Rows of former versions have no term in days, no days of offline licenses, no quota, or no minutes of floating seats, until the read model is rebuilt. */
const termsOf = ({ terms }: { terms: PlanTerms }): PlanTerms => ({
  ...terms,
  termDays: (terms.termDays as number | null | undefined) ?? null,
  offlineDays: (terms.offlineDays as number | undefined) ?? OFFLINE_LICENSE_DAYS,
  callQuota: (terms.callQuota as PlanTerms['callQuota'] | undefined) ?? null,
  floatingDeveloperMinutes: (terms.floatingDeveloperMinutes as number | null | undefined) ?? null,
});

/** Queries on plans. The built-in plan is the first, then come the others by code. */
export const planQueries = (db: Database) => ({
  /** All plans, those that are retired last, with the number of their licenses. */
  list: async (): Promise<Plan[]> => {
    const [rows, counts] = await Promise.all([
      db.selectFrom('read.plan').selectAll().orderBy('code').execute(),
      db.selectFrom('read.tally').select(['name', 'n']).where('kind', '=', 'plan').execute(),
    ]);
    const licenses = new Map(counts.map(({ name, n }) => [name, n]));
    const first: Plan = {
      ...BUILT_IN_PLAN,
      isBuiltIn: true,
      changedAt: null,
      retiredAt: null,
      licenses: licenses.get(BUILT_IN_PLAN.code) ?? 0,
    };
    const others = rows.map(
      (row): Plan => ({
        code: row.code,
        ...termsOf(row),
        isBuiltIn: false,
        changedAt: row.changed_at.toISOString(),
        retiredAt: row.retired_at?.toISOString() ?? null,
        licenses: licenses.get(row.code) ?? 0,
      }),
    );
    return [
      first,
      ...others.filter(({ retiredAt }) => retiredAt === null),
      ...others.filter(({ retiredAt }) => retiredAt !== null),
    ];
  },

  /** The plans that a new license can have, or with those that are retired, that licenses may have. */
  choices: async ({ withRetired }: { withRetired: boolean }): Promise<PlanChoice[]> => {
    const plans = db.selectFrom('read.plan').select(['code', 'terms']).orderBy('code');
    const rows = await (withRetired ? plans : plans.where('retired_at', 'is', null)).execute();
    return [BUILT_IN_PLAN, ...rows.map((row) => ({ code: row.code, ...termsOf(row) }))];
  },
});
