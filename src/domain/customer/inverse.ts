import type { UserId } from '../ids.ts';
import { type NoInverse, restored } from '../inverse.ts';
import type { CustomerDetails, CustomerEvent, UserRole } from './events.ts';
import type { Customer, CustomerStatus } from './state.ts';

/** The changes that take an event back: fields of the customer, or the role of a user. Absent fields stay as they are. */
export type Inverse =
  | Readonly<{
      kind: 'customer';
      changes: Partial<CustomerDetails> &
        Readonly<{
          developerSeats?: number;
          stakeholderSeats?: number;
          seatLimitsEnforced?: boolean;
          machineLimit?: number | null;
          status?: CustomerStatus;
          theme?: string | null;
        }>;
    }>
  | Readonly<{ kind: 'user'; userId: UserId; role: UserRole }>;

const STATUS = { CustomerSuspended: 'suspended', CustomerReactivated: 'active', CustomerChurned: 'churned' } as const;

const detailsOf = ({ name, contactEmail, company }: CustomerDetails): CustomerDetails => ({ name, contactEmail, company });
const seatsOf = ({ seats }: Customer) => ({
  developerSeats: seats.developer.allocated,
  stakeholderSeats: seats.stakeholder.allocated,
});
const themeOf = ({ theme }: Customer) => ({ theme: theme?.theme ?? null });

/** What takes an event back, from the state before it and the state now. */
export const inverseOf = (event: CustomerEvent, before: Customer, now: Customer): Inverse | NoInverse => {
  const customer = <Fields extends object>(former: Fields, after: Fields, current: Fields): Inverse | NoInverse => {
    const changes = restored(former, after, current);
    return changes ? { kind: 'customer', changes } : 'revert_outdated';
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
    case 'CustomerSuspended':
    case 'CustomerReactivated':
    case 'CustomerChurned': {
      const status = (state: Customer): { status: CustomerStatus } => ({ status: state.status });
      return customer(status(before), { status: STATUS[event.type] }, status(now));
    }
    case 'ThemeAssigned':
      return customer(themeOf(before), { theme: event.data.theme }, themeOf(now));
    case 'ThemeUnassigned':
      return customer(themeOf(before), { theme: null }, themeOf(now));
    case 'UserRoleChanged': {
      const { userId, role } = event.data;
      const former = before.users.get(userId);
      if (!former || former.role === role || now.users.get(userId)?.role !== role) return 'revert_outdated';
      return { kind: 'user', userId, role: former.role };
    }
    default:
      return 'revert_unsupported';
  }
};
