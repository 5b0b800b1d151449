import type { CliSessionReply } from '../../contracts/cli.ts';
import type { Profile } from '../home/profiles.ts';
import { count, plain } from '../terminal/text.ts';

/** "developer, 3 of 10 taken" */
export const describeSeat = ({ kind, allocated, active }: Profile['seat']): string =>
  `${kind}, ${count(active)} of ${allocated === -1 ? 'unlimited' : count(allocated)} taken`;

/** "ada <ada@example.com>, developer" */
export const describeUser = ({ username, email, role }: Profile['user']): string => `${plain(username)} <${plain(email)}>, ${role}`;

export const describeCustomer = ({ name, status }: Profile['customer']): string =>
  status === 'active' ? plain(name) : `${plain(name)} (${status})`;

/** The profile with the current state of the server. */
export const refreshed = (profile: Profile, { user, customer, seat, theme, term }: Omit<CliSessionReply, 'success'>): Profile => ({
  ...profile,
  user,
  customer,
  seat,
  theme,
  term,
});
