import type { CredentialRow } from '../../database/tables/credentials.ts';
import type { AnyEvent } from '../../domain/events.ts';
import type { CredentialId } from '../../domain/ids.ts';
import { type Fact, instantOf } from '../engine/fact.ts';
import type { Projection } from '../engine/projection.ts';
import { instanceKeyOf } from '../instance.ts';
import type { MainRows } from '../main/rows.ts';

const change = (fact: Fact<AnyEvent, CredentialId>, rows: MainRows, changed: Partial<CredentialRow>): void =>
  rows.credentials.change(rows.credentials.get(fact.subject), { ...changed, revision: Number(fact.revision) });

/** One row a credential, without its secrets. */
export const credentials: Projection<MainRows> = {
  name: 'credentials',
  version: 3,
  on: {
    credential: {
      CredentialStored: (fact, rows) => {
        const { customerId, service, instanceUrl, username, password, apiToken, expiresAt } = fact.event.data;
        if (!rows.customers.get(customerId)) return; // of a customer that was deleted meanwhile: nothing is kept
        rows.credentials.put({
          credential_id: fact.subject,
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
          created_at: fact.at,
          revision: Number(fact.revision),
        });
      },
      CredentialRevised: (fact, rows) => {
        const { instanceUrl, username, password, apiToken, expiresAt, cleared } = fact.event.data;
        const credential = rows.credentials.get(fact.subject);
        if (!credential) return;
        change(fact, rows, {
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
      CredentialTested: (fact, rows) => {
        const { ok, detail } = fact.event.data;
        const expired = rows.credentials.get(fact.subject)?.status === 'expired';
        const outcome = ok ? ({ status: 'connected', reason: null } as const) : ({ status: 'error', reason: detail } as const);
        change(fact, rows, { ...(expired ? {} : outcome), tested_at: fact.at });
      },
      CredentialExpired: (fact, rows) => change(fact, rows, { status: 'expired', reason: null }),
      CredentialDeleted: (fact, rows) => {
        const credential = rows.credentials.get(fact.subject);
        if (credential) rows.credentials.remove(credential);
      },
    },
    customer: {
      CustomerRegistered: 'ignored',
      LicenseIssued: 'ignored',
      LicenseKeyRotated: 'ignored',
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
      MachineRemoved: 'ignored',
      MachineApprovalEnforced: 'ignored',
      MachineApprovalRelaxed: 'ignored',
      UserActivated: 'ignored',
      UserDeactivated: 'ignored',
      UserSuspended: 'ignored',
      SeatClaimed: 'ignored',
      SeatReleased: 'ignored',
      PasswordChanged: 'ignored',
      PasswordReset: 'ignored',
      AccountDeletionRequested: 'ignored',
      AccountDeletionWithdrawn: 'ignored',
      CustomerDeleted: (fact, rows) => {
        for (const credential of rows.credentials.by('customer_id', fact.subject)) rows.credentials.remove(credential);
      },
    },
    integrator: 'ignored',
    themes: 'ignored',
    userActivity: 'ignored',
    apiCalls: 'ignored',
    adminActivity: 'ignored',
    signIns: 'ignored',
  },
};
