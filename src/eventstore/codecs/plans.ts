import { z } from 'zod';
import type { PlanCode } from '../../domain/ids.ts';
import type { PlanEvent } from '../../domain/plan/events.ts';
import { type CategoryCodec, first } from './codec.ts';
import { text } from './fields.ts';

const CODE = /^[A-Z]{3}$/;
export const planCode = z.custom<PlanCode>(
  (value) => typeof value === 'string' && CODE.test(value),
  'Must be three capital letters',
);

const seats = z.int().min(-1);

/** What a plan has, and what a license copies of it. */
export const planTerms = {
  code: planCode,
  name: text,
  developerSeats: seats,
  stakeholderSeats: seats,
  seatLimitsEnforced: z.boolean(),
  termMonths: z.int().positive().nullable(),
  graceDays: z.int().min(0),
  isTrial: z.boolean(),
};

export const plansCodec: CategoryCodec<PlanEvent> = {
  ownerOf: () => null,
  events: {
    PlanCreated: first(z.strictObject(planTerms)),
    PlanChanged: first(z.strictObject(planTerms)),
    PlanRetired: first(z.strictObject({ code: planCode })),
  },
};
