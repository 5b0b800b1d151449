import type { SessionKind } from '../database/tables/sessions.ts';
import type { CustomerId, IntegratorId, PublicMachineId, UserId } from '../domain/ids.ts';
import {
  FULL_ROLE,
  type Permission,
  permissionsOfRole,
  type Role,
  type TenantKind,
  TOOL_PERMISSIONS,
} from '../domain/permissions.ts';

/**
 * Who a session speaks for. `userId` is the named user of an administrator or integrator; absent where a key signed in. The integrator of
 * a customer or of a user is the one it belongs to.
 */
export type SessionOwner =
  | Readonly<{ kind: 'admin'; userId?: UserId }>
  | Readonly<{ kind: 'integrator'; integratorId: IntegratorId; userId?: UserId }>
  | Readonly<{ kind: 'customer'; customerId: CustomerId; integratorId: IntegratorId }>
  | Readonly<{
      kind: 'cli';
      userId: UserId;
      customerId: CustomerId;
      integratorId: IntegratorId;
      /** Null for a session of a version without approvals. */
      machine: PublicMachineId | null;
    }>;

/** `hash` identifies the session without its token; `expiresAt` is the end of its absolute lifetime. Times are ms since 1970. */
export type Session = Readonly<{
  hash: string;
  owner: SessionOwner;
  /** Null for a sign-in with a key and for tools. */
  role: Role | null;
  permissions: ReadonlySet<Permission>;
  openedAt: number;
  expiresAt: number;
}>;

/** Selects the sessions that match every given field. */
export type SessionMatch = Readonly<{
  hash?: string;
  kind?: SessionKind;
  userId?: UserId;
  customerId?: CustomerId;
  integratorId?: IntegratorId;
  /** Sessions on this machine, and those without a known machine. */
  machine?: PublicMachineId;
  /** Sessions of an administrator or integrator that a key opened, not a named user. */
  isByKey?: true;
  /** The hash of a session that is kept. */
  except?: string;
  /** Sessions that were opened at this time or later are kept, ms since 1970. */
  openedBefore?: number;
}>;

const MINUTE = 60_000;
const DAY = 86_400_000;

/** The maximum time of a session without use, and its maximum lifetime, in ms. */
export const LIFETIME: Record<SessionKind, { idle: number; absolute: number }> = {
  admin: { idle: 30 * MINUTE, absolute: DAY / 2 },
  customer: { idle: DAY / 2, absolute: 30 * DAY },
  integrator: { idle: DAY / 2, absolute: 30 * DAY },
  cli: { idle: 90 * DAY, absolute: 365 * DAY },
};

/** The kind of tenant that the owner of a session works for. */
export const TENANT_OF: Record<SessionKind, TenantKind> = {
  admin: 'administration',
  integrator: 'integrator',
  customer: 'customer',
  cli: 'customer',
};

/** A sign-in with a key has all permissions of its tenant. */
export const permissionsOf = ({ kind }: SessionOwner, role: Role | null): ReadonlySet<Permission> =>
  kind === 'cli' ? TOOL_PERMISSIONS : permissionsOfRole(TENANT_OF[kind], role ?? FULL_ROLE[TENANT_OF[kind]]);

/** Whether `match` selects a session. */
export const matches = ({ hash, owner, openedAt }: Session, match: SessionMatch): boolean =>
  (match.hash === undefined || match.hash === hash) &&
  (match.except === undefined || match.except !== hash) &&
  (match.openedBefore === undefined || openedAt < match.openedBefore) &&
  (match.kind === undefined || match.kind === owner.kind) &&
  (match.userId === undefined || ('userId' in owner && owner.userId === match.userId)) &&
  (match.customerId === undefined || ('customerId' in owner && owner.customerId === match.customerId)) &&
  (match.isByKey === undefined || !('userId' in owner)) &&
  (match.machine === undefined || ('machine' in owner && (owner.machine === null || owner.machine === match.machine))) &&
  (match.integratorId === undefined || ('integratorId' in owner && owner.integratorId === match.integratorId));
