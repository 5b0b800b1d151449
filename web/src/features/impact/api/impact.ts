import { queryOptions } from '@tanstack/react-query';
import type {
  CustomerImpact,
  CustomerImpactReply,
  IntegratorImpact,
  IntegratorImpactReply,
  MemberImpactReply,
  Named,
  UserImpact,
  UserImpactReply,
} from '../../../../../src/contracts/impact.ts';
import { topic } from '../../../../../src/contracts/topics.ts';
import type { User } from '../../../../../src/contracts/users.ts';
import { SEAT_KINDS, type SeatKind, type UserStatus } from '../../../../../src/domain/enumerations.ts';
import type { CustomerId, IntegratorId, UserId } from '../../../../../src/domain/ids.ts';
import { api } from '../../../api/client.ts';
import { type CustomerManager, customersPath } from '../../../api/customersPath.ts';
import { runEach } from '../../../api/useBulkRun.ts';
import { impactTexts } from '../texts.ts';

/** Polling interval of an open dialog, since connections and sessions have no topic. */
const REFETCH_MS = 2000;

/** Options of the queries of open dialogs. */
export const live = { refetchInterval: REFETCH_MS, staleTime: 0, gcTime: 0 } as const;

type CustomerChangeQuery = Readonly<{
  status?: string | undefined;
  developerSeats?: number | undefined;
  stakeholderSeats?: number | undefined;
  seatLimitsEnforced?: boolean | undefined;
  floatingDeveloperMinutes?: number | 'named' | undefined;
  deletion?: true;
  keyRotation?: true;
  passwordReset?: true;
}>;

/** What a change of a customer affects, or its deletion; decided again while the dialog is open. */
export const customerImpactQuery = (manager: CustomerManager, id: CustomerId, change: CustomerChangeQuery = {}) =>
  queryOptions({
    ...live,
    queryKey: [...topic.customer(id), 'impact', manager, change],
    queryFn: async ({ signal }) => {
      const path = `${customersPath[manager]}/${id}/impact`;
      return (await api.get<CustomerImpactReply>(path, { query: change, signal, fallback: impactTexts.loadFailed })).impact;
    },
  });

/** Requests at a time for the impact on several customers. */
const CONCURRENT = 4;

/** Names of several customers, or service integrators. */
const MOST_NAMES = 10;

const NOBODY: Named = { count: 0, names: [] };

/** How many there are in all, and the first by customer or service integrator, each with its name. */
const namedOfAll = (parts: readonly Readonly<{ owner: string; named: Named }>[]): Named => ({
  count: parts.reduce((sum, { named }) => sum + named.count, 0),
  names: parts.flatMap(({ owner, named }) => named.names.map((name) => impactTexts.nameOf(name, owner))).slice(0, MOST_NAMES),
});

/** What suspending several customers affects, counted once: the sums, and the first users by name. */
export type SeveralImpact = Pick<CustomerImpact, 'connections' | 'portalSessions' | 'apiTokens' | 'connected' | 'lockedOut'>;

/** What suspending several customers affects. */
export const severalCustomersImpactQuery = (
  manager: CustomerManager,
  customers: readonly Readonly<{ id: CustomerId; name: string }>[],
) =>
  queryOptions({
    queryKey: [...topic.customers(), 'impact', manager, customers.map(({ id }) => id)],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<SeveralImpact> => {
      const found = new Map<CustomerId, CustomerImpact>();
      await runEach(customers, CONCURRENT, async ({ id }) => {
        const path = `${customersPath[manager]}/${id}/impact`;
        const { impact } = await api.get<CustomerImpactReply>(path, {
          query: { status: 'suspended' },
          signal,
          fallback: impactTexts.loadFailed,
        });
        found.set(id, impact);
      });
      const impacts = customers.flatMap(({ id, name }) => {
        const impact = found.get(id);
        return impact ? [{ name, impact }] : [];
      });
      const sum = (field: 'connections' | 'portalSessions' | 'apiTokens'): number =>
        impacts.reduce((total, { impact }) => total + impact[field], 0);
      const named = (field: 'connected' | 'lockedOut'): Named =>
        namedOfAll(impacts.map(({ name, impact }) => ({ owner: name, named: impact[field] })));
      return {
        connections: sum('connections'),
        portalSessions: sum('portalSessions'),
        apiTokens: sum('apiTokens'),
        connected: named('connected'),
        lockedOut: named('lockedOut'),
      };
    },
  });

type IntegratorChangeQuery = Readonly<{ status?: string | undefined; deletion?: true; keyRotation?: true }>;

const fetchIntegratorImpact = async (
  id: IntegratorId,
  change: IntegratorChangeQuery,
  signal: AbortSignal,
): Promise<IntegratorImpact> => {
  const path = `/api/admin/service-integrators/${id}/impact`;
  return (await api.get<IntegratorImpactReply>(path, { query: change, signal, fallback: impactTexts.loadFailed })).impact;
};

/** What a change of a service integrator's status affects, or its deletion; decided again while the dialog is open. */
export const integratorImpactQuery = (id: IntegratorId, change: IntegratorChangeQuery) =>
  queryOptions({
    ...live,
    queryKey: [...topic.integrator(id), 'impact', change],
    queryFn: ({ signal }) => fetchIntegratorImpact(id, change, signal),
  });

/** What suspending several service integrators affects: the sums, and the first names. */
export type SeveralIntegratorsImpact = Readonly<{
  sessions: number;
  apiTokens: number;
  lockedOut: Named;
  customers: Named;
}>;

