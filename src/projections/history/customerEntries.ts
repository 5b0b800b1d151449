import { entitlementsText } from '../../contracts/entitlementLines.ts';
import type { HistoryRow, Values } from '../../database/tables/history.ts';
import type { CustomerDetails } from '../../domain/customer/events.ts';
import { type CustomerRecords, NO_RECORDS } from '../../domain/customer/records.ts';
import type { AnyEvent } from '../../domain/events.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { DEFAULT_PLAN, DEFAULT_PLAN_NAME } from '../../domain/limits.ts';
import { recordsOf } from '../customers/records.ts';
import type { Projection } from '../engine/projection.ts';
import type { RecordedEvent } from '../engine/recordedEvent.ts';
import type { MainRows } from '../main/rows.ts';
import { isCustomTheme } from '../main/themeLook.ts';
import { callQuotaEntries } from './callQuotaEntries.ts';
import { ofCustomer, record, removePersonalData, usernameOf } from './entries.ts';
import { machineEntries, shownOrNull } from './machineEntries.ts';
import { floatingEntries } from './seatEntries.ts';

/** Keeps an entry of a deleted customer's own stream without personal data, and removes others, which a rebuild does not find. */
const keepWithoutPersonalData = (row: Readonly<HistoryRow>, rows: MainRows): void => {
  if (row.category !== 'customer') {
    rows.history.remove(row);
    return;
  }
  removePersonalData(row, rows);
};

const detailsOf = ({ name, contactEmail, company }: CustomerDetails): Values => ({ name, contactEmail, company });

const statusChange =
  (status: string) =>
  (
    recorded: RecordedEvent<AnyEvent & { type: 'CustomerSuspended' | 'CustomerReactivated' | 'CustomerChurned' }, CustomerId>,
    rows: MainRows,
  ): void =>
    record(recorded, rows, {
      customerId: recorded.subject,
      now: { status, statusReason: recorded.event.data.reason },
      before: { status: rows.customers.get(recorded.subject)?.status ?? null },
    });

const userStatus =
  (status: string) =>
  (
    recorded: RecordedEvent<AnyEvent & { type: 'UserActivated' | 'UserDeactivated' | 'UserSuspended' }, CustomerId>,
    rows: MainRows,
  ): void => {
    const user = rows.users.get(recorded.event.data.userId);
    record(recorded, rows, {
      customerId: recorded.subject,
      now: { username: user?.username ?? null, status, statusReason: recorded.event.data.reason },
      before: { status: user?.status ?? null },
    });
  };

const endSpan = (recorded: RecordedEvent, rows: MainRows): void => {
  for (const span of rows.themeSpans.by('customer_id', recorded.subject)) {
    if (span.to_position === null) rows.themeSpans.change(span, { to_position: String(recorded.position) });
  }
};

type TermEvent = AnyEvent & { type: 'LicenseTermSet' | 'LicenseTermRemoved' | 'LicenseRenewed' | 'LicenseExtended' };

/** A change of the term, with the values before it of the fields that it names. */
const ofTerm = (recorded: RecordedEvent<TermEvent, CustomerId>, rows: MainRows, now: Values): void => {
  const customer = rows.customers.get(recorded.subject);
  const before: Values = {
    startsAt: customer?.term_starts_at ?? null,
    expiresAt: customer?.term_expires_at ?? null,
    graceDays: customer?.term_grace_days ?? null,
    isTrial: customer?.term_is_trial ?? null,
  };
  record(recorded, rows, {
    customerId: recorded.subject,
    now,
    before: Object.fromEntries(Object.keys(now).map((field) => [field, before[field] ?? null])),
  });
};

/** The records as texts, as entries have them. */
const recordTexts = ({ externalId, tags, notes, customFields }: CustomerRecords): Values => ({
  externalId,
  tags: tags.length > 0 ? tags.join(', ') : null,
  notes,
  customFields,
});

const ofMove = (
  recorded: RecordedEvent<AnyEvent & { type: 'CustomerMovedAway' | 'CustomerMoved' }, CustomerId>,
  rows: MainRows,
): void =>
  record(recorded, rows, {
    customerId: recorded.subject,
    integratorId: recorded.event.data.integratorId,
    now: { name: rows.customers.get(recorded.subject)?.name ?? null },
  });

const ofStep = (
  recorded: RecordedEvent<AnyEvent & { type: 'LicenseEnteredGrace' | 'LicenseExpired' }, CustomerId>,
  rows: MainRows,
): void => {
  const { expiresAt, endsAt } = recorded.event.data;
  record(recorded, rows, { customerId: recorded.subject, now: { expiresAt, endsAt } });
};

