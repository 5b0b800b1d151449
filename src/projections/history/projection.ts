import { shownMachineId } from '../../contracts/machines.ts';
import type { HistoryRow, Values } from '../../database/tables/history.ts';
import type { CustomerDetails } from '../../domain/customer/events.ts';
import type { AnyEvent } from '../../domain/events.ts';
import type { CustomerId, IntegratorId, ThemeId } from '../../domain/ids.ts';
import type { Projection } from '../engine/projection.ts';
import type { RecordedEvent } from '../engine/recordedEvent.ts';
import type { MainRows } from '../main/rows.ts';
import { isCustomTheme } from '../themes/look.ts';
import { type HistoryType, isHistoryType, summaryOf, withoutPersonalData } from './sentences.ts';

type Entry = { customerId?: CustomerId; integratorId?: IntegratorId; themeId?: ThemeId; now?: Values; before?: Values };

const record = (recorded: RecordedEvent<AnyEvent & { type: HistoryType }>, rows: MainRows, entry: Entry): void => {
  const { type } = recorded.event;
  const facts = { now: entry.now ?? {}, before: entry.before ?? {} };
  rows.history.put({
    position: String(recorded.position),
    revision: String(recorded.revision),
    id: recorded.id,
    customer_id: entry.customerId ?? null,
    integrator_id: entry.integratorId ?? null,
    theme_id: entry.themeId ?? null,
    at: recorded.at,
    category: recorded.category,
    type,
    actor_kind: recorded.actor.kind,
    actor_id: recorded.actor.id,
    summary: summaryOf(type, facts),
    facts,
  });
};

const blank = (row: Readonly<HistoryRow>, rows: MainRows): void => {
  const facts = withoutPersonalData(row.facts);
  if (isHistoryType(row.type)) rows.history.change(row, { facts, summary: summaryOf(row.type, facts) });
};

