import { shownMachineId } from '../../contracts/machines.ts';
import type { HistoryRow, Values } from '../../database/tables/history.ts';
import type { AnyEvent } from '../../domain/events.ts';
import type { CustomerId, IntegratorId, ThemeId } from '../../domain/ids.ts';
import type { Fact } from '../engine/fact.ts';
import type { Projection } from '../engine/projection.ts';
import type { MainRows } from '../main/rows.ts';
import { isCustomTheme } from '../themes/look.ts';
import { type HistoryType, isHistoryType, summaryOf, withoutPersonalData } from './sentences.ts';

type Entry = { customerId?: CustomerId; integratorId?: IntegratorId; themeId?: ThemeId; now?: Values; before?: Values };

const record = (fact: Fact<AnyEvent & { type: HistoryType }>, rows: MainRows, entry: Entry): void => {
  const { type } = fact.event;
  const facts = { now: entry.now ?? {}, before: entry.before ?? {} };
  rows.history.put({
    position: String(fact.position),
    revision: String(fact.revision),
    id: fact.id,
    customer_id: entry.customerId ?? null,
    integrator_id: entry.integratorId ?? null,
    theme_id: entry.themeId ?? null,
    at: fact.at,
    category: fact.category,
    type,
    actor_kind: fact.actor.kind,
    actor_id: fact.actor.id,
    summary: summaryOf(type, facts),
    facts,
  });
};

const blank = (row: Readonly<HistoryRow>, rows: MainRows): void => {
  const facts = withoutPersonalData(row.facts);
  if (isHistoryType(row.type)) rows.history.change(row, { facts, summary: summaryOf(row.type, facts) });
};

/** What is kept of a deleted customer: the entries of its own stream, without personal data. A rebuild finds no others. */
const strip = (row: Readonly<HistoryRow>, rows: MainRows): void => {
  if (row.category !== 'customer') {
    rows.history.remove(row);
    return;
  }
  blank(row, rows);
};

const statusChange =
  (status: string) =>
  (
    fact: Fact<AnyEvent & { type: 'CustomerSuspended' | 'CustomerReactivated' | 'CustomerChurned' }, CustomerId>,
    rows: MainRows,
  ): void =>
    record(fact, rows, {
      customerId: fact.subject,
      now: { status, statusReason: fact.event.data.reason },
      before: { status: rows.customers.get(fact.subject)?.status ?? null },
    });

const userStatus =
  (status: string) =>
  (fact: Fact<AnyEvent & { type: 'UserActivated' | 'UserDeactivated' | 'UserSuspended' }, CustomerId>, rows: MainRows): void => {
    const user = rows.users.get(fact.event.data.userId);
    record(fact, rows, {
      customerId: fact.subject,
      now: { username: user?.username ?? null, status, statusReason: fact.event.data.reason },
      before: { status: user?.status ?? null },
    });
  };

const ofCustomer = (fact: Fact<AnyEvent & { type: HistoryType }, CustomerId>, rows: MainRows): void =>
  record(fact, rows, { customerId: fact.subject });

/** An entry on a credential, unless its customer is deleted: then there is nothing of it any more. */
const ofCredential = (
  fact: Fact<AnyEvent & { type: 'CredentialTested' | 'CredentialExpired' | 'CredentialDeleted' | 'CredentialRevised' }>,
  rows: MainRows,
  { now = {}, before = {} }: Pick<Entry, 'now' | 'before'> = {},
): void => {
  const credential = rows.credentials.get(fact.subject);
  if (!credential) return;
  const { service, instance_url: instanceUrl, customer_id: customerId } = credential;
  record(fact, rows, { customerId, now: { service, instanceUrl, ...now }, before });
};

const ofTheme = (
  fact: Fact<AnyEvent & { type: 'ThemeActivated' | 'ThemeDeactivated' | 'ThemeDeleted' }, IntegratorId>,
  rows: MainRows,
): void => {
  const { themeId } = fact.event.data;
  record(fact, rows, { integratorId: fact.subject, themeId, now: { displayName: displayNameOf(rows, themeId) } });
};

const displayNameOf = (rows: MainRows, themeId: ThemeId): string | null => rows.themes.get(themeId)?.display_name ?? null;

const ofIntegrator = (fact: Fact<AnyEvent & { type: HistoryType }, IntegratorId>, rows: MainRows): void =>
  record(fact, rows, { integratorId: fact.subject });

const integratorStatus =
  (status: string) =>
  (
    fact: Fact<AnyEvent & { type: 'IntegratorSuspended' | 'IntegratorReactivated' | 'IntegratorChurned' }, IntegratorId>,
    rows: MainRows,
  ): void =>
    record(fact, rows, {
      integratorId: fact.subject,
      now: { status, statusReason: fact.event.data.reason },
      before: { status: rows.integrators.get(fact.subject)?.status ?? null },
    });

const usernameOf = (rows: MainRows, userId: string): string | null => rows.users.get(userId)?.username ?? null;

const shownOrNull = (machineId: string | null): string | null => (machineId === null ? null : shownMachineId(machineId));

