import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedOutcome } from '../commands/commandHandler.ts';
import type { Commands } from '../commands/commands.ts';
import type { SetTerm } from '../contracts/terms.ts';
import type { RegisterCustomer } from '../domain/customer/commands.ts';
import { type CustomerRecords, isSameRecords, NO_RECORDS, orderedTags } from '../domain/customer/records.ts';
import { type Customer, type CustomerState, isRegistered } from '../domain/customer/state.ts';
import type { EventMeta } from '../domain/event.ts';
import type { CustomerId, IntegratorId } from '../domain/ids.ts';
import { isSameCallQuota } from '../domain/license/callQuota.ts';
import { isSameEntitlements, orderedEntitlements } from '../domain/license/entitlements.ts';
import { accepted } from './replies.ts';
import { followUp } from './requests/meta.ts';

type Wanted = RegisterCustomer['data'];
type Owned = Readonly<{ customerId: CustomerId; integratorId: IntegratorId }>;

const claimsOf = async ({ integrators }: Commands, integratorId: IntegratorId, externalId: string | null): Promise<number> => {
  const { state } = await integrators.load(integratorId);
  return externalId !== null && 'externalIds' in state ? (state.externalIds.get(externalId)?.claims ?? 0) : 0;
};

/**
 * Changes a customer and, before, claims its new external id with its service integrator, whose stream excludes that two customers
 * have it. The change is then decided on the revision at which the former external id was read. What is not needed any more is
 * released. Throws `external_id_taken`, and what `change` throws.
 */
export const claimingExternalId = async (
  commands: Commands,
  { customerId, integratorId: known }: Owned,
  { externalId, meta }: { externalId: string | null | undefined; meta: EventMeta },
  change: (condition: { ifRevision?: bigint }) => Promise<AcceptedOutcome<CustomerState>>,
): Promise<AcceptedOutcome<CustomerState>> => {
  const { state, revision } = await commands.customers.load(customerId);
  const former = isRegistered(state) ? state.records.externalId : null;
  const integratorId = isRegistered(state) ? state.integratorId : known; // read models may be late after a move
  if (externalId === undefined || externalId === former) return change({});
  const ofFormer = await claimsOf(commands, integratorId, former);
  const release = async (unneeded: string | null, claims: number, name: string): Promise<void> => {
    if (unneeded === null) return;
    const data = { integratorId, customerId, externalId: unneeded, claims };
    await commands.integrators.handle({ type: 'ReleaseExternalId', data, meta: followUp(meta, name) });
  };
  if (externalId !== null) {
    const data = { integratorId, customerId, externalId };
    accepted(await commands.integrators.handle({ type: 'ClaimExternalId', data, meta: followUp(meta, 'claim') }));
  }
  const ofNew = await claimsOf(commands, integratorId, externalId);
  try {
    const outcome = await change({ ifRevision: revision });
    await release(former, ofFormer, 'release');
    return outcome;
  } catch (error) {
    await release(externalId, ofNew, 'release claim');
    throw error;
  }
};

/** How long another request may take from the claim of an external id to the registration of its customer. */
const REGISTERING_MS = 2_000;
const LOOK_AGAIN_MS = 20;

/**
 * The registered customer of a service integrator that has an external id; null if there is none. Waits for a customer that another request
 * is about to register with it.
 */
export const customerWithExternalId = async (
  commands: Commands,
  integratorId: IntegratorId,
  externalId: string,
): Promise<Customer | null> => {
  for (let waitedMs = 0; ; waitedMs += LOOK_AGAIN_MS) {
    const { state } = await commands.integrators.load(integratorId);
    const claim = 'externalIds' in state ? state.externalIds.get(externalId) : undefined;
    if (!claim) return null;
    const { state: customer } = await commands.customers.load(claim.customerId);
    if (isRegistered(customer)) return customer.records.externalId === externalId ? customer : null;
    if (customer.status === 'deleted' || waitedMs >= REGISTERING_MS) return null;
    await sleep(LOOK_AGAIN_MS);
  }
};

const wantedRecords = ({ tags, ...records }: CustomerRecords): CustomerRecords => ({ ...records, tags: orderedTags(tags) });

/** `asked` is the term of the request. One of the plan depends on the time of the request, so its days are not compared. */
const isSameTerm = ({ term }: Customer, wanted: Wanted['term'], asked: SetTerm | undefined): boolean => {
  if (term === null || wanted === undefined) return term === null && wanted === undefined;
  if (asked === undefined) return true;
  const isSameStart = asked.startsAt === undefined || Date.parse(asked.startsAt) === Date.parse(term.startsAt);
  const isSameEnd = Date.parse(asked.expiresAt) === Date.parse(term.expiresAt) && asked.graceDays === term.graceDays;
  return isSameStart && isSameEnd && asked.isTrial === term.isTrial;
};

/** Whether an existing customer is what a request with the term `asked` would register. */
export const isSameCustomer = (customer: Customer, wanted: Wanted, asked: SetTerm | undefined): boolean =>
  customer.name === wanted.name &&
  customer.contactEmail === wanted.contactEmail &&
  customer.company === wanted.company &&
  customer.seats.developer.allocated === wanted.developerSeats &&
  customer.seats.stakeholder.allocated === wanted.stakeholderSeats &&
  customer.seatLimitsEnforced === wanted.seatLimitsEnforced &&
  customer.plan?.code === wanted.plan?.code &&
  customer.theme?.theme === wanted.theme?.theme &&
  isSameTerm(customer, wanted.term, asked) &&
  isSameCallQuota(customer.callQuota, wanted.callQuota ?? null) &&
  customer.floatingMinutes.developer === (wanted.floatingDeveloperMinutes ?? null) &&
  isSameEntitlements(customer.entitlements, orderedEntitlements(wanted.entitlements ?? null)) &&
  isSameRecords(customer.records, wantedRecords(wanted.records ?? NO_RECORDS));
