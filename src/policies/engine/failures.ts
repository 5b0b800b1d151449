import type { Database } from '../../database/database.ts';

/** A policy that failed repeatedly and has not worked since; it is still retried. */
export type PolicyFailure = Readonly<{ policy: string; error: string; failedAt: Date }>;

/** Keeps the latest failure of a policy, where every node finds it. */
export const recordFailure = async (db: Database, { policy, error, failedAt }: PolicyFailure): Promise<void> => {
  const failure = { error, failed_at: failedAt };
  await db
    .insertInto('policy.failure')
    .values({ policy, ...failure })
    .onConflict((conflict) => conflict.column('policy').doUpdateSet(failure))
    .execute();
};

/** Removes the failure of a policy that works again. */
export const clearFailure = async (db: Database, policy: string): Promise<void> => {
  await db.deleteFrom('policy.failure').where('policy', '=', policy).execute();
};

/** Removes the failures of all policies but those named: of policies that a former version had. */
export const clearOtherFailures = async (db: Database, policies: readonly string[]): Promise<void> => {
  await db.deleteFrom('policy.failure').where('policy', 'not in', policies).execute();
};

/** The failing policies of all nodes, by name. */
export const policyFailures = (db: Database): Promise<PolicyFailure[]> =>
  db.selectFrom('policy.failure').select(['policy', 'error', 'failed_at as failedAt']).orderBy('policy').execute();
