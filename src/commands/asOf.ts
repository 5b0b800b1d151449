import { customerDecider } from '../domain/customer/decider.ts';
import type { CustomerEvent } from '../domain/customer/events.ts';
import { type Customer, isRegistered } from '../domain/customer/state.ts';
import type { CustomerId } from '../domain/ids.ts';
import { builtinTheme } from '../domain/theme/builtin.ts';
import type { ThemeEvent } from '../domain/theme/events.ts';
import type { EventStore, Position } from '../eventstore/port.ts';
import { streams } from './streams.ts';

/**
 * A customer after the event at `position`. `registeredAt` is ISO-8601 UTC; `themeName` is the name of its custom theme at that time,
 * null if it had none.
 */
export type CustomerAsOf = Readonly<{
  state: Customer;
  registeredAt: string;
  themeName: string | null;
  position: Position;
}>;

/** The name of a custom theme at an instant, from the stream of its integrator's catalogue, which also has the deleted themes. */
const themeNameAsOf = async (
  events: Pick<EventStore, 'read'>,
  { theme: choice, integratorId }: Customer,
  instant: number,
): Promise<string | null> => {
  if (!choice || builtinTheme(choice.theme)) return null;
  const { theme } = choice;
  let name: string | null = null;
  for await (const { event, meta } of events.read<ThemeEvent>(streams.themes(integratorId))) {
    if (Date.parse(meta.at) > instant) break;
    if (event.data.themeId !== theme) continue;
    if (event.type === 'ThemeCreated' || event.type === 'ThemeRevised') name = event.data.displayName;
  }
  return name;
};

/** The customer at an instant (ISO-8601), folded from its stream; null before its registration and after its deletion. */
export const customerAsOf = async (
  events: Pick<EventStore, 'read'>,
  customerId: CustomerId,
  at: string,
): Promise<CustomerAsOf | null> => {
  const instant = Date.parse(at);
  let { initial: state } = customerDecider;
  let registeredAt: string | null = null;
  let last: Position = 0n;
  for await (const { event, meta, position } of events.read<CustomerEvent>(streams.customer(customerId))) {
    if (Date.parse(meta.at) > instant) break;
    state = customerDecider.evolve(state, event);
    registeredAt ??= meta.at;
    last = position;
  }
  if (registeredAt === null || !isRegistered(state)) return null;
  return { state, registeredAt, themeName: await themeNameAsOf(events, state, instant), position: last };
};

/** An event of a customer with the state before it. `isRegistration` if the customer was registered by the same command. */
export type CustomerChange = Readonly<{ event: CustomerEvent; before: Customer; isRegistration: boolean }>;

/** The event of a customer's stream with an id; null if there is none, or the customer was not registered before. */
export const customerChange = async (
  events: Pick<EventStore, 'read'>,
  customerId: CustomerId,
  eventId: string,
): Promise<CustomerChange | null> => {
  let { initial: state } = customerDecider;
  let registeredBy: string | null = null;
  for await (const { id, event, meta } of events.read<CustomerEvent>(streams.customer(customerId))) {
    registeredBy ??= meta.commandId;
    if (id === eventId)
      return isRegistered(state) ? { event, before: state, isRegistration: meta.commandId === registeredBy } : null;
    state = customerDecider.evolve(state, event);
  }
  return null;
};
