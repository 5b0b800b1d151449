import type { z } from 'zod';
import type { Customer } from '../contracts/customers.ts';
import { entitlementsText } from '../contracts/entitlementLines.ts';
import type { AsOfReply, asOfQuery, change } from '../contracts/history.ts';
import type { Records } from '../contracts/records.ts';
import type { LicenseTerm } from '../contracts/terms.ts';
import type { Customer as CustomerState } from '../domain/customer/state.ts';
import type { CustomerId } from '../domain/ids.ts';
import { callQuotaText } from '../domain/license/callQuota.ts';
import { OFFLINE_LICENSE_DAYS } from '../domain/limits.ts';
import type { HistoryReader } from '../projections/history/showing.ts';
import type { Queries } from '../projections/queries.ts';
import type { SessionOwner } from '../security/session.ts';
import { customerAsWritten } from './asWritten.ts';
import type { HttpDeps } from './deps.ts';
import { HttpProblem } from './problems/problems.ts';

type Change = z.infer<typeof change>;

const COMPARED = [
  'name',
  'contactEmail',
  'company',
  'licenseKey',
  'status',
  'theme',
  'developerSeats',
  'stakeholderSeats',
  'activeDeveloperSeats',
  'activeStakeholderSeats',
  'seatLimitsEnforced',
  'machineApprovalEnforced',
] as const satisfies readonly (keyof Customer)[];

/** A field's value for display: a theme's name instead of its id. */
const read = (customer: Customer, field: (typeof COMPARED)[number]): Change['before'] =>
  field === 'theme' ? (customer.themeDisplayName ?? customer.theme) : customer[field];

const TERM = ['expiresAt', 'graceDays', 'isTrial'] as const satisfies readonly (keyof LicenseTerm)[];

const RECORDS = ['externalId', 'tags', 'notes', 'customFields'] as const satisfies readonly (keyof Records)[];

/** Texts of the records, as the history has them too. */
const recordsText = ({ externalId, tags, notes, customFields }: Records) => ({
  externalId: externalId ?? null,
  tags: tags?.join(', ') ?? null,
  notes: notes ?? null,
  customFields: customFields ? JSON.stringify(customFields) : null,
});

/** The change of a field; none if its values are equal. */
export const changeOf = (field: string, before: Change['before'], after: Change['after']): Change[] =>
  before === after ? [] : [{ field, before, after }];

const offlineDaysOf = ({ plan }: Customer): number => plan?.offlineDays ?? OFFLINE_LICENSE_DAYS;

/** The differences of two states of a customer. */
export const changesBetween = (before: Customer, after: Customer): Change[] => {
  const [recordsBefore, recordsAfter] = [recordsText(before), recordsText(after)];
  return [
    ...COMPARED.flatMap((field) =>
      before[field] === after[field] ? [] : [{ field, before: read(before, field), after: read(after, field) }],
    ),
    ...(before.serviceIntegratorId === after.serviceIntegratorId
      ? []
      : [{ field: 'serviceIntegrator', before: before.serviceIntegratorName, after: after.serviceIntegratorName }]),
    ...changeOf('machineLimit', before.machineLimit ?? null, after.machineLimit ?? null),
    ...changeOf('callQuota', callQuotaText(before.callQuota ?? null), callQuotaText(after.callQuota ?? null)),
    ...changeOf('idleReleaseDays', before.idleReleaseDays ?? null, after.idleReleaseDays ?? null),
    ...changeOf('floatingDeveloperMinutes', before.floatingDeveloperMinutes ?? null, after.floatingDeveloperMinutes ?? null),
    ...changeOf('plan', before.plan?.name ?? null, after.plan?.name ?? null),
    ...changeOf('offlineDays', offlineDaysOf(before), offlineDaysOf(after)),
    ...TERM.flatMap((field) => changeOf(field, before.term?.[field] ?? null, after.term?.[field] ?? null)),
    ...changeOf('entitlements', entitlementsText(before.entitlements ?? null), entitlementsText(after.entitlements ?? null)),
    ...RECORDS.flatMap((field) => changeOf(field, recordsBefore[field], recordsAfter[field])),
  ];
};

const MAX_USERS = 500;

/** The users of a state by username, as many as a reply has. */
const usersOf = ({ users }: CustomerState): AsOfReply['users'] =>
  [...users.values()]
    .sort((one, other) => one.username.localeCompare(other.username))
    .slice(0, MAX_USERS)
    .map(({ userId, username, email, role, status, seat, machines }) => ({
      ...{ userId, username, email, role, status, seat },
      machines: machines.length,
    }));

/**
 * A customer at an instant, who changed it last until then, and its differences from `compareTo` if given. Not found before its
 * registration, and for a service integrator while it belonged to another one.
 */
export const showAsOf = async (
  {
    customerAsOf,
    queries,
    reader,
    owner,
  }: Pick<HttpDeps, 'customerAsOf'> & {
    queries: Queries;
    reader: HistoryReader;
    owner: SessionOwner;
  },
  customerId: CustomerId,
  { at, compareTo }: z.infer<typeof asOfQuery>,
): Promise<AsOfReply> => {
  const load = async (instant: string): Promise<{ customer: Customer; state: CustomerState; position: bigint }> => {
    const asOf = await customerAsOf(customerId, instant);
    const isOfOther = owner.kind === 'integrator' && asOf?.state.integratorId !== owner.integratorId;
    if (!asOf || isOfOther) throw new HttpProblem('customer_not_found');
    const integrator = await queries.integrators.get(asOf.state.integratorId);
    const customer = customerAsWritten(asOf.state, {
      integratorName: integrator?.serviceIntegrator.companyName ?? '',
      themeName: asOf.themeName,
      leased: asOf.leased,
      createdAt: asOf.registeredAt,
      at: instant,
    });
    return { customer, state: asOf.state, position: asOf.position };
  };
  const { customer, state, position } = await load(at);
  const changes = compareTo === undefined ? undefined : changesBetween(customer, (await load(compareTo)).customer);
  const of = owner.kind === 'integrator' ? { customerId, since: owner.integratorId } : { customerId };
  const { history } = await queries.history.of(of, { to: at, automatic: 'false', limit: 1 }, reader);
  const lastChange = history[0] ?? null;
  const users = { users: usersOf(state), userCount: state.users.size };
  return { success: true, customer, ...users, at, position: position.toString(), lastChange, ...(changes && { changes }) };
};
