import { sql } from 'kysely';

/** Whether seats of the kind that user `u` may take float: users share them by leases. */
export const isFloatingKind = sql<boolean>`exists (
  select from read.customer c where c.customer_id = u.customer_id
    and case u.seat when 'developer' then c.floating_developer_minutes else c.floating_stakeholder_minutes end is not null)`;
