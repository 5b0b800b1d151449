import type { Service } from '../../domain/enumerations.ts';
import type { CredentialId, CustomerId } from '../../domain/ids.ts';
import { boolean, defineTable, int8, nullable, type RowOf, text, timestamptz, uuid } from './defineTable.ts';

/** Credentials without their secrets. `instance_key` is that of the usage read model. */
export const credentialTable = defineTable('read.credential', {
  key: ['credential_id'],
  owners: ['customer_id'],
  columns: {
    credential_id: uuid<CredentialId>(),
    customer_id: uuid<CustomerId>(),
    service: text<Service>(),
    instance_url: text(),
    instance_key: uuid(),
    username: text(),
    has_password: boolean(),
    has_api_token: boolean(),
    status: nullable(text<'connected' | 'error' | 'expired'>()),
    /** Why its status is an error. */
    reason: nullable(text()),
    tested_at: nullable(timestamptz()),
    expires_at: nullable(timestamptz()),
    created_at: timestamptz(),
    revision: int8(),
  },
});

/** A row of `read.credential` in a projection's memory. */
export type CredentialRow = RowOf<typeof credentialTable>;
