import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AcceptedOutcome } from '../commands/commandHandler.ts';
import { enrolCustomer } from '../commands/enrolCustomer.ts';
import type { Customer, UpdateCustomer } from '../contracts/customers.ts';
import { customerId as customerIdOf, themeId as themeIdOf } from '../contracts/fields.ts';
import type { SetRecords } from '../contracts/records.ts';
import type { RegisterCustomer } from '../domain/customer/commands.ts';
import { NO_RECORDS } from '../domain/customer/records.ts';
import { type CustomerState, isRegistered } from '../domain/customer/state.ts';
import type { CustomerId, IntegratorId } from '../domain/ids.ts';
import { DEFAULT_PLAN } from '../domain/limits.ts';
import { customerOwner } from '../security/owner.ts';
import { customerAsWritten } from './asWritten.ts';
import { customerChanges, recordsIn } from './customerChanges.ts';
import type { HttpDeps, Settle } from './deps.ts';
import { claimingExternalId, customerWithExternalId, isSameCustomer } from './externalIds.ts';
import { licenseFor, type WantedLicense } from './planChoice.ts';
import { HttpProblem } from './problems/problems.ts';
import { accepted, found, ifMatch, tag } from './replies.ts';
import { metaOf, metaOfRevert, newIdFor } from './requests/meta.ts';
import { expectRecentFor } from './requests/reauthentication.ts';
import { expectRevert } from './reverts.ts';
import { themeForNewCustomer } from './themeChoice.ts';
import { unusedKey } from './unusedKey.ts';

type Deps = HttpDeps & { settle: Settle };

/** After every event: the clock of another node may be ahead. */
const LAST_INSTANT = '9999-12-31T23:59:59.999Z';

/** A license key of a tier that no customer has. */
export const unusedLicenseKey = (
  { keys, systemQueries }: Pick<HttpDeps, 'keys' | 'systemQueries'>,
  tier: string,
): Promise<string> =>
  unusedKey(
    () => keys.newLicense(tier),
    (key) => systemQueries.customers.byLicenseKey(keys.digest(key)),
  );

/** The reply for a customer whom the read models do not show yet. */
const freshCustomer = async (commands: HttpDeps['commands'], state: CustomerState, createdAt: string): Promise<Customer> => {
  if (!isRegistered(state)) throw new HttpProblem('customer_not_found');
  const [{ state: integrator }, { state: catalogue }] = await Promise.all([
    commands.integrators.load(state.integratorId),
    commands.themes.load(state.integratorId),
  ]);
  const themeId = themeIdOf.safeParse(state.theme?.theme);
  return customerAsWritten(state, {
    integratorName: 'companyName' in integrator ? integrator.companyName : '',
    themeName: themeId.success ? (catalogue.themes.get(themeId.data)?.displayName ?? null) : null,
    createdAt,
    at: createdAt,
  });
};

/** The problem of a body with an unknown service integrator. */
export const noSuchIntegrator = (): HttpProblem =>
  new HttpProblem('integrator_unknown', {
    issues: [{ path: 'serviceIntegratorId', message: 'Unknown service integrator' }],
  });

/** Closed before it was ever registered: the only event of its stream is that it was abandoned. */
const wasAbandoned = async (commands: HttpDeps['commands'], customerId: CustomerId): Promise<boolean> => {
  const { state, revision } = await commands.customers.load(customerId);
  return state.status === 'deleted' && revision === 0n;
};

/**
 * Enrols and registers a customer under the id that the request gives. An attempt that a crash broke off may have been abandoned under
 * that id in the meantime: the request, sent again with its key, then continues with the next.
 */
const enrolOnce = async (
  commands: HttpDeps['commands'],
  request: FastifyRequest,
  wanted: Omit<RegisterCustomer['data'], 'customerId'>,
  attempt = 1,
): Promise<{ data: RegisterCustomer['data']; outcome: Awaited<ReturnType<typeof enrolCustomer>> }> => {
  const customerId = customerIdOf.parse(newIdFor(request, attempt === 1 ? 'customer' : `customer ${attempt}`));
  const data = { ...wanted, customerId };
  const outcome = await enrolCustomer(commands, { type: 'RegisterCustomer', data, meta: metaOf(request) });
  const isClosed = !outcome.accepted && outcome.refusal === 'customer_deleted' && (await wasAbandoned(commands, customerId));
  return isClosed ? enrolOnce(commands, request, wanted, attempt + 1) : { data, outcome };
};

type WantedCustomer = Pick<RegisterCustomer['data'], 'name' | 'contactEmail' | 'company' | 'integratorId'> &
  WantedLicense &
  SetRecords & { theme: string | null };

