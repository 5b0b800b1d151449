import type { AccountStatus } from '../../domain/enumerations.ts';
import type { CustomerId, IntegratorId } from '../../domain/ids.ts';
import type { CallQuota, CallQuotaNotice } from '../../domain/license/callQuota.ts';
import type { Entitlements } from '../../domain/license/entitlements.ts';
import type { PlanCopy } from '../../domain/plan/events.ts';
import {
  boolean,
  bytea,
  defineTable,
  int4,
  int4Array,
  int8,
  json,
  nullable,
  type RowOf,
  text,
  timestamptz,
  uuid,
} from './defineTable.ts';

/** One row for each customer that is not deleted. */
export const customerTable = defineTable('read.customer', {
  key: ['customer_id'],
  columns: {
    customer_id: uuid<CustomerId>(),
    integrator_id: uuid<IntegratorId>(),
    name: text(),
    contact_email: text(),
    company: nullable(text()),
    license_digest: nullable(bytea()),
    license_sealed: nullable(text()),
    license_event: nullable(text()),
    /** Hashes of the license key's parts; see `keyFragmentsOf`. */
    key_fragments: int4Array(),
    status: text<AccountStatus>(),
    theme: nullable(text()),
    /** The term of the license; null if it is perpetual. `term_ends_at` is the end of the grace. */
    term_starts_at: nullable(timestamptz()),
    term_expires_at: nullable(timestamptz()),
    term_ends_at: nullable(timestamptz()),
    term_grace_days: nullable(int4()),
    term_is_trial: nullable(boolean()),
    /** Null if the license includes everything. */
    entitlements: nullable(json<NonNullable<Entitlements>>()),
    external_id: nullable(text()),
    /** One a line, in order; null without any. */
    tags: nullable(text()),
    notes: nullable(text()),
    /** The JSON of an object. */
    custom_fields: nullable(text()),
    /** The theme's name when it was assigned, for the history. */
    theme_label: nullable(text()),
    tier: text(),
    /** What the license copied of its plan; null for the built-in one. */
    plan: nullable(json<PlanCopy>()),
    developer_seats: int4(),
    stakeholder_seats: int4(),
    active_developer_seats: int4(),
    active_stakeholder_seats: int4(),
    seat_limits_enforced: boolean(),
    /** Whether portal sign-in asks for a password. */
    has_password: boolean(),
    machine_approval_enforced: boolean(),
    /** How many machines each user may have; null for the product's own limit. */
    machine_limit: nullable(int4()),
    /** Null for any number of API calls. */
    call_quota: nullable(json<CallQuota>()),
    /** The highest notice of each limit in the newest month that has one. */
    call_quota_notices: nullable(json<readonly CallQuotaNotice[]>()),
    /** The newest month (yyyy-mm, UTC) in which a notice of the present quota was reached, and what it says; null before the first. */
    call_quota_month: nullable(text()),
    call_quota_state: nullable(text<'near' | 'exceeded'>()),
    /** After how many idle days seats are released automatically; null for never. */
    idle_release_days: nullable(int4()),
    /** After how many minutes without use a floating seat becomes free; null where seats of the kind are named. */
    floating_developer_minutes: nullable(int4()),
    floating_stakeholder_minutes: nullable(int4()),
    /** Floating seats that users hold. */
    leased_developer_seats: int4(),
    leased_stakeholder_seats: int4(),
    /** Held by allocated developer seats, in hundredths of a percent; -1 for an unlimited number of seats. */
    developer_utilization: int4(),
    deletion_requested_at: nullable(timestamptz()),
    last_activity_at: nullable(timestamptz()),
    created_at: timestamptz(),
    sort_name: text(),
    search: text(),
    /** The revision of the customer's stream. */
    revision: int8(),
  },
});

/** A row of `read.customer` in a projection's memory. */
export type CustomerRow = RowOf<typeof customerTable>;
