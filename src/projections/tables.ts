import type { AccountStatus, ServiceName, UserRoleName, UserStatus } from '../contracts/fields.ts';
import type { ActorKind } from '../domain/event.ts';
import type { CredentialId, CustomerId, IntegratorId, MachineRequestId, ThemeId, UserId } from '../domain/ids.ts';
import type { SignInAudience, SignInOutcome } from '../domain/signIns/events.ts';

/** How far a schema of read models has come; one row. Positions are selected as text: a number may not hold them. */
type CheckpointTable = {
  version: number;
  position: number | null;
  store: string | null;
  last_position: number | null;
  events: number;
  epoch: number;
  lag_ms: number;
  node: string | null;
  heartbeat_at: Date | null;
};

type ParkedTable = {
  stream: string;
  revision: number;
  position: number;
  event_id: string;
  type: string;
  reason: string;
  at: Date | null;
};

type CustomerTable = {
  customer_id: CustomerId;
  integrator_id: IntegratorId;
  name: string;
  contact_email: string;
  company: string | null;
  license_digest: Buffer | null;
  license_sealed: string | null;
  license_event: string | null;
  key_fragments: number[];
  status: AccountStatus;
  theme: string | null;
  theme_label: string | null;
  tier: string;
  developer_seats: number;
  stakeholder_seats: number;
  active_developer_seats: number;
  active_stakeholder_seats: number;
  seat_limits_enforced: boolean;
  has_password: boolean;
  machine_approval_enforced: boolean;
  deletion_requested_at: Date | null;
  last_activity_at: Date | null;
  created_at: Date;
  sort_name: string;
  search: string;
  revision: number;
};

type IntegratorTable = {
  integrator_id: IntegratorId;
  company_name: string;
  contact_email: string;
  billing_email: string;
  master_digest: Buffer | null;
  master_sealed: string | null;
  master_event: string | null;
  key_fragments: number[];
  status: AccountStatus;
  white_label_enabled: boolean;
  custom_domain: string | null;
  logo_url: string | null;
  created_at: Date;
  sort_name: string;
  search: string;
  revision: number;
};

type PortalUserTable = {
  user_id: UserId;
  customer_id: CustomerId;
  integrator_id: IntegratorId;
  username: string;
  email: string;
  role: UserRoleName;
  status: UserStatus;
  machine_id: string | null;
  last_login: Date | null;
  created_at: Date;
  sort_name: string;
  search: string;
};

type MachineTable = {
  user_id: UserId;
  machine_id: string;
  customer_id: CustomerId;
  integrator_id: IntegratorId;
  machine_name: string | null;
  state: 'approved' | 'pending' | 'rejected';
  request_id: MachineRequestId | null;
  requested_at: Date | null;
  expires_at: Date | null;
  approved_at: Date | null;
};

type ThemeTable = {
  theme_id: ThemeId;
  integrator_id: IntegratorId;
  theme_name: string;
  display_name: string;
  description: string | null;
  primary_color: string;
  secondary_color: string | null;
  accent_color: string | null;
  is_active: boolean;
  created_at: Date;
  updated_at: Date;
};

type CredentialTable = {
  credential_id: CredentialId;
  customer_id: CustomerId;
  service: ServiceName;
  instance_url: string;
  instance_key: string;
  username: string;
  has_password: boolean;
  has_api_token: boolean;
  status: 'connected' | 'error' | 'expired' | null;
  reason: string | null;
  tested_at: Date | null;
  expires_at: Date | null;
  created_at: Date;
  revision: number;
};

type HistoryTable = {
  position: number;
  revision: number;
  id: string;
  customer_id: CustomerId | null;
  integrator_id: IntegratorId | null;
  theme_id: ThemeId | null;
  at: Date;
  category: string;
  type: string;
  actor_kind: ActorKind;
  actor_id: string;
  summary: string;
  facts: unknown;
};

type SignInTable = {
  position: number;
  revision: number;
  id: string;
  at: Date;
  first_at: Date;
  audience: SignInAudience;
  outcome: SignInOutcome;
  reason: string | null;
  address: string | null;
  customer_id: CustomerId | null;
  integrator_id: IntegratorId | null;
  user_id: UserId | null;
  fingerprint: string | null;
  keys: number;
  n: number;
};

type RollupColumns = { calls: number; errors: number; total_ms: number };
type BucketTable = { at: Date; calls: number; errors: number; connected: number; histogram: Buffer };

/** The read models. `scope` is an integrator's id, or the nil UUID for the whole product; days are selected as text. */
export type ReadTables = {
  'read.checkpoint': CheckpointTable;
  'read.parked': ParkedTable;
  'read.customer': CustomerTable;
  'read.integrator': IntegratorTable;
  'read.portal_user': PortalUserTable;
  'read.machine': MachineTable;
  'read.theme_catalogue': { integrator_id: IntegratorId; default_theme_id: ThemeId | null; revision: number };
  'read.theme': ThemeTable;
  'read.credential': CredentialTable;
  'read.history': HistoryTable;
  'read.theme_span': { customer_id: CustomerId; theme_id: ThemeId; from_position: number; to_position: number | null };
  'read.sign_in': SignInTable;
  'read.tally': { kind: string; scope: string; name: string; n: number };
  'read.stat_day': {
    scope: string;
    day: string;
    registered: number;
    customers: number;
    active: number;
    integrators_registered: number;
    integrators: number;
  };
  'usage.checkpoint': CheckpointTable;
  'usage.parked': ParkedTable;
  'usage.customer': RollupColumns & { customer_id: CustomerId; integrator_id: IntegratorId | null; last_call_at: Date | null };
  'usage.day': RollupColumns & { customer_id: CustomerId; day: string; histogram: Buffer };
  'usage.instance': RollupColumns & {
    customer_id: CustomerId;
    instance_key: string;
    service: ServiceName;
    instance_url: string;
    last_at: Date;
  };
  'usage.instance_day': RollupColumns & {
    customer_id: CustomerId;
    day: string;
    instance_key: string;
    last_at: Date;
    histogram: Buffer;
  };
  'usage.scope_day': RollupColumns & { scope: string; day: string };
  'usage.source': { customer_id: CustomerId; source_id: string; seen: string };
  'usage.second': BucketTable;
  'usage.minute': BucketTable;
  'usage.connection': { connection_id: string; user_id: UserId; customer_id: CustomerId };
  /** The claim to a custom domain, and what the name servers said of it last. `released_*` describe the claim that was taken away last. */
  'ops.verified_domain': {
    integrator_id: IntegratorId;
    host: string | null;
    verified_at: Date | null;
    unverified_since: Date | null;
    released_host: string | null;
    released_reason: string | null;
    released_at: Date | null;
  };
  'ops.projection_lag': { group_name: string; at: Date; lag_ms: number };
  'ops.projection_lag_minute': { group_name: string; at: Date; lag_ms: number };
};
