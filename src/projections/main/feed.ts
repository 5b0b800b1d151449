import { room, type Topic, topic } from '../../contracts/topics.ts';
import type { AnyEvent } from '../../domain/events.ts';
import type { CustomerId, IntegratorId, TeamId, UserId } from '../../domain/ids.ts';
import type { AlertFired, AlertResolved } from '../../domain/operations/alertEvents.ts';
import type { BulkChangeFinished, ImportFinished } from '../../domain/operations/events.ts';
import type { SignInsRecorded } from '../../domain/signIns/events.ts';
import { tenantOfTeam } from '../../domain/team/teamId.ts';
import type { Projection } from '../engine/projection.ts';
import type { RecordedEvent } from '../engine/recordedEvent.ts';
import type { MainRows } from './rows.ts';

/** The rooms of all who see a customer: administrators, its integrator, itself. */
const watchersOf = (rows: MainRows, customerId: CustomerId, integratorId?: IntegratorId): string[] => {
  const owner = integratorId ?? rows.customers.get(customerId)?.integrator_id;
  return [room.admin, ...(owner ? [room.integrator(owner)] : []), room.customer(customerId)];
};

/** Customers have no audit page. */
const isOperator = (watcher: string): boolean => watcher === room.admin || watcher.startsWith(room.integrator('' as IntegratorId));

const historyChanged = (rows: MainRows, id: CustomerId | IntegratorId, watchers: readonly string[]): void => {
  rows.touch(topic.history(id), watchers);
  rows.touch(topic.audit(), watchers.filter(isOperator));
};

const customerChanged = (rows: MainRows, customerId: CustomerId, also: readonly Topic[], integratorId?: IntegratorId): void => {
  const watchers = watchersOf(rows, customerId, integratorId);
  for (const changed of [topic.customers(), topic.customer(customerId), ...also]) rows.touch(changed, watchers);
  historyChanged(rows, customerId, watchers);
};

type OfCustomer = RecordedEvent<AnyEvent, CustomerId>;
/** What every role of a customer sees, also those that see no other users. */
const licenseChanged = (rows: MainRows, customerId: CustomerId, also: readonly Topic[]): void => {
  customerChanged(rows, customerId, also);
  rows.touch(topic.customer(customerId), [room.portal(customerId)]);
};

const details = ({ subject }: OfCustomer, rows: MainRows): void => licenseChanged(rows, subject, []);
/** Usage shows how much of the quota is used. */
const ofQuota = ({ subject }: OfCustomer, rows: MainRows): void => licenseChanged(rows, subject, [topic.usage(subject)]);
const counted = ({ subject }: OfCustomer, rows: MainRows): void => licenseChanged(rows, subject, [topic.stats()]);
const ofUser = ({ subject, event }: RecordedEvent<AnyEvent & { data: { userId: UserId } }, CustomerId>, rows: MainRows): void => {
  customerChanged(rows, subject, [topic.users()]);
  rows.touch(topic.customer(subject), [room.dashboards(subject)]);
  rows.touch(topic.users(), [room.user(event.data.userId)]);
};
/** A theme's catalogue says how many customers have each theme. */
const ofTheme = ({ subject }: OfCustomer, rows: MainRows): void => {
  const integratorId = rows.customers.get(subject)?.integrator_id;
  licenseChanged(rows, subject, integratorId ? [topic.themes(integratorId)] : []);
  rows.touch(topic.allThemes(), [room.admin]);
};

/** Everything that the service integrator sees of the customer, for the first or the last time. */
const moved = (rows: MainRows, customerId: CustomerId, integratorId: IntegratorId): void => {
  const shown = [topic.stats(), topic.users(), topic.usage(customerId), topic.calls(), topic.themes(integratorId)];
  customerChanged(rows, customerId, shown, integratorId);
  rows.touch(topic.integrators(), [room.admin]);
  const watchers = [room.admin, room.integrator(integratorId)];
  rows.touch(topic.integrator(integratorId), watchers);
  historyChanged(rows, integratorId, watchers);
};

