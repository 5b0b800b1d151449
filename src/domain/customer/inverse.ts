import type { AccountStatus } from '../enumerations.ts';
import type { UserId } from '../ids.ts';
import { type NoInverse, restored } from '../inverse.ts';
import { type CallQuota, callQuotaText } from '../license/callQuota.ts';
import { type Entitlements, isSameEntitlements, orderedEntitlements } from '../license/entitlements.ts';
import type { CustomerDetails, CustomerEvent } from './events.ts';
import type { CustomerRecords } from './records.ts';
import type { Customer, User } from './state.ts';

type Changeable = Partial<Pick<User, 'username' | 'email' | 'role' | 'status'>>;

/** The changes that take an event back: fields of the customer or of a user. Absent fields stay as they are. */
export type Inverse =
  | Readonly<{
      kind: 'customer';
      changes: Partial<CustomerDetails & CustomerRecords> &
        Readonly<{
          developerSeats?: number;
          stakeholderSeats?: number;
          seatLimitsEnforced?: boolean;
          machineLimit?: number | null;
          callQuota?: CallQuota | null;
          idleReleaseDays?: number | null;
          floatingDeveloperMinutes?: number | null;
          status?: AccountStatus;
          theme?: string | null;
          entitlements?: Entitlements;
        }>;
    }>
  | Readonly<{ kind: 'user'; userId: UserId; changes: Changeable }>;

const USER_STATUS = { UserActivated: 'active', UserDeactivated: 'inactive', UserSuspended: 'suspended' } as const;
const STATUS = { CustomerSuspended: 'suspended', CustomerReactivated: 'active', CustomerChurned: 'churned' } as const;

const detailsOf = ({ name, contactEmail, company }: CustomerDetails): CustomerDetails => ({ name, contactEmail, company });
const seatsOf = ({ seats }: Customer) => ({
  developerSeats: seats.developer.allocated,
  stakeholderSeats: seats.stakeholder.allocated,
});
/** With tags as a text, so that fields can be compared. */
const recordsOf = ({ externalId, tags, notes, customFields }: CustomerRecords) => ({
  externalId,
  tags: tags.join('\n'),
  notes,
  customFields,
});
const themeOf = ({ theme }: Customer) => ({ theme: theme?.theme ?? null });

/** What takes an event back, from the state before it and the state now. */
export const inverseOf = (event: CustomerEvent, before: Customer, now: Customer): Inverse | NoInverse => {
  const customer = <Fields extends object>(former: Fields, after: Fields, current: Fields): Inverse | NoInverse => {
    const changes = restored(former, after, current);
    return changes ? { kind: 'customer', changes } : 'revert_outdated';
  };
  const user = <Fields extends Changeable>(userId: UserId, after: Fields, of: (user: User) => Fields): Inverse | NoInverse => {
    const [former, current] = [before.users.get(userId), now.users.get(userId)];
    const changes: Changeable | null | undefined = former && current && restored<Changeable>(of(former), after, of(current));
    return changes ? { kind: 'user', userId, changes } : 'revert_outdated';
  };
  switch (event.type) {
    case 'CustomerDetailsChanged':
      return customer(detailsOf(before), detailsOf(event.data), detailsOf(now));
    case 'SeatsAllocated': {
      const { developerSeats, stakeholderSeats } = event.data;
      return customer(seatsOf(before), { developerSeats, stakeholderSeats }, seatsOf(now));
    }
    case 'SeatLimitsEnforced':
    case 'SeatLimitsRelaxed': {
      const enforced = ({ seatLimitsEnforced }: Customer) => ({ seatLimitsEnforced });
      return customer(enforced(before), { seatLimitsEnforced: event.type === 'SeatLimitsEnforced' }, enforced(now));
    }
    case 'MachineLimitSet': {
      const limitOf = ({ machineLimit }: Customer) => ({ machineLimit });
      return customer(limitOf(before), { machineLimit: event.data.limit }, limitOf(now));
    }
    case 'CallQuotaSet': {
      const quotaOf = (quota: CallQuota | null) => ({ callQuota: callQuotaText(quota) });
      const changes = restored(quotaOf(before.callQuota), quotaOf(event.data.quota), quotaOf(now.callQuota));
      return changes ? { kind: 'customer', changes: { callQuota: before.callQuota } } : 'revert_outdated';
    }
    case 'IdleReleaseSet': {
      const daysOf = ({ idleReleaseDays }: Customer) => ({ idleReleaseDays });
      return customer(daysOf(before), { idleReleaseDays: event.data.days }, daysOf(now));
    }
    case 'FloatingSeatsSet': {
      const { kind, minutes } = event.data;
      if (kind !== 'developer') return 'revert_unsupported';
      const minutesOf = ({ floatingMinutes }: Customer) => ({ floatingDeveloperMinutes: floatingMinutes.developer });
      return customer(minutesOf(before), { floatingDeveloperMinutes: minutes }, minutesOf(now));
    }
    case 'CustomerSuspended':
    case 'CustomerReactivated':
    case 'CustomerChurned': {
      const status = (state: Customer): { status: AccountStatus } => ({ status: state.status });
      return customer(status(before), { status: STATUS[event.type] }, status(now));
    }
    case 'ThemeAssigned':
      return customer(themeOf(before), { theme: event.data.theme }, themeOf(now));
    case 'ThemeUnassigned':
      return customer(themeOf(before), { theme: null }, themeOf(now));
    case 'CustomerRecordsChanged': {
      const changes = restored(recordsOf(before.records), recordsOf(event.data), recordsOf(now.records));
      if (!changes) return 'revert_outdated';
      const { tags, ...texts } = changes;
      return { kind: 'customer', changes: { ...texts, ...(tags !== undefined && { tags: before.records.tags }) } };
    }
    case 'LicenseEntitlementsSet': {
      const after = orderedEntitlements(event.data.entitlements);
      const isCurrent = isSameEntitlements(after, now.entitlements) && !isSameEntitlements(before.entitlements, after);
      return isCurrent ? { kind: 'customer', changes: { entitlements: before.entitlements } } : 'revert_outdated';
    }
    case 'UserDetailsChanged': {
      const { userId, username, email } = event.data;
      return user(userId, { username, email }, (of) => ({ username: of.username, email: of.email }));
    }
    case 'UserRoleChanged':
      return user(event.data.userId, { role: event.data.role }, ({ role }) => ({ role }));
    case 'UserActivated':
    case 'UserDeactivated':
    case 'UserSuspended':
      return user(event.data.userId, { status: USER_STATUS[event.type] }, ({ status }) => ({ status }));
    default:
      return 'revert_unsupported';
  }
};
