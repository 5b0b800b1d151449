import { z } from 'zod';
import type { PlanCode } from '../domain/ids.ts';
import {
  MAX_GRACE_DAYS,
  MAX_NAME,
  MAX_OFFLINE_LICENSE_DAYS,
  MAX_PLAN_DAYS,
  MAX_RENEWAL_MONTHS,
  OFFLINE_LICENSE_DAYS,
} from '../domain/limits.ts';
import { planCallQuota, setCallQuota } from './callQuotas.ts';
import { licenseEntitlements, setEntitlements } from './entitlements.ts';
import { instant, reverts, seatCount, text } from './fields.ts';
import { floatingMinutes } from './floatingSeats.ts';
import { ok } from './replies.ts';

/** Three letters, in upper case after parsing. */
export const planCode = z
  .string()
  .trim()
  .regex(/^[A-Za-z]{3}$/, 'Must be three letters like PRO')
  .transform((value) => value.toUpperCase() as PlanCode);

const offlineDays = z
  .int('Must be a whole number')
  .min(1, 'Must be 1 or more')
  .max(MAX_OFFLINE_LICENSE_DAYS, `Must be at most ${MAX_OFFLINE_LICENSE_DAYS}`);

const termDays = z
  .int('Must be a whole number')
  .min(1, 'Must be 1 or more')
  .max(MAX_PLAN_DAYS, `Must be at most ${MAX_PLAN_DAYS.toLocaleString('en-US')}`);

/** What a plan gives new licenses. Days of grace and a trial need a term. */
const planTerms = z.strictObject({
  name: text(MAX_NAME),
  developerSeats: seatCount,
  stakeholderSeats: seatCount,
  seatLimitsEnforced: z.boolean().default(true),
  /** Null for a term in days, or a perpetual license. */
  termMonths: z
    .int('Must be a whole number')
    .min(1, 'Must be 1 or more')
    .max(MAX_RENEWAL_MONTHS, `Must be at most ${MAX_RENEWAL_MONTHS}`)
    .nullable()
    .default(null),
  /** Null for a term in months, or a perpetual license. */
  termDays: termDays.nullable().default(null),
  graceDays: z
    .int('Must be a whole number')
    .min(0, 'Must be 0 or more')
    .max(MAX_GRACE_DAYS, `Must be at most ${MAX_GRACE_DAYS}`)
    .default(0),
  isTrial: z.boolean().default(false),
  /** For how many days offline licenses are valid. */
  offlineDays: offlineDays.default(OFFLINE_LICENSE_DAYS),
  /** Null includes everything. */
  entitlements: setEntitlements.default(null),
  /** Null for any number of API calls. */
  callQuota: setCallQuota.nullable().default(null),
  /** After how many minutes without use a floating developer seat becomes free; null for named seats. */
  floatingDeveloperMinutes: floatingMinutes.nullable().default(null),
});

type TermUnits = { termMonths: number | null; termDays?: number | null | undefined };
const isOneUnit = ({ termMonths, termDays }: TermUnits): boolean => termMonths === null || termDays == null;
const ONE_UNIT = { path: ['termDays'], message: 'Must be empty for a term in months' };

/** The body of `POST /api/admin/plans`. A code is used once: it is the tier in license keys. */
export const createPlan = z.strictObject({ code: planCode, ...planTerms.shape }).refine(isOneUnit, ONE_UNIT);
export type CreatePlan = z.infer<typeof createPlan>;

/** The body of `PUT /api/admin/plans/:code`. Without entitlements, days of offline licenses, a quota, or minutes of floating seats, the plan keeps its own; without months and `termDays`, its term in days. */
export const changePlan = planTerms
  .extend({
    termDays: termDays.nullable().optional(),
    entitlements: setEntitlements.optional(),
    offlineDays: offlineDays.optional(),
    callQuota: setCallQuota.nullable().optional(),
    floatingDeveloperMinutes: floatingMinutes.nullable().optional(),
    reverts,
  })
  .refine(isOneUnit, ONE_UNIT);

/** The path parameters of a route of one plan: its three-letter code. */
export const planParams = z.strictObject({ code: planCode });

const planChoice = z.object({
  code: z.string(),
  name: z.string(),
  developerSeats: z.int(),
  stakeholderSeats: z.int(),
  seatLimitsEnforced: z.boolean(),
  termMonths: z.int().nullable(),
  /** Instead of months. */
  termDays: z.int().nullable(),
  graceDays: z.int(),
  isTrial: z.boolean(),
  /** For how many days offline licenses are valid. */
  offlineDays: z.int(),
  /** Null includes everything. */
  entitlements: licenseEntitlements.nullable(),
  /** Null for any number of API calls. */
  callQuota: planCallQuota.nullable(),
  /** After how many minutes without use a floating developer seat becomes free; null for named seats. */
  floatingDeveloperMinutes: z.int().nullable(),
});
/** A plan that a new license can have. */
export type PlanChoice = z.infer<typeof planChoice>;

const plan = planChoice.extend({
  /** The built-in plan is that of licenses without another one. It cannot be changed or retired. */
  isBuiltIn: z.boolean(),
  /** Of the last change; null for the built-in plan. */
  changedAt: instant.nullable(),
  retiredAt: instant.nullable(),
  /** The licenses with this plan. */
  licenses: z.int(),
});
/** A plan as administrators see it. */
export type Plan = z.infer<typeof plan>;

/** The built-in plan, then those that can be chosen by code, then those that are retired. */
export const plansReply = ok({ plans: z.array(plan) });
export type PlansReply = z.infer<typeof plansReply>;
/** The query of the plans of service integrators: with those that are retired, which licenses may still have. */
export const planChoicesQuery = z.strictObject({ retired: z.literal('true').optional() });
/** The built-in plan, then the others by code. */
export const planChoicesReply = ok({ plans: z.array(planChoice) });
export type PlanChoicesReply = z.infer<typeof planChoicesReply>;

/** Whether the term of the plan starts now, or the license keeps its expiry. */
const moveTerm = z.enum(['keep', 'start']);
/** The query of `GET …/plan-move`. */
export const planMoveQuery = z.strictObject({ plan: planCode, term: moveTerm.default('keep') });
const shownVersion = z.int('Must be a whole number').min(1, 'Must be 1 or more');

/** The body of `POST …/plan-move`, with the version of the plan that the preview had. */
export const moveToPlan = planMoveQuery.extend({ version: shownVersion });
export type MoveToPlan = z.infer<typeof moveToPlan>;

/** The version of the plan that the preview had. */
export const acceptPlanOffer = z.strictObject({ version: shownVersion });
