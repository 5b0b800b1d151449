import { z } from 'zod';
import type { PlanCode } from '../../domain/ids.ts';
import type { PlanCopy, PlanCreated, PlanEvent } from '../../domain/plan/events.ts';
import { type CategoryCodec, eventCodec, first, formerShape, shape } from './codec.ts';
import { text, textOrNull } from './fields.ts';

const CODE = /^[A-Z]{3}$/;
export const planCode = z.custom<PlanCode>(
  (value) => typeof value === 'string' && CODE.test(value),
  'Must be three capital letters',
);

const seats = z.int().min(-1);

/** What a license includes. */
export const entitlements = z
  .array(z.strictObject({ code: text, startsAt: textOrNull, endsAt: textOrNull }))
  .readonly()
  .nullable();

const formerTerms = {
  code: planCode,
  name: text,
  developerSeats: seats,
  stakeholderSeats: seats,
  seatLimitsEnforced: z.boolean(),
  termMonths: z.int().positive().nullable(),
  graceDays: z.int().min(0),
  isTrial: z.boolean(),
};

const termsWithEntitlements = { ...formerTerms, entitlements };

const termsWithDays = { ...termsWithEntitlements, offlineDays: z.int().positive() };

export const callQuotaKind = z.enum(['soft', 'hard']);
/** How many API calls are recorded in a month; null for any number. */
export const callQuota = z.strictObject({ limit: z.int().min(1), kind: callQuotaKind }).nullable();

const termsWithQuota = { ...termsWithDays, callQuota };

const termsWithFloating = { ...termsWithQuota, floatingDeveloperMinutes: z.int().min(1).nullable() };

/** What a plan has, and what a license copies of it. */
const planTerms = { ...termsWithFloating, termDays: z.int().positive().nullable() };

/** Until version 5, terms of all plans were in months. */
const inMonths = <Former extends object>(former: Former) => ({ ...former, termDays: null });
/** Until version 4, developer seats of all plans were named. */
const withNamedSeats = <Former extends object>(former: Former) => inMonths({ ...former, floatingDeveloperMinutes: null });
/** Until version 3, plans had no quota. */
const withoutQuota = <Former extends object>(former: Former) => withNamedSeats({ ...former, callQuota: null });
/** Until version 2, offline licenses of all plans were valid for 7 days. */
const withDays = <Former extends object>(former: Former) => withoutQuota({ ...former, offlineDays: 7 });
/** Version 1 has no entitlements: it included everything. */
const withEverything = <Former extends object>(former: Former) => withDays({ ...former, entitlements: null });

const plan = eventCodec<PlanCreated['data']>({
  1: formerShape(z.strictObject(formerTerms), [], withEverything),
  2: formerShape(z.strictObject(termsWithEntitlements), [], withDays),
  3: formerShape(z.strictObject(termsWithDays), [], withoutQuota),
  4: formerShape(z.strictObject(termsWithQuota), [], withNamedSeats),
  5: formerShape(z.strictObject(termsWithFloating), [], inMonths),
  6: shape(z.strictObject(planTerms)),
});

const version = z.int().positive();
/** What a license copied. */
export const planCopy = eventCodec<PlanCopy>({
  1: formerShape(z.strictObject({ ...formerTerms, version }), [], withEverything),
  2: formerShape(z.strictObject({ ...termsWithEntitlements, version }), [], withDays),
  3: formerShape(z.strictObject({ ...termsWithDays, version }), [], withoutQuota),
  4: formerShape(z.strictObject({ ...termsWithQuota, version }), [], withNamedSeats),
  5: formerShape(z.strictObject({ ...termsWithFloating, version }), [], inMonths),
  6: shape(z.strictObject({ ...planTerms, version })),
});

export const plansCodec: CategoryCodec<PlanEvent> = {
  ownerOf: () => null,
  events: {
    PlanCreated: plan,
    PlanChanged: plan,
    PlanRetired: first(z.strictObject({ code: planCode })),
  },
};
