import type { Projection } from '../engine/projection.ts';
import type { MainRows } from '../main/rows.ts';
import { record, usernameOf } from './entries.ts';

type CustomerHandlers = Exclude<Projection<MainRows>['on']['customer'], 'ignored'>;

/** Entries for seats of a kind that start or cease to float. */
export const floatingEntries: Pick<CustomerHandlers, 'FloatingSeatsSet'> = {
  FloatingSeatsSet: (recorded, rows) => {
    const { kind, minutes } = recorded.event.data;
    const customer = rows.customers.get(recorded.subject);
    const before = kind === 'developer' ? customer?.floating_developer_minutes : customer?.floating_stakeholder_minutes;
    record(recorded, rows, {
      customerId: recorded.subject,
      now: { kind, floatingMinutes: minutes },
      before: { floatingMinutes: before ?? null },
    });
  },
};

/** Entries for floating seats that users take and give back. */
export const seatLeaseEntries: Projection<MainRows>['on']['seatLeases'] = {
  SeatLeased: (recorded, rows) => {
    if (!rows.customers.get(recorded.subject)) return;
    const { userId, kind } = recorded.event.data;
    record(recorded, rows, { customerId: recorded.subject, now: { username: usernameOf(rows, userId), kind } });
  },
  SeatHeldOffline: (recorded, rows) => {
    if (!rows.customers.get(recorded.subject)) return;
    const { userId, kind, until } = recorded.event.data;
    record(recorded, rows, { customerId: recorded.subject, now: { username: usernameOf(rows, userId), kind, until } });
  },
  SeatLeaseEnded: (recorded, rows) => {
    if (!rows.customers.get(recorded.subject)) return;
    const { userId, kind, reason } = recorded.event.data;
    record(recorded, rows, { customerId: recorded.subject, now: { username: usernameOf(rows, userId), kind, reason } });
  },
};