/** An entry on a machine, which never holds the whole machine id: whoever has that can sign in on that machine's behalf. */
const ofMachine = (
  fact: Fact<AnyEvent & { type: 'MachineApprovalRequested' | 'MachineApproved' | 'MachineRemoved' }, CustomerId>,
  rows: MainRows,
): void => {
  const { userId, machineId } = fact.event.data;
  const machineName = 'machineName' in fact.event.data ? fact.event.data.machineName : null;
  record(fact, rows, {
    customerId: fact.subject,
    now: { username: usernameOf(rows, userId), machineId: shownMachineId(machineId), machineName },
  });
};

/**
 * What happened to a customer or an integrator, as sentences. It looks at the other read models' rows as they were before the event, so it comes
 * first in its group.
 */
export const history: Projection<MainRows> = {
  name: 'history',
  version: 5,
  on: {
    customer: {
      CustomerRegistered: (fact, rows) => {
        const { name, contactEmail, company } = fact.event.data;
        record(fact, rows, { customerId: fact.subject, now: { name, contactEmail, company } });
      },
      LicenseIssued: (fact, rows) => record(fact, rows, { customerId: fact.subject, now: { tier: fact.event.data.tier } }),
      SeatsAllocated: (fact, rows) => {
        const { developerSeats, stakeholderSeats } = fact.event.data;
        const customer = rows.customers.get(fact.subject);
        record(fact, rows, {
          customerId: fact.subject,
          now: { developerSeats, stakeholderSeats },
          before: { developerSeats: customer?.developer_seats ?? 0, stakeholderSeats: customer?.stakeholder_seats ?? 0 },
        });
      },
      SeatLimitsEnforced: ofCustomer,
      SeatLimitsRelaxed: ofCustomer,
      CustomerDetailsChanged: (fact, rows) => {
        const { name, contactEmail, company } = fact.event.data;
        const customer = rows.customers.get(fact.subject);
        record(fact, rows, {
          customerId: fact.subject,
          now: { name, contactEmail, company },
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
      ThemeAssigned: (fact, rows) => {
        const { theme, source } = fact.event.data;
        record(fact, rows, {
          customerId: fact.subject,
          now: { theme: rows.themeLabel(theme), source },
          before: { theme: rows.customers.get(fact.subject)?.theme_label ?? null },
        });
        endSpan(fact, rows);
        if (isCustomTheme(theme)) {
          rows.themeSpans.put({
            customer_id: fact.subject,
            theme_id: theme,
            from_position: String(fact.position),
            to_position: null,
          });
        }
      },
      ThemeUnassigned: (fact, rows) => {
        const theme = rows.customers.get(fact.subject)?.theme_label ?? null;
        record(fact, rows, { customerId: fact.subject, now: { theme: null }, before: { theme } });
        endSpan(fact, rows);
      },
      LicenseKeyRotated: ofCustomer,
      UserRegistered: (fact, rows) => {
        const { username, email, role, machineId } = fact.event.data;
        record(fact, rows, { customerId: fact.subject, now: { username, email, role, machineId: shownOrNull(machineId) } });
      },
      UserDetailsChanged: (fact, rows) => {
        const { userId, username, email } = fact.event.data;
        const user = rows.users.get(userId);
        record(fact, rows, {
          customerId: fact.subject,
          now: { username, email },
          before: { username: user?.username ?? null, email: user?.email ?? null },
        });
      },
      UserRoleChanged: (fact, rows) => {
        const { userId, role } = fact.event.data;
        const user = rows.users.get(userId);
        record(fact, rows, {
          customerId: fact.subject,
          now: { username: user?.username ?? null, role },
          before: { role: user?.role ?? null },
        });
      },
      UserMachineChanged: (fact, rows) => {
        const { userId, machineId } = fact.event.data;
        const user = rows.users.get(userId);
        record(fact, rows, {
          customerId: fact.subject,
          now: { username: user?.username ?? null, machineId: shownMachineId(machineId) },
          before: { machineId: shownOrNull(user?.machine_id ?? null) },
        });
      },
      MachineApprovalRequested: ofMachine,
      MachineApproved: ofMachine,
      MachineRejected: (fact, rows) =>
        record(fact, rows, { customerId: fact.subject, now: { username: usernameOf(rows, fact.event.data.userId) } }),
      MachineRemoved: ofMachine,
      MachineApprovalEnforced: ofCustomer,
      MachineApprovalRelaxed: ofCustomer,
      UserActivated: userStatus('active'),
      UserDeactivated: userStatus('inactive'),
      UserSuspended: userStatus('suspended'),
      SeatClaimed: (fact, rows) => {
        const { userId, kind } = fact.event.data;
        record(fact, rows, { customerId: fact.subject, now: { username: usernameOf(rows, userId), kind } });
      },
      SeatReleased: (fact, rows) => {
        const { userId, kind, reason } = fact.event.data;
        record(fact, rows, { customerId: fact.subject, now: { username: usernameOf(rows, userId), kind, reason } });
      },
      PasswordChanged: ofCustomer,
      PasswordReset: ofCustomer,
      AccountDeletionRequested: ofCustomer,
      AccountDeletionWithdrawn: ofCustomer,
      CustomerDeleted: (fact, rows) => {
        for (const row of rows.history.by('customer_id', fact.subject)) strip(row, rows);
        endSpan(fact, rows);
        ofCustomer(fact, rows);
      },
    },
    userActivity: {
      UserAuthenticated: (fact, rows) => {
        const { customerId, userId } = fact.event.data;
        if (!rows.customers.get(customerId)) return;
        record(fact, rows, { customerId, now: { username: usernameOf(rows, userId) } });
      },
      UserConnected: 'ignored',
      UserDisconnected: 'ignored',
    },
    credential: {
      CredentialStored: (fact, rows) => {
        const { customerId, service, instanceUrl } = fact.event.data;
        if (!rows.customers.get(customerId)) return;
        record(fact, rows, { customerId, now: { service, instanceUrl } });
      },
      CredentialRevised: (fact, rows) => {
        const { instanceUrl, password, apiToken, cleared } = fact.event.data;
        ofCredential(fact, rows, {
          now: {
            instanceUrl,
            secretChanged: password !== null || apiToken !== null,
            secretRemoved: cleared.includes('password') || cleared.includes('apiToken'),
          },
          before: { instanceUrl: rows.credentials.get(fact.subject)?.instance_url ?? null },
        });
      },
      CredentialTested: (fact, rows) => {
        const { ok, detail } = fact.event.data;
        ofCredential(fact, rows, { now: { ok, detail } });
      },
      CredentialExpired: (fact, rows) => ofCredential(fact, rows),
      CredentialDeleted: (fact, rows) => ofCredential(fact, rows),
    },
    themes: {
      ThemeCreated: (fact, rows) => {
        const { displayName } = fact.event.data;
        record(fact, rows, { integratorId: fact.subject, now: { displayName } });
      },
      ThemeRevised: (fact, rows) => {
        const { themeId, displayName, description, primaryColor, secondaryColor, accentColor } = fact.event.data;
        const theme = rows.themes.get(themeId);
        record(fact, rows, {
          integratorId: fact.subject,
          themeId,
          now: { displayName, description, primaryColor, secondaryColor, accentColor },
          before: {
            displayName: theme?.display_name ?? null,
            description: theme?.description ?? null,
            primaryColor: theme?.primary_color ?? null,
            secondaryColor: theme?.secondary_color ?? null,
            accentColor: theme?.accent_color ?? null,
          },
        });
      },
      // Without the theme's id: it changes nothing for the customers that have the theme.
      ThemeMadeDefault: (fact, rows) => {
        const displayName = displayNameOf(rows, fact.event.data.themeId);
        record(fact, rows, { integratorId: fact.subject, now: { displayName } });
      },
      ThemeActivated: ofTheme,
      ThemeDeactivated: ofTheme,
      ThemeDeleted: ofTheme,
    },
    integrator: {
      IntegratorRegistered: (fact, rows) => {
        const { companyName, contactEmail, billingEmail } = fact.event.data;
        record(fact, rows, { integratorId: fact.subject, now: { companyName, contactEmail, billingEmail } });
      },
      MasterLicenseIssued: ofIntegrator,
      IntegratorProfileChanged: (fact, rows) => {
        const { companyName, contactEmail, billingEmail } = fact.event.data;
        const integrator = rows.integrators.get(fact.subject);
        record(fact, rows, {
          integratorId: fact.subject,
          now: { companyName, contactEmail, billingEmail },
          before: {
            companyName: integrator?.company_name ?? null,
            contactEmail: integrator?.contact_email ?? null,
            billingEmail: integrator?.billing_email ?? null,
          },
        });
      },
      IntegratorSuspended: integratorStatus('suspended'),
      IntegratorReactivated: integratorStatus('active'),
      IntegratorChurned: integratorStatus('churned'),
      WhiteLabelEnabled: ofIntegrator,
      WhiteLabelDisabled: ofIntegrator,
      BrandingChanged: (fact, rows) => {
        const { customDomain, logoUrl } = fact.event.data;
        const integrator = rows.integrators.get(fact.subject);
        record(fact, rows, {
          integratorId: fact.subject,
          now: { customDomain, logoUrl },
          before: { customDomain: integrator?.custom_domain ?? null, logoUrl: integrator?.logo_url ?? null },
        });
      },
      // A customer's own history has its registration and deletion.
      CustomerEnrolled: 'ignored',
      CustomerWithdrawn: 'ignored',
      MasterLicenseKeyRotated: ofIntegrator,
      IntegratorDeleted: (fact, rows) => {
        for (const row of rows.history.by('integrator_id', fact.subject)) blank(row, rows);
        ofIntegrator(fact, rows);
      },
    },
    apiCalls: 'ignored',
    adminActivity: 'ignored',
    signIns: 'ignored',
  },
};

const endSpan = (fact: Fact, rows: MainRows): void => {
  for (const span of rows.themeSpans.by('customer_id', fact.subject)) {
    if (span.to_position === null) rows.themeSpans.change(span, { to_position: String(fact.position) });
  }
};
