import type { DomainEvent } from '../event.ts';
import type { PlanCode } from '../ids.ts';
import type { CallQuota } from '../license/callQuota.ts';
import type { Entitlements } from '../license/entitlements.ts';

/**
 * What a plan gives a new license. Seats: -1 is unlimited. The term is in months or in days; without both the license is perpetual. The days of
 * grace and the trial belong to a term.
 */
export type PlanTerms = Readonly<{
  name: string;
  developerSeats: number;
  stakeholderSeats: number;
  seatLimitsEnforced: boolean;
  termMonths: number | null;
  termDays: number | null;
  graceDays: number;
  isTrial: boolean;
  /** For how many days offline licenses are valid. */
  offlineDays: number;
  entitlements: Entitlements;
  /** Null for any number of API calls. */
  callQuota: CallQuota | null;
  /** After how many minutes without use a floating developer seat becomes free; null for named seats. */
  floatingDeveloperMinutes: number | null;
}>;

/** A plan as a license copies it. `version` counts the changes of the plan, from 1 on. */
export type PlanCopy = PlanTerms & Readonly<{ code: PlanCode; version: number }>;

/** A plan was created, with its terms and the code that keys of its licenses contain. */
export type PlanCreated = DomainEvent<'PlanCreated', PlanTerms & { code: PlanCode }>;
/** Licenses keep what they copied. */
export type PlanChanged = DomainEvent<'PlanChanged', PlanTerms & { code: PlanCode }>;
/** No new license gets the plan. Its code is never used again. */
export type PlanRetired = DomainEvent<'PlanRetired', { code: PlanCode }>;

/** The events of the stream `plans-all`. */
export type PlanEvent = PlanCreated | PlanChanged | PlanRetired;
