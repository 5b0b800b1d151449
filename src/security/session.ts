import type { SessionKind } from '../database/tables/sessions.ts';
import type { ApiTokenId, CustomerId, IntegratorId, PublicMachineId, SessionId, UserId } from '../domain/ids.ts';
import {
  FULL_ROLE,
  type Permission,
  permissionsOfRole,
  type Role,
  type TenantKind,
  TOOL_PERMISSIONS,
} from '../domain/permissions.ts';
import type { SignInMethod } from '../domain/signIns/methods.ts';
import { DAY_MS, MINUTE_MS } from '../domain/time.ts';

/**
 * Who a session speaks for. `userId` is the named user of the console; absent where a key signed in. `tokenId` is the
 * API token of a request, which has no stored session. The integrator of a customer or of a user is the one to which it
 * belonged when the session was opened: what belongs to whom is read again for each request.
 */
export type SessionOwner =
  | Readonly<{ kind: 'admin'; userId?: UserId; tokenId?: ApiTokenId }>
  | Readonly<{ kind: 'integrator'; integratorId: IntegratorId; userId?: UserId; tokenId?: ApiTokenId }>
  | Readonly<{ kind: 'customer'; customerId: CustomerId; integratorId: IntegratorId; userId?: UserId; tokenId?: ApiTokenId }>
  | Readonly<{
      kind: 'cli';
      userId: UserId;
      customerId: CustomerId;
      integratorId: IntegratorId;
      /** Null for a session of a version without approvals. */
      machine: PublicMachineId | null;
    }>;

/** What a session was opened from. Each is null where it is unknown, and where the owner was erased. */
export type SessionClient = Readonly<{
  /** The address of the client, which is personal data. */
  address: string | null;
  /** A short text as in `Chrome on Windows`. */
  browser: string | null;
}>;

/**
 * `hash` identifies the session without its token, and `id` names it in replies and events; `expiresAt` is the end of its absolute
 * lifetime. Times are ms since 1970.
 */
export type Session = Readonly<{
  hash: string;
  id: SessionId;
  owner: SessionOwner;
  /** Null for a sign-in with a key and for tools. */
  role: Role | null;
  permissions: ReadonlySet<Permission>;
  /** Null for a session that a version without methods opened. */
  method: SignInMethod | null;
  client: SessionClient;
  /** When the user proved last who they are: at the sign-in, or at a later re-authentication. */
  authenticatedAt: number;
  openedAt: number;
  expiresAt: number;
}>;

/** Selects the sessions that match every given field. */
export type SessionMatch = Readonly<{
  hash?: string;
  ids?: readonly SessionId[];
  kind?: SessionKind;
  userId?: UserId;
  customerId?: CustomerId;
  integratorId?: IntegratorId;
  /** Sessions on this machine, and those without a known machine. */
  machine?: PublicMachineId;
  /** Sessions that the tenant's key opened, not a named user; of the tool, those that did not sign in by a device code. */
  isByKey?: true;
  /** The opposite: sessions of named users, also of the tool where they signed in by a device code. */
  isByName?: true;
  /** Sessions with this role are kept. */
  exceptRole?: Role;
  /** The hash of a session that is kept. */
  except?: string;
  /** Sessions that were opened at this time or later are kept, ms since 1970. */
  openedBefore?: number;
}>;

/** The maximum time of a session without use, and its maximum lifetime, in ms. */
export const LIFETIME: Record<SessionKind, { idle: number; absolute: number }> = {
  admin: { idle: 30 * MINUTE_MS, absolute: DAY_MS / 2 },
  customer: { idle: DAY_MS / 2, absolute: 30 * DAY_MS },
  integrator: { idle: DAY_MS / 2, absolute: 30 * DAY_MS },
  cli: { idle: 90 * DAY_MS, absolute: 365 * DAY_MS },
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

/** Whether the tenant's key opened a session. */
const isByKey = (owner: SessionOwner, method: SignInMethod | null): boolean =>
  owner.kind === 'cli' ? method !== 'device_code' : !('userId' in owner);

/** Whether `match` selects a session. */
export const matches = ({ hash, id, owner, role, method, openedAt }: Session, match: SessionMatch): boolean =>
  (match.hash === undefined || match.hash === hash) &&
  (match.ids === undefined || match.ids.includes(id)) &&
  (match.exceptRole === undefined || match.exceptRole !== role) &&
  (match.except === undefined || match.except !== hash) &&
  (match.openedBefore === undefined || openedAt < match.openedBefore) &&
  (match.kind === undefined || match.kind === owner.kind) &&
  (match.userId === undefined || ('userId' in owner && owner.userId === match.userId)) &&
  (match.customerId === undefined || ('customerId' in owner && owner.customerId === match.customerId)) &&
  (match.isByKey === undefined || isByKey(owner, method)) &&
  (match.isByName === undefined || !isByKey(owner, method)) &&
  (match.machine === undefined || ('machine' in owner && (owner.machine === null || owner.machine === match.machine))) &&
  (match.integratorId === undefined || ('integratorId' in owner && owner.integratorId === match.integratorId));
