import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type IssueOfflineLicenseBody,
  OFFLINE_LICENSE_TYPE,
  type OfflineLicenseClaims,
  type OfflineLicenseReply,
  offlineLicenseId,
} from '../contracts/offlineLicenses.ts';
import { type Customer, isRegistered, type OfflineLicense, type User } from '../domain/customer/state.ts';
import type { CustomerId, UserId } from '../domain/ids.ts';
import { shownEntitlements } from '../projections/customers/entitlements.ts';
import type { HttpDeps, Settle } from './deps.ts';
import { HttpProblem } from './problems/problems.ts';
import { found } from './replies.ts';
import { metaOf, newIdFor } from './requests/meta.ts';
import { signInProblemOf } from './tool.ts';

const secondsOf = (instant: string): number => Math.floor(Date.parse(instant) / 1_000);

/** Hexadecimal digits of a key's digest that name it. */
const KEY_ID_DIGITS = 16;

const claimsOf = (
  { keys }: Pick<HttpDeps, 'keys'>,
  customer: Customer,
  user: User,
  { licenseId, fingerprint, issuedAt, expiresAt }: OfflineLicense,
  machineName: string | null,
): Omit<OfflineLicenseClaims, 'iss'> => ({
  sub: user.userId,
  jti: licenseId,
  iat: secondsOf(issuedAt),
  exp: secondsOf(expiresAt),
  customer: { id: customer.customerId, name: customer.name },
  license: {
    keyId: keys.digest(customer.licenseKey).toString('hex').slice(0, KEY_ID_DIGITS),
    tier: customer.tier,
    seats: { developer: customer.seats.developer.allocated, stakeholder: customer.seats.stakeholder.allocated },
    term: customer.term,
    ...shownEntitlements(customer.entitlements),
  },
  user: { username: user.username, role: user.role, seat: user.seat },
  machine: { fingerprint, name: machineName },
});

/** Records that a user gets an offline license for a machine, and signs it. Throws the problem that says why not. */
export const answerOfflineLicense = async (
  deps: Pick<HttpDeps, 'commands' | 'keys' | 'signingKeys'> & { settle: Settle },
  request: FastifyRequest,
  reply: FastifyReply,
  { customerId, userId }: { customerId: CustomerId; userId: UserId },
  { fingerprint, machineName: name }: IssueOfflineLicenseBody,
): Promise<OfflineLicenseReply> => {
  const machineName = name ?? null;
  const licenseId = offlineLicenseId.parse(newIdFor(request, 'offline-license'));
  const data = { customerId, userId, licenseId, fingerprint, machineName };
  const outcome = await deps.commands.customers.handle({ type: 'IssueOfflineLicense', data, meta: metaOf(request) });
  if (!outcome.accepted) throw new HttpProblem(signInProblemOf(outcome.refusal));
  const { state } = outcome;
  if (!isRegistered(state)) throw new HttpProblem('customer_not_found');
  const user = found(state.users.get(userId), 'user_not_found');
  const issued = found(
    user.offlineLicenses.find((license) => license.fingerprint === fingerprint),
    'user_not_found',
  );
  const license = await deps.signingKeys.sign(claimsOf(deps, state, user, issued, machineName), {
    type: OFFLINE_LICENSE_TYPE,
    until: issued.expiresAt,
  });
  await deps.settle(reply, outcome.position);
  const { licenseId: id, issuedAt, expiresAt } = issued;
  return { success: true, license, keys: await deps.signingKeys.publicKeys(), id, fingerprint, issuedAt, expiresAt };
};
