import type { UpdateCustomer } from '../contracts/customers.ts';
import { entitlementsText } from '../contracts/entitlementLines.ts';
import { themeId as themeIdOf } from '../contracts/fields.ts';
import type { RevertReply } from '../contracts/reverts.ts';
import type { UpdateUser } from '../contracts/users.ts';
import { type Inverse, inverseOf } from '../domain/customer/inverse.ts';
import { type Customer, isRegistered, type User } from '../domain/customer/state.ts';
import type { CustomerId, UserId } from '../domain/ids.ts';
import { callQuotaText } from '../domain/license/callQuota.ts';
import { type Entitlements, orderedEntitlements } from '../domain/license/entitlements.ts';
import { builtinTheme } from '../domain/theme/builtin.ts';
import type { Queries } from '../projections/queries.ts';
import type { HttpDeps } from './deps.ts';
import { HttpProblem } from './problems/problems.ts';
import { found } from './replies.ts';

type Deps = Pick<HttpDeps, 'commands' | 'customerChange'>;

/** What takes an event of a customer back now. Throws `entry_not_found`, `revert_unsupported` and `revert_outdated`. */
const inverseNow = async (
  { commands, customerChange }: Deps,
  customerId: CustomerId,
  eventId: string,
): Promise<{ inverse: Inverse; now: Customer }> => {
  const [change, { state: now }] = await Promise.all([customerChange(customerId, eventId), commands.customers.load(customerId)]);
  if (!isRegistered(now)) throw new HttpProblem('customer_not_found');
  const { event, before, isRegistration } = found(change, 'entry_not_found');
  // What was before is of the former service integrator, which keeps it for itself.
  if (before.integratorId !== now.integratorId) throw new HttpProblem('revert_outdated');
  const inverse = isRegistration ? 'revert_unsupported' : inverseOf(event, before, now);
  if (typeof inverse === 'string') throw new HttpProblem(inverse);
  return { inverse, now };
};

const userIn = (customer: Customer, userId: UserId): User => found(customer.users.get(userId), 'user_not_found');

const copyOf = (entitlements: Entitlements): UpdateCustomer['entitlements'] =>
  entitlements === null ? null : entitlements.map((entitlement) => ({ ...entitlement }));

const customerBody = (
  now: Customer,
  { tags, customFields, entitlements, ...changes }: Extract<Inverse, { kind: 'customer' }>['changes'],
  eventId: string,
): UpdateCustomer => ({
  name: now.name,
  contactEmail: now.contactEmail,
  ...changes,
  ...(tags !== undefined && { tags: [...tags] }),
  ...(customFields !== undefined && { customFields: customFields === null ? null : JSON.parse(customFields) }),
  ...(entitlements !== undefined && { entitlements: copyOf(entitlements) }),
  reverts: eventId,
});

const userBody = (
  { username, email, role }: User,
  changes: Extract<Inverse, { kind: 'user' }>['changes'],
  eventId: string,
): UpdateUser => ({ username, email, role, ...changes, reverts: eventId });

/** A theme by its name, as the history shows it. */
const themeNameOf = async (queries: Queries, theme: string | null): Promise<string | null> => {
  if (theme === null) return null;
  const custom = themeIdOf.safeParse(theme);
  return (custom.success ? (await queries.themes.find(custom.data))?.displayName : builtinTheme(theme)?.displayName) ?? theme;
};

/** Tags and quotas as the history shows them; other values as they are. */
const textOf = (field: string, value: unknown): unknown => {
  if (Array.isArray(value)) return value.join(', ');
  return field === 'callQuota' ? callQuotaText(value as Customer['callQuota']) : value;
};

/** What takes an event back, and what it changes. */
export const previewRevert = async (
  deps: Deps,
  queries: Queries,
  customerId: CustomerId,
  eventId: string,
): Promise<RevertReply> => {
  const { inverse, now } = await inverseNow(deps, customerId, eventId);
  if (inverse.kind === 'user') {
    const user = userIn(now, inverse.userId);
    const revert = {
      kind: 'user' as const,
      userId: user.userId,
      username: user.username,
      body: userBody(user, inverse.changes, eventId),
    };
    const present: Readonly<Record<string, unknown>> = user;
    const changes = Object.entries(inverse.changes).map(([field, after]) => ({ field, before: present[field], after }));
    return { success: true, revert, changes };
  }
  const present: Readonly<Record<string, unknown>> = {
    ...now,
    ...now.records,
    developerSeats: now.seats.developer.allocated,
    stakeholderSeats: now.seats.stakeholder.allocated,
    floatingDeveloperMinutes: now.floatingMinutes.developer,
    theme: now.theme?.theme ?? null,
  };
  const changes = await Promise.all(
    Object.entries(inverse.changes).map(async ([field, after]) => {
      if (field === 'entitlements') {
        const texts = [now.entitlements, inverse.changes.entitlements ?? null].map(entitlementsText);
        return { field, before: texts[0], after: texts[1] };
      }
      if (field !== 'theme') return { field, before: textOf(field, present[field]), after: textOf(field, after) };
      const [from, to] = await Promise.all(
        [now.theme?.theme ?? null, inverse.changes.theme ?? null].map((theme) => themeNameOf(queries, theme)),
      );
      return { field, before: from, after: to };
    }),
  );
  return { success: true, revert: { kind: 'customer', body: customerBody(now, inverse.changes, eventId) }, changes };
};

/** Whether two bodies ask for the same change. */
export const isSame = (one: object, other: object): boolean => {
  const fields = (body: object): string =>
    JSON.stringify(
      Object.entries(body)
        .filter(([field, value]) => value !== undefined && field !== 'expected')
        .sort(),
    );
  return fields(one) === fields(other);
};

/** Throws unless the body is exactly what takes the event back, so that the history can rely on the reference. */
export const expectRevert = async (deps: Deps, customerId: CustomerId, eventId: string, body: UpdateCustomer): Promise<void> => {
  const { inverse, now } = await inverseNow(deps, customerId, eventId);
  const { entitlements } = body;
  const asked = entitlements === undefined ? body : { ...body, entitlements: orderedEntitlements(entitlements) };
  if (inverse.kind !== 'customer' || !isSame(asked, customerBody(now, inverse.changes, eventId))) {
    throw new HttpProblem('revert_differs');
  }
};

/** Throws unless the body is exactly what takes the event of a user back. */
export const expectUserRevert = async (
  deps: Deps,
  { customerId, userId }: { customerId: CustomerId; userId: UserId },
  eventId: string,
  body: UpdateUser,
): Promise<void> => {
  const { inverse, now } = await inverseNow(deps, customerId, eventId);
  const isOfUser = inverse.kind === 'user' && inverse.userId === userId;
  if (!isOfUser || !isSame(body, userBody(userIn(now, userId), inverse.changes, eventId))) throw new HttpProblem('revert_differs');
};
