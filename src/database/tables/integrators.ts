import type { AccountStatus } from '../../domain/enumerations.ts';
import type { IntegratorId } from '../../domain/ids.ts';
import { boolean, bytea, defineTable, int4Array, int8, nullable, type RowOf, text, timestamptz, uuid } from './defineTable.ts';

/** One row for each service integrator that is not deleted. */
export const integratorTable = defineTable('read.integrator', {
  key: ['integrator_id'],
  columns: {
    integrator_id: uuid<IntegratorId>(),
    company_name: text(),
    contact_email: text(),
    billing_email: text(),
    master_digest: nullable(bytea()),
    master_sealed: nullable(text()),
    master_event: nullable(text()),
    /** Hashes of the master license key's parts; see `keyFragmentsOf`. */
    key_fragments: int4Array(),
    status: text<AccountStatus>(),
    white_label_enabled: boolean(),
    custom_domain: nullable(text()),
    logo_url: nullable(text()),
    created_at: timestamptz(),
    sort_name: text(),
    search: text(),
    /** The revision of the integrator's stream. */
    revision: int8(),
  },
});

/** A row of `read.integrator` in a projection's memory. */
export type IntegratorRow = RowOf<typeof integratorTable>;

/** The claim to a custom domain and the result of its last check. `released_*` describe the claim that was released last. */
export const verifiedDomainTable = defineTable('ops.verified_domain', {
  key: ['integrator_id'],
  columns: {
    integrator_id: uuid<IntegratorId>(),
    host: nullable(text()),
    verified_at: nullable(timestamptz()),
    unverified_since: nullable(timestamptz()),
    released_host: nullable(text()),
    released_reason: nullable(text()),
    released_at: nullable(timestamptz()),
  },
});
