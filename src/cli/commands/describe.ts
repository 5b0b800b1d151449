import type { CliSessionReply } from '../../contracts/cli.ts';
import { entitlementsText } from '../../contracts/entitlementLines.ts';
import type { Profile } from '../home/profiles.ts';
import { count, plain } from '../terminal/text.ts';

/** "developer, 3 of 10 taken" */
export const describeSeat = ({ kind, allocated, active }: Profile['seat']): string =>
  `${kind}, ${count(active)} of ${allocated === -1 ? 'unlimited' : count(allocated)} taken`;

/** "ada <ada@example.com>, developer" */
export const describeUser = ({ username, email, role }: Profile['user']): string => `${plain(username)} <${plain(email)}>, ${role}`;

export const describeCustomer = ({ name, status }: Profile['customer']): string =>
  status === 'active' ? plain(name) : `${plain(name)} (${status})`;

/** "jira, reports until 2027-12-31"; null for a license that includes everything. */
export const describeEntitlements = (entitlements: Profile['entitlements']): string | null => {
  const text = entitlementsText(entitlements ?? null);
  return text === null ? null : plain(text);
};

/** The profile with the current state of the server. */
export const refreshed = (
  profile: Profile,
  { user, customer, seat, theme, term, entitlements }: Omit<CliSessionReply, 'success'>,
): Profile => ({
  ...profile,
  user,
  customer,
  seat,
  theme,
  term,
  entitlements,
});
