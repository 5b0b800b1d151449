import { z } from 'zod';
import { MAX_EMAIL, MAX_USERNAME } from '../domain/limits.ts';
import { customerId, email, instant, reason, reverts, text, userId, userRole, userStatus } from './fields.ts';
import { listQuery, ok, page } from './replies.ts';

/** A user as replies contain it. */
export const user = z.object({
  id: userId,
  customerId,
  customerName: z.string(),
  username: z.string(),
  email: z.string(),
  role: userRole,
  status: userStatus,
  lastLogin: instant.nullable(),
  /** The machine that signed in last; only the first 16 characters of its id. */
  machineId: z.string().nullable(),
  /** Machines that wait for approval to sign in as this user. */
  pendingMachines: z.int().default(0),
  createdAt: instant,
  currentlyConnected: z.boolean(),
});
export type User = z.infer<typeof user>;

/** In its NFKC form, so that spellings that look alike are one username. */
export const username = text(MAX_USERNAME)
  .transform((value) => value.normalize('NFKC'))
  .pipe(text(MAX_USERNAME));

/** The user as the client last saw it. If the user is different now, the request is rejected with `user_changed`. */
const expected = z.strictObject({
  username: z.string().max(MAX_USERNAME),
  email: z.string().max(MAX_EMAIL),
  role: userRole,
  status: userStatus,
});

/** Absent fields are kept. */
export const updateUser = z.strictObject({
  username,
  email,
  role: userRole,
  status: userStatus.optional(),
  reason: reason.optional(),
  expected: expected.optional(),
  reverts,
});
export type UpdateUser = z.infer<typeof updateUser>;
/** The body of `PUT …/users/:userId/status`. */
export const changeUserStatus = z.strictObject({ status: userStatus, reason: reason.optional(), expected: expected.optional() });
export type ChangeUserStatus = z.infer<typeof changeUserStatus>;

const userSort = z.enum(['username', '-username', 'createdAt', '-createdAt', 'lastLogin', '-lastLogin']);

/** The query of the lists of users. `customerId` selects the users of one customer among those that the session may see. */
export const userQuery = z.strictObject({
  ...listQuery,
  status: userStatus.optional(),
  customerId: customerId.optional(),
  sort: userSort.default('-createdAt'),
});
export type UserQuery = z.infer<typeof userQuery>;

const userStatusCounts = z.object({ all: z.int(), active: z.int(), inactive: z.int(), suspended: z.int() });
/** Numbers of users by status. */
export type UserStatusCounts = z.infer<typeof userStatusCounts>;

/** A page of users. `counts` has the matches of the search and of the customer by status, independent of the status filter. */
export const usersReply = page({ users: z.array(user), counts: userStatusCounts });
export type UsersReply = z.infer<typeof usersReply>;
/** A user after a change. */
export const userReply = ok({ user });
export type UserReply = z.infer<typeof userReply>;
