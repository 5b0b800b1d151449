import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Alert, AlertRule } from '../contracts/alerts.ts';
import type { ApiToken } from '../contracts/apiTokens.ts';
import type { Credential } from '../contracts/credentials.ts';
import type { Customer } from '../contracts/customers.ts';
import { entitlementsText } from '../contracts/entitlementLines.ts';
import type { ServiceIntegrator } from '../contracts/integrators.ts';
import type { ListedMachine } from '../contracts/machines.ts';
import type { Plan } from '../contracts/plans.ts';
import type { CustomerSeatPeaks, Seat } from '../contracts/seats.ts';
import type { OpenSession } from '../contracts/sessions.ts';
import type { TeamMember } from '../contracts/team.ts';
import type { CustomTheme, OwnedTheme } from '../contracts/themes.ts';
import type { User } from '../contracts/users.ts';
import { MAX_LIST_LIMIT } from '../domain/limits.ts';
import { builtinThemes } from '../domain/theme/builtin.ts';
import { dayOf } from '../domain/time.ts';
import { type Columns, type Csv, csvWith, exportFormatOf, sendFile, streamed } from './export.ts';
import { tenantNameOf } from './exportNames.ts';

/** What the routes of lists that can be exported have in common. */
export const LIST_DESCRIPTION =
  'With `Accept: text/csv` or `application/x-ndjson` all entries that match the filters are streamed as a file, in the order of the ' +
  'list and without keys; `limit` and `cursor` are ignored.';

/** What the routes of lists without pages have in common. */
export const FILE_DESCRIPTION = 'With `Accept: text/csv` or `application/x-ndjson` the list is sent as a file.';

type Page<Row> = Readonly<{ rows: readonly Row[]; nextCursor: string | null }>;

/** A kind of list: the name of its files, the fields that no file contains, and its columns. */
export type ExportedList<Row> = Readonly<{ name: string; secret: readonly (keyof Row)[]; csv: Csv<Row> }>;

const without = <Row extends object>(row: Row, fields: readonly (keyof Row)[]): Row => {
  const copy = { ...row };
  for (const field of fields) delete copy[field];
  return copy;
};

async function* everyRow<Row extends object>(
  read: (page: { limit: number; cursor: string | undefined }) => Promise<Page<Row>>,
  secret: readonly (keyof Row)[],
): AsyncGenerator<Row> {
  let cursor: string | undefined;
  do {
    const { rows, nextCursor } = await read({ limit: MAX_LIST_LIMIT, cursor });
    for (const row of rows) yield without(row, secret);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/**
 * Sends the whole list as a file if the request accepts one; resolves to whether it did, and not to the reply, which is a promise itself
 * and would be awaited. `read` returns a page. The file is named by the list, the day, and what `nameOf` returns.
 */
export const exportList = async <Row extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, secret, csv }: ExportedList<Row>,
  read: (page: { limit: number; cursor: string | undefined }) => Promise<Page<Row>>,
  nameOf: () => Promise<string | undefined> = async () => undefined,
): Promise<boolean> => {
  const format = exportFormatOf(request.headers.accept);
  if (format === null) return false;
  const file = await streamed(everyRow(read, secret), format, csv);
  const of = await nameOf();
  const day = dayOf(request.receivedAt);
  sendFile(reply, file, format, name, of, day);
  return true;
};

/** Sends a list without pages as a file if the request accepts one; resolves to whether it did. By default it is named by the own tenant. */
export const exportRows = <Row extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  list: ExportedList<Row>,
  rows: readonly Row[],
  nameOf: () => Promise<string | undefined> = () => tenantNameOf(request),
): Promise<boolean> => exportList(request, reply, list, async () => ({ rows, nextCursor: null }), nameOf);

/** What cells have instead of a value that the license does not have, because an import keeps the value where a cell is empty. */
export const NONE = 'none';
/** What the cell of the entitlements has where everything is included. */
export const ALL = 'all';

/** A theme as it is shown, or its id where an import reads the shown name as the word `none` or as a built-in theme. */
const themeCell = ({ theme, themeDisplayName }: Customer): string => {
  const isOther = builtinThemes.some(({ name, displayName }) => displayName === themeDisplayName && name !== theme);
  return (isOther || themeDisplayName?.toLowerCase() === NONE ? theme : (themeDisplayName ?? theme)) ?? NONE;
};

