import type { SeatKind, UserRole, UserStatus } from '../../domain/enumerations.ts';
import type { CustomerId, IntegratorId, MachineRequestId, UserId } from '../../domain/ids.ts';
import { defineTable, nullable, type RowOf, text, timestamptz, uuid } from './defineTable.ts';

/** One row for each user of a customer that is not deleted. */
export const userTable = defineTable('read.portal_user', {
  key: ['user_id'],
  owners: ['customer_id'],
  columns: {
    user_id: uuid<UserId>(),
    customer_id: uuid<CustomerId>(),
    integrator_id: uuid<IntegratorId>(),
    username: text(),
    email: text(),
    role: text<UserRole>(),
    status: text<UserStatus>(),
    machine_id: nullable(text()),
    last_login: nullable(timestamptz()),
    created_at: timestamptz(),
    sort_name: text(),
    search: text(),
    /** The kind of seat that the user holds; null for none. */
    seat: nullable(text<SeatKind>()),
    /** When it was claimed; null without a seat. */
    seat_since: nullable(timestamptz()),
    /** The kind of the floating seat that the user holds now, and since when; null for none. */
    leased_seat: nullable(text<SeatKind>()),
    leased_at: nullable(timestamptz()),
    /** Until when an offline license holds the floating seat. */
    leased_until: nullable(timestamptz()),
  },
});

/** A row of `read.portal_user` in a projection's memory. */
export type UserRow = RowOf<typeof userTable>;

/** Machines of users: approved, waiting for approval, or rejected. */
export const machineTable = defineTable('read.machine', {
  key: ['user_id', 'machine_id'],
  owners: ['user_id', 'customer_id'],
  columns: {
    user_id: uuid<UserId>(),
    machine_id: text(),
    customer_id: uuid<CustomerId>(),
    integrator_id: uuid<IntegratorId>(),
    machine_name: nullable(text()),
    state: text<'approved' | 'pending' | 'rejected'>(),
    /** Null for a machine that needed no approval. */
    request_id: nullable(uuid<MachineRequestId>()),
    requested_at: nullable(timestamptz()),
    /** When a request or its rejection ends. */
    expires_at: nullable(timestamptz()),
    approved_at: nullable(timestamptz()),
  },
});

/** A machine of a user, or its request for approval, in a projection's memory. */
export type MachineRow = RowOf<typeof machineTable>;
