import type { SeatKind } from '../domain/customer/events.ts';
import { seatKindOf } from '../domain/customer/state.ts';
import type { CustomerId } from '../domain/ids.ts';
import type { HttpDeps } from '../http/deps.ts';
import { publicIdOf, showRequest } from '../http/machines.ts';
import { themeForTerminal } from '../http/themeChoice.ts';
import type { ToolSession } from '../http/tool.ts';
import type { Changes } from '../projections/engine/changes.ts';
import type { PendingMachine } from '../projections/machines/queries.ts';
import type { ToolCustomer } from '../projections/tools/queries.ts';
import type { ToolRegistry, ToolsOfCustomer } from './toolRegistry.ts';
import { send } from './toolSocket.ts';

/** A customer's tools are told of changes at most this often. */
const PAUSE_MS = 500;
/** How soon it is tried again to tell those who could not be told. */
const RETRY_MS = 2_000;

const KINDS: readonly SeatKind[] = ['developer', 'stakeholder'];

export type ToolPushes = Readonly<{
  /** What a tool of the customer was just told. */
  told: (customerId: CustomerId, described: ToolSession) => void;
  stop: () => void;
}>;

/** Sends connected tools their customer's theme and seats when they changed, and new requests of machines for approval. */
export const createToolPushes = ({
  tools,
  systemQueries: queries,
  listenForChanges,
  now,
  onError,
}: Pick<HttpDeps, 'systemQueries' | 'listenForChanges' | 'now'> & {
  tools: ToolRegistry;
  onError: (error: unknown) => void;
}): ToolPushes => {
  let dirty = new Set<CustomerId>();
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;

  const pushTheme = async ({ told, sockets }: ToolsOfCustomer, chosen: string | null): Promise<void> => {
    const theme = await themeForTerminal(queries, chosen);
    const text = JSON.stringify(theme);
    if (told.theme === text) return;
    told.theme = text;
    for (const { ws } of sockets) send(ws, { type: 'theme', theme });
  };

  const pushSeats = async ({ told, sockets }: ToolsOfCustomer, { seats }: ToolCustomer): Promise<void> => {
    const news = KINDS.map((kind) => ({ kind, ...seats[kind] })).filter((seat) => told.seats[seat.kind] !== JSON.stringify(seat));
    if (news.length === 0) return;
    const roles = await queries.tools.roles([...sockets].map(({ connection }) => connection.userId));
    for (const seat of news) told.seats[seat.kind] = JSON.stringify(seat);
    for (const { ws, connection } of sockets) {
      const role = roles.get(connection.userId);
      const seat = role && news.find(({ kind }) => kind === seatKindOf(role));
      if (seat) send(ws, { type: 'seat', seat });
    }
  };

  /** Sends a new request to the tools of its user that run on approved machines. */
  const pushRequests = async ({ told, sockets }: ToolsOfCustomer, pending: readonly PendingMachine[]): Promise<void> => {
    const news = pending.filter(({ requestId }) => !told.requests.has(requestId));
    told.requests = new Set(pending.map(({ requestId }) => requestId));
    for (const request of news) {
      const machines = new Set(
        (await queries.machines.approved(request.userId)).map(({ machineId }) => publicIdOf(request.userId, machineId)),
      );
      for (const { ws, connection, session } of sockets) {
        const machine = session.owner.kind === 'cli' ? session.owner.machine : null;
        if (connection.userId === request.userId && machine !== null && machines.has(machine))
          send(ws, { type: 'machine_request', request: showRequest(request) });
      }
    }
  };

  const push = async (customer: ToolCustomer, pending: readonly PendingMachine[]): Promise<void> => {
    const of = tools.ofCustomer(customer.id);
    if (!of || customer.status !== 'active') return;
    await pushTheme(of, customer.theme);
    await pushSeats(of, customer);
    await pushRequests(
      of,
      pending.filter(({ customerId }) => customerId === customer.id),
    );
  };

  /** Whoever cannot be told, as while PostgreSQL is away, is told later. Resolves to whether all were. */
  const pushAll = async (): Promise<boolean> => {
    const ids = [...dirty].filter((id) => tools.ofCustomer(id));
    dirty = new Set();
    if (ids.length === 0) return true;
    const untold = new Set<CustomerId>();
    const postpone = (late: readonly CustomerId[], error: unknown): void => {
      onError(error);
      for (const id of late) untold.add(id);
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
    for (const id of untold) dirty.add(id);
    return untold.size === 0;
  };

  const schedule = (pause = PAUSE_MS): void => {
    if (timer || stopped || dirty.size === 0) return;
    timer = setTimeout(async () => {
      const wereAllTold = await pushAll();
      timer = null;
      schedule(wereAllTold ? PAUSE_MS : RETRY_MS);
    }, pause);
  };

  const unsubscribe = listenForChanges(({ changes }: Changes) => {
    for (const {
      topic: [word, id],
    } of changes) {
      const customer = word === 'customer' && id !== undefined ? tools.ofCustomer(id) : undefined;
      if (customer) dirty.add(customer.customerId);
      if (word !== undefined && word !== 'themes') continue;
      for (const { customerId, integratorId } of tools.customers()) {
        if (word === undefined || integratorId === id) dirty.add(customerId);
      }
    }
    schedule();
  });

  return {
    told: (customerId, { theme, seat }) => {
      const told = tools.ofCustomer(customerId)?.told;
      if (!told) return;
      told.theme = JSON.stringify(theme);
      told.seats[seat.kind] = JSON.stringify(seat);
    },
    stop: () => {
      stopped = true;
      unsubscribe();
      if (timer) clearTimeout(timer);
    },
  };
};