/** The columns of files of customers, of which an import reads those that can be changed. */
export const CUSTOMER_COLUMNS: Columns<Customer> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  contact_email: ({ contactEmail }) => contactEmail,
  company: ({ company }) => company,
  status: ({ status }) => status,
  service_integrator_id: ({ serviceIntegratorId }) => serviceIntegratorId,
  service_integrator: ({ serviceIntegratorName }) => serviceIntegratorName,
  tier: ({ tier }) => tier,
  theme: themeCell,
  developer_seats: ({ developerSeats }) => developerSeats,
  active_developer_seats: ({ activeDeveloperSeats }) => activeDeveloperSeats,
  stakeholder_seats: ({ stakeholderSeats }) => stakeholderSeats,
  active_stakeholder_seats: ({ activeStakeholderSeats }) => activeStakeholderSeats,
  seat_limits_enforced: ({ seatLimitsEnforced }) => seatLimitsEnforced,
  floating_developer_minutes: ({ floatingDeveloperMinutes }) => floatingDeveloperMinutes ?? NONE,
  developer_utilization: ({ developerSeats, activeDeveloperSeats, leasedDeveloperSeats }) =>
    developerSeats > 0 ? Math.round(((leasedDeveloperSeats ?? activeDeveloperSeats) / developerSeats) * 1_000) / 1_000 : null,
  machine_approval_enforced: ({ machineApprovalEnforced }) => machineApprovalEnforced,
  total_api_calls: ({ totalApiCalls }) => totalApiCalls,
  active_connections: ({ activeConnections }) => activeConnections,
  last_api_call: ({ lastApiCall }) => lastApiCall,
  last_activity_at: ({ lastActivityAt }) => lastActivityAt,
  deletion_requested_at: ({ deletionRequestedAt }) => deletionRequestedAt,
  created_at: ({ createdAt }) => createdAt,
  external_id: ({ externalId }) => externalId ?? null,
  tags: ({ tags }) => tags?.join(', ') ?? null,
  notes: ({ notes }) => notes ?? null,
  custom_fields: ({ customFields }) => (customFields ? JSON.stringify(customFields) : null),
  license_starts_at: ({ term }) => term?.startsAt ?? null,
  license_expires_at: ({ term }) => term?.expiresAt ?? NONE,
  license_grace_days: ({ term }) => term?.graceDays ?? null,
  license_trial: ({ term }) => term?.isTrial ?? null,
  entitlements: ({ entitlements }) => entitlementsText(entitlements ?? null) ?? ALL,
  call_quota: ({ callQuota }) => callQuota?.limit ?? NONE,
  call_quota_kind: ({ callQuota }) => callQuota?.kind ?? null,
  call_quota_reached: ({ callQuota }) => callQuota?.reached ?? null,
  idle_release_days: ({ idleReleaseDays }) => idleReleaseDays ?? NONE,
  machine_limit: ({ machineLimit }) => machineLimit ?? NONE,
};

/** Customers with their seats, records and terms. */
export const CUSTOMERS: ExportedList<Customer> = { name: 'customers', secret: ['licenseKey'], csv: csvWith(CUSTOMER_COLUMNS) };

/** Service integrators. */
export const INTEGRATORS: ExportedList<ServiceIntegrator> = {
  name: 'service-integrators',
  secret: ['masterLicenseKey'],
  csv: csvWith({
    id: ({ id }) => id,
    company_name: ({ companyName }) => companyName,
    contact_email: ({ contactEmail }) => contactEmail,
    billing_email: ({ billingEmail }) => billingEmail,
    status: ({ status }) => status,
    white_label_enabled: ({ whiteLabelEnabled }) => whiteLabelEnabled,
    custom_domain: ({ customDomain }) => customDomain,
    domain_verified: ({ domainVerified }) => domainVerified,
    customers: ({ customerCount }) => customerCount,
    created_at: ({ createdAt }) => createdAt,
  }),
};

/** The columns of files of users, of which an import reads those that can be changed. */
export const USER_COLUMNS: Columns<User> = {
  id: ({ id }) => id,
  username: ({ username }) => username,
  email: ({ email }) => email,
  role: ({ role }) => role,
  status: ({ status }) => status,
  customer_id: ({ customerId }) => customerId,
  customer: ({ customerName }) => customerName,
  machine: ({ machineId }) => machineId,
  pending_machines: ({ pendingMachines }) => pendingMachines,
  connected: ({ currentlyConnected }) => currentlyConnected,
  last_login: ({ lastLogin }) => lastLogin,
  created_at: ({ createdAt }) => createdAt,
};

/** Users of the command-line tool. */
export const USERS: ExportedList<User> = { name: 'users', secret: [], csv: csvWith(USER_COLUMNS) };

