import type { Credential } from '../contracts/credentials.ts';
import type { Customer } from '../contracts/customers.ts';
import type { ServiceIntegrator } from '../contracts/integrators.ts';
import type { CustomTheme } from '../contracts/themes.ts';
import type { Credential as CredentialState } from '../domain/credential/evolve.ts';
import type { Customer as CustomerState } from '../domain/customer/state.ts';
import type { ThemeId } from '../domain/ids.ts';
import type { Integrator as IntegratorState } from '../domain/integrator/evolve.ts';
import { builtinTheme } from '../domain/theme/builtin.ts';
import type { ThemeCatalogue } from '../domain/theme/evolve.ts';
import { shownCallQuota } from '../projections/customers/callQuota.ts';
import { shownEntitlements } from '../projections/customers/entitlements.ts';
import { shownFloating } from '../projections/customers/floatingSeats.ts';
import { shownRecords } from '../projections/customers/records.ts';
import { shownPlan, shownTerm } from '../projections/customers/term.ts';
import { themeConfigOf } from '../projections/main/themeLook.ts';

/*
 * What the write side knows, in the form of the replies: for things that the read models do not show yet, or not as they were. Times are
 * ISO-8601 UTC. Calls and connections are no facts of these streams, so there are none here.
 */

/** `leased` counts the floating developer seats that users hold. `themeName` is what the customer's custom theme is called; null where it has none. `at` is when the term is in its state. */
export const customerAsWritten = (
  state: CustomerState,
  {
    integratorName,
    themeName,
    leased = 0,
    createdAt,
    at,
  }: { integratorName: string; themeName: string | null; leased?: number; createdAt: string; at: string },
): Customer => {
  const theme = state.theme?.theme ?? null;
  return {
    id: state.customerId,
    name: state.name,
    contactEmail: state.contactEmail,
    company: state.company,
    licenseKey: state.licenseKey,
    status: state.status,
    serviceIntegratorId: state.integratorId,
    serviceIntegratorName: integratorName,
    theme,
    themeDisplayName: theme === null ? null : (builtinTheme(theme)?.displayName ?? themeName),
    tier: state.tier,
    developerSeats: state.seats.developer.allocated,
    stakeholderSeats: state.seats.stakeholder.allocated,
    activeDeveloperSeats: state.seats.developer.active,
    activeStakeholderSeats: state.seats.stakeholder.active,
    seatLimitsEnforced: state.seatLimitsEnforced,
    machineApprovalEnforced: state.machineApprovalEnforced,
    ...(state.machineLimit !== null && { machineLimit: state.machineLimit }),
    ...(state.idleReleaseDays !== null && { idleReleaseDays: state.idleReleaseDays }),
    ...shownFloating(state.floatingMinutes.developer, leased),
    totalApiCalls: 0,
    activeConnections: 0,
    lastApiCall: null,
    lastActivityAt: null,
    hasPassword: state.passwordHash !== null,
    deletionRequestedAt: null,
    createdAt,
    ...shownPlan(state.plan),
    ...shownTerm(state.term, at),
    ...shownEntitlements(state.entitlements),
    ...shownCallQuota(state.callQuota, state.callQuotaNotices, at),
    ...shownRecords(state.records),
  };
};

export const integratorAsWritten = (state: IntegratorState, createdAt: string): ServiceIntegrator => ({
  id: state.integratorId,
  companyName: state.companyName,
  name: state.companyName,
  contactEmail: state.contactEmail,
  billingEmail: state.billingEmail,
  masterLicenseKey: state.masterLicenseKey,
  status: state.status,
  whiteLabelEnabled: state.whiteLabelEnabled,
  customDomain: state.customDomain,
  domainVerified: false,
  domainExpiresAt: null,
  releasedDomain: null,
  logoUrl: state.logoUrl,
  customerCount: state.customers.size,
  createdAt,
});

/** A theme that was just created; null if it was deleted since. */
export const themeAsWritten = ({ themes, defaultThemeId }: ThemeCatalogue, themeId: ThemeId, at: string): CustomTheme | null => {
  const theme = themes.get(themeId);
  return theme
    ? {
        id: themeId,
        themeName: theme.themeName,
        displayName: theme.displayName,
        description: theme.description,
        primaryColor: theme.primaryColor,
        secondaryColor: theme.secondaryColor,
        accentColor: theme.accentColor,
        isDefault: defaultThemeId === themeId,
        isActive: theme.active,
        customerCount: 0,
        fallbackTheme: (defaultThemeId !== null && defaultThemeId !== themeId && themes.get(defaultThemeId)?.displayName) || null,
        themeConfig: themeConfigOf(theme),
        createdAt: at,
        updatedAt: at,
      }
    : null;
};

/** A credential that was just stored and tested. `failure` is the reason if the test failed. */
export const credentialAsWritten = (state: CredentialState, failure: string | null, at: string): Credential => ({
  id: state.credentialId,
  service: state.service,
  username: state.username,
  hasPassword: state.password !== null,
  hasApiToken: state.apiToken !== null,
  instanceUrl: state.instanceUrl,
  status: state.status === 'untested' ? null : state.status,
  reason: state.status === 'error' ? failure : null,
  lastUsed: at,
  expiresAt: state.expiresAt,
  createdAt: at,
});
