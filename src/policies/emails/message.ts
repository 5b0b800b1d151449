import type { Customer } from '../../domain/customer/state.ts';
import type { EventOf, EventType } from '../../domain/events.ts';
import type { UserId } from '../../domain/ids.ts';
import type { AlertRules } from '../../domain/operations/alerts.ts';
import type { Member, Team } from '../../domain/team/evolve.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { Recorded } from '../../eventstore/port.ts';
import type { Brand } from './brand.ts';
import type { Content } from './layout.ts';

/** The types of events of which emails notify. */
export const NOTIFIED_TYPES = [
  'MemberInvited',
  'BreakGlassUsed',
  'NewSignInNoticed',
  'WrongCodesNoticed',
  'AlertFired',
  'AlertResolved',
  'LicenseExpiryAnnounced',
  'LicenseEnteredGrace',
  'LicenseExpired',
  'CallQuotaReached',
  'UserDeactivated',
] as const satisfies readonly EventType[];

/** An event of which an email notifies its recipients. */
export type Notified = Recorded<EventOf<(typeof NOTIFIED_TYPES)[number]>>;

/** What an email is composed of. */
type Context = Readonly<{
  /** Null for the contact of a customer who has no named users. */
  member: Member | null;
  team: Team;
  brand: Brand;
  /** The customer of an event about a license, or the one that an alert concerns, unless it is deleted. */
  customer: Customer | null;
  /** The alert rules, for an alert. */
  rules: AlertRules | null;
  /** What the tokens of invitations are made with. */
  invitationSecret: Buffer;
}>;

/** The email that an event causes. */
export type Message = Readonly<{
  /** The members who get it; null is the contact of the customer. */
  recipients: (team: Team) => readonly (UserId | null)[];
  /** Whether the recipients are users of the customer, who need not be members. */
  toUser?: true;
  /** When it is too late to send it, ms since 1970. */
  expiresAt: number;
  /** Null if it is no longer true. */
  compose: (context: Context) => Content | null;
}>;

/** How long a notice is news, in ms. */
export const NOTICE_MS = DAY_MS;