/** Approved machines, without most of the id that authenticates each. */
export const MACHINES: ExportedList<ListedMachine> = {
  name: 'machines',
  secret: [],
  csv: csvWith({
    id: ({ id }) => id,
    machine: ({ machineId }) => machineId,
    name: ({ name }) => name,
    system: ({ system }) => system,
    user_id: ({ userId }) => userId,
    username: ({ username }) => username,
    customer_id: ({ customerId }) => customerId,
    customer: ({ customerName }) => customerName,
    approved_at: ({ approvedAt }) => approvedAt,
    last_seen_at: ({ lastSeenAt }) => lastSeenAt,
  }),
};

/** Named users of a team. */
export const MEMBERS: ExportedList<TeamMember> = {
  name: 'team',
  secret: [],
  csv: csvWith({
    id: ({ userId }) => userId,
    name: ({ name }) => name,
    email: ({ email }) => email,
    role: ({ role }) => role,
    status: ({ status }) => status,
    password: ({ hasPassword }) => hasPassword,
    second_factor: ({ hasSecondFactor }) => hasSecondFactor,
    passkeys: ({ passkeys }) => passkeys,
    identity_provider: ({ hasIdentity }) => hasIdentity,
    invited_at: ({ invitedAt }) => invitedAt,
    invitation_expires_at: ({ invitationExpiresAt }) => invitationExpiresAt,
    joined_at: ({ joinedAt }) => joinedAt,
  }),
};

/** API tokens, which never have their secrets. */
export const API_TOKENS: ExportedList<ApiToken> = {
  name: 'api-tokens',
  secret: [],
  csv: csvWith({
    id: ({ tokenId }) => tokenId,
    name: ({ name }) => name,
    state: ({ state }) => state,
    permissions: ({ scopes }) => scopes.join(' '),
    networks: ({ networks }) => networks.join(' '),
    created_by: ({ createdBy }) => createdBy?.name ?? null,
    created_at: ({ createdAt }) => createdAt,
    expires_at: ({ expiresAt }) => expiresAt,
    revoked_by: ({ revokedBy }) => revokedBy?.name ?? revokedBy?.kind ?? null,
    revoked_at: ({ revokedAt }) => revokedAt,
    last_used_at: ({ lastUse }) => lastUse?.at ?? null,
    last_used_from: ({ lastUse }) => lastUse?.address ?? null,
  }),
};

/** The utilization of the seats of customers. */
export const SEAT_PEAKS: ExportedList<CustomerSeatPeaks> = {
  name: 'seat-utilization',
  secret: [],
  csv: csvWith({
    customer_id: ({ id }) => id,
    customer: ({ name }) => name,
    status: ({ status }) => status,
    developer_seats: ({ developer }) => developer.limit,
    active_developer_seats: ({ developer }) => developer.held,
    peak_developer_seats: ({ developer }) => developer.peak,
    developer_utilization: ({ developer }) => developer.utilization,
    stakeholder_seats: ({ stakeholder }) => stakeholder.limit,
    active_stakeholder_seats: ({ stakeholder }) => stakeholder.held,
    peak_stakeholder_seats: ({ stakeholder }) => stakeholder.peak,
    stakeholder_utilization: ({ stakeholder }) => stakeholder.utilization,
  }),
};

/** Seats with the users who hold them. */
export const SEATS: ExportedList<Seat> = {
  name: 'seats',
  secret: [],
  csv: csvWith({
    user_id: ({ id }) => id,
    username: ({ username }) => username,
    email: ({ email }) => email,
    role: ({ role }) => role,
    kind: ({ kind }) => kind,
    since: ({ since }) => since,
    connected: ({ currentlyConnected }) => currentlyConnected,
    last_call: ({ lastCall }) => lastCall,
    idle_since: ({ idleSince }) => idleSince,
    last_login: ({ lastLogin }) => lastLogin,
    machine: ({ machineId }) => machineId,
    machine_name: ({ machineName }) => machineName,
    free_at: ({ freeAt }) => freeAt ?? null,
  }),
};

/** Alert rules with their state. */
export const ALERT_RULES: ExportedList<AlertRule> = {
  name: 'alert-rules',
  secret: [],
  csv: csvWith({
    id: ({ ruleId }) => ruleId,
    name: ({ name }) => name,
    metric: ({ metric }) => metric,
    threshold: ({ threshold }) => threshold,
    for_seconds: ({ forSeconds }) => forSeconds,
    firing_since: ({ firingSince }) => firingSince,
  }),
};

