import { alertValueText } from '../../contracts/alertValues.ts';
import { ERASED } from '../../domain/event.ts';
import type { EventOf } from '../../domain/events.ts';
import type { UserId } from '../../domain/ids.ts';
import type { AlertFired, AlertResolved } from '../../domain/operations/alertEvents.ts';
import type { AlertMetric } from '../../domain/operations/metrics.ts';
import type { Team } from '../../domain/team/evolve.ts';
import type { Recorded } from '../../eventstore/port.ts';
import { invitationPath } from '../../security/invitations.ts';
import type { Brand } from './brand.ts';
import { callQuotaMessage } from './callQuotaMessage.ts';
import { licenseMessage } from './licenseMessage.ts';
import { type Message, NOTICE_MS, type Notified } from './message.ts';
import { CONTACT, INVITATION } from './outbox.ts';
import { releaseMessage } from './releaseMessage.ts';

/** `2026-11-30 09:15 UTC`. */
const instantText = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

const invitation = ({ event: { data }, meta }: Recorded<EventOf<'MemberInvited'>>): Message => ({
  recipients: () => [data.userId],
  expiresAt: Date.parse(data.expiresAt),
  compose: ({ member, team, brand, invitationSecret }) => {
    const current = member?.invitation;
    if (!member || current?.invitationId !== data.invitationId) return null;
    const inviter = meta.actor.userId && team.members.get(meta.actor.userId)?.name;
    const place = brand.tenant === brand.name ? brand.name : `${brand.tenant} on ${brand.name}`;
    return {
      subject: `Your invitation to ${place}`,
      greeting: `Hello ${member.name},`,
      paragraphs: [
        inviter ? `${inviter} invited you to ${place} as ${member.role}.` : `You are invited to ${place} as ${member.role}.`,
        'Open the link to choose how you sign in.',
      ],
      action: { label: 'Accept the invitation', url: `${brand.origin}${invitationPath(invitationSecret, data.invitationId)}` },
      closing: `The link works once, until ${instantText(current.expiresAt)}. If you did not expect this email, ignore it.`,
    };
  },
});

type Noticed = EventOf<'BreakGlassUsed' | 'NewSignInNoticed' | 'WrongCodesNoticed'>;

const known = (text: string | null): string => (text === null || text === ERASED ? 'unknown' : text);

/** An email about what a notice in the console says, with the same time, address and browser. */
const notice = (
  { event: { data }, meta }: Recorded<Noticed>,
  recipients: readonly UserId[],
  wording: (brand: Brand) => Readonly<{ subject: string; paragraph: string; advice: string }>,
): Message => ({
  recipients: () => recipients,
  expiresAt: Date.parse(meta.at) + NOTICE_MS,
  compose: ({ member, brand }) => {
    if (member?.status !== 'joined') return null;
    const { subject, paragraph, advice } = wording(brand);
    return {
      subject,
      greeting: `Hello ${member.name},`,
      paragraphs: [paragraph],
      facts: [
        ['Time', instantText(meta.at)],
        ['Address', known(data.address)],
        ['Browser', known(data.browser)],
      ],
      closing: advice,
    };
  },
});

/** Who runs the installation, and so can do something about an alert. */
const operators = ({ members }: Team): UserId[] =>
  [...members.values()].filter(({ status, role }) => status === 'joined' && role !== 'auditor').map(({ userId }) => userId);

const VALUES: Readonly<Record<AlertMetric, (value: string, customer: string) => string>> = {
  health: (value) => (value === '1' ? '1 failing health check' : `${value} failing health checks`),
  error_rate: (value) => `${value} of the API calls of the last 5 minutes failed`,
  p95: (value) => `95% of the API calls of the last 5 minutes took up to ${value}`,
  seats: (value, customer) => `${customer} uses ${value} of its seats`,
  projection_lag: (value) => `read models are ${value} behind`,
  rejected_sign_ins: (value) => `${value} rejected sign-ins in the last 10 minutes`,
};

/** An email about an alert. A rule that was removed since then is news no more. */
const alert = ({ event, meta }: Recorded<AlertFired | AlertResolved>): Message => ({
  recipients: operators,
  expiresAt: Date.parse(meta.at) + NOTICE_MS,
  compose: ({ member, brand, customer, rules }) => {
    const rule = rules?.rules.get(event.data.ruleId);
    if (!rule || member?.status !== 'joined') return null;
    const isFired = event.type === 'AlertFired';
    const value = isFired
      ? VALUES[rule.metric](alertValueText(rule.metric, event.data.value), customer?.name ?? 'a customer')
      : null;
    const of = customer ? ` (${customer.name})` : '';
    return {
      subject: `${brand.name}: ${rule.name}${of} ${isFired ? 'alert' : 'resolved'}`,
      greeting: `Hello ${member.name},`,
      paragraphs: [value === null ? `The alert ${rule.name}${of} is resolved.` : `The alert ${rule.name} fired: ${value}.`],
      facts: [
        ['Time', instantText(meta.at)],
        ...(isFired && event.data.checks.length > 0 ? [['Checks', event.data.checks.join(', ')] as const] : []),
      ],
      action: customer
        ? { label: 'Open the customer', url: `${brand.origin}/admin/customers/${event.data.concernedId}` }
        : { label: 'Open alerts', url: `${brand.origin}/admin/monitoring/alerts` },
      closing: 'You get this email because you run this installation. Change the alert rules to get fewer.',
    };
  },
});

/** The email that an event causes; null if it causes none. */
export const messageOf = (recorded: Notified): Message | null => {
  const { event } = recorded;
  switch (event.type) {
    case 'MemberInvited':
      return invitation({ ...recorded, event });
    case 'BreakGlassUsed':
      return notice({ ...recorded, event }, event.data.owners, ({ name, tenant }) => ({
        subject: `${name}: emergency sign-in with the key`,
        paragraph: `Someone signed in to ${tenant} with its key, which is for emergencies only.`,
        advice: 'If no owner or admin did this, rotate the key and turn off sign-in with it.',
      }));
    case 'NewSignInNoticed':
      return notice({ ...recorded, event }, [event.data.userId], ({ name }) => ({
        subject: `${name}: new sign-in to your account`,
        paragraph: 'Your account signed in with a browser, or from an address, that you had not used lately.',
        advice: 'If this was not you, change your password, which signs you out everywhere else, and inform an owner.',
      }));
    case 'WrongCodesNoticed':
      return notice({ ...recorded, event }, [event.data.userId], ({ name }) => ({
        subject: `${name}: wrong codes for your account`,
        paragraph: 'Someone entered your password and then several wrong codes. The sign-in was refused.',
        advice: 'If this was not you, someone knows your password: change it now.',
      }));
    case 'AlertFired':
    case 'AlertResolved':
      return alert({ ...recorded, event });
    case 'LicenseExpiryAnnounced':
    case 'LicenseEnteredGrace':
    case 'LicenseExpired':
      return licenseMessage({ ...recorded, event });
    case 'CallQuotaReached':
      return callQuotaMessage({ ...recorded, event });
    case 'UserDeactivated':
      return releaseMessage({ ...recorded, event });
  }
};

/** Identifies an email: the same one for the same event and recipient. */
export const keyOf = ({ id, event }: Recorded, userId: UserId | null): string =>
  event.type === 'MemberInvited' ? `${INVITATION}${event.data.invitationId}` : `${id}:${userId ?? CONTACT}`;
