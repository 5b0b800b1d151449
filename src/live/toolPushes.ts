import type { CallQuotaUse } from '../contracts/callQuotas.ts';
import { CLOSE } from '../contracts/cli.ts';
import type { LicenseTerm } from '../contracts/terms.ts';
import { seatKindOf } from '../domain/customer/state.ts';
import { SEAT_KINDS } from '../domain/enumerations.ts';
import type { CustomerId } from '../domain/ids.ts';
import { reachedPercent } from '../domain/license/callQuota.ts';
import { announcementAt, hasExpired } from '../domain/license/term.ts';
import type { HttpDeps } from '../http/deps.ts';
import { publicIdOf, showRequest } from '../http/machines.ts';
import { refusals } from '../http/problems/refusals.ts';
import { themeForTerminal } from '../http/themeChoice.ts';
import type { ToolSession } from '../http/tool.ts';
import { shownTerm } from '../projections/customers/term.ts';
import type { Changes } from '../projections/engine/changes.ts';
import type { PendingMachine } from '../projections/machines/queries.ts';
import type { ToolCustomer } from '../projections/tools/queries.ts';
import type { Connections } from './connections.ts';
import type { FloatingSeats } from './floatingSeats.ts';
import type { ToolRegistry, ToolsOfCustomer } from './toolRegistry.ts';
import { send } from './toolSocket.ts';

/** The shortest time between two pushes to the tools of one customer. */
const PAUSE_MS = 500;
/** How soon failed pushes are retried. */
const RETRY_MS = 2_000;

export type ToolPushes = Readonly<{
  /** Remembers what a tool of the customer was just sent, so that it is not pushed again. */
  rememberSent: (customerId: CustomerId, described: ToolSession) => void;
  stop: () => void;
}>;

/** What of a quota tools are notified of: not each call, but the parts of it that are announced. */
const quotaKey = (quota: CallQuotaUse | null): string =>
  JSON.stringify(quota && [quota.limit, quota.kind, reachedPercent(quota.used, quota.limit), quota.resetsAt]);

/** A term and its step at an instant: tools are notified of each announced day too. */
const termKey = (term: LicenseTerm | null, at: string): string => JSON.stringify(term && [term, announcementAt(term, at)]);

