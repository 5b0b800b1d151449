import { customerDecider } from '../domain/customer/decider.ts';
import type { CustomerEvent } from '../domain/customer/events.ts';
import type { CustomerState } from '../domain/customer/state.ts';
import type { CustomerId } from '../domain/ids.ts';
import type { EventStore, Position } from '../eventstore/port.ts';
import { streams } from './streams.ts';

/** A customer as it stood after the event at `position`. `registeredAt` is ISO-8601 UTC. */
export type CustomerAsOf = Readonly<{ state: CustomerState; registeredAt: string; position: Position }>;

/** The customer as it stood at an instant (ISO-8601), folded from its stream; null before it was registered. */
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
  return registeredAt === null ? null : { state, registeredAt, position: last };
};