type OfIntegrator = RecordedEvent<AnyEvent, IntegratorId>;
const integratorChanged = ({ subject }: OfIntegrator, rows: MainRows): void => {
  rows.touch(topic.integrators(), [room.admin]);
  rows.touch(topic.integrator(subject), [room.admin, room.integrator(subject)]);
  historyChanged(rows, subject, [room.admin, room.integrator(subject)]);
};
const integratorCounted = (recorded: OfIntegrator, rows: MainRows): void => {
  integratorChanged(recorded, rows);
  rows.touch(topic.stats(), [room.admin]);
};
const integratorRenamed = (recorded: OfIntegrator, rows: MainRows): void => {
  integratorChanged(recorded, rows);
  rows.touch(topic.customers(), [room.admin, room.integrator(recorded.subject)]);
  rows.touch(topic.allThemes(), [room.admin]);
};

const catalogueChanged = ({ subject }: OfIntegrator, rows: MainRows): void => {
  rows.touch(topic.themes(subject), [room.admin, room.integrator(subject)]);
  historyChanged(rows, subject, [room.admin, room.integrator(subject)]);
  rows.touch(topic.allThemes(), [room.admin]);
};

const credentialsChanged = (rows: MainRows, customerId: CustomerId | undefined): void => {
  if (!customerId) return;
  rows.touch(topic.credentials(customerId), [room.customer(customerId)]);
  historyChanged(rows, customerId, watchersOf(rows, customerId));
};
const ofCredential = ({ subject }: RecordedEvent, rows: MainRows): void =>
  credentialsChanged(rows, rows.credentials.get(subject)?.customer_id);

const adminSignedIn = (_recorded: RecordedEvent, rows: MainRows): void => rows.touch(topic.signIns(), [room.admin]);
/** Sign-ins to a customer's account are not shown to its integrator. */
const signedIn = ({ event: { data } }: RecordedEvent<SignInsRecorded>, rows: MainRows): void => {
  const { customerId, integratorId } = data;
  const owner = integratorId === null ? [] : [room.integrator(integratorId)];
  rows.touch(topic.signIns(), [room.admin, ...(customerId === null ? owner : [room.customer(customerId)])]);
};

const teamChanged = ({ subject, event: { data } }: RecordedEvent<AnyEvent, TeamId>, rows: MainRows): void => {
  const tenant = tenantOfTeam(subject);
  switch (tenant.kind) {
    case 'administration':
      for (const changed of [topic.team(subject), topic.audit()]) rows.touch(changed, [room.admin]);
      return;
    case 'integrator': {
      const watchers = [room.admin, room.integrator(tenant.integratorId)];
      rows.touch(topic.team(subject), watchers);
      historyChanged(rows, tenant.integratorId, watchers);
      return;
    }
    case 'customer': {
      const watchers = watchersOf(rows, tenant.customerId);
      rows.touch(topic.team(subject), watchers);
      historyChanged(rows, tenant.customerId, watchers);
      // The own account and notices are shown to each role.
      if ('userId' in data && data.userId !== null) rows.touch(topic.team(subject), [room.user(data.userId)]);
    }
  }
};

const alertsChanged = (_recorded: RecordedEvent, rows: MainRows): void => rows.touch(topic.alerts(), [room.admin]);

/** Alerts are in the history of the customer that they concern, for administrators only. */
const alertChanged = (recorded: RecordedEvent<AlertFired | AlertResolved>, rows: MainRows): void => {
  alertsChanged(recorded, rows);
  const { alertId, concernedId } = recorded.event.data;
  const customerId = concernedId ?? rows.alerts.get(alertId)?.found.concernedId;
  if (customerId) historyChanged(rows, customerId, [room.admin]);
};

const imported = ({ event }: RecordedEvent<ImportFinished | BulkChangeFinished>, rows: MainRows): void => {
  const { integratorId } = event.data;
  if (integratorId === null) rows.touch(topic.audit(), [room.admin]);
  else historyChanged(rows, integratorId, [room.admin, room.integrator(integratorId)]);
};

const plansChanged = (_recorded: RecordedEvent, rows: MainRows): void => {
  for (const changed of [topic.plans(), topic.audit()]) rows.touch(changed, [room.admin]);
};

