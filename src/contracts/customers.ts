import { z } from 'zod';
import { MAX_DISPLAY_NAME } from '../domain/limits.ts';
import { callQuotaState, licenseCallQuota, setCallQuota } from './callQuotas.ts';
import { CUSTOMER_SORTS } from './customerSorts.ts';
import { licenseEntitlements, setEntitlements } from './entitlements.ts';
import {
  accountStatus,
  company,
  customerId,
  email,
  idleReleaseDays,
  instant,
  integratorId,
  name,
  optionalText,
  reason,
  reverts,
  seatCount,
} from './fields.ts';
import { floatingMinutes } from './floatingSeats.ts';
import { machineLimit } from './machines.ts';
import { planCode } from './plans.ts';
import { records, setRecords, tagFilter } from './records.ts';
import { listQuery, ok, page, statusCounts } from './replies.ts';
import { licenseTerm, setTerm, termFilter } from './terms.ts';

const licensePlan = z.object({
  code: z.string(),
  name: z.string(),
  /** For how many days offline licenses are valid; absent for 7. */
  offlineDays: z.int().optional(),
});
/** What a license shows of its plan, as it was when the license copied it. */
export type LicensePlan = z.infer<typeof licensePlan>;

/** A customer as administrators and its integrator see it; itself without records. Absent optional fields are null. */
export const customer = z.object({
  id: customerId,
  name: z.string(),
  contactEmail: z.string(),
  company: z.string().nullable(),
  licenseKey: z.string(),
  status: accountStatus,
  serviceIntegratorId: integratorId,
  serviceIntegratorName: z.string(),
  /** A built-in theme's name or a custom theme's id. */
  theme: z.string().nullable(),
  themeDisplayName: z.string().nullable(),
  /** The code of the plan, which is also in the license key. */
  tier: z.string(),
  /** Absent for the built-in plan `ENT`. */
  plan: licensePlan.optional(),
  developerSeats: z.int(),
  stakeholderSeats: z.int(),
  activeDeveloperSeats: z.int(),
  activeStakeholderSeats: z.int(),
  seatLimitsEnforced: z.boolean(),
  /** Whether a user's new machine needs approval before it can sign in. */
  machineApprovalEnforced: z.boolean(),
  /** How many machines each user may have; absent for the limit of every license, 20. */
  machineLimit: z.int().optional(),
  /** After how many idle days a user's seat is released automatically; absent for never. */
  idleReleaseDays: z.int().optional(),
  /** After how many minutes without use a developer seat becomes free; absent where each seat is a user's own. */
  floatingDeveloperMinutes: z.int().optional(),
  /** Floating developer seats that users hold now; absent where seats are named. */
  leasedDeveloperSeats: z.int().optional(),
  /** Of all time. */
  totalApiCalls: z.int(),
  /** Open sockets of the command-line tool. */
  activeConnections: z.int(),
  lastApiCall: instant.nullable(),
  lastActivityAt: instant.nullable(),
  /** Whether the portal's sign-in asks for a password after the license key. */
  hasPassword: z.boolean(),
  deletionRequestedAt: instant.nullable(),
  createdAt: instant,
  /** Absent for a perpetual license. */
  term: licenseTerm.optional(),
  /** All that the license includes; absent if it includes everything. */
  entitlements: licenseEntitlements.optional(),
  /** Absent for any number of API calls. */
  callQuota: licenseCallQuota.optional(),
  ...records,
});
/** A customer as replies contain it. */
export type Customer = z.infer<typeof customer>;

const theme = optionalText(MAX_DISPLAY_NAME);

/**
 * The body of `POST /api/admin/customers`. Seats, their limits and minutes, term, entitlements and quota replace those of the plan; without
 * a plan, seats are required.
 */