/** The entries of a deleted customer's own stream stay, without personal data. A rebuild finds no others. */
const strip = (row: Readonly<HistoryRow>, rows: MainRows): void => {
  if (row.category !== 'customer') {
    rows.history.remove(row);
    return;
  }
  blank(row, rows);
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

const ofCustomer = (recorded: RecordedEvent<AnyEvent & { type: HistoryType }, CustomerId>, rows: MainRows): void =>
  record(recorded, rows, { customerId: recorded.subject });

/** An entry for a credential, unless its customer is deleted. */
const ofCredential = (
  recorded: RecordedEvent<
    AnyEvent & { type: 'CredentialTested' | 'CredentialExpired' | 'CredentialDeleted' | 'CredentialRevised' }
  >,
  rows: MainRows,
  { now = {}, before = {} }: Pick<Entry, 'now' | 'before'> = {},
): void => {
  const credential = rows.credentials.get(recorded.subject);
  if (!credential) return;
  const { service, instance_url: instanceUrl, customer_id: customerId } = credential;
  record(recorded, rows, { customerId, now: { service, instanceUrl, ...now }, before });
};

const ofTheme = (
  recorded: RecordedEvent<AnyEvent & { type: 'ThemeActivated' | 'ThemeDeactivated' | 'ThemeDeleted' }, IntegratorId>,
  rows: MainRows,
): void => {
  const { themeId } = recorded.event.data;
  record(recorded, rows, { integratorId: recorded.subject, themeId, now: { displayName: displayNameOf(rows, themeId) } });
};

const displayNameOf = (rows: MainRows, themeId: ThemeId): string | null => rows.themes.get(themeId)?.display_name ?? null;

const ofIntegrator = (recorded: RecordedEvent<AnyEvent & { type: HistoryType }, IntegratorId>, rows: MainRows): void =>
  record(recorded, rows, { integratorId: recorded.subject });

const integratorStatus =
  (status: string) =>
  (
    recorded: RecordedEvent<
      AnyEvent & { type: 'IntegratorSuspended' | 'IntegratorReactivated' | 'IntegratorChurned' },
      IntegratorId
    >,
    rows: MainRows,
  ): void =>
    record(recorded, rows, {
      integratorId: recorded.subject,
      now: { status, statusReason: recorded.event.data.reason },
      before: { status: rows.integrators.get(recorded.subject)?.status ?? null },
    });

const usernameOf = (rows: MainRows, userId: string): string | null => rows.users.get(userId)?.username ?? null;

const shownOrNull = (machineId: string | null): string | null => (machineId === null ? null : shownMachineId(machineId));

/** An entry about a machine. It never contains the whole machine id, which authenticates the machine. */
const ofMachine = (
  recorded: RecordedEvent<AnyEvent & { type: 'MachineApprovalRequested' | 'MachineApproved' | 'MachineRemoved' }, CustomerId>,
  rows: MainRows,
): void => {
  const { userId, machineId } = recorded.event.data;
  const machineName = 'machineName' in recorded.event.data ? recorded.event.data.machineName : null;
  record(recorded, rows, {
    customerId: recorded.subject,
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
      UserRegistered: (recorded, rows) => {
        const { username, email, role, machineId } = recorded.event.data;
        record(recorded, rows, { customerId: recorded.subject, now: { username, email, role, machineId: shownOrNull(machineId) } });
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
      UserMachineChanged: (recorded, rows) => {
        const { userId, machineId } = recorded.event.data;
        const user = rows.users.get(userId);
        record(recorded, rows, {
          customerId: recorded.subject,
          now: { username: user?.username ?? null, machineId: shownMachineId(machineId) },
          before: { machineId: shownOrNull(user?.machine_id ?? null) },
        });
      },
      MachineApprovalRequested: ofMachine,
      MachineApproved: ofMachine,
      MachineRejected: (recorded, rows) =>
        record(recorded, rows, { customerId: recorded.subject, now: { username: usernameOf(rows, recorded.event.data.userId) } }),
      MachineRemoved: ofMachine,
      MachineApprovalEnforced: ofCustomer,
      MachineApprovalRelaxed: ofCustomer,
      UserActivated: userStatus('active'),
      UserDeactivated: userStatus('inactive'),
      UserSuspended: userStatus('suspended'),
      SeatClaimed: (recorded, rows) => {
        const { userId, kind } = recorded.event.data;
        record(recorded, rows, { customerId: recorded.subject, now: { username: usernameOf(rows, userId), kind } });
      },
      SeatReleased: (recorded, rows) => {
        const { userId, kind, reason } = recorded.event.data;
        record(recorded, rows, { customerId: recorded.subject, now: { username: usernameOf(rows, userId), kind, reason } });
      },
      PasswordChanged: ofCustomer,
      PasswordReset: ofCustomer,
      AccountDeletionRequested: ofCustomer,
      AccountDeletionWithdrawn: ofCustomer,
      CustomerDeleted: (recorded, rows) => {
        for (const row of rows.history.by('customer_id', recorded.subject)) strip(row, rows);
        endSpan(recorded, rows);
        ofCustomer(recorded, rows);
      },
    },
    userActivity: {
      UserAuthenticated: (recorded, rows) => {
        const { customerId, userId } = recorded.event.data;
        if (!rows.customers.get(customerId)) return;
        record(recorded, rows, { customerId, now: { username: usernameOf(rows, userId) } });
      },
      UserConnected: 'ignored',
      UserDisconnected: 'ignored',
    },
    credential: {
      CredentialStored: (recorded, rows) => {
        const { customerId, service, instanceUrl } = recorded.event.data;
        if (!rows.customers.get(customerId)) return;
        record(recorded, rows, { customerId, now: { service, instanceUrl } });
      },
      CredentialRevised: (recorded, rows) => {
        const { instanceUrl, password, apiToken, cleared } = recorded.event.data;
        ofCredential(recorded, rows, {
          now: {
            instanceUrl,
            secretChanged: password !== null || apiToken !== null,
            secretRemoved: cleared.includes('password') || cleared.includes('apiToken'),
          },
          before: { instanceUrl: rows.credentials.get(recorded.subject)?.instance_url ?? null },
        });
      },
      CredentialTested: (recorded, rows) => {
        const { ok, detail } = recorded.event.data;
        ofCredential(recorded, rows, { now: { ok, detail } });
      },
      CredentialExpired: (recorded, rows) => ofCredential(recorded, rows),
      CredentialDeleted: (recorded, rows) => ofCredential(recorded, rows),
    },
    themes: {
      ThemeCreated: (recorded, rows) => {
        const { displayName } = recorded.event.data;
        record(recorded, rows, { integratorId: recorded.subject, now: { displayName } });
      },
      ThemeRevised: (recorded, rows) => {
        const { themeId, displayName, description, primaryColor, secondaryColor, accentColor } = recorded.event.data;
        const theme = rows.themes.get(themeId);
        record(recorded, rows, {
          integratorId: recorded.subject,
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
      ThemeMadeDefault: (recorded, rows) => {
        const displayName = displayNameOf(rows, recorded.event.data.themeId);
        record(recorded, rows, { integratorId: recorded.subject, now: { displayName } });
      },
      ThemeActivated: ofTheme,
      ThemeDeactivated: ofTheme,
      ThemeDeleted: ofTheme,
    },
    integrator: {
      IntegratorRegistered: (recorded, rows) => {
        const { companyName, contactEmail, billingEmail } = recorded.event.data;
        record(recorded, rows, { integratorId: recorded.subject, now: { companyName, contactEmail, billingEmail } });
      },
      MasterLicenseIssued: ofIntegrator,
      IntegratorProfileChanged: (recorded, rows) => {
        const { companyName, contactEmail, billingEmail } = recorded.event.data;
        const integrator = rows.integrators.get(recorded.subject);
        record(recorded, rows, {
          integratorId: recorded.subject,
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
      BrandingChanged: (recorded, rows) => {
        const { customDomain, logoUrl } = recorded.event.data;
        const integrator = rows.integrators.get(recorded.subject);
        record(recorded, rows, {
          integratorId: recorded.subject,
          now: { customDomain, logoUrl },
          before: { customDomain: integrator?.custom_domain ?? null, logoUrl: integrator?.logo_url ?? null },
        });
      },
      // A customer's own history has its registration and deletion.
      CustomerEnrolled: 'ignored',
      CustomerWithdrawn: 'ignored',
      MasterLicenseKeyRotated: ofIntegrator,
      IntegratorDeleted: (recorded, rows) => {
        for (const row of rows.history.by('integrator_id', recorded.subject)) blank(row, rows);
        ofIntegrator(recorded, rows);
      },
    },
    apiCalls: 'ignored',
    adminActivity: 'ignored',
    signIns: 'ignored',
  },
};

const endSpan = (recorded: RecordedEvent, rows: MainRows): void => {
  for (const span of rows.themeSpans.by('customer_id', recorded.subject)) {
    if (span.to_position === null) rows.themeSpans.change(span, { to_position: String(recorded.position) });
  }
};
