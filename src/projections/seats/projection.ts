import type { CustomerRow } from '../../database/tables/customers.ts';
import type { SeatCountRow } from '../../database/tables/seats.ts';
import type { CustomerEvent } from '../../domain/customer/events.ts';
import { type OpenSeatQuarter, type SeatChange, type SeatQuarter, withSeatChange } from '../../domain/customer/seatUtilization.ts';
import { SEAT_KINDS, type SeatKind } from '../../domain/enumerations.ts';
import type { AnyEvent } from '../../domain/events.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { createInstants } from '../../domain/instant.ts';
import type { SeatLeaseEvent } from '../../domain/seatLeases/events.ts';
import type { Projection } from '../engine/projection.ts';
import type { RecordedEvent } from '../engine/recordedEvent.ts';
import type { MainRows } from '../main/rows.ts';

const NONE: readonly SeatKind[] = [];

/** The kinds of seats of which an event changes the number; their counts are preloaded. */
export const seatKindsOf = ({ type, data }: AnyEvent): readonly SeatKind[] => {
  switch (type) {
    case 'SeatClaimed':
    case 'SeatReleased':
    case 'SeatLeased':
    case 'SeatLeaseEnded':
    case 'FloatingSeatsSet':
      return [data.kind];
    case 'SeatsAllocated':
      return SEAT_KINDS;
    default:
      return NONE;
  }
};

/** For the starts of quarters and the changes within them: each caches the last day and second. */
const [starts, changes] = [createInstants(), createInstants()];

const openIn = (row: Readonly<SeatCountRow>): OpenSeatQuarter => ({
  start: starts.read(row.at),
  countedTo: changes.read(row.counted_to),
  held: row.held,
  limit: row.seat_limit,
  peak: row.peak,
  heldMs: row.held_ms,
  aboveLimitMs: row.above_limit_ms,
});

const columnsOf = ({ start, held, limit, peak, heldMs, aboveLimitMs }: SeatQuarter) => ({
  at: starts.write(start),
  held,
  seat_limit: limit,
  peak,
  held_ms: heldMs,
  above_limit_ms: aboveLimitMs,
});

const change = (
  { subject: customer_id, at }: RecordedEvent<AnyEvent, CustomerId>,
  rows: MainRows,
  kind: SeatKind,
  changed: Omit<SeatChange, 'at'>,
): void => {
  const row = rows.seatCounts.get(customer_id, kind);
  const { ended, open } = withSeatChange(row && openIn(row), { ...changed, at: changes.read(at) });
  if (ended) rows.seatQuarters.put({ customer_id, kind, ...columnsOf(ended) });
  const columns = { ...columnsOf(open), counted_to: changes.write(open.countedTo) };
  if (row) rows.seatCounts.change(row, columns);
  else rows.seatCounts.put({ customer_id, kind, ...columns });
};

/** The seats that users hold after an event: of a floating kind those with a lease, of a named one those of the users' own. */
const heldIn = (customer: Readonly<CustomerRow>, kind: SeatKind): number => {
  if (kind === 'developer')
    return customer.floating_developer_minutes === null ? customer.active_developer_seats : customer.leased_developer_seats;
  return customer.floating_stakeholder_minutes === null ? customer.active_stakeholder_seats : customer.leased_stakeholder_seats;
};

/** Counts what is held now; a seat that a user may take, and does not hold, changes nothing. */
const recount = (recorded: RecordedEvent<CustomerEvent | SeatLeaseEvent, CustomerId>, rows: MainRows, kind: SeatKind): void => {
  const customer = rows.customers.get(recorded.subject);
  if (!customer) return;
  const difference = heldIn(customer, kind) - (rows.seatCounts.get(recorded.subject, kind)?.held ?? 0);
  if (difference !== 0) change(recorded, rows, kind, { difference });
};