/** What suspending several service integrators affects. */
export const severalIntegratorsImpactQuery = (integrators: readonly Readonly<{ id: IntegratorId; companyName: string }>[]) =>
  queryOptions({
    queryKey: [...topic.integrators(), 'impact', integrators.map(({ id }) => id)],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<SeveralIntegratorsImpact> => {
      const found = new Map<IntegratorId, IntegratorImpact>();
      await runEach(integrators, CONCURRENT, async ({ id }) => {
        found.set(id, await fetchIntegratorImpact(id, { status: 'suspended' }, signal));
      });
      const impacts = integrators.flatMap(({ id, companyName }) => {
        const impact = found.get(id);
        return impact ? [{ owner: companyName, impact }] : [];
      });
      const sum = (count: (impact: IntegratorImpact) => number): number =>
        impacts.reduce((total, { impact }) => total + count(impact), 0);
      const named = (of: (impact: IntegratorImpact) => Named): Named =>
        namedOfAll(impacts.map(({ owner, impact }) => ({ owner, named: of(impact) })));
      return {
        sessions: sum(({ sessions }) => sessions),
        apiTokens: sum(({ apiTokens }) => apiTokens ?? 0),
        lockedOut: named(({ lockedOut }) => lockedOut ?? NOBODY),
        customers: named(({ customers, customerNames }) => ({ count: customers, names: customerNames })),
      };
    },
  });

type UserChangeQuery = Readonly<{ status?: string | undefined; role?: string | undefined; removal?: true }>;

const fetchUserImpact = async (root: string, id: UserId, change: UserChangeQuery, signal: AbortSignal): Promise<UserImpact> => {
  const options = { query: change, signal, fallback: impactTexts.loadFailed };
  return (await api.get<UserImpactReply>(`${root}/${id}/impact`, options)).impact;
};

/** What a change of a user's status or role affects, or its removal; `root` is the path of the calls on users. */
export const userImpactQuery = (root: string, id: UserId, change: UserChangeQuery) =>
  queryOptions({
    ...live,
    queryKey: [...topic.users(), 'impact', id, change],
    queryFn: ({ signal }) => fetchUserImpact(root, id, change, signal),
  });

type MemberChangeQuery = Readonly<{ role?: string | undefined; removal?: true; signOut?: true }>;

/** What a change of the role of a named user of the own tenant affects, the removal, or signing the user out. */
export const memberImpactQuery = (id: UserId, change: MemberChangeQuery) =>
  queryOptions({
    ...live,
    queryKey: ['team', 'impact', id, change],
    queryFn: async ({ signal }) => {
      const options = { query: change, signal, fallback: impactTexts.loadFailed };
      return (await api.get<MemberImpactReply>(`/api/team/members/${id}/impact`, options)).impact;
    },
  });

type SeatSum = Readonly<{ kind: SeatKind; count: number }>;

/** What a status of several users affects: the sums, the users whom each effect concerns, and those whose change would be refused. */
export type SeveralUsersImpact = Readonly<{
  refused: readonly Readonly<{ reason: string; users: Named }>[];
  lockedOut: Named;
  released: readonly SeatSum[];
  claimed: readonly SeatSum[];
  connected: Named;
  portalSessions: number;
  machines: number;
  apiTokens: number;
}>;

type DecidedUser = Readonly<{ name: string; impact: UserImpact }>;

const sumOfUsers = (users: readonly DecidedUser[]): SeveralUsersImpact => {
  const named = (chosen: readonly DecidedUser[]): Named => ({
    count: chosen.length,
    names: chosen.slice(0, MOST_NAMES).map(({ name }) => name),
  });
  const accepted = users.filter(({ impact }) => impact.refusal === null);
  const lockedOut = accepted.filter(({ impact }) => impact.isLockedOut);
  const reasons = new Set(users.flatMap(({ impact: { refusal } }) => (refusal === null ? [] : [refusal])));
  const sum = (among: readonly DecidedUser[], count: (impact: UserImpact) => number): number =>
    among.reduce((total, { impact }) => total + count(impact), 0);
  const seats = (field: 'releasedSeat' | 'claimedSeat'): SeatSum[] =>
    SEAT_KINDS.map((kind) => ({ kind, count: sum(accepted, (impact) => (impact[field] === kind ? 1 : 0)) }));
  return {
    refused: [...reasons].map((reason) => ({ reason, users: named(users.filter(({ impact }) => impact.refusal === reason)) })),
    lockedOut: named(lockedOut),
    released: seats('releasedSeat'),
    claimed: seats('claimedSeat'),
    connected: named(lockedOut.filter(({ impact }) => impact.isConnected)),
    portalSessions: sum(lockedOut, ({ portalSessions }) => portalSessions),
    machines: sum(lockedOut, ({ machines }) => machines.count),
    apiTokens: sum(accepted, ({ apiTokens }) => apiTokens.count),
  };
};

/** What a status of several users affects. Each is decided on its own. */
export const severalUsersImpactQuery = (
  root: string,
  users: readonly Pick<User, 'id' | 'username' | 'customerId' | 'customerName'>[],
  status: UserStatus,
) =>
  queryOptions({
    queryKey: [...topic.users(), 'impact', root, status, users.map(({ id }) => id)],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const found = new Map<UserId, UserImpact>();
      await runEach(users, CONCURRENT, async ({ id }) => {
        found.set(id, await fetchUserImpact(root, id, { status }, signal));
      });
      const isOfOne = new Set(users.map(({ customerId }) => customerId)).size === 1;
      return sumOfUsers(
        users.flatMap(({ id, username, customerName }) => {
          const impact = found.get(id);
          return impact ? [{ name: isOfOne ? username : impactTexts.nameOf(username, customerName), impact }] : [];
        }),
      );
    },
  });
