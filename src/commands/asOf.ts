import { customerDecider } from '../domain/customer/decider.ts';
import type { CustomerEvent } from '../domain/customer/events.ts';
import type { Customer } from '../domain/customer/state.ts';
import type { CustomerId } from '../domain/ids.ts';
import { builtinTheme } from '../domain/theme/builtin.ts';
import type { ThemeEvent } from '../domain/theme/events.ts';
import type { EventStore, Position } from '../eventstore/port.ts';
import { streams } from './streams.ts';

/**
 * A customer as it stood after the event at `position`. `registeredAt` is ISO-8601 UTC; `themeName` is what its custom theme was called
 * then, and null where it had none.
 */
export type CustomerAsOf = Readonly<{
  state: Customer;
  registeredAt: string;
  themeName: string | null;
  position: Position;
}>;

/** What a custom theme was called at an instant, out of its integrator's catalogue, where deleted themes stand too. */
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

/** The customer as it stood at an instant (ISO-8601), folded from its stream; null before it was registered and after it was deleted. */
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
  if (registeredAt === null || state.status === 'unregistered' || state.status === 'deleted') return null;
  return { state, registeredAt, themeName: await themeNameAsOf(events, state, instant), position: last };
};
