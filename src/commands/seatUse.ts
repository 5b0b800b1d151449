import type { CustomerEvent } from '../domain/customer/events.ts';
import { countSeats, type SeatUse } from '../domain/customer/seatUse.ts';
import type { SeatKind } from '../domain/enumerations.ts';
import type { CustomerId } from '../domain/ids.ts';
import type { SeatLeaseEvent } from '../domain/seatLeases/events.ts';
import type { EventStore } from '../eventstore/port.ts';
import { streams } from './streams.ts';

/** How a customer used its seats from an instant until before another one (ms since 1970), by the events of its stream. */
export const seatUse = async (
  events: Pick<EventStore, 'read'>,
  customerId: CustomerId,
  { from, to }: Readonly<{ from: number; to: number }>,
): Promise<Record<SeatKind, SeatUse>> => {
  const seats = countSeats(from, to);
  const found: { event: CustomerEvent | SeatLeaseEvent; at: number }[] = [];
  let isFloating = false;
  for await (const { event, meta } of events.read<CustomerEvent>(streams.customer(customerId))) {
    const at = Date.parse(meta.at);
    if (at >= to) break;
    isFloating ||= event.type === 'FloatingSeatsSet';
    found.push({ event, at });
  }
  if (isFloating) {
    for await (const { event, meta } of events.read<SeatLeaseEvent>(streams.seatLeases(customerId))) {
      const at = Date.parse(meta.at);
      if (at < to) found.push({ event, at });
    }
    found.sort((one, other) => one.at - other.at); // stable: events of one stream keep their order within an instant
  }
  for (const { event, at } of found) seats.add(event, at);
  return seats.result();
};
