import type { CallQuotaReached } from '../../domain/customer/events.ts';
import { endOfMonth } from '../../domain/license/callQuota.ts';
import type { Recorded } from '../../eventstore/port.ts';
import { managers } from './licenseMessage.ts';
import { type Message, NOTICE_MS } from './message.ts';

const outlook = ({ month, kind, percent }: CallQuotaReached['data']): string => {
  const day = endOfMonth(month).slice(0, '2026-01-31'.length);
  if (kind === 'soft') return `Further calls are still recorded. The quota starts again on ${day} (UTC).`;
  return percent === 100
    ? `Further calls are refused, and the command-line tool keeps them until ${day} (UTC) or until the quota is raised.`
    : `When it is used up, the command-line tool keeps further calls until ${day} (UTC).`;
};

/** An email to a customer about a part of its monthly quota that was used. A quota that was changed since then is not what it says. */
export const callQuotaMessage = ({ event: { data }, meta }: Recorded<CallQuotaReached>): Message => ({
  recipients: managers,
  expiresAt: Math.min(Date.parse(meta.at) + NOTICE_MS, Date.parse(endOfMonth(data.month))),
  compose: ({ member, brand, customer }) => {
    if (customer?.callQuota?.limit !== data.limit || customer.status === 'churned') return null;
    if (member && member.status !== 'joined') return null;
    const used = `${data.percent}% of the API calls of ${data.month}`;
    return {
      subject: `${brand.name}: ${customer.name} used ${used}`,
      greeting: `Hello ${member?.name ?? customer.name},`,
      paragraphs: [`${customer.name} used ${used}: the quota is ${data.limit.toLocaleString('en-US')} calls. ${outlook(data)}`],
      action: { label: 'Open usage', url: `${brand.origin}/portal/usage` },
      closing: 'Your service integrator can raise the quota.',
    };
  },
});
