import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { TeamId } from '../domain/ids.ts';
import { tenantKindOf } from '../domain/team/teamId.ts';

/** The email domains that tenants have verified. Of the tenants of one kind, at most one has a domain. */
export type EmailDomains = Readonly<{
  /** What the TXT record of a domain must contain to verify it for a team: the same for all its domains. */
  tokenOf: (teamId: TeamId) => string;
  /** The team of the same kind of tenant that has verified the domain; null if there is none. */
  holderOf: (kind: ReturnType<typeof tenantKindOf>, domain: string) => Promise<TeamId | null>;
  /** When the team verified its domains. */
  ofTeam: (teamId: TeamId) => Promise<ReadonlyMap<string, Date>>;
  /** Gives the domain to the team, unless another team than `from` has it. Resolves to whether the team has it. */
  take: (teamId: TeamId, domain: string, from: TeamId | null) => Promise<boolean>;
  /** Releases the team's domains beside these. */
  keepOnly: (teamId: TeamId, domains: readonly string[]) => Promise<void>;
}>;

const TOKEN_BYTES = 16;

/** `secret` makes the tokens; `now` is ms since 1970. */
export const createEmailDomains = ({ db, secret, now }: { db: Database; secret: Buffer; now: () => number }): EmailDomains => ({
  tokenOf: (teamId) => createHmac('sha256', secret).update(teamId).digest().subarray(0, TOKEN_BYTES).toString('hex'),
  holderOf: async (kind, domain) => {
    const row = await db
      .selectFrom('auth.email_domain')
      .select('team_id')
      .where('tenant_kind', '=', kind)
      .where('domain', '=', domain)
      .executeTakeFirst();
    return row?.team_id ?? null;
  },
  ofTeam: async (teamId) => {
    const rows = await db.selectFrom('auth.email_domain').select(['domain', 'verified_at']).where('team_id', '=', teamId).execute();
    return new Map(rows.map(({ domain, verified_at }) => [domain, verified_at]));
  },
  take: async (teamId, domain, from) => {
    const { rows } = await sql`
      insert into auth.email_domain as d (tenant_kind, domain, team_id, verified_at)
      values (${tenantKindOf(teamId)}, ${domain}, ${teamId}, ${new Date(now())})
      on conflict (tenant_kind, domain) do update set team_id = excluded.team_id, verified_at = excluded.verified_at
      where d.team_id = excluded.team_id or d.team_id = ${from}
      returning d.team_id`.execute(db);
    return rows.length === 1;
  },
  keepOnly: async (teamId, domains) => {
    await sql`
      delete from auth.email_domain where team_id = ${teamId} and domain <> all(${[...domains]}::text[])`.execute(db);
  },
});