/** Pushes a customer's theme, seats, term, entitlements and quota to its connected tools when they change, and new machine approval requests. */
export const createToolPushes = ({
  tools,
  systemQueries: queries,
  listenForChanges,
  now,
  floatingSeats,
  connections,
  onError,
}: Pick<HttpDeps, 'systemQueries' | 'listenForChanges' | 'now'> & {
  connections: Pick<Connections, 'followCustomer'>;
  tools: ToolRegistry;
  floatingSeats: FloatingSeats;
  onError: (error: unknown) => void;
}): ToolPushes => {
  let dirty = new Set<CustomerId>();
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;

  const pushTheme = async ({ lastSent, sockets }: ToolsOfCustomer, chosen: string | null): Promise<void> => {
    const theme = await themeForTerminal(queries, chosen);
    const text = JSON.stringify(theme);
    if (lastSent.theme === text) return;
    lastSent.theme = text;
    for (const { ws } of sockets) send(ws, { type: 'theme', theme });
  };

  const pushTerm = ({ lastSent, sockets }: ToolsOfCustomer, customer: ToolCustomer, at: string): void => {
    const { term = null } = shownTerm(customer.term, at);
    const text = termKey(term, at);
    if (lastSent.term === text) return;
    lastSent.term = text;
    for (const { ws } of sockets) send(ws, { type: 'term', term });
  };

  const pushEntitlements = ({ lastSent, sockets }: ToolsOfCustomer, { entitlements }: ToolCustomer): void => {
    const text = JSON.stringify(entitlements);
    if (lastSent.entitlements === text) return;
    lastSent.entitlements = text;
    for (const { ws } of sockets) send(ws, { type: 'entitlements', entitlements });
  };

  const pushCallQuota = async ({ lastSent, sockets }: ToolsOfCustomer, { id, callQuota: quota }: ToolCustomer): Promise<void> => {
    const callQuota = quota && (await queries.callQuotas.use(id, new Date(now()).toISOString()));
    const text = quotaKey(callQuota);
    if (lastSent.callQuota === text) return;
    lastSent.callQuota = text;
    for (const { ws } of sockets) send(ws, { type: 'call_quota', callQuota });
  };

  const pushSeats = async ({ lastSent, sockets }: ToolsOfCustomer, { seats }: ToolCustomer): Promise<void> => {
    const news = SEAT_KINDS.map((kind) => ({ kind, ...seats[kind] })).filter(
      (seat) => lastSent.seats[seat.kind] !== JSON.stringify(seat),
    );
    if (news.length === 0) return;
    const roles = await queries.tools.roles([...sockets].map(({ connection }) => connection.userId));
    for (const seat of news) lastSent.seats[seat.kind] = JSON.stringify(seat);
    for (const { ws, connection } of sockets) {
      const role = roles.get(connection.userId);
      const seat = role && news.find(({ kind }) => kind === seatKindOf(role));
      if (seat) send(ws, { type: 'seat', seat });
    }
  };

  /** Sends a new request to the tools of its user that run on approved machines. */
  const pushRequests = async ({ lastSent, sockets }: ToolsOfCustomer, pending: readonly PendingMachine[]): Promise<void> => {
    const news = pending.filter(({ requestId }) => !lastSent.requests.has(requestId));
    lastSent.requests = new Set(pending.map(({ requestId }) => requestId));
    for (const request of news) {
      const machines = new Set(
        (await queries.machines.approved([request.userId])).map(({ machineId }) => publicIdOf(request.userId, machineId)),
      );
      for (const { ws, connection, session } of sockets) {
        const machine = session.owner.kind === 'cli' ? session.owner.machine : null;
        if (connection.userId === request.userId && machine !== null && machines.has(machine))
          send(ws, { type: 'machine_request', request: showRequest(request) });
      }
    }
  };

  /** Disconnects the tools of a license that has expired. Their sessions stay, for calls that they recorded before. */
  const disconnectExpired = ({ sockets }: ToolsOfCustomer): void => {
    const [, reason] = refusals.license_expired;
    for (const { ws } of sockets) {
      send(ws, { type: 'revoked', reason });
      ws.close(CLOSE.forbidden, 'license_expired');
    }
  };

  /** Only the service integrator to which the customer belongs sees who is connected. */
  const followOwner = async (of: ToolsOfCustomer, { id, integratorId }: ToolCustomer): Promise<void> => {
    if (of.lastSent.integratorId === integratorId) return;
    await connections.followCustomer(id);
    of.lastSent.integratorId = integratorId;
  };

  const push = async (customer: ToolCustomer, pending: readonly PendingMachine[]): Promise<void> => {
    const of = tools.ofCustomer(customer.id);
    if (!of) return;
    await followOwner(of, customer);
    if (customer.status !== 'active') return;
    const at = new Date(now()).toISOString();
    pushTerm(of, customer, at);
    if (hasExpired(customer.term, at)) return disconnectExpired(of);
    if (customer.seats.developer.floating) await floatingSeats.enforce(of);
    await pushTheme(of, customer.theme);
    await pushSeats(of, customer);
    pushEntitlements(of, customer);
    await pushCallQuota(of, customer);
    await pushRequests(
      of,
      pending.filter(({ customerId }) => customerId === customer.id),
    );
  };

  /** Pushes to every customer with changes. Customers whose push fails, for example without PostgreSQL, stay queued; false then. */
  const pushAll = async (): Promise<boolean> => {
    const ids = [...dirty].filter((id) => tools.ofCustomer(id));
    dirty = new Set();
    if (ids.length === 0) return true;
    const failedIds = new Set<CustomerId>();
    const postpone = (late: readonly CustomerId[], error: unknown): void => {
      onError(error);
      for (const id of late) failedIds.add(id);
    };
    const asked = Promise.all([
      queries.tools.customers(ids),
      queries.machines.pending({ customerIds: ids }, new Date(now()).toISOString()),
    ]);
    const [customers, pending] = await asked.catch((error: unknown): Awaited<typeof asked> => {
      postpone(ids, error);
      return [[], []];
    });
    for (const customer of customers) await push(customer, pending).catch((error: unknown) => postpone([customer.id], error));
    for (const id of failedIds) dirty.add(id);
    return failedIds.size === 0;
  };

  const schedule = (pause = PAUSE_MS): void => {
    if (timer || stopped || dirty.size === 0) return;
    timer = setTimeout(async () => {
      const allSent = await pushAll();
      timer = null;
      schedule(allSent ? PAUSE_MS : RETRY_MS);
    }, pause);
  };

  const unsubscribe = listenForChanges(({ changes }: Changes) => {
    for (const {
      topic: [word, id],
    } of changes) {
      const customer = word === 'customer' && id !== undefined ? tools.ofCustomer(id) : undefined;
      if (customer) dirty.add(customer.customerId);
      if (word === undefined) for (const { customerId } of tools.customers()) dirty.add(customerId);
    }
    schedule();
  });

  return {
    rememberSent: (customerId, { theme, seat, term = null, entitlements = null, callQuota = null }) => {
      const lastSent = tools.ofCustomer(customerId)?.lastSent;
      if (!lastSent) return;
      lastSent.theme = JSON.stringify(theme);
      lastSent.seats[seat.kind] = JSON.stringify(seat);
      lastSent.term = termKey(term, new Date(now()).toISOString());
      lastSent.entitlements = JSON.stringify(entitlements);
      lastSent.callQuota = quotaKey(callQuota);
    },
    stop: () => {
      stopped = true;
      unsubscribe();
      if (timer) clearTimeout(timer);
    },
  };
};
