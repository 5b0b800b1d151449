import { sql } from 'kysely';
import type { CallQuotaUse } from '../../contracts/callQuotas.ts';
import type { Database } from '../../database/database.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { type CallQuotaKind, endOfMonth, monthOf, reachedPercent } from '../../domain/license/callQuota.ts';
import { createCache } from '../../flow/cache.ts';
import { addRange, formatRanges, parseRanges, type Range } from '../usage/ranges.ts';
import { type Grant, grantIn, lengthOf } from './grant.ts';
import { dayOfMonth, freedAfter, usedIn } from './used.ts';

/** The policy that records notices. A claim that reaches one leaves a note for it. */
export const CALL_QUOTA_POLICY = 'announceCallQuotas';

/** Sequences of a source, ascending, of calls that arrived at an instant (ISO-8601 UTC). */
type AskedClaim = Readonly<{ customerId: CustomerId; sourceId: string; ranges: readonly Range[]; at: string }>;

/** `calls` of the asked ones, from the first on, may be recorded. `quota` is as it is afterwards; null if the license has none. */
type CallClaim = Readonly<{ calls: number; quota: CallQuotaUse | null }>;

/**
 * Claims calls of the monthly quota of a customer, before they are appended. What was claimed stays claimed: the same calls sent again,
 * after a crash too, take nothing more. Rejects if PostgreSQL is unavailable.
 */
export type ClaimCalls = (asked: AskedClaim) => Promise<CallClaim>;

type Waiting = Readonly<{ asked: AskedClaim; resolve: (claim: CallClaim) => void; reject: (error: unknown) => void }>;

/** The most claims of one transaction. */
const MAX_TOGETHER = 500;
/** How often a node removes a customer's claims that are counted, and how old these are at least: a rebuilt read model may be behind. */
const PRUNE_MS = 60_000;
const KEPT = sql`interval '15 minutes'`;
const CUSTOMERS = 10_000;

type SourceRow = {
  limit: number;
  kind: CallQuotaKind;
  used: number;
  /** The last notice of the limit in the month that is in the read model, in percent; 0 before the first. */
  noticed: number;
  source_id: string;
  claimed: string | null;
  seen: string | null;
  /** The last void of the source that is in the read model; 0 without one. */
  last_void: string;
};

/** Locks the claims of a customer's month until the end of the transaction. */
const lock = async (db: Database, customerId: CustomerId, month: string): Promise<void> => {
  await sql`
    insert into ops.call_quota_month (customer_id, month) values (${customerId}, ${dayOfMonth(month)}::date)
    on conflict (customer_id, month) do update set month = excluded.month`.execute(db);
};

const readSources = async (
  db: Database,
  customerId: CustomerId,
  month: string,
  sourceIds: readonly string[],
): Promise<SourceRow[]> => {
  const { rows } = await sql<SourceRow>`
    with quota as materialized (
      select (c.call_quota->>'limit')::int8 as limit, c.call_quota->>'kind' as kind, ${usedIn(customerId, month)} as used,
        coalesce((
          select (n->>'percent')::int4 from json_array_elements(c.call_quota_notices) as n
          where n->>'month' = ${month} and (n->>'limit')::int8 = (c.call_quota->>'limit')::int8
        ), 0) as noticed
      from read.customer c where c.customer_id = ${customerId} and c.call_quota is not null
    )
    select quota.*, a.source_id, (k.claimed - ${freedAfter(sql`k.after_void`)})::text as claimed, s.seen::text as seen,
      coalesce((
        select max(v.position) from usage.void v where v.customer_id = ${customerId} and v.source_id = a.source_id
      ), 0)::text as last_void
    from quota cross join unnest(${[...sourceIds]}::text[]) as a(source_id)
    left join ops.call_claim k on k.customer_id = ${customerId} and k.month = ${dayOfMonth(month)}::date and k.source_id = a.source_id
    left join usage.source s on s.customer_id = ${customerId} and s.source_id = a.source_id`.execute(db);
  return rows;
};

const write = async (
  db: Database,
  { customerId, at }: AskedClaim,
  month: string,
  taken: ReadonlyMap<string, Range[]>,
  lastVoids: ReadonlyMap<string, string>,
): Promise<void> => {
  const rows = [...taken].map(([source_id, ranges]) => ({
    source_id,
    claimed: formatRanges(ranges),
    after_void: lastVoids.get(source_id) ?? '0',
  }));
  await sql`
    insert into ops.call_claim as k (customer_id, month, source_id, claimed, claimed_at, after_void)
    select ${customerId}, ${dayOfMonth(month)}::date, r.source_id, r.claimed::int8multirange, ${at}::timestamptz, r.after_void
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(source_id text, claimed text, after_void int8)
    on conflict (customer_id, month, source_id) do update
    set claimed = k.claimed - ${freedAfter(sql`k.after_void and v.position <= excluded.after_void`)} + excluded.claimed,
      claimed_at = excluded.claimed_at, after_void = excluded.after_void`.execute(db);
};

