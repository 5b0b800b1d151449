import type { CliSessionReply } from '../contracts/cli.ts';
import type { User } from '../contracts/users.ts';
import { type Customer, type CustomerState, seatKindOf, type User as UserState } from '../domain/customer/state.ts';
import type { CustomerId, UserId } from '../domain/ids.ts';
import type { Resolved } from '../security/sessions.ts';
import type { HttpDeps } from './deps.ts';
import { HttpProblem, type ProblemCode } from './problems/problems.ts';
import { themeForTerminal } from './themeChoice.ts';

/** What a command-line tool is told about itself. */
export type ToolSession = Omit<CliSessionReply, 'success'>;

/** Why a user's tool may not work now; null when it may. */
const refusalOf = (state: CustomerState, userId: UserId): ProblemCode | null => {
  if (state.status === 'unregistered' || state.status === 'deleted') return 'session_required';
  if (state.status === 'suspended') return 'customer_suspended';
  if (state.status === 'churned') return 'customer_churned';
  const user = state.users.get(userId);
  if (!user) return 'session_required';
  if (user.status === 'suspended') return 'user_suspended';
  return user.status === 'inactive' ? 'user_inactive' : null;
};

/** The customer as it may be worked for by the user. Throws the problem that says why not. */
export const workable = (state: CustomerState, userId: UserId): { customer: Customer; user: UserState } => {
  const refusal = refusalOf(state, userId);
  if (refusal) throw new HttpProblem(refusal);
  if (state.status === 'unregistered' || state.status === 'deleted') throw new HttpProblem('session_required');
  const user = state.users.get(userId);
  if (!user) throw new HttpProblem('session_required');
  return { customer: state, user };
};

/** The user as the read models show it, else as it was just registered. */
const shownUser = async (
  { queries }: Pick<HttpDeps, 'queries'>,
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
    machineId,
    createdAt: at,
    currentlyConnected: false,
  };

/** `at` is when it is asked, ISO-8601 UTC. Throws problems. */
export const describeTool = async (
  deps: Pick<HttpDeps, 'queries' | 'dispatch'>,
  { customerId, userId }: { customerId: CustomerId; userId: UserId },
  at: string,
): Promise<ToolSession> => {
  const { state } = await deps.dispatch.load('customer', customerId);
  return describeWorkable(deps, workable(state, userId), at);
};

/** What a tool is told whose customer was looked at just now. */
export const describeWorkable = async (
  deps: Pick<HttpDeps, 'queries'>,
  { customer, user }: { customer: Customer; user: UserState },
  at: string,
): Promise<ToolSession> => {
  const kind = seatKindOf(user.role);
  const [shown, theme] = await Promise.all([
    shownUser(deps, customer, user, at),
    themeForTerminal(deps.queries, customer.theme?.theme ?? null),
  ]);
  return {
    user: shown,
    customer: { id: customer.customerId, name: customer.name, status: customer.status },
    theme,
    seat: { kind, ...customer.seats[kind] },
  };
};

/** Whether what ended a tool's session still holds, so that its user could not sign in again either. */
export const mayNotReturn = async (
  { dispatch }: Pick<HttpDeps, 'dispatch'>,
  { owner }: Extract<Resolved, { found: false }>,
): Promise<boolean> => {
  if (owner?.kind !== 'cli') return false;
  const { state } = await dispatch.load('customer', owner.customerId);
  const refusal = refusalOf(state, owner.userId);
  return refusal !== null && refusal !== 'session_required';
};
