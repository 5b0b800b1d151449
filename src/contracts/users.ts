import { z } from 'zod';
import { MAX_USERNAME } from '../domain/limits.ts';
import { customerId, email, instant, text, userId, userRole, userStatus } from './fields.ts';
import { listQuery, ok, page } from './replies.ts';

export const user = z.object({
  id: userId,
  customerId,
  customerName: z.string(),
  username: z.string(),
  email: z.string(),
  role: userRole,
  status: userStatus,
  lastLogin: instant.nullable(),
  machineId: z.string().nullable(),
  createdAt: instant,
  currentlyConnected: z.boolean(),
});
export type User = z.infer<typeof user>;

export const username = text(MAX_USERNAME);

export const updateUser = z.strictObject({ username, email, role: userRole });
export type UpdateUser = z.infer<typeof updateUser>;
export const changeUserStatus = z.strictObject({ status: userStatus });

export const userSort = z.enum(['username', '-username', 'createdAt', '-createdAt', 'lastLogin', '-lastLogin']);

export const userQuery = z.strictObject({
  ...listQuery,
  status: userStatus.optional(),
  customerId: customerId.optional(),
  sort: userSort.default('-createdAt'),
});
export type UserQuery = z.infer<typeof userQuery>;

export const usersReply = page({ users: z.array(user) });
export type UsersReply = z.infer<typeof usersReply>;
export const userReply = ok({ user });
export type UserReply = z.infer<typeof userReply>;
