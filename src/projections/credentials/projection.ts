import type { CredentialRow } from '../../database/tables/credentials.ts';
import type { AnyEvent } from '../../domain/events.ts';
import type { CredentialId } from '../../domain/ids.ts';
import type { Projection } from '../engine/projection.ts';
import { instantOf, type RecordedEvent } from '../engine/recordedEvent.ts';
import type { MainRows } from '../main/rows.ts';
import { instanceKeyOf } from '../usage/instances.ts';

const change = (recorded: RecordedEvent<AnyEvent, CredentialId>, rows: MainRows, changed: Partial<CredentialRow>): void =>
  rows.credentials.change(rows.credentials.get(recorded.subject), { ...changed, revision: Number(recorded.revision) });

/** One row a credential, without its secrets. */
export const credentials: Projection<MainRows> = {
  name: 'credentials',
  version: 3,
  on: {
    credential: {
      CredentialStored: (recorded, rows) => {
        const { customerId, service, instanceUrl, username, password, apiToken, expiresAt } = recorded.event.data;
        if (!rows.customers.get(customerId)) return; // the customer was deleted before this event
        rows.credentials.put({
          credential_id: recorded.subject,
          customer_id: customerId,
          service,
          instance_url: instanceUrl,
          instance_key: instanceKeyOf(service, instanceUrl),
          username,
          has_password: password !== null,
          has_api_token: apiToken !== null,
          status: null,
          reason: null,
          tested_at: null,
          expires_at: expiresAt === null ? null : instantOf(expiresAt),
          created_at: recorded.at,
          revision: Number(recorded.revision),
        });
      },
      CredentialRevised: (recorded, rows) => {
        const { instanceUrl, username, password, apiToken, expiresAt, cleared } = recorded.event.data;
        const credential = rows.credentials.get(recorded.subject);
        if (!credential) return;
        change(recorded, rows, {
          instance_url: instanceUrl,
          instance_key: instanceKeyOf(credential.service, instanceUrl),
          username,
          has_password: !cleared.includes('password') && (credential.has_password || password !== null),
          has_api_token: !cleared.includes('apiToken') && (credential.has_api_token || apiToken !== null),
          status: null,
          reason: null,
          expires_at: cleared.includes('expiresAt') ? null : expiresAt === null ? credential.expires_at : instantOf(expiresAt),
        });
      },
      CredentialTested: (recorded, rows) => {
        const { ok, detail } = recorded.event.data;
        const expired = rows.credentials.get(recorded.subject)?.status === 'expired';
        const outcome = ok ? ({ status: 'connected', reason: null } as const) : ({ status: 'error', reason: detail } as const);
        change(recorded, rows, { ...(expired ? {} : outcome), tested_at: recorded.at });
      },
      CredentialExpired: (recorded, rows) => change(recorded, rows, { status: 'expired', reason: null }),
      CredentialDeleted: (recorded, rows) => {
        const credential = rows.credentials.get(recorded.subject);
        if (credential) rows.credentials.remove(credential);
      },
    },
    customer: {
      CustomerRegistered: 'ignored',
      LicenseIssued: 'ignored',
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
      SeatsAllocated: 'ignored',
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
      CallQuotaSet: 'ignored',
      CallQuotaReached: 'ignored',
      CallQuotaUseLowered: 'ignored',
      ApiCallsVoided: 'ignored',
      IdleReleaseSet: 'ignored',
      FloatingSeatsSet: 'ignored',
      UserActivated: 'ignored',
      UserDeactivated: 'ignored',
      UserSuspended: 'ignored',
      UserRemoved: 'ignored',
      SeatClaimed: 'ignored',
      SeatReleased: 'ignored',
      PasswordChanged: 'ignored',
      PasswordReset: 'ignored',
      AccountDeletionRequested: 'ignored',
      AccountDeletionWithdrawn: 'ignored',
      CustomerMovedAway: 'ignored',
      CustomerMoved: 'ignored',
      CustomerDeleted: (recorded, rows) => {
        for (const credential of rows.credentials.by('customer_id', recorded.subject)) rows.credentials.remove(credential);
      },
    },
    integrator: 'ignored',
    themes: 'ignored',
    userActivity: 'ignored',
    apiCalls: 'ignored',
    adminActivity: 'ignored',
    operations: 'ignored',
    plans: 'ignored',
    seatDenials: 'ignored',
    seatLeases: 'ignored',
    signIns: 'ignored',
    team: 'ignored',
  },
};
