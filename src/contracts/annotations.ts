import { z } from 'zod';
import { DAY_MS } from '../domain/time.ts';
import { CHART_DAYS } from './chartSpans.ts';
import { customerId, instant, integratorId } from './fields.ts';
import { ok } from './replies.ts';

/** Types of events that annotate all charts. */
export const ANNOTATION_TYPES = [
  'CustomerSuspended',
  'CustomerChurned',
  'CustomerReactivated',
  'IntegratorSuspended',
  'IntegratorChurned',
  'IntegratorReactivated',
  'LicenseKeyRotated',
  'MasterLicenseKeyRotated',
  'AdminKeyRotated',
  'ServerStarted',
  'ReadModelsRebuilt',
  'AlertFired',
  'AlertResolved',
] as const;
/** Types of events that annotate the charts of a customer. A change of thousands of users would cover all charts. */
export const USER_ANNOTATION_TYPES = ['UserSuspended', 'UserDeactivated', 'UserActivated'] as const;
const EVERY_TYPE = [...ANNOTATION_TYPES, ...USER_ANNOTATION_TYPES] as const;
/** A type of event that annotates charts. */
export type AnnotationType = (typeof EVERY_TYPE)[number];

/**
 * Something that happened while the calls of a chart were recorded. `about` is the customer or service integrator, whose name is null
 * when it is deleted by now; null for what concerns the whole installation. A `ServerStarted` with another version than the start before
 * has that version in `replaced`.
 */
const annotation = z.object({
  id: z.uuid(),
  at: instant,
  type: z.enum(EVERY_TYPE),
  /** The event as a sentence. */
  summary: z.string(),
  actor: z.object({ kind: z.enum(['admin', 'integrator', 'customer', 'user', 'system']), name: z.string() }),
  about: z.object({ kind: z.enum(['customer', 'integrator']), id: z.uuid(), name: z.string().nullable() }).nullable(),
  replaced: z.string().nullable(),
});
/** An event that annotates charts. */
export type Annotation = z.infer<typeof annotation>;

/** The query of `GET /monitoring/annotations`. With `customer` or `integrator` those of others are left out; `customer` adds its users. */
export const annotationsQuery = z
  .strictObject({ from: instant, to: instant, customer: customerId.optional(), integrator: integratorId.optional() })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), { path: ['to'], message: 'Must be later than from' })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= CHART_DAYS * DAY_MS, {
    path: ['to'],
    message: `Must be at most ${CHART_DAYS} days after from`,
  });
/** The checked query of the annotations. */
export type AnnotationsQuery = z.infer<typeof annotationsQuery>;

/** Oldest first; with more than 200 in the period only the newest ones. */
export const annotationsReply = ok({ annotations: z.array(annotation) });
export type AnnotationsReply = z.infer<typeof annotationsReply>;
