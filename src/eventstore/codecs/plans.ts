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

/** What a plan has, and what a license copies of it. */
const planTerms = { ...termsWithEntitlements, offlineDays: z.int().positive() };

/** Until version 2, offline licenses of all plans were valid for 7 days. */
const withDays = <Former extends object>(former: Former) => ({ ...former, offlineDays: 7 });
/** Version 1 has no entitlements: it included everything. */
const withEverything = <Former extends object>(former: Former) => withDays({ ...former, entitlements: null });

const plan = eventCodec<PlanCreated['data']>({
  1: formerShape(z.strictObject(formerTerms), [], withEverything),
  2: formerShape(z.strictObject(termsWithEntitlements), [], withDays),
  3: shape(z.strictObject(planTerms)),
});

const version = z.int().positive();
/** What a license copied. */
export const planCopy = eventCodec<PlanCopy>({
  1: formerShape(z.strictObject({ ...formerTerms, version }), [], withEverything),
  2: formerShape(z.strictObject({ ...termsWithEntitlements, version }), [], withDays),
  3: shape(z.strictObject({ ...planTerms, version })),
});

export const plansCodec: CategoryCodec<PlanEvent> = {
  ownerOf: () => null,
  events: {
    PlanCreated: plan,
    PlanChanged: plan,
    PlanRetired: first(z.strictObject({ code: planCode })),
  },
};