/** What a wanted customer is registered with, but for its id and its license key. `at` is ISO-8601 UTC. Throws problems. */
export const newCustomerOf = async (commands: HttpDeps['commands'], wanted: WantedCustomer, at: string) => {
  const { name, contactEmail, company, integratorId } = wanted;
  const license = await licenseFor(commands, wanted, at);
  const theme = await themeForNewCustomer(commands, integratorId, wanted.theme);
  return { name, contactEmail, company, integratorId, ...license, theme, records: { ...NO_RECORDS, ...recordsIn(wanted) } };
};

/**
 * Enrols and registers a customer with a new license key, and shows it. With the external id of a customer that is the same already,
 * shows that one. Throws problems.
 */
export const createCustomer = async (
  { commands, systemQueries, keys, settle, customerAsOf }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: WantedCustomer,
): Promise<Customer> => {
  const customer = await newCustomerOf(commands, wanted, metaOf(request).at);
  const { integratorId, records } = customer;
  const licenseKey = await unusedLicenseKey({ keys, systemQueries }, customer.plan?.code ?? DEFAULT_PLAN);
  const { data, outcome } = await enrolOnce(commands, request, { ...customer, licenseKey });
  if (!outcome.accepted && outcome.refusal === 'external_id_taken' && records.externalId !== null) {
    const existing = await customerWithExternalId(commands, integratorId, records.externalId);
    if (existing && isSameCustomer(existing, data, wanted.term)) {
      request.dataOwner = customerOwner(existing.customerId);
      if ((await request.queries.customers.get(existing.customerId)) === null) {
        await settle(reply, (await customerAsOf(existing.customerId, LAST_INSTANT))?.position ?? null);
      }
      return showCustomer({ settle }, request, reply, existing.customerId, null);
    }
    throw new HttpProblem('external_id_taken', {
      issues: [{ path: 'externalId', message: 'Another customer has this external ID' }],
    });
  }
  if (!outcome.accepted && (outcome.refusal === 'integrator_not_found' || outcome.refusal === 'integrator_deleted')) {
    throw noSuchIntegrator();
  }
  const { position, revision, state } = accepted(outcome);
  request.dataOwner = customerOwner(data.customerId);
  await settle(reply, position);
  reply.code(201);
  const shown = await request.queries.customers.get(data.customerId);
  const isWhole = shown !== null && shown.revision >= revision; // read models that are late may hold its first events only
  tag(reply, isWhole ? shown.revision : revision);
  return isWhole ? shown.customer : freshCustomer(commands, state, metaOf(request).at);
};

/** Throws `reauthentication_required` if the request changes the contact email and the user has not authenticated recently. */
export const expectRecentForCustomer = async (
  deps: HttpDeps,
  request: FastifyRequest,
  customerId: CustomerId,
  contactEmail: string | undefined,
): Promise<void> => {
  const { state } = await deps.commands.customers.load(customerId);
  const before = isRegistered(state) ? state.contactEmail : null;
  await expectRecentFor(deps, request, 'contactEmail', { before, after: contactEmail });
};

/** Changes a customer: all of the body or nothing. Absent fields are kept. Throws problems. */
export const changeCustomer = async (
  deps: Deps,
  request: FastifyRequest,
  { customerId, integratorId }: { customerId: CustomerId; integratorId: IntegratorId },
  body: UpdateCustomer,
): Promise<AcceptedOutcome<CustomerState>> => {
  const { commands } = deps;
  const { reverts } = body;
  const meta = metaOfRevert(request, reverts);
  if (reverts !== undefined) await expectRevert(deps, customerId, reverts, body);
  await expectRecentForCustomer(deps, request, customerId, body.contactEmail);
  const themeOf = async () => found(await request.queries.customers.get(customerId), 'customer_not_found').customer.theme;
  const changes = await customerChanges(commands, { customerId, integratorId }, body, { themeOf, meta });
  return claimingExternalId(commands, { customerId, integratorId }, { externalId: body.externalId, meta }, async (condition) =>
    accepted(await commands.customers.handle(changes, { ...condition, ...ifMatch(request) })),
  );
};

/** The customer as the read models show it after a position. */
export const showCustomer = async (
  { settle }: Pick<Deps, 'settle'>,
  request: FastifyRequest,
  reply: FastifyReply,
  customerId: CustomerId,
  position: bigint | null,
): Promise<Customer> => {
  await settle(reply, position);
  const { customer, revision } = found(await request.queries.customers.get(customerId), 'customer_not_found');
  tag(reply, revision);
  return customer;
};
