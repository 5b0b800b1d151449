import type { CliFrame } from '../../contracts/cli.ts';
import type { SeatKind } from '../../domain/customer/events.ts';
import { seatKindOf } from '../../domain/customer/state.ts';
import type { CustomerId } from '../../domain/ids.ts';
import type { Changes } from '../../projections/changes.ts';
import type { ToolCustomer } from '../../projections/tools/queries.ts';
import type { HttpDeps } from '../deps.ts';
import { themeForTerminal } from '../themeChoice.ts';
import type { ToolSession } from '../tool.ts';
import type { ToolRegistry, ToolsOfCustomer } from './toolRegistry.ts';
import { send } from './toolSocket.ts';

/** A customer's tools are told of changes at most this often. */
const PAUSE_MS = 500;

export type ToolPushes = Readonly<{
  /** What a tool of the customer was just told. */
  told: (customerId: CustomerId, described: ToolSession) => void;
  stop: () => void;
}>;

/** Tells connected tools when their customer's theme or seats are others than they were told. */
export const createToolPushes = ({
  tools,
  queries,
  listenForChanges,
  onError,
}: Pick<HttpDeps, 'queries' | 'listenForChanges'> & {
  tools: ToolRegistry;
  onError: (error: unknown) => void;
}): ToolPushes => {
  let dirty = new Set<CustomerId>();
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;

  const themeFrame = async ({ told }: ToolsOfCustomer, chosen: string | null): Promise<CliFrame | null> => {
    const theme = await themeForTerminal(queries, chosen);
    const isKnown = told.theme === JSON.stringify(theme);
    told.theme = JSON.stringify(theme);
    return isKnown ? null : { type: 'theme', theme };
  };

  const seatFrame = ({ told }: ToolsOfCustomer, { seats }: ToolCustomer, kind: SeatKind): CliFrame | null => {
    const seat = { kind, ...seats[kind] };
    const isKnown = told.seats[kind] === JSON.stringify(seat);
    told.seats[kind] = JSON.stringify(seat);
    return isKnown ? null : { type: 'seat', seat };
  };

  const push = async (customer: ToolCustomer): Promise<void> => {
    const of = tools.ofCustomer(customer.id);
    if (!of || customer.status !== 'active') return;
    const theme = await themeFrame(of, customer.theme);
    if (theme) for (const { ws } of of.sockets) send(ws, theme);
    const seats = { developer: seatFrame(of, customer, 'developer'), stakeholder: seatFrame(of, customer, 'stakeholder') };
    if (!seats.developer && !seats.stakeholder) return;
    const roles = await queries.tools.roles([...of.sockets].map(({ connection }) => connection.userId));
    for (const { ws, connection } of of.sockets) {
      const role = roles.get(connection.userId);
      const frame = role ? seats[seatKindOf(role)] : null;
      if (frame) send(ws, frame);
    }
  };

  const run = async (): Promise<void> => {
    const customers = [...dirty].filter((id) => tools.ofCustomer(id));
    dirty = new Set();
    if (customers.length === 0) return;
    for (const customer of await queries.tools.customers(customers)) await push(customer).catch(onError);
  };

  const schedule = (): void => {
    if (timer || stopped || dirty.size === 0) return;
    timer = setTimeout(() => {
      run()
        .catch(onError)
        .finally(() => {
          timer = null;
          schedule();
        });
    }, PAUSE_MS);
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
