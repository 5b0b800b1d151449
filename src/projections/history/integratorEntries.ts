import type { AnyEvent } from '../../domain/events.ts';
import type { IntegratorId, ThemeId } from '../../domain/ids.ts';
import type { Projection } from '../engine/projection.ts';
import type { RecordedEvent } from '../engine/recordedEvent.ts';
import type { MainRows } from '../main/rows.ts';
import { record, removePersonalData } from './entries.ts';
import type { HistoryType } from './sentences.ts';

const displayNameOf = (rows: MainRows, themeId: ThemeId): string | null => rows.themes.get(themeId)?.display_name ?? null;

const ofTheme = (
  recorded: RecordedEvent<AnyEvent & { type: 'ThemeActivated' | 'ThemeDeactivated' | 'ThemeDeleted' }, IntegratorId>,
  rows: MainRows,
): void => {
  const { themeId } = recorded.event.data;
  record(recorded, rows, { integratorId: recorded.subject, themeId, now: { displayName: displayNameOf(rows, themeId) } });
};

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

/** Entries for the events of service integrators. */
export const integratorEntries: Projection<MainRows>['on']['integrator'] = {
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
  // A customer's own history has its registration, moves and deletion.
  CustomerEnrolled: 'ignored',
  CustomerMoveBegun: 'ignored',
  CustomerWithdrawn: 'ignored',
  ExternalIdClaimed: 'ignored',
  ExternalIdReleased: 'ignored',
  MasterLicenseKeyRotated: ofIntegrator,
  IntegratorDeleted: (recorded, rows) => {
    for (const row of rows.history.by('integrator_id', recorded.subject)) removePersonalData(row, rows);
    ofIntegrator(recorded, rows);
  },
};

/** Entries for the events of custom themes. */
export const themeEntries: Projection<MainRows>['on']['themes'] = {
  ThemeCreated: (recorded, rows) => {
    const { themeId, displayName } = recorded.event.data;
    record(recorded, rows, { integratorId: recorded.subject, themeId, now: { displayName } });
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
};
