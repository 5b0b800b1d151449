import { z } from 'zod';
import { ACCOUNT_STATUSES, SERVICES, USER_ROLES, USER_STATUSES } from '../domain/enumerations.ts';
import type {
  ApiTokenId,
  ConnectionId,
  CredentialId,
  CustomerId,
  IntegratorId,
  NoticeId,
  SessionId,
  ThemeId,
  UserId,
} from '../domain/ids.ts';
import {
  MAX_EMAIL,
  MAX_IDLE_RELEASE_DAYS,
  MAX_LICENSE_KEY,
  MAX_NAME,
  MAX_REASON,
  MAX_SEATS,
  MAX_URL,
  UNLIMITED_SEATS,
} from '../domain/limits.ts';

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const LONE_SURROGATE = /\p{Cs}/u;

/** Trimmed text without control characters and lone surrogates. Without any it is refused, with the text `missing` where given. */
export const text = (max: number, missing?: string) =>
  z
    .string(missing)
    .trim()
    .min(1, missing ?? 'Must not be empty')
    .max(max, `Must be at most ${max} characters`)
    .refine((value) => !CONTROL.test(value), 'Must not contain control characters')
    .refine((value) => !LONE_SURROGATE.test(value), 'Must be valid Unicode text');

/** Absent, null and an empty string all mean: none. */
export const optionalText = (max: number) =>
  z.preprocess(
    (value) => (value === undefined || (typeof value === 'string' && value.trim() === '') ? null : value),
    text(max).nullable(),
  );

/** The name of a customer, company or contact. */
export const name = text(MAX_NAME);
export const company = optionalText(MAX_NAME);
/** Why a status is changed, for the history. Without a change of the status it is not recorded. */
export const reason = optionalText(MAX_REASON);

export const email = text(MAX_EMAIL).pipe(z.email('Must be an email address'));

/** An absolute http or https address without user name and password in it. */
export const httpUrl = text(MAX_URL).refine((value) => {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === '';
}, 'Must be an http or https address');

/** As `httpUrl`, but https only. */
export const httpsUrl = httpUrl.refine((value) => value.toLowerCase().startsWith('https:'), 'Must be an https address');

const HOST = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** After how many idle days seats are released automatically. */
export const idleReleaseDays = z
  .int('Must be a whole number')
  .min(1, 'Must be 1 or more')
  .max(MAX_IDLE_RELEASE_DAYS, `Must be at most ${MAX_IDLE_RELEASE_DAYS}`);

/** A host name in lower case without a trailing dot. */
export const hostName = z
  .string()
  .trim()
  .transform((value) => value.toLowerCase().replace(/\.$/, ''))
  .pipe(z.string().regex(HOST, 'Must be a domain name like licenses.example.com'));

/** License keys are typed manually: trimmed and upper-cased. */
export const licenseKey = text(MAX_LICENSE_KEY, 'Please enter license key').transform((value) => value.toUpperCase());
export const masterLicenseKey = text(MAX_LICENSE_KEY, 'Please enter master license key').transform((value) => value.toUpperCase());

/** -1 means unlimited. */
export const seatCount = z
  .int('Must be a whole number')
  .min(UNLIMITED_SEATS, 'Must be -1 (unlimited), 0 or more')
  .max(MAX_SEATS, `Must be at most ${MAX_SEATS.toLocaleString('en-US')}`);

export const hexColor = z
  .string()
  .trim()
  .regex(/^#[0-9a-fA-F]{6}$/, 'Must be a hex color like #0070AD')
  .transform((value) => value.toUpperCase());

/** A UUID, in lower case after parsing. */
export const idOf = <Id extends string>() => z.uuid('Must be a UUID').toLowerCase() as unknown as z.ZodType<Id, string>;

/** A UUID, in lower case after parsing. */
export const customerId = idOf<CustomerId>();
/** A UUID, in lower case after parsing. */
export const integratorId = idOf<IntegratorId>();
/** A UUID, in lower case after parsing. */
export const userId = idOf<UserId>();
/** A UUID, in lower case after parsing. */
export const noticeId = idOf<NoticeId>();
/** A UUID, in lower case after parsing. */
export const sessionId = idOf<SessionId>();
/** A UUID, in lower case after parsing. */
export const themeId = idOf<ThemeId>();
/** A UUID, in lower case after parsing. */
export const credentialId = idOf<CredentialId>();
/** A UUID, in lower case after parsing. */
export const connectionId = idOf<ConnectionId>();
/** A UUID, in lower case after parsing. */
export const apiTokenId = idOf<ApiTokenId>();

/** PostgreSQL has no year 0, and reads no more than nanoseconds. */
const MAX_INSTANT = '2026-01-31T12:00:00.000000000Z'.length;
const hasYear = (value: string): boolean => !value.startsWith('0000');

/** ISO-8601 UTC with a Z. */
export const instant = z.iso
  .datetime('Must be a UTC time like 2026-01-31T12:00:00Z')
  .max(MAX_INSTANT, 'Must be a UTC time like 2026-01-31T12:00:00Z')
  .refine(hasYear, 'Must be a time after the year 0');
/** An instant with milliseconds, as events store it. */
export const toMilliseconds = instant.transform((value) => new Date(value).toISOString());
/** yyyy-mm-dd, UTC. */
export const day = z.iso.date('Must be a day like 2026-01-31').refine(hasYear, 'Must be a day after the year 0');
/** A place in the event store's order; a string, since it may be past what a JSON number holds. */
export const position = z.string().regex(/^\d{1,20}$/);

/** The status of a customer or a service integrator. */
export const accountStatus = z.enum(ACCOUNT_STATUSES);
export const userStatus = z.enum(USER_STATUSES);
export const userRole = z.enum(USER_ROLES);
/** The third-party services whose calls are counted and for which credentials are stored. */
export const service = z.enum(SERVICES);

/** The id of the event that a change reverts; the change must be exactly what the preview of the revert replied. */
export const reverts = z.uuid().optional();
