import { sql } from 'kysely';
import type { DomainRelease } from '../../contracts/integrators.ts';
import { room, topic } from '../../contracts/topics.ts';
import type { Database } from '../../database/database.ts';
import type { AccountStatus } from '../../domain/enumerations.ts';
import type { IntegratorId } from '../../domain/ids.ts';
import { DAY_MS } from '../../domain/time.ts';
import { announce, type Change } from '../engine/changes.ts';
import type { QueryDeps } from '../queryDeps.ts';

/** How long an unverified custom domain stays claimed, ms. */
const CLAIM_MS = 7 * DAY_MS;

/** The integrator whose brand a host shows once it is verified. */
export type DomainOwner = {
  integratorId: IntegratorId;
  companyName: string;
  logoUrl: string | null;
  primaryColor: string | null;
  status: AccountStatus;
  whiteLabelEnabled: boolean;
  customDomain: string | null;
  /** Whether the custom domain is. */
  verified: boolean;
};

/** A custom domain in use. `expiresAt` is null for a verified one; `isTaken` says that another integrator has verified it. */
export type ClaimedDomain = { integratorId: IntegratorId; host: string; expiresAt: Date | null; isTaken: boolean };

/** Whether the custom domain is verified; an expression on `read.integrator as i` and `ops.verified_domain as v`. */
export const verified = sql<boolean>`coalesce(v.host = i.custom_domain and v.verified_at is not null, false)`;
/** When the claim of an unverified custom domain ends, null for a verified one; an expression on the same two tables. */
export const expiresAt = sql<Date | null>`
  case when v.host = i.custom_domain then v.unverified_since + ${CLAIM_MS} * interval '1 millisecond' end`;

/** What an integrator sees of the custom domain that it lost last, until it has another. */
export const releaseOf = (row: {
  custom_domain: string | null;
  released_host: string | null;
  released_reason: string | null;
  released_at: Date | null;
}): DomainRelease | null =>
  row.custom_domain === null && row.released_host !== null && row.released_at !== null
    ? {
        domain: row.released_host,
        reason: row.released_reason === 'verified_by_other' ? 'verified_by_other' : 'expired',
        at: row.released_at.toISOString(),
      }
    : null;

const changeOf = (integratorId: IntegratorId): Change[] => [
  { topic: topic.integrator(integratorId), rooms: [room.integrator(integratorId), room.admin] },
  { topic: topic.integrators(), rooms: [room.admin] },
];

const isUniqueViolation = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '23505';

