import { z } from 'zod';
import { MAX_CUSTOM_FIELDS, MAX_EXTERNAL_ID, MAX_NOTES, MAX_TAG, MAX_TAGS } from '../domain/limits.ts';
import { text } from './fields.ts';
import { shortened } from './issues.ts';

/*
 * What administrators and service integrators keep about a customer for themselves. No reply to the customer contains it.
 */

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** A short word, in lower case after parsing. Commas separate tags. */
const tag = text(MAX_TAG)
  .refine((value) => !value.includes(','), 'Must not contain a comma')
  .transform((value) => value.toLowerCase());

const tags = z.array(tag).max(MAX_TAGS, `Must be at most ${MAX_TAGS} tags`);

const LINE_BREAKS = /\r\n?/g;
const LONE_SURROGATE = /\p{Cs}/u;
const OTHER_CONTROL = /[^\P{Cc}\n\t]/u;

/** Text of several lines. Absent, null and an empty string all mean: none. */
const notes = z.preprocess(
  (value) => (typeof value === 'string' && value.trim() === '' ? null : value),
  z
    .string()
    .trim()
    .max(MAX_NOTES, `Must be at most ${MAX_NOTES.toLocaleString('en-US')} characters`)
    .refine((value) => !LONE_SURROGATE.test(value), 'Must be valid Unicode text')
    .transform((value) => value.replace(LINE_BREAKS, '\n'))
    .refine((value) => !OTHER_CONTROL.test(value), 'Must not contain control characters')
    .nullable(),
);

const externalId = z.preprocess(
  (value) => (typeof value === 'string' && value.trim() === '' ? null : value),
  text(MAX_EXTERNAL_ID).nullable(),
);

/** Why fields would not be stored as they were sent; null if they would. */
const lossIn = (value: unknown, path: string): string | null => {
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    return `Must not have a number beyond ${Number.MAX_SAFE_INTEGER}. Send ${shortened(path)} as text`;
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, field] of Object.entries(value)) {
    const loss = name === '__proto__' ? 'Must not have a field named __proto__' : lossIn(field, path ? `${path}.${name}` : name);
    if (loss !== null) return loss;
  }
  return null;
};

const customFields = z.preprocess(
  (value, { addIssue }) => {
    const loss = lossIn(value, '');
    if (loss !== null) addIssue(loss);
    return value;
  },
  z
    .looseObject({}, 'Must be a JSON object like {"crm":"A-17"}')
    .refine(
      (value) => bytesOf(value) <= MAX_CUSTOM_FIELDS,
      `Must be at most ${MAX_CUSTOM_FIELDS.toLocaleString('en-US')} bytes of JSON`,
    )
    .nullable(),
);

/** The fields of requests. Absent ones are kept; null, or nothing in it, removes one. */
export const setRecords = {
  externalId: externalId.optional(),
  tags: tags.optional(),
  notes: notes.optional(),
  customFields: customFields.optional(),
};

/** The fields of replies. Those without a value are absent. */
export const records = {
  /** The id in another system, which no other customer of the service integrator has. */
  externalId: z.string().optional(),
  tags: z.array(z.string()).optional(),
  notes: z.string().optional(),
  customFields: z.looseObject({}).optional(),
};

const withRecords = z.object(records);
/** The fields of replies. */
export type Records = z.infer<typeof withRecords>;
const settingRecords = z.strictObject(setRecords);
/** The fields of requests. */
export type SetRecords = z.infer<typeof settingRecords>;

/** Customers that have each of these tags; commas separate them. */
export const tagFilter = z
  .string()
  .max(MAX_TAGS * (MAX_TAG + 1))
  .transform((value) => value.split(',').filter((part) => part.trim() !== ''))
  .pipe(z.array(tag).min(1, 'Must name a tag').max(MAX_TAGS));