/** Asks the policy for a notice: again with each claim, until the read model has it. */
const noteNotice = async (db: Database, { customerId, at }: AskedClaim, month: string): Promise<void> => {
  await sql`
    insert into policy.note (policy, key, value, due_at) values (${CALL_QUOTA_POLICY}, ${customerId}, ${month}, ${at}::timestamptz)
    on conflict (policy, key) do update set value = excluded.value, due_at = excluded.due_at`.execute(db);
};

const prune = async (db: Database, { customerId, at }: AskedClaim, month: string): Promise<void> => {
  await sql`
    delete from ops.call_quota_month
    where customer_id = ${customerId} and month < ${dayOfMonth(month)}::date - interval '1 month'`.execute(db);
  await sql`
    delete from ops.call_claim k where k.customer_id = ${customerId} and (
      k.month < ${dayOfMonth(month)}::date - interval '1 month'
      or (k.claimed_at < ${at}::timestamptz - ${KEPT} and k.claimed <@ (${freedAfter(sql`k.after_void`)} + coalesce((
        select s.seen from usage.source s where s.customer_id = k.customer_id and s.source_id = k.source_id
      ), '{}'::int8multirange)))
    )`.execute(db);
};

/** Decides claims of one customer and month, in order, in one transaction. */
const claimTogether = (db: Database, all: readonly AskedClaim[], month: string, prunes: boolean): Promise<CallClaim[]> =>
  db.transaction().execute(async (transaction) => {
    const [first] = all;
    if (!first) return [];
    const { customerId } = first;
    await lock(transaction, customerId, month);
    const sources = await readSources(transaction, customerId, month, [...new Set(all.map(({ sourceId }) => sourceId))]);
    const [quota] = sources;
    if (!quota) return all.map(({ ranges }) => ({ calls: callsIn(ranges), quota: null }));
    const { limit, kind, noticed } = quota;
    let { used } = quota;
    const known = new Map(sources.map((source) => [source.source_id, knownOf(source)]));
    const taken = new Map<string, Range[]>();
    const grants = all.map(({ sourceId, ranges }): Grant => {
      const free = kind === 'hard' ? Math.max(0, limit - used) : Number.POSITIVE_INFINITY;
      const grant = grantIn(ranges, known.get(sourceId) ?? [], free);
      const ofSource = taken.get(sourceId) ?? [];
      for (const range of grant.taken) {
        addRange(ofSource, range);
        used += lengthOf(range);
      }
      if (ofSource.length > 0) taken.set(sourceId, ofSource);
      return grant;
    });
    if (taken.size > 0)
      await write(transaction, first, month, taken, new Map(sources.map((one) => [one.source_id, one.last_void])));
    if (reachedPercent(used, limit) > noticed) await noteNotice(transaction, first, month);
    if (prunes) await prune(transaction, first, month);
    const after = { limit, kind, used, resetsAt: endOfMonth(month) };
    return grants.map(({ calls }) => ({ calls, quota: after }));
  });

const callsIn = (ranges: readonly Range[]): number => ranges.reduce((sum, range) => sum + lengthOf(range), 0);

/** The sequences of a source that take nothing of the quota: claimed ones, and those that were counted in any month. */
const knownOf = ({ claimed, seen }: SourceRow): Range[] => {
  const known = parseRanges(claimed ?? '{}');
  for (const range of parseRanges(seen ?? '{}')) addRange(known, range);
  return known;
};

/**
 * Claims that wait for the same customer and month are decided together: their row is locked by one transaction at a time, whichever
 * node it is of. `now` is ms since 1970.
 */
export const createCallClaims = (db: Database, now: () => number): ClaimCalls => {
  const queues = new Map<string, { waiting: Waiting[]; isClaiming: boolean }>();
  const pruned = createCache<CustomerId, number>(CUSTOMERS);

  const isPruningDue = (customerId: CustomerId): boolean => {
    if (now() - (pruned.get(customerId) ?? Number.NEGATIVE_INFINITY) < PRUNE_MS) return false;
    pruned.set(customerId, now());
    return true;
  };

  const work = async (key: string, month: string): Promise<void> => {
    const queue = queues.get(key);
    if (!queue || queue.isClaiming) return;
    queue.isClaiming = true;
    while (queue.waiting.length > 0) {
      const together = queue.waiting.splice(0, MAX_TOGETHER);
      const all = together.map(({ asked }) => asked);
      const prunes = all.some(({ customerId }) => isPruningDue(customerId));
      try {
        const claims = await claimTogether(db, all, month, prunes);
        for (const [index, { resolve, reject }] of together.entries()) {
          const claim = claims[index];
          if (claim) resolve(claim);
          else reject(new Error('A claim of API calls was not decided'));
        }
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    queues.delete(key);
  };

  return (asked) =>
    new Promise((resolve, reject) => {
      const month = monthOf(asked.at);
      const key = `${asked.customerId} ${month}`;
      const queue = queues.get(key) ?? { waiting: [], isClaiming: false };
      queues.set(key, queue);
      queue.waiting.push({ asked, resolve, reject });
      void work(key, month);
    });
};

/** Removes what is kept of a deleted customer's claims. */
export const forgetCallClaims = async (db: Database, customerId: CustomerId): Promise<void> => {
  await db.deleteFrom('ops.call_claim').where('customer_id', '=', customerId).execute();
  await db.deleteFrom('ops.call_quota_month').where('customer_id', '=', customerId).execute();
};
