import type { AuditEntry } from '../../../../src/contracts/audit.ts';
import type { CustomerId } from '../../../../src/domain/ids.ts';
import type { Permission } from '../../../../src/domain/permissions.ts';
import type { AuditArea } from './api/audit.ts';

/** Whose change it is: of a customer, of a service integrator, of the own team, or of the installation. */
type Subject = 'customer' | 'integrator' | 'team' | 'installation';
type Needed = Readonly<{ subject: Subject } & Partial<Record<AuditArea, Permission>>>;

const ofCustomer: Needed = { subject: 'customer', admin: 'customers:write', integrator: 'customers:write' };
const ofUser: Needed = { subject: 'customer', admin: 'users:write', integrator: 'users:write' };
const ofIntegrator: Needed = { subject: 'integrator', admin: 'integrators:write', integrator: 'settings:write' };
const ofIntegratorStatus: Needed = { subject: 'integrator', admin: 'integrators:write' };
const ofMember: Needed = { subject: 'team', admin: 'members:write', integrator: 'members:write' };
const ofTheme: Needed = { subject: 'integrator', integrator: 'themes:write' };

/** Types of changes that a command takes back, with the permission that it needs in an area that can change such objects. */
const REVERTIBLE: Readonly<Record<string, Needed>> = {
  CustomerDetailsChanged: ofCustomer,
  SeatsAllocated: ofCustomer,
  SeatLimitsEnforced: ofCustomer,
  SeatLimitsRelaxed: ofCustomer,
  MachineLimitSet: ofCustomer,
  CallQuotaSet: ofCustomer,
  IdleReleaseSet: ofCustomer,
  FloatingSeatsSet: ofCustomer,
  CustomerSuspended: ofCustomer,
  CustomerReactivated: ofCustomer,
  CustomerChurned: ofCustomer,
  ThemeAssigned: ofCustomer,
  ThemeUnassigned: ofCustomer,
  CustomerRecordsChanged: ofCustomer,
  LicenseEntitlementsSet: ofCustomer,
  UserDetailsChanged: ofUser,
  UserRoleChanged: ofUser,
  UserActivated: ofUser,
  UserDeactivated: ofUser,
  UserSuspended: ofUser,
  IntegratorProfileChanged: ofIntegrator,
  BrandingChanged: ofIntegrator,
  WhiteLabelEnabled: ofIntegrator,
  WhiteLabelDisabled: ofIntegrator,
  IntegratorSuspended: ofIntegratorStatus,
  IntegratorReactivated: ofIntegratorStatus,
  IntegratorChurned: ofIntegratorStatus,
  ThemeRevised: ofTheme,
  ThemeActivated: ofTheme,
  ThemeDeactivated: ofTheme,
  ThemeMadeDefault: ofTheme,
  MemberDetailsChanged: ofMember,
  MemberRoleChanged: ofMember,
  SignInPolicyChanged: { subject: 'team', admin: 'policy:write', integrator: 'policy:write' },
  PlanChanged: { subject: 'installation', admin: 'plans:write' },
  AlertRuleChanged: { subject: 'installation', admin: 'alerts:write' },
};

const exists = (subject: Subject, area: AuditArea, { customer, integrator }: AuditEntry): boolean => {
  if (subject === 'customer') return customer?.name != null;
  if (subject === 'integrator') return integrator?.name != null;
  return subject === 'installation' || (customer === null && (area === 'integrator' || integrator === null));
};

/** What reverting an entry needs, and the customer whom it changes, if it is one; null where no command takes it back. */
export const revertOf = (area: AuditArea, entry: AuditEntry): { needs: Permission; customerId: CustomerId | null } | null => {
  const needed = REVERTIBLE[entry.type];
  const needs = needed?.[area];
  if (!needed || !needs || !exists(needed.subject, area, entry)) return null;
  return { needs, customerId: needed.subject === 'customer' ? (entry.customer?.customerId ?? null) : null };
};
