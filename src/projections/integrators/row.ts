import type { IntegratorId } from '../../domain/ids.ts';
import type { TableShape } from '../engine/sheet.ts';

/** An integrator as it is in memory; `revision` is its stream's. */
export type IntegratorRow = {
  integrator_id: IntegratorId;
  company_name: string;
  contact_email: string;
  billing_email: string;
  master_digest: Buffer | null;
  master_sealed: string | null;
  master_event: string | null;
  /** Hashes of the master license key's parts, as PostgreSQL writes an array; see `keyFragmentsOf`. */
  key_fragments: string;
  status: 'active' | 'suspended' | 'churned';
  white_label_enabled: boolean;
  custom_domain: string | null;
  logo_url: string | null;
  created_at: string;
  sort_name: string;
  search: string;
  revision: number;
};

export const integratorShape: TableShape<IntegratorRow> = {
  table: 'integrator',
  key: ['integrator_id'],
  columns: {
    integrator_id: 'uuid',
    company_name: 'text',
    contact_email: 'text',
    billing_email: 'text',
    master_digest: 'bytea',
    master_sealed: 'text',
    master_event: 'text',
    key_fragments: 'int4s',
    status: 'text',
    white_label_enabled: 'boolean',
    custom_domain: 'text',
    logo_url: 'text',
    created_at: 'timestamptz',
    sort_name: 'text',
    search: 'text',
    revision: 'int8',
  },
};
