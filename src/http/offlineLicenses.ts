import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type IssueOfflineLicenseBody,
  OFFLINE_LICENSE_TYPE,
  type OfflineLicenseClaims,
  type OfflineLicenseReply,
  offlineLicenseId,
} from '../contracts/offlineLicenses.ts';
import { customerDecider } from '../domain/customer/decider.ts';
import { type Customer, isRegistered, type OfflineLicense, type User } from '../domain/customer/state.ts';
import type { CustomerId, UserId } from '../domain/ids.ts';
import { shownEntitlements } from '../projections/customers/entitlements.ts';
import type { HttpDeps, Settle } from './deps.ts';
import { claimSeatOrDeny } from './floatingSeats.ts';
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

/**
 * Records that a user gets an offline license for a machine, and signs it. Where seats float, it holds a seat until it expires: the license
 * is sent only once the seat is held so long, since it cannot be revoked. Throws the problem that says why not.
 */
export const answerOfflineLicense = async (
  deps: Pick<HttpDeps, 'commands' | 'keys' | 'signingKeys' | 'seatUses' | 'seatDenials'> & { settle: Settle },
  request: FastifyRequest,
  reply: FastifyReply,
  { customerId, userId }: { customerId: CustomerId; userId: UserId },
  { fingerprint, machineName: name }: IssueOfflineLicenseBody,
): Promise<OfflineLicenseReply> => {
  const machineName = name ?? null;
  const licenseId = offlineLicenseId.parse(newIdFor(request, 'offline-license'));
  const data = { customerId, userId, licenseId, fingerprint, machineName };
  const meta = metaOf(request);
  const command = { type: 'IssueOfflineLicense', data, meta } as const;
  const { state: before } = await deps.commands.customers.load(customerId);
  const asking = isRegistered(before) ? before.users.get(userId) : undefined;
  if (isRegistered(before) && asking && customerDecider.decide(command, before).accepted) {
    await claimSeatOrDeny(deps, before, asking, { meta }); // without a free seat no license is recorded
  }
  const outcome = await deps.commands.customers.handle(command);
  if (!outcome.accepted) throw new HttpProblem(signInProblemOf(outcome.refusal));
  const { state } = outcome;
  if (!isRegistered(state)) throw new HttpProblem('customer_not_found');
  const user = found(state.users.get(userId), 'user_not_found');
  const issued = found(
    user.offlineLicenses.find((license) => license.fingerprint === fingerprint),
    'user_not_found',
  );
  await claimSeatOrDeny(deps, state, user, { meta, offlineUntil: issued.expiresAt });
  const license = await deps.signingKeys.sign(claimsOf(deps, state, user, issued, machineName), {
    type: OFFLINE_LICENSE_TYPE,
    until: issued.expiresAt,
  });
  await deps.settle(reply, outcome.position);
  const { licenseId: id, issuedAt, expiresAt } = issued;
  return { success: true, license, keys: await deps.signingKeys.publicKeys(), id, fingerprint, issuedAt, expiresAt };
};
