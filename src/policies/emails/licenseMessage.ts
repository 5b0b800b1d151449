import type { Customer } from '../../domain/customer/state.ts';
import type { EventsByCategory } from '../../domain/events.ts';
import type { UserId } from '../../domain/ids.ts';
import { endOf, type Term } from '../../domain/license/term.ts';
import { FULL_ROLE } from '../../domain/permissions.ts';
import type { Team } from '../../domain/team/evolve.ts';
import { dayOf } from '../../domain/time.ts';
import type { Recorded } from '../../eventstore/port.ts';
import { type Message, NOTICE_MS } from './message.ts';

type Step = EventsByCategory['customer'] & { type: 'LicenseExpiryAnnounced' | 'LicenseEnteredGrace' | 'LicenseExpired' };

/** The last sentence of the paragraph: what happens next, or what happens now. */
const outlook = (type: Step['type'], term: Term): string => {
  if (type === 'LicenseExpired')
    return 'The command-line tool refuses to sign in with it. Calls of before the end are still recorded, and the portal stays.';
  if (type === 'LicenseEnteredGrace' || term.graceDays > 0) return `It works until ${dayOf(endOf(term))}.`;
  return 'After that the command-line tool cannot sign in with it.';
};

const wording = (type: Step['type'], { name, term }: Customer & { term: Term }): { subject: string; paragraph: string } => {
  const what = term.isTrial ? 'trial' : 'license';
  const on = dayOf(type === 'LicenseExpired' ? endOf(term) : term.expiresAt);
  const verb = { LicenseExpiryAnnounced: 'expires', LicenseEnteredGrace: 'expired', LicenseExpired: 'stopped working' }[type];
  return {
    subject: `The ${what} of ${name} ${verb} on ${on}`,
    paragraph: `The ${what} of ${name} ${verb} on ${on}. ${outlook(type, term)}`,
  };
};

/** Who manages the license: the administrators among the named users, or the contact of a customer without them. */
export const managers = ({ members }: Team): (UserId | null)[] => {
  const joined = [...members.values()].filter(({ status, role }) => status === 'joined' && role === FULL_ROLE.customer);
  return joined.length > 0 ? joined.map(({ userId }) => userId) : [null];
};

/** An email to a customer about a step of its license's term. A term that was changed since then is not what it says. */
export const licenseMessage = ({ event: { type, data }, meta }: Recorded<Step>): Message => ({
  recipients: managers,
  expiresAt: Date.parse(meta.at) + NOTICE_MS,
  compose: ({ member, brand, customer }) => {
    const term = customer?.term ?? null;
    if (!customer || !term || term.expiresAt !== data.expiresAt || customer.status === 'churned') return null;
    if (member && member.status !== 'joined') return null;
    const { subject, paragraph } = wording(type, { ...customer, term });
    return {
      subject: `${brand.name}: ${subject}`,
      greeting: `Hello ${member?.name ?? customer.name},`,
      paragraphs: [paragraph],
      action: { label: 'Open the portal', url: `${brand.origin}/portal` },
      closing: 'Your service integrator renews it. Nothing that was recorded is lost.',
    };
  },
});
