import { type RawBuilder, sql } from 'kysely';
import type { CustomerId } from '../../domain/ids.ts';
import { endOfMonth, startOfMonth } from '../../domain/license/callQuota.ts';

/** The first day of a month (yyyy-mm), as tables have it. */
export const dayOfMonth = (month: string): string => `${month}-01`;

/** The sequences of the source of a claim `k` that voids after the position freed: what was claimed of them before was counted. */
export const freedAfter = (position: RawBuilder<unknown>): RawBuilder<string> => sql<string>`coalesce((
  select range_agg(r) from usage.void v, unnest(v.freed) as r
  where v.customer_id = k.customer_id and v.source_id = k.source_id and v.position > ${position}
), '{}'::int8multirange)`;

/**
 * The calls that a customer used of a month (yyyy-mm, UTC): those that were counted by their arrival and not voided since, and those that
 * are claimed and not counted yet. The projection counts or voids a call and its sequence in one transaction, so one statement sees each
 * call once.
 */
export const usedIn = (customerId: CustomerId, month: string): RawBuilder<number> => sql<number>`(
  select coalesce(sum(t.calls), 0)::int8
  from generate_series(${startOfMonth(month)}::timestamptz, ${endOfMonth(month)}::timestamptz - interval '1 hour', interval '1 hour') as h(at)
  join usage.traffic_hour t on t.at = h.at and t.scope = ${customerId}
) - (
  select coalesce(sum((v.arrived->>${month})::int8), 0)::int8 from usage.void v where v.customer_id = ${customerId}
) + (
  select coalesce(sum(upper(r) - lower(r)), 0)::int8
  from ops.call_claim k
  left join usage.source s on s.customer_id = k.customer_id and s.source_id = k.source_id
  cross join unnest(k.claimed - coalesce(s.seen, '{}'::int8multirange) - ${freedAfter(sql`k.after_void`)}) as r
  where k.customer_id = ${customerId} and k.month = ${dayOfMonth(month)}::date
)`;
