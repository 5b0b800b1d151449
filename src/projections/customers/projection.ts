import type { CustomerRow } from '../../database/tables/customers.ts';
import type { CustomerDetails } from '../../domain/customer/events.ts';
import type { AccountStatus, SeatKind } from '../../domain/enumerations.ts';
import type { AnyEvent } from '../../domain/events.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { DEFAULT_PLAN } from '../../domain/limits.ts';
import { planCopyOf } from '../../domain/plan/terms.ts';
import type { SeatLeaseEvent } from '../../domain/seatLeases/events.ts';
import { dayOf } from '../../domain/time.ts';
import type { Projection } from '../engine/projection.ts';
import type { RecordedEvent } from '../engine/recordedEvent.ts';
import { NO_FRAGMENTS } from '../lists/keyFragments.ts';
import { searchTextOf, sortNameOf } from '../lists/search.ts';
import type { MainRows } from '../main/rows.ts';
import { isCustomTheme } from '../main/themeLook.ts';
import { EVERYTHING } from '../scope.ts';
import { eraseSignIns, moveSignIns } from '../signIns/projection.ts';
import { quotaStateIn, withNotice } from './callQuota.ts';
import { utilizationOf } from './floatingSeats.ts';
import { recordsIn, WITHOUT_RECORDS } from './records.ts';
import { expiringAt, PERPETUAL, termIn } from './term.ts';

type OfCustomer = RecordedEvent<AnyEvent, CustomerId>;
type Changed = (recorded: OfCustomer, customer: Readonly<CustomerRow>, rows: MainRows) => Partial<CustomerRow>;

/** Whether a change is one of the seats that are allocated or held. */
const isOfSeats = (changes: Partial<CustomerRow>): boolean =>
  changes.developer_seats !== undefined ||
  changes.active_developer_seats !== undefined ||
  changes.leased_developer_seats !== undefined ||
  changes.floating_developer_minutes !== undefined;

const changeRow = (rows: MainRows, customer: Readonly<CustomerRow>, changes: Partial<CustomerRow>): void => {
  rows.customers.change(customer, changes); // in place, so that the row has them now
  if (isOfSeats(changes)) rows.customers.change(customer, { developer_utilization: utilizationOf(customer) });
};

/** Changes the customer's row and sets the stream's revision. Does nothing for a deleted customer. */
const changing =
  (change: Changed) =>
  (recorded: OfCustomer, rows: MainRows): void => {
    const customer = rows.customers.get(recorded.subject);
    if (!customer) return;
    const changes = change(recorded, customer, rows);
    changes.revision = Number(recorded.revision);
    changeRow(rows, customer, changes);
    active(recorded, rows, customer);
  };

const seen = changing(() => ({}));

/** Whatever the customer or one of its users did is activity. */
const active = ({ actor, at }: RecordedEvent, rows: MainRows, customer: Readonly<CustomerRow> | undefined): void => {
  if (!customer || (actor.kind !== 'customer' && actor.kind !== 'user')) return;
  if (customer.last_activity_at === null || at > customer.last_activity_at)
    rows.customers.change(customer, { last_activity_at: at });
};

const detailsIn = ({ name, contactEmail, company }: CustomerDetails, externalId: string | null) => ({
  name,
  contact_email: contactEmail,
  company,
  sort_name: sortNameOf(name),
  search: searchTextOf(name, contactEmail, company, externalId),
});

/** Counts the customer in its integrator's scope and in everything's. */
const count = (
  rows: MainRows,
  { at }: RecordedEvent,
  { integrator_id, status }: Pick<CustomerRow, 'integrator_id' | 'status'>,
  difference: { registered?: number; customers: number },
): void => {
  for (const scope of [integrator_id, EVERYTHING]) {
    rows.tally.add({ kind: 'customer', scope, name: status, n: difference.customers });
    rows.statDays.add({
      scope,
      day: dayOf(at),
      registered: difference.registered ?? 0,
      customers: difference.customers,
      active: status === 'active' ? difference.customers : 0,
      integrators_registered: 0,
      integrators: 0,
    });
  }
};

const became = (status: AccountStatus) =>
  changing((recorded, customer, rows) => {
    count(rows, recorded, customer, { customers: -1 });
    count(rows, recorded, { ...customer, status }, { customers: 1 });
    return { status };
  });

