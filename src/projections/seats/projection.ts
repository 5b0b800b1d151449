import type { SeatCountRow } from '../../database/tables/seats.ts';
import type { SeatKind } from '../../domain/customer/events.ts';
import { type OpenSeatQuarter, type SeatChange, type SeatQuarter, withSeatChange } from '../../domain/customer/seatUtilization.ts';
import type { AnyEvent } from '../../domain/events.ts';
import type { CustomerId } from '../../domain/ids.ts';
import type { Projection } from '../engine/projection.ts';
import type { RecordedEvent } from '../engine/recordedEvent.ts';
import type { MainRows } from '../main/rows.ts';

const BOTH: readonly SeatKind[] = ['developer', 'stakeholder'];
const NONE: readonly SeatKind[] = [];

/** The kinds of seats of which an event changes the number; their counts are preloaded. */
export const seatKindsOf = ({ type, data }: AnyEvent): readonly SeatKind[] => {
  if (type === 'SeatClaimed' || type === 'SeatReleased') return [data.kind];
  return type === 'SeatsAllocated' ? BOTH : NONE;
};

const timeOf = (ms: number): string => new Date(ms).toISOString();

const openIn = (row: Readonly<SeatCountRow>): OpenSeatQuarter => ({
  start: Date.parse(row.at),
  countedTo: Date.parse(row.counted_to),
  held: row.held,
  limit: row.seat_limit,
  peak: row.peak,
  heldMs: row.held_ms,
  aboveLimitMs: row.above_limit_ms,
});

const columnsOf = ({ start, held, limit, peak, heldMs, aboveLimitMs }: SeatQuarter) => ({
  at: timeOf(start),
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
  const { ended, open } = withSeatChange(row && openIn(row), { ...changed, at: Date.parse(at) });
  if (ended) rows.seatQuarters.put({ customer_id, kind, ...columnsOf(ended) });
  const columns = { ...columnsOf(open), counted_to: timeOf(open.countedTo) };
  if (row) rows.seatCounts.change(row, columns);
  else rows.seatCounts.put({ customer_id, kind, ...columns });
};

/** How many seats of each kind a customer held, by the quarters of an hour in which they changed. */
export const seats: Projection<MainRows> = {
  name: 'seats',
  version: 1,
  on: {
    customer: {
      CustomerRegistered: 'ignored',
      LicenseIssued: 'ignored',
      CallQuotaSet: 'ignored',
      CallQuotaReached: 'ignored',
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
      UserActivated: 'ignored',
      UserDeactivated: 'ignored',
      UserSuspended: 'ignored',
      UserRemoved: 'ignored',
      SeatClaimed: (recorded, rows) => change(recorded, rows, recorded.event.data.kind, { difference: 1 }),
      SeatReleased: (recorded, rows) => change(recorded, rows, recorded.event.data.kind, { difference: -1 }),
      PasswordChanged: 'ignored',
      PasswordReset: 'ignored',
      AccountDeletionRequested: 'ignored',
      AccountDeletionWithdrawn: 'ignored',
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
    signIns: 'ignored',
    team: 'ignored',
  },
};