export const createCustomerAsAdmin = z
  .strictObject({
    name,
    contactEmail: email,
    company,
    serviceIntegratorId: integratorId,
    theme,
    developerSeats: seatCount.optional(),
    stakeholderSeats: seatCount.optional(),
    /** True without a plan. */
    seatLimitsEnforced: z.boolean().optional(),
    /** Absent for the term of the plan, or a perpetual license. */
    term: setTerm.optional(),
    /** Absent for those of the plan; null includes everything. */
    entitlements: setEntitlements.optional(),
    /** Absent for the built-in plan `ENT`. */
    plan: planCode.optional(),
    /** Absent for that of the plan; null for any number of API calls. */
    callQuota: setCallQuota.nullable().optional(),
    /** Absent for those of the plan; null for named developer seats. */
    floatingDeveloperMinutes: floatingMinutes.nullable().optional(),
    ...setRecords,
  })
  .superRefine(({ plan, ...body }, context) => {
    if (plan !== undefined) return;
    for (const field of ['developerSeats', 'stakeholderSeats'] as const) {
      if (body[field] === undefined) context.addIssue({ code: 'custom', path: [field], message: 'Required without a plan' });
    }
  });
export type CreateCustomerAsAdmin = z.infer<typeof createCustomerAsAdmin>;

/** The body of `POST /api/service-integrator/customers`; the seats are those of the plan, or the defaults of `domain/limits.ts`. */
export const createCustomerAsIntegrator = z.strictObject({
  name,
  contactEmail: email,
  company: name,
  theme,
  /** Absent for the term of the plan, or a perpetual license. */
  term: setTerm.optional(),
  /** Absent for those of the plan; null includes everything. */
  entitlements: setEntitlements.optional(),
  /** Absent for the built-in plan `ENT`. */
  plan: planCode.optional(),
  /** Absent for that of the plan; null for any number of API calls. */
  callQuota: setCallQuota.nullable().optional(),
  /** Absent for those of the plan; null for named developer seats. */
  floatingDeveloperMinutes: floatingMinutes.nullable().optional(),
  ...setRecords,
});
export type CreateCustomerAsIntegrator = z.infer<typeof createCustomerAsIntegrator>;

/** Absent fields are kept; null or empty removes `company` and `theme`. */
export const updateCustomer = z.strictObject({
  name,
  contactEmail: email,
  company: company.optional(),
  theme: theme.optional(),
  status: accountStatus.optional(),
  reason: reason.optional(),
  developerSeats: seatCount.optional(),
  stakeholderSeats: seatCount.optional(),
  seatLimitsEnforced: z.boolean().optional(),
  /** Null includes everything. */
  entitlements: setEntitlements.optional(),
  /** Null removes the limit of the license. */
  machineLimit: machineLimit.nullable().optional(),
  /** Null removes the quota. */
  callQuota: setCallQuota.nullable().optional(),
  /** Null releases no seats automatically. */
  idleReleaseDays: idleReleaseDays.nullable().optional(),
  /** Null makes developer seats named again. */
  floatingDeveloperMinutes: floatingMinutes.nullable().optional(),
  ...setRecords,
  reverts,
});
export type UpdateCustomer = z.infer<typeof updateCustomer>;

const customerSort = z.enum(CUSTOMER_SORTS);

/** The query of the lists of customers. Integrators' requests have no `serviceIntegratorId`: they get their own customers. */
export const customerQuery = z.strictObject({
  ...listQuery,
  status: accountStatus.optional(),
  serviceIntegratorId: integratorId.optional(),
  /** Only customers that requested the deletion of their account. */
  deletionRequested: z.literal('true').optional(),
  /** Only licenses in this state of their term, on trial, or without a term. */
  term: termFilter.optional(),
  tag: tagFilter.optional(),
  /** Only licenses with this plan. */
  plan: planCode.optional(),
  /** Only licenses that reached 70 % of their quota of the month and not all of it, or all of it. */
  quota: callQuotaState.optional(),
  sort: customerSort.default('-createdAt'),
});
export type CustomerQuery = z.infer<typeof customerQuery>;

/** A page of customers. `counts` has the matches of the search by status. */
export const customersReply = page({ customers: z.array(customer), counts: statusCounts });
export type CustomersReply = z.infer<typeof customersReply>;
/** A customer after a read or a change; its ETag is the revision for `If-Match`. */
export const customerReply = ok({ customer });
export type CustomerReply = z.infer<typeof customerReply>;

/** The signed-in customer; its ETag is the revision for `If-Match`. */
export const profileReply = ok({ profile: customer.omit({ externalId: true, tags: true, notes: true, customFields: true }) });
export type ProfileReply = z.infer<typeof profileReply>;
