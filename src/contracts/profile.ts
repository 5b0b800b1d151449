import { z } from 'zod';
import { MAX_PASSWORD, MIN_PASSWORD } from '../domain/limits.ts';
import { email, name } from './fields.ts';

/** The customer's own edit: all three are required. */
export const updateProfile = z.strictObject({ name, contactEmail: email, company: name });
export type UpdateProfile = z.infer<typeof updateProfile>;

/** `currentPassword` is the license key as long as no password was set. */
export const changePassword = z.strictObject({
  currentPassword: z.string().min(1).max(MAX_PASSWORD),
  newPassword: z
    .string()
    .min(MIN_PASSWORD, `Password must be at least ${MIN_PASSWORD} characters`)
    .max(MAX_PASSWORD, `Password must be at most ${MAX_PASSWORD} characters`),
});