/** Connections count on the customer's screens. */
const presenceChanged = (recorded: RecordedEvent<AnyEvent & { data: { customerId: CustomerId } }>, rows: MainRows): void => {
  const { customerId } = recorded.event.data;
  const watchers = watchersOf(rows, customerId);
  for (const changed of [topic.users(), topic.customers(), topic.customer(customerId)]) rows.touch(changed, watchers);
  rows.touch(topic.customer(customerId), [room.dashboards(customerId)]);
};

/**
 * The topics and rooms that the live feed notifies. Rooms are those that could see the data before the event, so it runs before the read models
 * that forget a deleted customer.
 */
export const feed: Projection<MainRows> = {
  name: 'feed',
  version: 1,
  notifiesOnly: true,
  on: {
    customer: {
      CustomerRegistered: ({ subject, event: { data } }, rows) => {
        customerChanged(rows, subject, [topic.stats()], data.integratorId);
        rows.touch(topic.integrators(), [room.admin]);
        rows.touch(topic.integrator(data.integratorId), [room.admin, room.integrator(data.integratorId)]);
      },
      LicenseIssued: details,
      LicenseKeyRotated: details,
      SeatsAllocated: details,
      SeatLimitsEnforced: details,
      SeatLimitsRelaxed: details,
      LicensePlanApplied: details,
      LicensePlanRemoved: details,
      CustomerRecordsChanged: details,
      LicenseEntitlementsSet: details,
      LicenseTermSet: details,
      LicenseTermRemoved: details,
      LicenseRenewed: details,
      LicenseExtended: details,
      LicenseExpiryAnnounced: details,
      LicenseEnteredGrace: details,
      LicenseExpired: details,
      CustomerDetailsChanged: ({ subject }, rows) => licenseChanged(rows, subject, [topic.users()]),
      CustomerSuspended: counted,
      CustomerReactivated: counted,
      CustomerChurned: counted,
      ThemeAssigned: ofTheme,
      ThemeUnassigned: ofTheme,
      UserRegistered: ofUser,
      UserDetailsChanged: ofUser,
      UserRoleChanged: ofUser,
      UserMachineChanged: ofUser,
      MachineApprovalRequested: ofUser,
      MachineApproved: ofUser,
      MachineRejected: ofUser,
      MachineRenamed: ofUser,
      MachineRemoved: ofUser,
      OfflineLicenseIssued: ofUser,
      MachineApprovalEnforced: details,
      MachineApprovalRelaxed: details,
      MachineLimitSet: details,
      CallQuotaSet: ofQuota,
      CallQuotaReached: details,
      CallQuotaUseLowered: details,
      ApiCallsVoided: ({ subject }, rows) => customerChanged(rows, subject, []),
      IdleReleaseSet: details,
      FloatingSeatsSet: details,
      UserActivated: ofUser,
      UserDeactivated: ofUser,
      UserSuspended: ofUser,
      UserRemoved: ofUser,
      SeatClaimed: ofUser,
      SeatReleased: ofUser,
      PasswordChanged: details,
      PasswordReset: details,
      AccountDeletionRequested: counted,
      AccountDeletionWithdrawn: counted,
      CustomerMovedAway: ({ subject, event: { data } }, rows) => moved(rows, subject, data.integratorId),
      CustomerMoved: ({ subject, event: { data } }, rows) => {
        moved(rows, subject, data.integratorId);
        rows.touch(topic.customer(subject), [room.portal(subject)]);
      },
      CustomerDeleted: ({ subject }, rows) => {
        const integratorId = rows.customers.get(subject)?.integrator_id;
        const gone = [topic.stats(), topic.users(), topic.credentials(subject), topic.usage(subject)];
        customerChanged(rows, subject, integratorId ? [...gone, topic.themes(integratorId)] : gone);
        rows.touch(topic.integrators(), [room.admin]);
        if (integratorId) rows.touch(topic.integrator(integratorId), [room.admin, room.integrator(integratorId)]);
      },
    },
    integrator: {
      IntegratorRegistered: integratorCounted,
      MasterLicenseIssued: integratorChanged,
      IntegratorProfileChanged: integratorRenamed,
      IntegratorSuspended: integratorChanged,
      IntegratorReactivated: integratorChanged,
      IntegratorChurned: integratorChanged,
      WhiteLabelEnabled: integratorChanged,
      WhiteLabelDisabled: integratorChanged,
      BrandingChanged: integratorChanged,
      CustomerEnrolled: integratorChanged,
      CustomerMoveBegun: integratorChanged,
      CustomerWithdrawn: integratorChanged,
      ExternalIdClaimed: integratorChanged,
      ExternalIdReleased: integratorChanged,
      MasterLicenseKeyRotated: integratorChanged,
      IntegratorDeleted: (recorded, rows) => {
        integratorCounted(recorded, rows);
        rows.touch(topic.allThemes(), [room.admin]);
      },
    },
    themes: {
      ThemeCreated: catalogueChanged,
      ThemeRevised: (recorded, rows) => {
        catalogueChanged(recorded, rows);
        rows.touch(topic.customers(), [room.admin, room.integrator(recorded.subject)]);
        rows.touchTheme(recorded.event.data.themeId);
      },
      ThemeMadeDefault: catalogueChanged,
      ThemeActivated: catalogueChanged,
      ThemeDeactivated: catalogueChanged,
      ThemeDeleted: catalogueChanged,
    },
    credential: {
      CredentialStored: (recorded, rows) => credentialsChanged(rows, recorded.event.data.customerId),
      CredentialRevised: (recorded, rows) => credentialsChanged(rows, recorded.event.data.customerId),
      CredentialTested: ofCredential,
      CredentialExpired: ofCredential,
      CredentialDeleted: ofCredential,
    },
    userActivity: {
      UserAuthenticated: (recorded, rows) => {
        const { customerId } = recorded.event.data;
        const watchers = watchersOf(rows, customerId);
        for (const changed of [topic.users(), topic.customer(customerId)]) rows.touch(changed, watchers);
        historyChanged(rows, customerId, watchers);
      },
      UserConnected: presenceChanged,
      UserDisconnected: presenceChanged,
    },
    apiCalls: 'ignored',
    adminActivity: {
      AdminSignedIn: adminSignedIn,
      AdminSignInRefused: adminSignedIn,
      AdminKeyRotated: (_recorded, rows) => rows.touch(topic.audit(), [room.admin]),
    },
    seatDenials: { SeatDenied: ({ subject }, rows) => customerChanged(rows, subject, []) },
    seatLeases: { SeatLeased: ofUser, SeatLeaseEnded: ofUser, SeatHeldOffline: ofUser },
    signIns: { SignInsRecorded: signedIn },
    operations: {
      ServerStarted: 'ignored',
      ReadModelsRebuilt: 'ignored',
      ImportFinished: imported,
      BulkChangeFinished: imported,
      AlertRuleCreated: alertsChanged,
      AlertRuleChanged: alertsChanged,
      AlertRuleRemoved: alertsChanged,
      AlertFired: alertChanged,
      AlertResolved: alertChanged,
    },
    plans: { PlanCreated: plansChanged, PlanChanged: plansChanged, PlanRetired: plansChanged },
    team: {
      MemberInvited: teamChanged,
      InvitationWithdrawn: teamChanged,
      MemberJoined: teamChanged,
      MemberDetailsChanged: teamChanged,
      MemberRoleChanged: teamChanged,
      MemberRemoved: teamChanged,
      MemberPasswordSet: teamChanged,
      SecondFactorEnabled: teamChanged,
      SecondFactorDisabled: teamChanged,
      RecoveryCodesReplaced: teamChanged,
      RecoveryCodeUsed: teamChanged,
      PasskeyAdded: teamChanged,
      PasskeyRemoved: teamChanged,
      MemberSessionsRevoked: teamChanged,
      SignInPolicyChanged: teamChanged,
      IdentityProviderConfigured: teamChanged,
      IdentityProviderRemoved: teamChanged,
      MemberProvisioned: teamChanged,
      IdentityLinked: teamChanged,
      IdentityUnlinked: teamChanged,
      ApiTokenCreated: teamChanged,
      ApiTokenRevoked: teamChanged,
      BreakGlassUsed: teamChanged,
      NewSignInNoticed: teamChanged,
      WrongCodesNoticed: teamChanged,
      NoticesDismissed: teamChanged,
    },
  },
};
