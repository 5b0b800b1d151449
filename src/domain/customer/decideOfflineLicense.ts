import { addDays } from '../calendar.ts';
import { accept, type Decision, refuse } from '../decider.ts';
import { endOf } from '../license/term.ts';
import { MAX_OFFLINE_LICENSES, OFFLINE_LICENSE_DAYS, SAME_OFFLINE_LICENSE_MS } from '../limits.ts';
import type { IssueOfflineLicense } from './commands.ts';
import type { OfflineLicenseIssued } from './events.ts';
import { type Customer, type User, validOfflineLicenses } from './state.ts';

export type OfflineLicenseRefusal = 'offline_license_limit_reached';

/** When an offline license that is issued now expires: with the license at the latest. */
const expiryOf = ({ term, plan }: Customer, at: string): string => {
  const inDays = addDays(at, plan?.offlineDays ?? OFFLINE_LICENSE_DAYS);
  const end = term === null ? inDays : endOf(term);
  return Date.parse(end) < Date.parse(inDays) ? end : inDays;
};

/** For a user who may use the tool. A repeated request finds the license that was just issued for the machine. */
export const decideOfflineLicense = (
  { data: { licenseId, fingerprint, machineName }, meta: { at } }: IssueOfflineLicense,
  customer: Customer,
  user: User,
): Decision<OfflineLicenseIssued, OfflineLicenseRefusal> => {
  const expiresAt = expiryOf(customer, at);
  const valid = validOfflineLicenses(user, at);
  const known = valid.find((license) => license.fingerprint === fingerprint);
  const isNew = known !== undefined && Date.parse(known.issuedAt) > Date.parse(at) - SAME_OFFLINE_LICENSE_MS;
  if (isNew && Date.parse(known.expiresAt) <= Date.parse(expiresAt)) return accept();
  if (!known && valid.length >= (customer.machineLimit ?? MAX_OFFLINE_LICENSES)) return refuse('offline_license_limit_reached');
  return accept({
    type: 'OfflineLicenseIssued',
    data: { userId: user.userId, licenseId, fingerprint, machineName, issuedAt: at, expiresAt },
  });
};
