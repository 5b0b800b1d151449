import { sql } from 'kysely';
import type { CallQuotaUse } from '../../contracts/callQuotas.ts';
import type { Database } from '../../database/database.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { type CallQuotaKind, endOfMonth, monthOf } from '../../domain/license/callQuota.ts';
import { usedIn } from './used.ts';

/** Queries on the monthly quotas of API calls. Claims are not visible to tenants, so callers name a customer that was authorized. */
export const callQuotaQueries = (db: Database) => {
  const used = async (customerId: CustomerId, month: string) => {
    const { rows } = await sql<{ limit: number; kind: CallQuotaKind; used: number; countedVoids: number }>`
      select (c.call_quota->>'limit')::int8 as limit, c.call_quota->>'kind' as kind, ${usedIn(customerId, month)} as used,
        (select count(*) from usage.void v where v.customer_id = ${customerId}) as "countedVoids"
      from read.customer c where c.customer_id = ${customerId} and c.call_quota is not null`.execute(db);
    return rows[0] ?? null;
  };

  return {
    /** How much of the quota is used in the month of an instant (ISO-8601 UTC); null without a quota. */
    use: async (customerId: CustomerId, at: string): Promise<CallQuotaUse | null> => {
      const month = monthOf(at);
      const found = await used(customerId, month);
      if (!found) return null;
      const { countedVoids, ...use } = found;
      return { ...use, resetsAt: endOfMonth(month) };
    },

    /** The used calls of a month (yyyy-mm, UTC), without those of the voids that are counted; null without a quota. */
    usedIn: async (customerId: CustomerId, month: string): Promise<{ used: number; countedVoids: number } | null> => {
      const found = await used(customerId, month);
      return found && { used: found.used, countedVoids: found.countedVoids };
    },
  };
};
