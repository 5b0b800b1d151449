import { z } from 'zod';
import type { CustomerEvent } from '../../domain/customer/events.ts';
import { type CategoryCodec, first } from './codec.ts';
import { customerId, integratorId, noData, text, textOrNull, userId } from './fields.ts';

const role = z.enum(['developer', 'stakeholder', 'admin']);
const kind = z.enum(['developer', 'stakeholder']);
const seats = z.int().min(-1);
const reason = z.strictObject({ reason: textOrNull });
const ofUser = z.strictObject({ userId });

export const customerCodec: CategoryCodec<CustomerEvent> = {
  ownerOf: (id) => `customer:${id}`,
  events: {
    CustomerRegistered: first(z.strictObject({ customerId, integratorId, name: text, contactEmail: text, company: textOrNull }), [
      'name',
      'contactEmail',
      'company',
    ]),
    LicenseIssued: first(z.strictObject({ licenseKey: text, tier: z.literal('ENT') }), ['licenseKey']),
    SeatsAllocated: first(z.strictObject({ developerSeats: seats, stakeholderSeats: seats })),
    SeatLimitsEnforced: first(noData),
    SeatLimitsRelaxed: first(noData),
    CustomerDetailsChanged: first(z.strictObject({ name: text, contactEmail: text, company: textOrNull }), [
      'name',
      'contactEmail',
      'company',
    ]),
    CustomerSuspended: first(reason),
    CustomerReactivated: first(reason),
    CustomerChurned: first(reason),
    ThemeAssigned: first(z.strictObject({ theme: text, source: z.enum(['explicit', 'default']) })),
    ThemeUnassigned: first(noData),
    LicenseKeyRotated: first(z.strictObject({ licenseKey: text }), ['licenseKey']),
    UserRegistered: first(z.strictObject({ userId, username: text, email: text, role, machineId: textOrNull }), [
      'username',
      'email',
      'machineId',
    ]),
    UserDetailsChanged: first(z.strictObject({ userId, username: text, email: text }), ['username', 'email']),
    UserRoleChanged: first(z.strictObject({ userId, role })),
    UserMachineChanged: first(z.strictObject({ userId, machineId: text }), ['machineId']),
    UserActivated: first(ofUser),
    UserDeactivated: first(ofUser),
    UserSuspended: first(ofUser),
    SeatClaimed: first(z.strictObject({ userId, kind })),
    SeatReleased: first(z.strictObject({ userId, kind, reason: z.enum(['deactivated', 'suspended', 'role_changed']) })),
    PasswordChanged: first(z.strictObject({ passwordHash: text }), ['passwordHash']),
    AccountDeletionRequested: first(noData),
    AccountDeletionWithdrawn: first(noData),
    CustomerDeleted: first(noData),
  },
};
