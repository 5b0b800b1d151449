import { customerDecider } from '../domain/customer/decider.ts';
import type { CustomerEvent } from '../domain/customer/events.ts';
import { type Customer, isRegistered } from '../domain/customer/state.ts';
import type { AnyEvent } from '../domain/events.ts';
import type { CustomerId, IntegratorId, TeamId } from '../domain/ids.ts';
import { integratorDecider } from '../domain/integrator/decider.ts';
import type { Integrator } from '../domain/integrator/evolve.ts';
import { alertsDecider } from '../domain/operations/alerts.ts';
import { plansDecider } from '../domain/plan/decider.ts';
import { seatLeasesDecider } from '../domain/seatLeases/decider.ts';
import { teamDecider } from '../domain/team/decider.ts';
import type { Team } from '../domain/team/evolve.ts';
import { teamIdOf } from '../domain/team/teamId.ts';
import { builtinTheme } from '../domain/theme/builtin.ts';
import { themeDecider } from '../domain/theme/decider.ts';
import type { ThemeEvent } from '../domain/theme/events.ts';
import type { ThemeCatalogue } from '../domain/theme/evolve.ts';
import type { EventStore, Position, StreamName } from '../eventstore/port.ts';
import { streams } from './streams.ts';

type Store = Pick<EventStore, 'read'>;
type Folding<S, E> = Readonly<{ initial: S; evolve: (state: S, event: E) => S }>;

/** A state at an instant: after which events. `beganAt` is that of the first one, ISO-8601 UTC; null without any. */
type StateAsOf<S> = Readonly<{ state: S; beganAt: string | null; position: Position }>;

/** The state of a stream at an instant (ISO-8601). */
const stateAsOf = async <S, E extends AnyEvent>(
  events: Store,
  stream: StreamName,
  { initial, evolve }: Folding<S, E>,
  at: string,
): Promise<StateAsOf<S>> => {
  const instant = Date.parse(at);
  let [state, beganAt, last]: [S, string | null, Position] = [initial, null, 0n];
  for await (const { event, meta, position } of events.read<E>(stream)) {
    if (Date.parse(meta.at) > instant) break;
    state = evolve(state, event);
    beganAt ??= meta.at;
    last = position;
  }
  return { state, beganAt, position: last };
};

/**
 * A customer after the event at `position`. `registeredAt` is ISO-8601 UTC; `themeName` is the name of its custom theme at that time,
 * null if it had none; `leased` counts the floating developer seats that users held.
 */
export type CustomerAsOf = Readonly<{
  state: Customer;
  registeredAt: string;
  themeName: string | null;
  leased: number;
  position: Position;
}>;

/** The name of a custom theme at an instant, from the stream of its integrator's catalogue, which also has the deleted themes. */
const themeNameAsOf = async (events: Store, { theme: choice, integratorId }: Customer, instant: number): Promise<string | null> => {
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
export const customerAsOf = async (events: Store, customerId: CustomerId, at: string): Promise<CustomerAsOf | null> => {
  const { state, beganAt, position } = await stateAsOf(events, streams.customer(customerId), customerDecider, at);
  if (beganAt === null || !isRegistered(state)) return null;
  const leased =
    state.floatingMinutes.developer === null
      ? 0
      : (await stateAsOf(events, streams.seatLeases(customerId), seatLeasesDecider, at)).state.held.developer;
  return { state, registeredAt: beganAt, themeName: await themeNameAsOf(events, state, Date.parse(at)), leased, position };
};

/** A service integrator with its custom themes and its team after the event at `position`. `registeredAt` is ISO-8601 UTC. */
export type IntegratorAsOf = Readonly<{
  state: Integrator;
  registeredAt: string;
  themes: ThemeCatalogue;
  team: Team;
  position: Position;
}>;

/** The service integrator at an instant (ISO-8601); null before its registration and after its deletion. */
export const integratorAsOf = async (events: Store, integratorId: IntegratorId, at: string): Promise<IntegratorAsOf | null> => {
  const [account, themes, team] = await Promise.all([
    stateAsOf(events, streams.integrator(integratorId), integratorDecider, at),
    stateAsOf(events, streams.themes(integratorId), themeDecider, at),
    stateAsOf(events, streams.team(teamIdOf({ kind: 'integrator', integratorId })), teamDecider, at),
  ]);
  const { state, beganAt } = account;
  if (beganAt === null || !('customers' in state)) return null;
  const position = [account, themes, team].reduce((last, { position: one }) => (one > last ? one : last), 0n);
  return { state, registeredAt: beganAt, themes: themes.state, team: team.state, position };
};

/** An event of a customer with the state before it. `isRegistration` if the customer was registered by the same command. */
export type CustomerChange = Readonly<{ event: CustomerEvent; before: Customer; isRegistration: boolean }>;

/** The event of a customer's stream with an id; null if there is none, or the customer was not registered before. */
export const customerChange = async (events: Store, customerId: CustomerId, eventId: string): Promise<CustomerChange | null> => {
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

/** An event of a stream, with the state before it. */
export type Change<S, E> = Readonly<{ event: E; before: S }>;

/** The event of a stream with an id; null if there is none. */
const changeIn = async <S, E extends AnyEvent>(
  events: Store,
  stream: StreamName,
  { initial, evolve }: Folding<S, E>,
  eventId: string,
): Promise<Change<S, E> | null> => {
  let before = initial;
  for await (const { id, event } of events.read<E>(stream)) {
    if (id === eventId) return { event, before };
    before = evolve(before, event);
  }
  return null;
};

/** The events of tenants, plans and alert rules with an id, each from the stream of its owner. */
export const tenantChanges = (events: Store) => ({
  integrator: (integratorId: IntegratorId, eventId: string) =>
    changeIn(events, streams.integrator(integratorId), integratorDecider, eventId),
  theme: (integratorId: IntegratorId, eventId: string) => changeIn(events, streams.themes(integratorId), themeDecider, eventId),
  team: (teamId: TeamId, eventId: string) => changeIn(events, streams.team(teamId), teamDecider, eventId),
  plan: (eventId: string) => changeIn(events, streams.plans, plansDecider, eventId),
  alertRule: (eventId: string) => changeIn(events, streams.alerts, alertsDecider, eventId),
});
