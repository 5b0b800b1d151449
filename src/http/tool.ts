import type { CliSessionReply } from '../contracts/cli.ts';
import { shownMachineId } from '../contracts/machines.ts';
import type { User } from '../contracts/users.ts';
import {
  type Customer,
  type CustomerState,
  isRegistered,
  mayUseTool,
  seatKindOf,
  type User as UserState,
} from '../domain/customer/state.ts';
import type { CustomerId, UserId } from '../domain/ids.ts';
import { createCache } from '../flow/cache.ts';
import { shownEntitlements } from '../projections/customers/entitlements.ts';
import { shownTerm } from '../projections/customers/term.ts';
import type { Queries } from '../projections/queries.ts';
import type { Session } from '../security/session.ts';
import type { Resolved } from '../security/sessions.ts';
import type { HttpDeps } from './deps.ts';
import { describeLease } from './floatingSeats.ts';
import { HttpProblem, type ProblemCode } from './problems/problems.ts';
import { themeForTerminal } from './themeChoice.ts';

/** By what the tool's own rows are read: the request's queries, or the system's where there is no request. */
type Reading = Readonly<{ queries: Queries; systemQueries: Pick<Queries, 'callQuotas'> }>;

/** What a command-line tool shows of its user, seat and theme. */
export type ToolSession = Omit<CliSessionReply, 'success'>;

/** A license that is not active has churned, for those who sign in. */
export const signInProblemOf = <Refusal extends ProblemCode>(refusal: Refusal) =>
  refusal === 'customer_not_active' ? 'customer_churned' : refusal;

/** Why a user's tool may not work now; null if it may. */
const refusalOf = (state: CustomerState, userId: UserId): ProblemCode | null => {
  if (!isRegistered(state)) return 'session_required';
  if (state.status === 'suspended') return 'customer_suspended';
  if (state.status === 'churned') return 'customer_churned';
  const user = state.users.get(userId);
  if (!user) return 'session_required';
  if (user.status === 'suspended') return 'user_suspended';
  if (user.status === 'inactive') return 'user_inactive';
  return mayUseTool(user.role) ? null : 'role_not_allowed';
};

/** The customer as it may be worked for by the user. Throws the problem that says why not. */
export const workable = (state: CustomerState, userId: UserId): { customer: Customer; user: UserState } => {
  const refusal = refusalOf(state, userId);
  if (refusal) throw new HttpProblem(refusal);
  if (!isRegistered(state)) throw new HttpProblem('session_required');
  const user = state.users.get(userId);
  if (!user) throw new HttpProblem('session_required');
  return { customer: state, user };
};

/** Sessions that are remembered as checked; more are checked again. */
const REMEMBERED = 20_000;

/**
 * Checks once per session and node whether its user may use the command-line tool, and throws the problem if not. Later changes
 * end the session by event; this check catches sessions that a version without the rule opened.
 */
export const checkSessionsOnce = ({ commands }: Pick<HttpDeps, 'commands'>): ((session: Session) => Promise<void> | null) => {
  const cleared = createCache<string, true>(REMEMBERED);

  const check = async ({ hash, owner }: Session): Promise<void> => {
    if (owner.kind !== 'cli') throw new Error(`A session of kind ${owner.kind} records no API calls`);
    const { customerId, userId } = owner;
    workable((await commands.customers.load(customerId)).state, userId);
    cleared.set(hash, true);
  };

  return (session) => (cleared.has(session.hash) ? null : check(session));
};

/** The user as the read models show it, else as it was just registered. */
const shownUser = async (
  { queries }: Reading,
  customer: Customer,
  { userId, username, email, role, status, machineId }: UserState,
  at: string,
): Promise<User> =>
  (await queries.users.get(userId))?.user ?? {
    id: userId,
    customerId: customer.customerId,
    customerName: customer.name,
    username,
    email,
    role,
    status,
    lastLogin: at,
    machineId: machineId === null ? null : shownMachineId(machineId),
    pendingMachines: 0,
    createdAt: at,
    currentlyConnected: false,
  };

/** `at` is when it is asked, ISO-8601 UTC. Throws problems. */
export const describeTool = async (
  deps: Reading & Pick<HttpDeps, 'commands' | 'seatUses'>,
  { customerId, userId }: { customerId: CustomerId; userId: UserId },
  at: string,
): Promise<ToolSession> => {
  const { state } = await deps.commands.customers.load(customerId);
  return describeWorkable(deps, workable(state, userId), at);
};

/** The description of a tool whose customer was just read. */
export const describeWorkable = async (
  deps: Reading & Pick<HttpDeps, 'commands' | 'seatUses'>,
  { customer, user }: { customer: Customer; user: UserState },
  at: string,
): Promise<ToolSession> => {
  const kind = seatKindOf(user.role);
  const [shown, theme, leased, callQuota] = await Promise.all([
    shownUser(deps, customer, user, at),
    themeForTerminal(deps.queries, customer.theme?.theme ?? null),
    describeLease(deps, customer, user),
    customer.callQuota && deps.systemQueries.callQuotas.use(customer.customerId, at),
  ]);
  return {
    user: shown,
    customer: { id: customer.customerId, name: customer.name, status: customer.status },
    theme,
    seat: { kind, ...customer.seats[kind], ...(leased && { floating: leased.floating }) },
    ...(leased && { lease: leased.lease }),
    ...shownTerm(customer.term, at),
    ...shownEntitlements(customer.entitlements),
    ...(callQuota && { callQuota }),
  };
};

/** Why the user of an ended tool session could not sign in again; null if they could, or if it was not a tool's session. */
export const refusalAfter = async (
  { commands }: Pick<HttpDeps, 'commands'>,
  { owner }: Extract<Resolved, { found: false }>,
): Promise<ProblemCode | null> => {
  if (owner?.kind !== 'cli') return null;
  const { state } = await commands.customers.load(owner.customerId);
  const refusal = refusalOf(state, owner.userId);
  return refusal === 'session_required' ? null : refusal;
};