/** Counts a customer, and its users that hold a seat, with those who have its theme. */
const countTheme = (rows: MainRows, customer: Readonly<CustomerRow>, theme: string | null, sign: 1 | -1): void => {
  if (!theme || !isCustomTheme(theme)) return;
  const users = customer.active_developer_seats + customer.active_stakeholder_seats;
  rows.tally.add({ kind: 'theme', scope: theme, name: 'customers', n: sign });
  rows.tally.add({ kind: 'theme', scope: theme, name: 'active_users', n: sign * users });
};

const themed = (rows: MainRows, customer: Readonly<CustomerRow>, theme: string | null): Partial<CustomerRow> => {
  countTheme(rows, customer, customer.theme, -1);
  countTheme(rows, customer, theme, 1);
  return { theme, theme_label: theme === null ? null : rows.themeLabel(theme) };
};

const seats = (rows: MainRows, customer: Readonly<CustomerRow>, kind: SeatKind, n: 1 | -1): Partial<CustomerRow> => {
  if (customer.theme && isCustomTheme(customer.theme)) {
    rows.tally.add({ kind: 'theme', scope: customer.theme, name: 'active_users', n });
  }
  return kind === 'developer'
    ? { active_developer_seats: customer.active_developer_seats + n }
    : { active_stakeholder_seats: customer.active_stakeholder_seats + n };
};

/** Counts the floating seats that users hold. Leases have a stream of their own, so the revision stays. */
const leased =
  (n: 1 | -1) =>
  (recorded: RecordedEvent<SeatLeaseEvent, CustomerId>, rows: MainRows): void => {
    const customer = rows.customers.get(recorded.subject);
    if (!customer) return;
    changeRow(
      rows,
      customer,
      recorded.event.data.kind === 'developer'
        ? { leased_developer_seats: customer.leased_developer_seats + n }
        : { leased_stakeholder_seats: customer.leased_stakeholder_seats + n },
    );
    active(recorded, rows, customer);
  };

/** Counts the license with those of its plan. */
const countPlan = (rows: MainRows, { tier }: Pick<CustomerRow, 'tier'>, sign: 1 | -1): void =>
  rows.tally.add({ kind: 'plan', scope: EVERYTHING, name: tier, n: sign });

const ofPlan = (rows: MainRows, customer: Readonly<CustomerRow>, tier: string): Partial<CustomerRow> => {
  if (tier === customer.tier) return {};
  countPlan(rows, customer, -1);
  countPlan(rows, { tier }, 1);
  return { tier };
};

/** When the customer asked for its deletion, or null; counts those who did. */
const withRequest = (rows: MainRows, customer: Readonly<CustomerRow>, at: string | null): Partial<CustomerRow> => {
  const difference = Number(at !== null) - Number(customer.deletion_requested_at !== null);
  if (difference !== 0) {
    for (const scope of [customer.integrator_id, EVERYTHING]) {
      rows.tally.add({ kind: 'deletion', scope, name: 'requested', n: difference });
    }
  }
  return { deletion_requested_at: at };
};