/** Claims to custom domains. A claim is part of the integrator's branding; the result of its verification is stored beside it. */
export const domainQueries = (db: Database, { now }: Pick<QueryDeps, 'now'>) => {
  const changed = async (integratorId: IntegratorId, rows: bigint | undefined): Promise<boolean> => {
    if (rows) await announce(db, changeOf(integratorId));
    return Boolean(rows);
  };

  const holds = async (integratorId: IntegratorId, host: string): Promise<boolean> =>
    (await db
      .selectFrom('ops.verified_domain')
      .select('host')
      .where('integrator_id', '=', integratorId)
      .where('host', '=', host)
      .where('verified_at', 'is not', null)
      .executeTakeFirst()) !== undefined;

  /** Integrators that were deleted or have moved to another domain leave their row behind. */
  const forgetFormer = (host: string, integratorId: IntegratorId) =>
    sql`
      update ops.verified_domain v set host = null, verified_at = null, unverified_since = null
      where v.host = ${host} and v.integrator_id <> ${integratorId} and v.verified_at is not null
        and not exists (select from read.integrator i where i.integrator_id = v.integrator_id and i.custom_domain = v.host)`.execute(
      db,
    );

  /** Starts the period in which a claim must be verified, unless it has started; null ends the claim. */
  const startClaim = async (integratorId: IntegratorId, host: string | null): Promise<void> => {
    const { numAffectedRows } = await (host === null
      ? sql`
            update ops.verified_domain set host = null, verified_at = null, unverified_since = null
            where integrator_id = ${integratorId} and host is not null`
      : sql`
            insert into ops.verified_domain as v (integrator_id, host, unverified_since)
            values (${integratorId}, ${host}, ${now()}::timestamptz)
            on conflict (integrator_id) do update
              set host = excluded.host, verified_at = null, unverified_since = excluded.unverified_since,
                released_host = null, released_reason = null, released_at = null
            where v.host is distinct from excluded.host`
    ).execute(db);
    await changed(integratorId, numAffectedRows);
  };

  const owners = () =>
    db
      .selectFrom('read.integrator as i')
      .leftJoin('ops.verified_domain as v', 'v.integrator_id', 'i.integrator_id')
      .leftJoin('read.theme_catalogue as k', 'k.integrator_id', 'i.integrator_id')
      .leftJoin('read.theme as t', 't.theme_id', 'k.default_theme_id')
      .select([
        'i.integrator_id as integratorId',
        'i.company_name as companyName',
        'i.logo_url as logoUrl',
        't.primary_color as primaryColor',
        'i.status',
        'i.white_label_enabled as whiteLabelEnabled',
        'i.custom_domain as customDomain',
      ])
      .select(verified.as('verified'));

  return {
    /** The brand of an integrator; null if there is none with this id. */
    brandOf: async (integratorId: IntegratorId): Promise<DomainOwner | null> =>
      (await owners().where('i.integrator_id', '=', integratorId).executeTakeFirst()) ?? null,

    /** The integrator that verified a custom domain, otherwise one that claims it. `host` in lower case, without a port. */
    byDomain: async (host: string): Promise<DomainOwner | null> => {
      const row = await owners()
        .where('i.custom_domain', '=', host)
        .orderBy(verified, 'desc')
        .orderBy('i.integrator_id')
        .executeTakeFirst();
      return row ?? null;
    },

    /** Custom domains in use that are verified, or are not. */
    domains: (of: { verified: boolean }): Promise<ClaimedDomain[]> =>
      db
        .selectFrom('read.integrator as i')
        .leftJoin('ops.verified_domain as v', 'v.integrator_id', 'i.integrator_id')
        .select(['i.integrator_id as integratorId', 'i.custom_domain as host'])
        .select(expiresAt.as('expiresAt'))
        .select(
          sql<boolean>`exists (
            select from ops.verified_domain o join read.integrator j on j.integrator_id = o.integrator_id and j.custom_domain = o.host
            where o.host = i.custom_domain and o.verified_at is not null and o.integrator_id <> i.integrator_id)`.as('isTaken'),
        )
        .where('i.custom_domain', 'is not', null)
        .where(sql<boolean>`${verified} = ${of.verified}`)
        .orderBy('i.integrator_id')
        .$narrowType<{ host: string }>()
        .execute(),

    startClaim,

    /**
     * Keeps what a look-up of the TXT record said of a domain that is in use; null where it was not there. Resolves to whether the
     * domain is verified for this integrator now: another one that verified it before keeps it.
     */
    markDomain: async (integratorId: IntegratorId, host: string, verifiedAt: Date | null): Promise<boolean> => {
      if (verifiedAt === null) {
        const { numUpdatedRows } = await db
          .updateTable('ops.verified_domain')
          .set({ verified_at: null, unverified_since: now() })
          .where('integrator_id', '=', integratorId)
          .where('host', '=', host)
          .where('verified_at', 'is not', null)
          .executeTakeFirst();
        await changed(integratorId, numUpdatedRows);
        return false;
      }
      const claim = await db
        .selectFrom('read.integrator')
        .select('integrator_id')
        .where('integrator_id', '=', integratorId)
        .where('custom_domain', '=', host)
        .executeTakeFirst();
      if (!claim) return false;
      await startClaim(integratorId, host);
      await forgetFormer(host, integratorId);
      try {
        const { numUpdatedRows } = await db
          .updateTable('ops.verified_domain')
          .set({ verified_at: verifiedAt, unverified_since: null })
          .where('integrator_id', '=', integratorId)
          .where('host', '=', host)
          .where('verified_at', 'is', null)
          .executeTakeFirst();
        return (await changed(integratorId, numUpdatedRows)) || (await holds(integratorId, host));
      } catch (error) {
        if (isUniqueViolation(error)) return false;
        throw error;
      }
    },

    /** Keeps why a claim is taken from an integrator, for the integrator to read. */
    markReleased: async (integratorId: IntegratorId, host: string, reason: DomainRelease['reason']): Promise<void> => {
      await db
        .updateTable('ops.verified_domain')
        .set({ released_host: host, released_reason: reason, released_at: now() })
        .where('integrator_id', '=', integratorId)
        .where('host', '=', host)
        .execute();
    },
  };
};
