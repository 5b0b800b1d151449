import type { CallQuotaUse } from '../../contracts/callQuotas.ts';
import type { CliSessionReply } from '../../contracts/cli.ts';
import { entitlementsText } from '../../contracts/entitlementLines.ts';
import { reachedPercent } from '../../domain/license/callQuota.ts';
import { UNLIMITED_SEATS } from '../../domain/limits.ts';
import type { Profile } from '../home/profiles.ts';
import { allowsCalls } from '../recording/quotaHold.ts';
import type { Paint } from '../terminal/paint.ts';
import { count, plain } from '../terminal/text.ts';

/** "developer, 3 of 10 taken"; of floating seats "developer (floating), 3 of 10 in use" */
export const describeSeat = ({ kind, allocated, active, floating }: Profile['seat']): string => {
  const of = allocated === UNLIMITED_SEATS ? 'unlimited' : count(allocated);
  return floating ? `${kind} (floating), ${count(floating.leased)} of ${of} in use` : `${kind}, ${count(active)} of ${of} taken`;
};

/** Until when the user holds a floating seat, in the time zone of this computer; null for a seat of the user's own. */
export const describeLease = (lease: CliSessionReply['lease'], at: number): string | null => {
  if (lease === undefined) return null;
  if (lease === null) return 'none; the next use takes a seat';
  if (lease.until === null) return 'while you are connected';
  const until = new Date(lease.until);
  const isToday = until.toDateString() === new Date(at).toDateString();
  return `until ${isToday ? until.toTimeString().slice(0, 5) : until.toLocaleString()}, unless you use it`;
};

/** "ada <ada@example.com>, developer" */
export const describeUser = ({ username, email, role }: Profile['user']): string => `${plain(username)} <${plain(email)}>, ${role}`;

export const describeCustomer = ({ name, status }: Profile['customer']): string =>
  status === 'active' ? plain(name) : `${plain(name)} (${status})`;

/** "jira, reports until 2027-12-31"; null for a license that includes everything. */
export const describeEntitlements = (entitlements: Profile['entitlements']): string | null => {
  const text = entitlementsText(entitlements ?? null);
  return text === null ? null : plain(text);
};

const percentOf = ({ used, limit }: CallQuotaUse): string => `${Math.floor((100 * used) / limit)}%`;

/** "9,000 of 10,000 calls (90%), resets on 2026-12-01" */
export const describeCallQuota = (quota: CallQuotaUse): string =>
  `${count(quota.used)} of ${count(quota.limit)} calls (${percentOf(quota)}), ${quota.kind}, resets on ${quota.resetsAt.slice(0, '2026-01-31'.length)}`;

/** The text of `describeCallQuota` in the color of its urgency: from the first notice on, and when no further calls are recorded. */
export const paintedCallQuota = (quota: CallQuotaUse, paint: Paint): string => {
  const text = describeCallQuota(quota);
  if (!allowsCalls(quota)) return paint.bad(text);
  return reachedPercent(quota.used, quota.limit) > 0 ? paint.accent(text) : text;
};

/** The profile with the current state of the server. */
export const refreshed = (
  profile: Profile,
  { user, customer, seat, theme, term, entitlements, lease, callQuota }: Omit<CliSessionReply, 'success'>,
): Profile => ({
  ...profile,
  user,
  customer,
  seat,
  theme,
  term,
  entitlements,
  lease,
  callQuota,
});