/** How many seats of each kind a customer held, by the quarters of an hour in which they changed. It reads the customer after the event. */
export const seats: Projection<MainRows> = {
  name: 'seats',
  version: 2,
  on: {
    customer: {
      CustomerRegistered: 'ignored',
      LicenseIssued: 'ignored',
      CallQuotaSet: 'ignored',
      CallQuotaReached: 'ignored',
      CallQuotaUseLowered: 'ignored',
      ApiCallsVoided: 'ignored',
      LicenseKeyRotated: 'ignored',
      LicensePlanApplied: 'ignored',
      LicensePlanRemoved: 'ignored',
      CustomerRecordsChanged: 'ignored',
      LicenseTermSet: 'ignored',
      LicenseEntitlementsSet: 'ignored',
      LicenseTermRemoved: 'ignored',
      LicenseRenewed: 'ignored',
      LicenseExtended: 'ignored',
      LicenseExpiryAnnounced: 'ignored',
      LicenseEnteredGrace: 'ignored',
      LicenseExpired: 'ignored',
      SeatsAllocated: (recorded, rows) => {
        const { developerSeats, stakeholderSeats } = recorded.event.data;
        change(recorded, rows, 'developer', { limit: developerSeats });
        change(recorded, rows, 'stakeholder', { limit: stakeholderSeats });
      },
      SeatLimitsEnforced: 'ignored',
      SeatLimitsRelaxed: 'ignored',
      CustomerDetailsChanged: 'ignored',
      CustomerSuspended: 'ignored',
      CustomerReactivated: 'ignored',
      CustomerChurned: 'ignored',
      ThemeAssigned: 'ignored',
      ThemeUnassigned: 'ignored',
      UserRegistered: 'ignored',
      UserDetailsChanged: 'ignored',
      UserRoleChanged: 'ignored',
      UserMachineChanged: 'ignored',
      MachineApprovalRequested: 'ignored',
      MachineApproved: 'ignored',
      MachineRejected: 'ignored',
      MachineRenamed: 'ignored',
      MachineRemoved: 'ignored',
      OfflineLicenseIssued: 'ignored',
      MachineApprovalEnforced: 'ignored',
      MachineApprovalRelaxed: 'ignored',
      MachineLimitSet: 'ignored',
      IdleReleaseSet: 'ignored',
      FloatingSeatsSet: (recorded, rows) => recount(recorded, rows, recorded.event.data.kind),
      UserActivated: 'ignored',
      UserDeactivated: 'ignored',
      UserSuspended: 'ignored',
      UserRemoved: 'ignored',
      SeatClaimed: (recorded, rows) => recount(recorded, rows, recorded.event.data.kind),
      SeatReleased: (recorded, rows) => recount(recorded, rows, recorded.event.data.kind),
      PasswordChanged: 'ignored',
      PasswordReset: 'ignored',
      AccountDeletionRequested: 'ignored',
      AccountDeletionWithdrawn: 'ignored',
      CustomerMovedAway: 'ignored',
      CustomerMoved: 'ignored',
      CustomerDeleted: ({ subject }, rows) => {
        for (const row of rows.seatCounts.by('customer_id', subject)) rows.seatCounts.remove(row);
        for (const row of rows.seatQuarters.by('customer_id', subject)) rows.seatQuarters.remove(row);
      },
    },
    userActivity: 'ignored',
    integrator: 'ignored',
    themes: 'ignored',
    credential: 'ignored',
    apiCalls: 'ignored',
    adminActivity: 'ignored',
    operations: 'ignored',
    plans: 'ignored',
    seatDenials: 'ignored',
    seatLeases: {
      SeatLeased: (recorded, rows) => recount(recorded, rows, recorded.event.data.kind),
      SeatHeldOffline: 'ignored',
      SeatLeaseEnded: (recorded, rows) => recount(recorded, rows, recorded.event.data.kind),
    },
    signIns: 'ignored',
    team: 'ignored',
  },
};
