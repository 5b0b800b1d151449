import type { CredentialId, CustomerId } from '../../domain/ids.ts';
import type { TableShape } from '../engine/sheet.ts';

/** A credential as it is in memory, without secrets; `instance_key` is that of the usage read model. */
export type CredentialRow = {
  credential_id: CredentialId;
  customer_id: CustomerId;
  service: 'jira' | 'azdo' | 'confluence';
  instance_url: string;
  instance_key: string;
  username: string;
  has_password: boolean;
  has_api_token: boolean;
  status: 'connected' | 'error' | 'expired' | null;
  /** Why its status is an error. */
  reason: string | null;
  tested_at: string | null;
  expires_at: string | null;
  created_at: string;
  revision: number;
};

export const credentialShape: TableShape<CredentialRow> = {
  table: 'credential',
  key: ['credential_id'],
  owners: ['customer_id'],
  columns: {
    credential_id: 'uuid',
    customer_id: 'uuid',
    service: 'text',
    instance_url: 'text',
    instance_key: 'uuid',
    username: 'text',
    has_password: 'boolean',
    has_api_token: 'boolean',
    status: 'text',
    reason: 'text',
    tested_at: 'timestamptz',
    expires_at: 'timestamptz',
    created_at: 'timestamptz',
    revision: 'int8',
  },
};
