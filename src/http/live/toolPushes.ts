import type { CliFrame } from '../../contracts/cli.ts';
import type { SeatKind } from '../../domain/customer/events.ts';
import { seatKindOf } from '../../domain/customer/state.ts';
import type { CustomerId } from '../../domain/ids.ts';
import type { Changes } from '../../projections/changes.ts';
import type { HttpDeps } from '../deps.ts';
import { themeForTerminal } from '../themeChoice.ts';
import type { ToolSession } from '../tool.ts';
import type { CliSockets } from './cliSockets.ts';

/** A customer's tools are told of changes at most this often. */
const PAUSE_MS = 500;

type Told = { theme?: string; seats: Partial<Record<SeatKind, string>> };

export type ToolPushes = Readonly<{
  /** What a tool of the customer was just told. */
  told: (customerId: CustomerId, described: ToolSession) => void;
  stop: () => void;
}>;

/** Tells connected tools when their customer's theme or seats are others than they were told. */
export const createToolPushes = ({
  sockets,
  queries,
  dispatch,
  listenForChanges,
  onError,
}: Pick<HttpDeps, 'queries' | 'dispatch' | 'listenForChanges'> & {
  sockets: CliSockets;
  onError: (error: unknown) => void;
}): ToolPushes => {
  const toldBefore = new Map<CustomerId, Told>();
  const dirty = new Set<CustomerId>();
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;

  const push = async (customerId: CustomerId): Promise<void> => {
    const connected = sockets.ofCustomer(customerId);
    if (connected.length === 0) {
      toldBefore.delete(customerId);
      return;
    }
    const { state } = await dispatch.load('customer', customerId);
    if (state.status !== 'active') return;
    const told = toldBefore.get(customerId) ?? { seats: {} };
    toldBefore.set(customerId, told);
    const theme = await themeForTerminal(queries, state.theme?.theme ?? null);
    const themeFrame: CliFrame | null = told.theme === JSON.stringify(theme) ? null : { type: 'theme', theme };
    told.theme = JSON.stringify(theme);
    const seatFrame = (kind: SeatKind): CliFrame | null => {
      const seat = { kind, ...state.seats[kind] };
      const isKnown = told.seats[kind] === JSON.stringify(seat);
      told.seats[kind] = JSON.stringify(seat);
      return isKnown ? null : { type: 'seat', seat };
    };
    const seatFrames = { developer: seatFrame('developer'), stakeholder: seatFrame('stakeholder') };
    for (const socket of connected) {
      const user = state.users.get(socket.connection.userId);
      const frames = [themeFrame, user ? seatFrames[seatKindOf(user.role)] : null];
      for (const frame of frames) if (frame) sockets.send(socket, frame);
    }
  };

  const run = async (): Promise<void> => {
    const customers = [...dirty];
    dirty.clear();
    for (const customerId of customers) await push(customerId).catch(onError);
  };

  const schedule = (): void => {
    if (timer || stopped || dirty.size === 0) return;
    timer = setTimeout(() => {
      run().finally(() => {
        timer = null;
        schedule();
      });
    }, PAUSE_MS);
  };

  const unsubscribe = listenForChanges(({ changes }: Changes) => {
    const topics = changes.map(({ topic }) => topic);
    const touches = (word: string, id: string): boolean =>
      topics.some(([first, second]) => first === undefined || (first === word && second === id));
    if (!topics.some(([word]) => word === undefined || word === 'customer' || word === 'themes')) return;
    for (const { connection } of sockets.sockets()) {
      if (touches('customer', connection.customerId) || touches('themes', connection.integratorId))
        dirty.add(connection.customerId);
    }
    schedule();
  });

  return {
    told: (customerId, { theme, seat }) => {
      const told = toldBefore.get(customerId) ?? { seats: {} };
      toldBefore.set(customerId, told);
      told.theme ??= JSON.stringify(theme);
      told.seats[seat.kind] ??= JSON.stringify(seat);
    },
    stop: () => {
      stopped = true;
      unsubscribe();
      if (timer) clearTimeout(timer);
    },
  };
};
