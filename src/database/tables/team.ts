import type { CustomerId, IntegratorId, InvitationId, NoticeId, PasskeyId, TeamId, UserId } from '../../domain/ids.ts';
import type { Role, TenantKind } from '../../domain/permissions.ts';
import type { KeySignIn, NoticeKind } from '../../domain/team/events.ts';
import { boolean, defineTable, json, nullable, type RowOf, text, timestamptz, uuid } from './defineTable.ts';

/** A passkey as its owner sees it. `host` is the host name on which it signs in; `addedAt` is ISO-8601 UTC. */
export type ShownPasskey = Readonly<{ passkeyId: PasskeyId; name: string; host: string; isBackedUp: boolean; addedAt: string }>;

/** One row for each named user. `customer_id` and `integrator_id` are null where the tenant is none or the administration. */
export const memberTable = defineTable('read.member', {
  key: ['user_id'],
  owners: ['team_id', 'customer_id', 'integrator_id'],
  columns: {
    user_id: uuid<UserId>(),
    team_id: text<TeamId>(),
    customer_id: nullable(uuid<CustomerId>()),
    integrator_id: nullable(uuid<IntegratorId>()),
    name: text(),
    email: text(),
    /** The email address without case, by which a sign-in finds the member. */
    email_key: text(),
    role: text<Role>(),
    status: text<'invited' | 'joined'>(),
    /** Null where the invitation was used or withdrawn. */
    invitation_id: nullable(uuid<InvitationId>()),
    invitation_expires_at: nullable(timestamptz()),
    invited_at: timestamptz(),
    joined_at: nullable(timestamptz()),
    has_password: boolean(),
    has_second_factor: boolean(),
    passkeys: json<readonly ShownPasskey[]>(),
    /** Whether a user of the identity provider is linked. */
    has_identity: boolean(),
    sort_name: text(),
  },
});

/** A row of `read.member` in a projection's memory. */
export type MemberRow = RowOf<typeof memberTable>;

/** The sign-in policy of a tenant that has changed it. */
export const teamTable = defineTable('read.team', {
  key: ['team_id'],
  owners: ['customer_id', 'integrator_id'],
  columns: {
    team_id: text<TeamId>(),
    customer_id: nullable(uuid<CustomerId>()),
    integrator_id: nullable(uuid<IntegratorId>()),
    key_sign_in: text<KeySignIn>(),
    second_factor_required: boolean(),
  },
});

/** One row for each notice that a member has not dismissed. */
export const noticeTable = defineTable('read.notice', {
  key: ['user_id', 'notice_id'],
  owners: ['user_id', 'customer_id', 'integrator_id'],
  columns: {
    user_id: uuid<UserId>(),
    notice_id: uuid<NoticeId>(),
    team_id: text<TeamId>(),
    customer_id: nullable(uuid<CustomerId>()),
    integrator_id: nullable(uuid<IntegratorId>()),
    kind: text<NoticeKind>(),
    at: timestamptz(),
    /** From where, and by which browser; null where that is unknown. */
    address: nullable(text()),
    browser: nullable(text()),
  },
});

/** A row of `read.notice` in a projection's memory. */
export type NoticeRow = RowOf<typeof noticeTable>;

/** A row of `read.team` in a projection's memory. */
export type TeamRow = RowOf<typeof teamTable>;

/** An email domain that a tenant has verified. Of the tenants of one kind at most one has it; it counts while its provider names it. */
export const emailDomainTable = defineTable('auth.email_domain', {
  key: ['tenant_kind', 'domain'],
  columns: {
    tenant_kind: text<TenantKind>(),
    domain: text(),
    team_id: text<TeamId>(),
    verified_at: timestamptz(),
  },
});

/** The states of sign-ins with OpenID Connect that were used, until they would have expired: none is accepted twice. */
export const openIdStateTable = defineTable('auth.openid_state', {
  key: ['state_hash'],
  /** SHA-256, hex. */
  columns: { state_hash: text(), expires_at: timestamptz() },
});