/** One row a customer, and how many there are. */
export const customers: Projection<MainRows> = {
  name: 'customers',
  version: 11,
  on: {
    customer: {
      CustomerRegistered: (recorded, rows) => {
        const customer: CustomerRow = {
          customer_id: recorded.subject,
          integrator_id: recorded.event.data.integratorId,
          ...detailsIn(recorded.event.data, null),
          license_digest: null,
          license_sealed: null,
          license_event: null,
          key_fragments: NO_FRAGMENTS,
          status: 'active',
          theme: null,
          theme_label: null,
          ...PERPETUAL,
          entitlements: null,
          tier: DEFAULT_PLAN,
          plan: null,
          ...WITHOUT_RECORDS,
          developer_seats: 0,
          stakeholder_seats: 0,
          active_developer_seats: 0,
          active_stakeholder_seats: 0,
          seat_limits_enforced: true,
          has_password: false,
          machine_approval_enforced: true,
          machine_limit: null,
          call_quota: null,
          call_quota_notices: null,
          call_quota_month: null,
          call_quota_state: null,
          idle_release_days: null,
          floating_developer_minutes: null,
          floating_stakeholder_minutes: null,
          leased_developer_seats: 0,
          leased_stakeholder_seats: 0,
          developer_utilization: 0,
          deletion_requested_at: null,
          last_activity_at: null,
          created_at: recorded.at,
          revision: Number(recorded.revision),
        };
        rows.customers.put(customer);
        count(rows, recorded, customer, { registered: 1, customers: 1 });
        countPlan(rows, customer, 1);
      },
      LicenseIssued: (recorded, rows) =>
        changing((_, customer) => ({
          ...licensed(recorded, recorded.event.data.licenseKey, rows),
          ...ofPlan(rows, customer, recorded.event.data.tier),
        }))(recorded, rows),
      LicensePlanApplied: (recorded, rows) => {
        const { data } = recorded.event;
        changing((_, customer) => ({ ...ofPlan(rows, customer, data.code), plan: planCopyOf(data) }))(recorded, rows);
      },
      LicensePlanRemoved: changing((_, customer, rows) => ({ ...ofPlan(rows, customer, DEFAULT_PLAN), plan: null })),
      LicenseKeyRotated: (recorded, rows) =>
        changing(() => licensed(recorded, recorded.event.data.licenseKey, rows))(recorded, rows),
      LicenseEntitlementsSet: (recorded, rows) =>
        changing(() => ({ entitlements: recorded.event.data.entitlements }))(recorded, rows),
      LicenseTermSet: (recorded, rows) => changing(() => termIn(recorded.event.data))(recorded, rows),
      LicenseTermRemoved: changing(() => PERPETUAL),
      LicenseRenewed: (recorded, rows) =>
        changing((_, customer) => ({
          ...expiringAt(recorded.event.data.expiresAt, customer),
          term_starts_at: recorded.event.data.startsAt,
          term_is_trial: false,
        }))(recorded, rows),
      LicenseExtended: (recorded, rows) =>
        changing((_, customer) => expiringAt(recorded.event.data.expiresAt, customer))(recorded, rows),
      LicenseExpiryAnnounced: seen,
      LicenseEnteredGrace: seen,
      LicenseExpired: seen,
      SeatsAllocated: (recorded, rows) => {
        const { developerSeats, stakeholderSeats } = recorded.event.data;
        changing(() => ({ developer_seats: developerSeats, stakeholder_seats: stakeholderSeats }))(recorded, rows);
      },
      SeatLimitsEnforced: changing(() => ({ seat_limits_enforced: true })),
      SeatLimitsRelaxed: changing(() => ({ seat_limits_enforced: false })),
      CustomerDetailsChanged: (recorded, rows) =>
        changing((_, { external_id }) => detailsIn(recorded.event.data, external_id))(recorded, rows),
      CustomerRecordsChanged: (recorded, rows) =>
        changing((_, { name, contact_email, company }) => ({
          ...recordsIn(recorded.event.data),
          search: searchTextOf(name, contact_email, company, recorded.event.data.externalId),
        }))(recorded, rows),
      CustomerSuspended: became('suspended'),
      CustomerReactivated: became('active'),
      CustomerChurned: became('churned'),
      ThemeAssigned: (recorded, rows) =>
        changing((_, customer) => themed(rows, customer, recorded.event.data.theme))(recorded, rows),
      ThemeUnassigned: changing((_, customer, rows) => themed(rows, customer, null)),
      UserRegistered: seen,
      UserDetailsChanged: seen,
      UserRoleChanged: seen,
      UserMachineChanged: seen,
      MachineApprovalRequested: seen,
      MachineApproved: seen,
      MachineRejected: seen,
      MachineRenamed: seen,
      MachineRemoved: seen,
      OfflineLicenseIssued: seen,
      MachineApprovalEnforced: changing(() => ({ machine_approval_enforced: true })),
      MachineApprovalRelaxed: changing(() => ({ machine_approval_enforced: false })),
      MachineLimitSet: (recorded, rows) => changing(() => ({ machine_limit: recorded.event.data.limit }))(recorded, rows),
      CallQuotaSet: (recorded, rows) => {
        const { quota } = recorded.event.data;
        changing((_, { call_quota_notices: notices }) => ({ call_quota: quota, ...quotaStateIn(quota, notices) }))(recorded, rows);
      },
      CallQuotaReached: (recorded, rows) => changing((_, row) => withNotice(row, recorded.event.data))(recorded, rows),
      CallQuotaUseLowered: (recorded, rows) => changing((_, row) => withNotice(row, recorded.event.data))(recorded, rows),
      // A void is no activity of the customer.
      ApiCallsVoided: (recorded, rows) => {
        const customer = rows.customers.get(recorded.subject);
        if (customer) changeRow(rows, customer, { revision: Number(recorded.revision) });
      },
      IdleReleaseSet: (recorded, rows) => changing(() => ({ idle_release_days: recorded.event.data.days }))(recorded, rows),
      FloatingSeatsSet: (recorded, rows) => {
        const { kind, minutes } = recorded.event.data;
        changing(() =>
          kind === 'developer' ? { floating_developer_minutes: minutes } : { floating_stakeholder_minutes: minutes },
        )(recorded, rows);
      },
      UserActivated: seen,
      UserDeactivated: seen,
      UserSuspended: seen,
      UserRemoved: seen,
      SeatClaimed: (recorded, rows) =>
        changing((_, customer) => seats(rows, customer, recorded.event.data.kind, 1))(recorded, rows),
      SeatReleased: (recorded, rows) =>
        changing((_, customer) => seats(rows, customer, recorded.event.data.kind, -1))(recorded, rows),
      PasswordChanged: changing(() => ({ has_password: true })),
      PasswordReset: changing(() => ({ has_password: false })),
      AccountDeletionRequested: changing(({ at }, customer, rows) => withRequest(rows, customer, at)),
      AccountDeletionWithdrawn: changing((_, customer, rows) => withRequest(rows, customer, null)),
      CustomerMovedAway: seen,
      CustomerMoved: (recorded, rows) => {
        const { integratorId } = recorded.event.data;
        changing((_, customer) => {
          count(rows, recorded, customer, { customers: -1 });
          const requestedAt = customer.deletion_requested_at;
          withRequest(rows, customer, null);
          const moved = { ...customer, integrator_id: integratorId, deletion_requested_at: null };
          count(rows, recorded, moved, { customers: 1 });
          withRequest(rows, moved, requestedAt);
          return { integrator_id: integratorId };
        })(recorded, rows);
        moveSignIns(recorded.subject, integratorId, rows);
      },
      CustomerDeleted: (recorded, rows) => {
        const customer = rows.customers.get(recorded.subject);
        if (!customer) return;
        count(rows, recorded, customer, { customers: -1 });
        countPlan(rows, customer, -1);
        withRequest(rows, customer, null);
        countTheme(rows, customer, customer.theme, -1);
        rows.customers.remove(customer);
        eraseSignIns('customer_id', recorded.subject, rows);
      },
    },
    credential: {
      CredentialStored: (recorded, rows) => active(recorded, rows, rows.customers.get(recorded.event.data.customerId)),
      CredentialRevised: (recorded, rows) => active(recorded, rows, rows.customers.get(recorded.event.data.customerId)),
      CredentialTested: 'ignored',
      CredentialExpired: 'ignored',
      CredentialDeleted: 'ignored',
    },
    userActivity: {
      UserAuthenticated: (recorded, rows) => active(recorded, rows, rows.customers.get(recorded.event.data.customerId)),
      UserConnected: (recorded, rows) => active(recorded, rows, rows.customers.get(recorded.event.data.customerId)),
      UserDisconnected: (recorded, rows) => active(recorded, rows, rows.customers.get(recorded.event.data.customerId)),
    },
    integrator: 'ignored',
    themes: 'ignored',
    apiCalls: 'ignored',
    adminActivity: 'ignored',
    operations: 'ignored',
    plans: 'ignored',
    seatDenials: 'ignored',
    seatLeases: { SeatLeased: leased(1), SeatLeaseEnded: leased(-1), SeatHeldOffline: 'ignored' },
    signIns: 'ignored',
    team: 'ignored',
  },
};

/** The key's digest to look it up by, the hashes of its parts to search it by, and the event's own envelope to show it from. */
const licensed = (recorded: RecordedEvent, licenseKey: string, rows: MainRows): Partial<CustomerRow> => ({
  license_digest: rows.digestOf(licenseKey),
  license_sealed: recorded.sealed.licenseKey ?? null,
  license_event: recorded.event.type,
  key_fragments: rows.fragmentsOf(licenseKey),
});
