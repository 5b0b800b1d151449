import type { ThemeRow } from '../../database/tables/themes.ts';
import type { AnyEvent } from '../../domain/events.ts';
import type { IntegratorId, ThemeId } from '../../domain/ids.ts';
import type { Projection } from '../engine/projection.ts';
import type { RecordedEvent } from '../engine/recordedEvent.ts';
import type { MainRows } from '../main/rows.ts';

type OfTheme = RecordedEvent<AnyEvent & { data: { themeId: ThemeId } }, IntegratorId>;

/** Any theme's event moves the revision of the whole catalogue, for that is the stream. */
const catalogued = ({ subject, revision }: OfTheme, rows: MainRows, defaultThemeId?: ThemeId | null): void => {
  const known = rows.catalogues.get(subject);
  rows.catalogues.put({
    integrator_id: subject,
    default_theme_id: defaultThemeId === undefined ? (known?.default_theme_id ?? null) : defaultThemeId,
    revision: Number(revision),
  });
};

const change = (recorded: OfTheme, rows: MainRows, changed: Partial<ThemeRow>): void =>
  rows.themes.change(rows.themes.get(recorded.event.data.themeId), { ...changed, updated_at: recorded.at });

/** The default that is deactivated or deleted leaves none. */
const withoutDefault = (recorded: OfTheme, rows: MainRows): ThemeId | null => {
  const current = rows.catalogues.get(recorded.subject)?.default_theme_id ?? null;
  return current === recorded.event.data.themeId ? null : current;
};

/** One row a custom theme, and one a catalogue. */
export const themes: Projection<MainRows> = {
  name: 'themes',
  version: 1,
  on: {
    themes: {
      ThemeCreated: (recorded, rows) => {
        const { themeId, themeName, displayName, description, primaryColor, secondaryColor, accentColor } = recorded.event.data;
        rows.themes.put({
          theme_id: themeId,
          integrator_id: recorded.subject,
          theme_name: themeName,
          display_name: displayName,
          description,
          primary_color: primaryColor,
          secondary_color: secondaryColor,
          accent_color: accentColor,
          is_active: true,
          created_at: recorded.at,
          updated_at: recorded.at,
        });
        catalogued(recorded, rows);
      },
      ThemeRevised: (recorded, rows) => {
        const { displayName, description, primaryColor, secondaryColor, accentColor } = recorded.event.data;
        change(recorded, rows, {
          display_name: displayName,
          description,
          primary_color: primaryColor,
          secondary_color: secondaryColor,
          accent_color: accentColor,
        });
        catalogued(recorded, rows);
      },
      ThemeMadeDefault: (recorded, rows) => {
        change(recorded, rows, {});
        catalogued(recorded, rows, recorded.event.data.themeId);
      },
      ThemeActivated: (recorded, rows) => {
        change(recorded, rows, { is_active: true });
        catalogued(recorded, rows);
      },
      ThemeDeactivated: (recorded, rows) => {
        change(recorded, rows, { is_active: false });
        catalogued(recorded, rows, withoutDefault(recorded, rows));
      },
      ThemeDeleted: (recorded, rows) => {
        const theme = rows.themes.get(recorded.event.data.themeId);
        if (theme) rows.themes.remove(theme);
        catalogued(recorded, rows, withoutDefault(recorded, rows));
      },
    },
    integrator: {
      IntegratorRegistered: 'ignored',
      MasterLicenseIssued: 'ignored',
      IntegratorProfileChanged: 'ignored',
      IntegratorSuspended: 'ignored',
      IntegratorReactivated: 'ignored',
      IntegratorChurned: 'ignored',
      WhiteLabelEnabled: 'ignored',
      WhiteLabelDisabled: 'ignored',
      BrandingChanged: 'ignored',
      CustomerEnrolled: 'ignored',
      CustomerMoveBegun: 'ignored',
      CustomerWithdrawn: 'ignored',
      ExternalIdClaimed: 'ignored',
      ExternalIdReleased: 'ignored',
      MasterLicenseKeyRotated: 'ignored',
      IntegratorDeleted: (recorded, rows) => {
        for (const theme of rows.themes.by('integrator_id', recorded.subject)) rows.themes.remove(theme);
        const catalogue = rows.catalogues.get(recorded.subject);
        if (catalogue) rows.catalogues.remove(catalogue);
      },
    },
    customer: 'ignored',
    credential: 'ignored',
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