/** Alerts, each with its rule as it was when the alert fired. */
export const ALERTS: ExportedList<Alert> = {
  name: 'alerts',
  secret: [],
  csv: csvWith({
    id: ({ alertId }) => alertId,
    rule_id: ({ ruleId }) => ruleId,
    rule: ({ name }) => name,
    metric: ({ metric }) => metric,
    threshold: ({ threshold }) => threshold,
    for_seconds: ({ forSeconds }) => forSeconds,
    value: ({ value }) => value,
    customer_id: ({ customer }) => customer?.id ?? null,
    customer: ({ customer }) => customer?.name ?? null,
    checks: ({ checks }) => checks.join(' '),
    fired_at: ({ firedAt }) => firedAt,
    resolved_at: ({ resolvedAt }) => resolvedAt,
    reason: ({ reason }) => reason,
  }),
};

/** Plans with the number of their licenses. */
export const PLANS: ExportedList<Plan> = {
  name: 'plans',
  secret: [],
  csv: csvWith({
    code: ({ code }) => code,
    name: ({ name }) => name,
    built_in: ({ isBuiltIn }) => isBuiltIn,
    developer_seats: ({ developerSeats }) => developerSeats,
    stakeholder_seats: ({ stakeholderSeats }) => stakeholderSeats,
    seat_limits_enforced: ({ seatLimitsEnforced }) => seatLimitsEnforced,
    floating_developer_minutes: ({ floatingDeveloperMinutes }) => floatingDeveloperMinutes,
    term_months: ({ termMonths }) => termMonths,
    term_days: ({ termDays }) => termDays,
    grace_days: ({ graceDays }) => graceDays,
    trial: ({ isTrial }) => isTrial,
    offline_days: ({ offlineDays }) => offlineDays,
    entitlements: ({ entitlements }) => entitlementsText(entitlements) ?? ALL,
    call_quota: ({ callQuota }) => callQuota?.limit ?? null,
    call_quota_kind: ({ callQuota }) => callQuota?.kind ?? null,
    licenses: ({ licenses }) => licenses,
    changed_at: ({ changedAt }) => changedAt,
    retired_at: ({ retiredAt }) => retiredAt,
  }),
};

/** Open sessions of the console. */
export const SESSIONS: ExportedList<OpenSession> = {
  name: 'sessions',
  secret: [],
  csv: csvWith({
    id: ({ sessionId }) => sessionId,
    user_id: ({ userId }) => userId,
    user: ({ name }) => name,
    method: ({ method }) => method,
    address: ({ address }) => address,
    browser: ({ browser }) => browser,
    started_at: ({ startedAt }) => startedAt,
    last_seen_at: ({ lastSeenAt }) => lastSeenAt,
    expires_at: ({ expiresAt }) => expiresAt,
    current: ({ isCurrent }) => isCurrent,
  }),
};

const THEME_COLUMNS: Columns<CustomTheme> = {
  id: ({ id }) => id,
  theme_name: ({ themeName }) => themeName,
  display_name: ({ displayName }) => displayName,
  description: ({ description }) => description,
  primary_color: ({ primaryColor }) => primaryColor,
  secondary_color: ({ secondaryColor }) => secondaryColor,
  accent_color: ({ accentColor }) => accentColor,
  default: ({ isDefault }) => isDefault,
  active: ({ isActive }) => isActive,
  customers: ({ customerCount }) => customerCount,
  created_at: ({ createdAt }) => createdAt,
  updated_at: ({ updatedAt }) => updatedAt,
};

/** Custom themes of a service integrator. */
export const THEMES: ExportedList<CustomTheme> = { name: 'themes', secret: [], csv: csvWith(THEME_COLUMNS) };

/** Custom themes with the service integrators that own them. */
export const OWNED_THEMES: ExportedList<OwnedTheme> = {
  name: 'themes',
  secret: [],
  csv: csvWith<OwnedTheme>({
    ...THEME_COLUMNS,
    service_integrator_id: ({ serviceIntegratorId }) => serviceIntegratorId,
    service_integrator: ({ serviceIntegratorName }) => serviceIntegratorName,
  }),
};

/** Credentials, which never have their secrets. */
export const CREDENTIALS: ExportedList<Credential> = {
  name: 'credentials',
  secret: [],
  csv: csvWith({
    id: ({ id }) => id,
    service: ({ service }) => service,
    instance_url: ({ instanceUrl }) => instanceUrl,
    username: ({ username }) => username,
    password: ({ hasPassword }) => hasPassword,
    api_token: ({ hasApiToken }) => hasApiToken,
    status: ({ status }) => status,
    reason: ({ reason }) => reason,
    last_used: ({ lastUsed }) => lastUsed,
    expires_at: ({ expiresAt }) => expiresAt,
    created_at: ({ createdAt }) => createdAt,
  }),
};
