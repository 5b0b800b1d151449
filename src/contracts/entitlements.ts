import { z } from 'zod';
import { MAX_ENTITLEMENT_CODE, MAX_ENTITLEMENTS } from '../domain/limits.ts';
import { instant, toMilliseconds } from './fields.ts';

/** A service or a feature that a license includes, from `startsAt` until before `endsAt`; null without limit. */
const entitlement = z.object({ code: z.string(), startsAt: instant.nullable(), endsAt: instant.nullable() });
/** All entitlements of a license or a plan. */
export const licenseEntitlements = z.array(entitlement).readonly();
export type LicenseEntitlements = z.infer<typeof licenseEntitlements>;

const code = z
  .string()
  .trim()
  .toLowerCase()
  .max(MAX_ENTITLEMENT_CODE, `Must be at most ${MAX_ENTITLEMENT_CODE} characters`)
  .regex(/^[a-z0-9][a-z0-9._-]*$/, 'Each code must have letters, digits, dots, dashes and underscores only, like reports');

const setEntitlement = z
  .strictObject({ code, startsAt: toMilliseconds.nullable().default(null), endsAt: toMilliseconds.nullable().default(null) })
  .refine(({ startsAt, endsAt }) => startsAt === null || endsAt === null || startsAt < endsAt, {
    path: ['endsAt'],
    message: 'Must be after the start',
  });

const repeatedIn = (entries: readonly { code: string }[]): string | undefined => {
  const codes = entries.map((entry) => entry.code);
  return codes.find((one, index) => codes.indexOf(one) < index);
};

/** All that a license includes: `jira`, `azdo`, `confluence` and codes of features. Null includes everything. */
export const setEntitlements = z
  .array(setEntitlement)
  .min(1, 'Must name what is included, or be null for everything')
  .max(MAX_ENTITLEMENTS, `Must be at most ${MAX_ENTITLEMENTS} entries`)
  .superRefine((entries, context) => {
    const repeated = repeatedIn(entries);
    if (repeated !== undefined) context.addIssue({ code: 'custom', message: `${repeated} is there more than once` });
  })
  .nullable();
