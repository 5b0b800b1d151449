import type { ThemeRow } from '../../database/tables/themes.ts';
import type { AnyEvent } from '../../domain/events.ts';
import type { IntegratorId, ThemeId } from '../../domain/ids.ts';
import type { Fact } from '../engine/fact.ts';
import type { Projection } from '../engine/projection.ts';
import type { MainRows } from '../main/rows.ts';

type OfTheme = Fact<AnyEvent & { data: { themeId: ThemeId } }, IntegratorId>;

/** Any theme's event moves the revision of the whole catalogue, for that is the stream. */
const catalogued = ({ subject, revision }: OfTheme, rows: MainRows, defaultThemeId?: ThemeId | null): void => {
  const known = rows.catalogues.get(subject);
  rows.catalogues.put({
    integrator_id: subject,
    default_theme_id: defaultThemeId === undefined ? (known?.default_theme_id ?? null) : defaultThemeId,
    revision: Number(revision),
  });
};

const change = (fact: OfTheme, rows: MainRows, changed: Partial<ThemeRow>): void =>
  rows.themes.change(rows.themes.get(fact.event.data.themeId), { ...changed, updated_at: fact.at });

/** The default that is deactivated or deleted leaves none. */
const withoutDefault = (fact: OfTheme, rows: MainRows): ThemeId | null => {
  const current = rows.catalogues.get(fact.subject)?.default_theme_id ?? null;
  return current === fact.event.data.themeId ? null : current;
};

/** One row a custom theme, and one a catalogue. */
export const themes: Projection<MainRows> = {
  name: 'themes',
  version: 1,
  on: {
    themes: {
      ThemeCreated: (fact, rows) => {
        const { themeId, themeName, displayName, description, primaryColor, secondaryColor, accentColor } = fact.event.data;
        rows.themes.put({
          theme_id: themeId,
          integrator_id: fact.subject,
          theme_name: themeName,
          display_name: displayName,
          description,
          primary_color: primaryColor,
          secondary_color: secondaryColor,
          accent_color: accentColor,
          is_active: true,
          created_at: fact.at,
          updated_at: fact.at,
        });
        catalogued(fact, rows);
      },
      ThemeRevised: (fact, rows) => {
        const { displayName, description, primaryColor, secondaryColor, accentColor } = fact.event.data;
        change(fact, rows, {
          display_name: displayName,
          description,
          primary_color: primaryColor,
          secondary_color: secondaryColor,
          accent_color: accentColor,
        });
        catalogued(fact, rows);
      },
      ThemeMadeDefault: (fact, rows) => {
        change(fact, rows, {});
        catalogued(fact, rows, fact.event.data.themeId);
      },
      ThemeActivated: (fact, rows) => {
        change(fact, rows, { is_active: true });
        catalogued(fact, rows);
      },
      ThemeDeactivated: (fact, rows) => {
        change(fact, rows, { is_active: false });
        catalogued(fact, rows, withoutDefault(fact, rows));
      },
      ThemeDeleted: (fact, rows) => {
        const theme = rows.themes.get(fact.event.data.themeId);
        if (theme) rows.themes.remove(theme);
        catalogued(fact, rows, withoutDefault(fact, rows));
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
      CustomerWithdrawn: 'ignored',
      MasterLicenseKeyRotated: 'ignored',
      IntegratorDeleted: (fact, rows) => {
        for (const theme of rows.themes.by('integrator_id', fact.subject)) rows.themes.remove(theme);
        const catalogue = rows.catalogues.get(fact.subject);
        if (catalogue) rows.catalogues.remove(catalogue);
      },
    },
    customer: 'ignored',
    credential: 'ignored',
    userActivity: 'ignored',
    apiCalls: 'ignored',
    adminActivity: 'ignored',
    signIns: 'ignored',
  },
};