/** Entries for the events of customers and their users. */
export const customerEntries: Projection<MainRows>['on']['customer'] = {
  CustomerRegistered: (recorded, rows) =>
    record(recorded, rows, { customerId: recorded.subject, now: detailsOf(recorded.event.data) }),
  LicenseIssued: (recorded, rows) =>
    record(recorded, rows, { customerId: recorded.subject, now: { tier: recorded.event.data.tier } }),
  SeatsAllocated: (recorded, rows) => {
    const { developerSeats, stakeholderSeats } = recorded.event.data;
    const customer = rows.customers.get(recorded.subject);
    record(recorded, rows, {
      customerId: recorded.subject,
      now: { developerSeats, stakeholderSeats },
      before: { developerSeats: customer?.developer_seats ?? 0, stakeholderSeats: customer?.stakeholder_seats ?? 0 },
    });
  },
  SeatLimitsEnforced: ofCustomer,
  SeatLimitsRelaxed: ofCustomer,
  CustomerDetailsChanged: (recorded, rows) => {
    const customer = rows.customers.get(recorded.subject);
    record(recorded, rows, {
      customerId: recorded.subject,
      now: detailsOf(recorded.event.data),
      before: {
        name: customer?.name ?? null,
        contactEmail: customer?.contact_email ?? null,
        company: customer?.company ?? null,
      },
    });
  },
  CustomerSuspended: statusChange('suspended'),
  CustomerReactivated: statusChange('active'),
  CustomerChurned: statusChange('churned'),
  ThemeAssigned: (recorded, rows) => {
    const { theme, source } = recorded.event.data;
    record(recorded, rows, {
      customerId: recorded.subject,
      now: { theme: rows.themeLabel(theme), source },
      before: { theme: rows.customers.get(recorded.subject)?.theme_label ?? null },
    });
    endSpan(recorded, rows);
    if (isCustomTheme(theme)) {
      rows.themeSpans.put({
        customer_id: recorded.subject,
        theme_id: theme,
        from_position: String(recorded.position),
        to_position: null,
      });
    }
  },
  ThemeUnassigned: (recorded, rows) => {
    const theme = rows.customers.get(recorded.subject)?.theme_label ?? null;
    record(recorded, rows, { customerId: recorded.subject, now: { theme: null }, before: { theme } });
    endSpan(recorded, rows);
  },
  LicenseKeyRotated: ofCustomer,
  LicensePlanApplied: (recorded, rows) => {
    const { code, name } = recorded.event.data;
    const before = rows.customers.get(recorded.subject);
    const isMoved = before !== undefined && before.tier !== code;
    record(recorded, rows, {
      customerId: recorded.subject,
      now: { plan: code, planName: name, ...(isMoved && { formerPlan: before.tier }) },
      before: { planName: before?.plan?.name ?? (isMoved ? DEFAULT_PLAN_NAME : null) },
    });
  },
  LicensePlanRemoved: (recorded, rows) => {
    const before = rows.customers.get(recorded.subject);
    record(recorded, rows, {
      customerId: recorded.subject,
      now: { plan: DEFAULT_PLAN, planName: DEFAULT_PLAN_NAME, formerPlan: before?.tier ?? null },
      before: { planName: before?.plan?.name ?? null },
    });
  },
  CustomerRecordsChanged: (recorded, rows) => {
    const customer = rows.customers.get(recorded.subject);
    record(recorded, rows, {
      customerId: recorded.subject,
      now: recordTexts(recorded.event.data),
      before: recordTexts(customer ? recordsOf(customer) : NO_RECORDS),
    });
  },
  LicenseEntitlementsSet: (recorded, rows) =>
    record(recorded, rows, {
      customerId: recorded.subject,
      now: { entitlements: entitlementsText(recorded.event.data.entitlements) },
      before: { entitlements: entitlementsText(rows.customers.get(recorded.subject)?.entitlements ?? null) },
    }),
  LicenseTermSet: (recorded, rows) => {
    const { startsAt, expiresAt, graceDays, isTrial } = recorded.event.data;
    ofTerm(recorded, rows, { startsAt, expiresAt, graceDays, isTrial });
  },
  LicenseTermRemoved: (recorded, rows) => ofTerm(recorded, rows, { expiresAt: null, graceDays: null, isTrial: null }),
  LicenseRenewed: (recorded, rows) => ofTerm(recorded, rows, { expiresAt: recorded.event.data.expiresAt, isTrial: false }),
  LicenseExtended: (recorded, rows) => ofTerm(recorded, rows, { expiresAt: recorded.event.data.expiresAt }),
  LicenseExpiryAnnounced: (recorded, rows) => {
    const { expiresAt, days } = recorded.event.data;
    record(recorded, rows, { customerId: recorded.subject, now: { expiresAt, days } });
  },
  LicenseEnteredGrace: (recorded, rows) => ofStep(recorded, rows),
  LicenseExpired: (recorded, rows) => ofStep(recorded, rows),
  UserRegistered: (recorded, rows) => {
    const { username, email, role, machineId, machineName } = recorded.event.data;
    const now = { username, email, role, machineId: shownOrNull(machineId), machineName };
    record(recorded, rows, { customerId: recorded.subject, now });
  },
  UserDetailsChanged: (recorded, rows) => {
    const { userId, username, email } = recorded.event.data;
    const user = rows.users.get(userId);
    record(recorded, rows, {
      customerId: recorded.subject,
      now: { username, email },
      before: { username: user?.username ?? null, email: user?.email ?? null },
    });
  },
  UserRoleChanged: (recorded, rows) => {
    const { userId, role } = recorded.event.data;
    const user = rows.users.get(userId);
    record(recorded, rows, {
      customerId: recorded.subject,
      now: { username: user?.username ?? null, role },
      before: { role: user?.role ?? null },
    });
  },
  ...machineEntries,
  ...callQuotaEntries,
  IdleReleaseSet: (recorded, rows) =>
    record(recorded, rows, {
      customerId: recorded.subject,
      now: { idleReleaseDays: recorded.event.data.days },
      before: { idleReleaseDays: rows.customers.get(recorded.subject)?.idle_release_days ?? null },
    }),
  ...floatingEntries,
  UserActivated: userStatus('active'),
  UserDeactivated: userStatus('inactive'),
  UserSuspended: userStatus('suspended'),
  UserRemoved: (recorded, rows) => {
    const { userId } = recorded.event.data;
    for (const row of rows.history.by('user_id', userId)) removePersonalData(row, rows);
    record(recorded, rows, { customerId: recorded.subject, now: { role: rows.users.get(userId)?.role ?? null } });
  },
  SeatClaimed: (recorded, rows) => {
    const { userId, kind } = recorded.event.data;
    record(recorded, rows, { customerId: recorded.subject, now: { username: usernameOf(rows, userId), kind } });
  },
  SeatReleased: (recorded, rows) => {
    const { userId, kind, reason } = recorded.event.data;
    record(recorded, rows, { customerId: recorded.subject, now: { username: usernameOf(rows, userId), kind, reason } });
  },
  ApiCallsVoided: (recorded, rows) => {
    const { sourceId, firstSequence, lastSequence, from, until, reason } = recorded.event.data;
    record(recorded, rows, {
      customerId: recorded.subject,
      now: { sourceId, firstSequence, lastSequence, from, until, statusReason: reason },
    });
  },
  PasswordChanged: ofCustomer,
  PasswordReset: ofCustomer,
  AccountDeletionRequested: ofCustomer,
  AccountDeletionWithdrawn: ofCustomer,
  // Both service integrators have an entry, which does not name the other one.
  CustomerMovedAway: ofMove,
  CustomerMoved: ofMove,
  CustomerDeleted: (recorded, rows) => {
    for (const row of rows.history.by('customer_id', recorded.subject)) keepWithoutPersonalData(row, rows);
    endSpan(recorded, rows);
    ofCustomer(recorded, rows);
  },
};

/** Entries for the sign-ins of users. */
export const userActivityEntries: Projection<MainRows>['on']['userActivity'] = {
  UserAuthenticated: (recorded, rows) => {
    const { customerId, userId } = recorded.event.data;
    if (!rows.customers.get(customerId)) return;
    record(recorded, rows, { customerId, now: { username: usernameOf(rows, userId) } });
  },
  UserConnected: 'ignored',
  UserDisconnected: 'ignored',
};

/** Entries for refused seats. */
export const seatDenialEntries: Projection<MainRows>['on']['seatDenials'] = {
  SeatDenied: (recorded, rows) => {
    const { customerId, userId, username, kind, reason, count } = recorded.event.data;
    if (!rows.customers.get(customerId)) return;
    record(recorded, rows, {
      customerId,
      now: { username: userId === null ? username : usernameOf(rows, userId), kind, reason, count },
    });
  },
};
