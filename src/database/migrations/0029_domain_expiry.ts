import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Claims to custom domains no longer exclude each other: only one verified domain is unique. A claim that is unverified at the
 * time of the upgrade gets the full period from then on.
 */
export const domainExpiry: Migration = {
  up: async (db: Kysely<unknown>) => {
    await sql`
      alter table ops.verified_domain
        alter column host drop not null,
        alter column verified_at drop not null,
        add column unverified_since timestamptz,
        add column released_host text,
        add column released_reason text,
        add column released_at timestamptz`.execute(db);
    await sql`
      delete from ops.verified_domain v where exists (
        select from ops.verified_domain o
        where o.host = v.host and (o.verified_at, o.integrator_id) > (v.verified_at, v.integrator_id))`.execute(db);
    await sql`
      insert into ops.verified_domain (integrator_id, host, unverified_since)
      select integrator_id, custom_domain, now() from read.integrator where custom_domain is not null
      on conflict (integrator_id) do update set host = excluded.host, verified_at = null, unverified_since = excluded.unverified_since
      where ops.verified_domain.host <> excluded.host`.execute(db);
    await sql`create unique index verified_domain_host on ops.verified_domain (host) where verified_at is not null`.execute(db);
    await sql`drop table http.domain_claim`.execute(db);
  },
};
