import type { Dispatch } from '../../commands/dispatch.ts';
import type { Database } from '../../database/database.ts';
import type { IntegratorId } from '../../domain/ids.ts';
import type { Queries } from '../../projections/queries.ts';

/** Longer than a command may take. */
const PENDING_MS = 40_000;

type Deps = Readonly<{ db: Database; dispatch: Dispatch; queries: Queries; now: () => number }>;

const namesDomain = async (dispatch: Dispatch, integratorId: IntegratorId, host: string): Promise<boolean> => {
  const { state } = await dispatch.load('integrator', integratorId);
  return 'customDomain' in state && state.customDomain === host;
};

/** Takes the domain over from an integrator that has it no more. Of several who try, the row lets one. */
const takeOver = async ({ db, dispatch, now }: Deps, integratorId: IntegratorId, host: string, until: Date): Promise<boolean> => {
  const claim = await db.selectFrom('http.domain_claim').selectAll().where('host', '=', host).executeTakeFirst();
  if (!claim || claim.pending_until.getTime() > now()) return false;
  if (await namesDomain(dispatch, claim.integrator_id, host)) return false;
  const { numUpdatedRows } = await db
    .updateTable('http.domain_claim')
    .set({ integrator_id: integratorId, pending_until: until })
    .where('host', '=', host)
    .where('integrator_id', '=', claim.integrator_id)
    .where('pending_until', '=', claim.pending_until)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/**
 * Has `work` give a custom domain to an integrator, which nobody else can have meanwhile. Resolves to null, and `work` is not done,
 * when somebody else has the domain or is about to get it.
 */
export const withDomain = async <T>(
  deps: Deps,
  integratorId: IntegratorId,
  host: string,
  work: () => Promise<T>,
): Promise<T | null> => {
  const { db, queries, now } = deps;
  const holder = await queries.integrators.byDomain(host);
  if (holder && holder.integratorId !== integratorId) return null;
  const until = new Date(now() + PENDING_MS);
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('http.domain_claim')
    .values({ host, integrator_id: integratorId, pending_until: until })
    .onConflict((conflict) =>
      conflict.column('host').doUpdateSet({ pending_until: until }).where('http.domain_claim.integrator_id', '=', integratorId),
    )
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n && !(await takeOver(deps, integratorId, host, until))) return null;
  try {
    // What was proven before somebody else had it, has to be proven again.
    if (!holder) await queries.integrators.markDomain(integratorId, host, null);
    return await work();
  } finally {
    // Another request of the same integrator, which asked later, still holds the claim until its own end.
    await db
      .updateTable('http.domain_claim')
      .set({ pending_until: new Date(0) })
      .where('host', '=', host)
      .where('integrator_id', '=', integratorId)
      .where('pending_until', '=', until)
      .execute();
  }
};
