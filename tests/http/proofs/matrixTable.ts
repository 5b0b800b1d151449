import { ADMIN_KEY } from '../../support/keys.ts';
import { settingsOf } from '../../support/openId.ts';
import type { TeamResource } from './teamResources.ts';
import { MISSING, type ResourceKind, type TestTenant } from './testAccounts.ts';

/** The audience of a route; `public` includes requests without a session. */
export type Kind = 'public' | 'admin' | 'integrator' | 'customer' | 'cli';

export type Row = Readonly<{
  for: readonly Kind[];
  /** The status of a request for an own resource. */
  own: number;
  /** What the address names, as its parameter `:customerId` and so on. */
  resource?: ResourceKind;
  /** The same, for what belongs to a team: as `:userId`, `:sessionId` or `:tokenId`. */
  teamResource?: TeamResource;
  /** Ends the resource of the team, so each accepted call gets a new one. */
  endsResource?: true;
  /** Appended to the address. */
  query?: string;
  /** In place of the route's own address, where that holds another parameter. */
  at?: string;
  body?: (tenant: TestTenant) => unknown;
  /** About the named user of the session: a session of a key is refused. */
  needsMember?: true;
  /** Ends a session or a resource, so the call gets a tenant of its own. */
  ends?: true;
  /** A sign-in, which ends the session that the caller sends: it gets one of its own. */
  replaces?: true;
  /** Accepts another token beside sessions; a separate test covers it. */
  checksItself?: true;
  /** Registered only where the console was built. */
  optional?: true;
}>;

const row = (kinds: Kind | readonly Kind[], own: number, more: Omit<Row, 'for' | 'own'> = {}): Row => ({
  for: [kinds].flat(),
  own,
  ...more,
});

const customer = { resource: 'customer' } as const;
const integrator = { resource: 'integrator' } as const;
const user = { resource: 'user' } as const;
const theme = { resource: 'theme' } as const;
const credential = { resource: 'credential' } as const;
const machine = { resource: 'machine' } as const;
const machineRequest = { resource: 'machine_request' } as const;
const ends = { ends: true } as const;
const replaces = { replaces: true } as const;
const ofMember = { needsMember: true } as const;

const email = 'user@house.example';
const details = () => ({ name: 'Guest', contactEmail: email });
const profile = () => ({ name: 'Guest', contactEmail: email, company: 'Guest Inc.' });
const account = () => ({ companyName: 'TestTenant', contactEmail: email, billingEmail: email });
const pastTerm = () => ({ startsAt: '2020-01-01T00:00:00Z', expiresAt: '2020-02-01T00:00:00Z' });
/** The body is a file, also as a text in JSON. */
const ofFile = { query: '?file=list.csv&dryRun=true' } as const;
const ofSource = { query: '?sourceId=laptop' } as const;
const mistake = () => ({ sourceId: 'laptop', lastSequence: 5, reason: 'Sent twice' });
const look = () => ({ displayName: 'Own', primaryColor: '#0070AD' });
const member = ({ tool }: TestTenant) => ({
  username: `user ${tool.userId}`,
  email: `${tool.userId}@house.example`,
  role: 'developer',
});
const registration = { clientDataJSON: 'AA', attestationObject: 'AA', transports: [] };
const aMonth = { query: '?month=2026-01' } as const;
/** A machine that gets an offline license. */
const offlineMachine = () => ({ fingerprint: '0123456789abcdef0123456789abcdef' });
const active = () => ({ status: 'active' });
const login = { instanceUrl: 'https://127.0.0.1:1', username: 'user', password: 'another-third-party-password' };
const calls = () => ({
  sourceId: 'matrix',
  firstSequence: 1,
  calls: [{ service: 'jira', instanceUrl: 'https://jira.example', operation: 'GET:/issue', status: 200, durationMs: 5 }],
});
/** Names of themes are unique to a service integrator. */
let themes = 0;
const planTerms = () => ({ name: 'Professional', developerSeats: 20, stakeholderSeats: 5 });
const plan = () => ({ code: 'PRO', ...planTerms() });
const bulkChange = () => ({ id: 'matrix', kind: 'renewal', refused: 0 });
const alertRule = () => ({ name: 'Errors', metric: 'error_rate', threshold: 100, forSeconds: 86_400 });
const aDay = '?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z';
const at = { query: '?at=2999-01-01T00:00:00Z' };
const everyone = ['admin', 'integrator', 'customer', 'cli'] as const;

const operators = ['admin', 'integrator'] as const;
const consoles = ['admin', 'integrator', 'customer'] as const;
let tokens = 0;
/** A scope that each kind of tenant has. */
const newToken = () => ({
  name: `Token ${++tokens}`,
  scopes: ['ownSession:read'],
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
});
let namedUsers = 0;
const named = () => ({ name: 'Guest', email: `guest-${++namedUsers}@house.example`, role: 'auditor' });
/** An identity provider at an address that no server may reach. */
const unreachable = () => settingsOf('https://127.0.0.1:1');
const confirmed = () => ({ currentPassword: 'any' });
/** The code of no sign-in. */
const unknownCode = () => ({ userCode: 'BDWK-HQPX' });
/** A named user whom nobody has: `tests/http/members.test.ts` has those of other tenants. */
const ofTeam = (teamResource: TeamResource) => ({ teamResource });
const endsResource = { endsResource: true } as const;

/** Every route but those of HEAD, which answer as GET does. A route without a row fails the test. */
export const rows: Readonly<Record<string, Row>> = {
  'POST /api/auth/admin/login': row('public', 200, { body: () => ({ adminKey: ADMIN_KEY }), ...replaces }),
  'POST /api/auth/admin/logout': row('admin', 200, ends),
  'GET /api/auth/admin/session': row('admin', 200),
  'POST /api/auth/customer/login': row('public', 200, {
    body: (tenant) => ({ licenseKey: tenant.customer.licenseKey }),
    ...replaces,
  }),
  'POST /api/auth/customer/logout': row('customer', 200, ends),
  'GET /api/auth/customer/session': row('customer', 200),
  'POST /api/auth/service-integrator/login': row('public', 200, {
    body: (tenant) => ({ masterLicenseKey: tenant.integrator.masterLicenseKey }),
    ...replaces,
  }),
  'POST /api/auth/service-integrator/logout': row('integrator', 200, ends),
  'GET /api/auth/service-integrator/session': row('integrator', 200),
  'POST /api/auth/admin/member-login': row('public', 400, { body: () => ({}) }),
  'POST /api/auth/service-integrator/member-login': row('public', 400, { body: () => ({}) }),
  'POST /api/auth/admin/openid': row('public', 400, { body: () => ({}) }),
  'POST /api/auth/service-integrator/openid': row('public', 400, { body: () => ({}) }),
  'POST /api/auth/customer/openid': row('public', 400, { body: () => ({}) }),
  'POST /api/auth/customer/openid/callback': row('public', 400, { body: () => ({}) }),
  'POST /api/auth/admin/openid/callback': row('public', 400, { body: () => ({}) }),
  'POST /api/auth/service-integrator/openid/callback': row('public', 400, { body: () => ({}) }),
  'POST /api/auth/invitation': row('public', 400, { body: () => ({}) }),
  'POST /api/auth/join': row('public', 400, { body: () => ({}) }),
  // Browsers know no passkeys for an IP address.
  'POST /api/auth/passkey/options': row('public', 409),
  'POST /api/auth/join/passkey-options': row('public', 400, { body: () => ({}) }),
  'POST /api/auth/admin/passkey-login': row('public', 400, { body: () => ({}) }),
  'POST /api/auth/service-integrator/passkey-login': row('public', 400, { body: () => ({}) }),
  'POST /api/auth/customer/passkey-login': row('public', 400, { body: () => ({}) }),

  'POST /api/auth/customer/member-login': row('public', 400, { body: () => ({}) }),

  'GET /api/team': row(consoles, 200),
  'POST /api/team/members': row(operators, 201, { body: named }),
  'PUT /api/team/members/:userId': row(operators, 200, { ...ofTeam('member'), body: () => ({}) }),
  'GET /api/team/members/:userId/impact': row(consoles, 200, ofTeam('member')),
  'DELETE /api/team/members/:userId': row(consoles, 200, { ...ofTeam('member'), ...endsResource }),
  'POST /api/team/members/:userId/invitation': row(operators, 201, ofTeam('member')),
  'DELETE /api/team/members/:userId/invitation': row(consoles, 200, ofTeam('member')),
  'POST /api/team/members/:userId/revoke-sessions': row(consoles, 200, ofTeam('member')),
  'PUT /api/team/policy': row(consoles, 200, { body: () => ({}) }),
  'GET /api/team/identity-provider': row(consoles, 200),
  'POST /api/team/identity-provider/test': row(consoles, 200, { body: unreachable }),
  'PUT /api/team/identity-provider': row(consoles, 400, { body: unreachable }),
  'POST /api/team/identity-provider/verify': row(consoles, 404),
  'DELETE /api/team/identity-provider': row(consoles, 200),

  'GET /api/tokens': row(consoles, 200),
  'POST /api/tokens': row(consoles, 201, { body: newToken }),
  'DELETE /api/tokens/:tokenId': row(consoles, 200, { ...ofTeam('api_token'), ...endsResource }),
  'GET /api/account/sessions': row(consoles, 200),
  'DELETE /api/account/sessions/:sessionId': row(consoles, 200, { ...ofTeam('session'), ...endsResource }),
  'POST /api/account/sessions/revoke-others': row(consoles, 200, ends),
  // Ends none, because the sessions of the administration are those of all tests.
  'POST /api/sessions/revoke-others': row(consoles, 200, { query: '?openedBefore=2000-01-01T00:00:00.000Z' }),
  'GET /api/sessions': row(consoles, 200),
  'DELETE /api/sessions/:sessionId': row(consoles, 200, { ...ofTeam('session'), ...endsResource }),
  'POST /api/downloads': row(consoles, 200, { body: () => ({ path: '/api/users', type: 'text/csv' }) }),
  'GET /api/downloads/:downloadId': row('public', 404, { at: `/api/downloads/${MISSING}` }),
  'GET /api/auth/reauthenticate': row(consoles, 200),
  'POST /api/auth/reauthenticate': row(consoles, 400, { body: () => ({}) }),
  'POST /api/auth/reauthenticate/openid': row(consoles, 409),

  // Sessions of keys and of the matrix have no named user.
  'GET /api/account': row(consoles, 200),
  'GET /api/account/notices': row(consoles, 200),
  'POST /api/account/notices/dismiss': row(consoles, 403, { body: () => ({ noticeIds: [MISSING] }) }),
  'PUT /api/account/password': row(consoles, 403, { body: () => ({ ...confirmed(), newPassword: 'violet lantern quarry' }) }),
  'POST /api/account/second-factor': row(consoles, 403),
  'PUT /api/account/second-factor': row(consoles, 403, { body: () => ({ ...confirmed(), secret: 'A'.repeat(32), code: '1' }) }),
  'POST /api/account/second-factor/disable': row(consoles, 403, { body: confirmed }),
  'POST /api/account/identity/unlink': row(consoles, 403, { body: confirmed }),
  'POST /api/account/recovery-codes': row(consoles, 403, { body: confirmed }),
  'POST /api/account/passkeys/creation-options': row(consoles, 403),
  'POST /api/account/passkeys/confirmation-options': row(consoles, 403),
  'POST /api/account/passkeys': row(consoles, 403, { body: () => ({ ...confirmed(), passkey: { name: 'Phone', registration } }) }),
  'POST /api/account/passkeys/:passkeyId/remove': row(consoles, 403, {
    at: `/api/account/passkeys/${MISSING}/remove`,
    body: confirmed,
  }),

  'GET /api/admin/service-integrators': row('admin', 200),
  'POST /api/admin/service-integrators': row('admin', 201, { body: account }),
  'GET /api/admin/service-integrators/:integratorId': row('admin', 200, integrator),
  'PUT /api/admin/service-integrators/:integratorId': row('admin', 200, { ...integrator, body: account }),
  'DELETE /api/admin/service-integrators/:integratorId': row('admin', 409, integrator),
  'GET /api/admin/service-integrators/:integratorId/history': row('admin', 200, integrator),
  'GET /api/admin/service-integrators/:integratorId/as-of': row('admin', 200, { ...integrator, ...at }),
  'GET /api/admin/service-integrators/:integratorId/impact': row('admin', 200, integrator),
  'POST /api/admin/service-integrators/:integratorId/rotate-key': row('admin', 200, { ...integrator, ...ends }),
  'GET /api/admin/stats/dashboard': row('admin', 200),
  'GET /api/admin/calls': row('admin', 200),
  'GET /api/admin/sign-ins': row('admin', 200),
  'GET /api/admin/sign-ins/chart': row('admin', 200),
  'GET /api/admin/customers': row('admin', 200),
  'POST /api/admin/customers': row('admin', 201, {
    body: (tenant) => ({ ...details(), serviceIntegratorId: tenant.ids.integrator, developerSeats: 1, stakeholderSeats: 0 }),
  }),
  'GET /api/admin/customers/:customerId': row('admin', 200, customer),
  'PUT /api/admin/customers/:customerId': row('admin', 200, { ...customer, body: details }),
  'DELETE /api/admin/customers/:customerId': row('admin', 200, { ...customer, ...ends }),
  'GET /api/admin/customers/:customerId/usage': row('admin', 200, customer),
  'GET /api/admin/customers/:customerId/instances': row('admin', 200, customer),
  'POST /api/admin/customers/:customerId/rotate-key': row('admin', 200, { ...customer, ...ends }),
  'POST /api/admin/customers/:customerId/reset-password': row('admin', 200, { ...customer, ...ends }),
  // The license stays perpetual.
  'PUT /api/admin/customers/:customerId/term': row('admin', 400, { ...customer, body: pastTerm }),
  'DELETE /api/admin/customers/:customerId/term': row('admin', 200, customer),
  'POST /api/admin/customers/:customerId/term/renew': row('admin', 409, { ...customer, body: () => ({ months: 1 }) }),
  'POST /api/admin/customers/:customerId/term/extend': row('admin', 409, { ...customer, body: () => ({ days: 1 }) }),
  'GET /api/admin/customers/:customerId/as-of': row('admin', 200, { ...customer, ...at }),
  'GET /api/admin/customers/:customerId/history': row('admin', 200, customer),
  'GET /api/admin/customers/:customerId/reverts/:entryId': row('admin', 404, {
    ...customer,
    at: `/api/admin/customers/:customerId/reverts/${MISSING}`,
  }),
  'GET /api/admin/customers/:customerId/impact': row('admin', 200, customer),
  'GET /api/admin/seat-utilization': row('admin', 200),
  'GET /api/service-integrator/seat-utilization': row('integrator', 200),
  'GET /api/admin/customers/:customerId/seats': row('admin', 200, customer),
  'GET /api/admin/customers/:customerId/seats/utilization': row('admin', 200, customer),
  'GET /api/admin/customers/:customerId/seats/idle': row('admin', 200, { ...customer, query: '?days=30' }),
  'GET /api/admin/users': row('admin', 200),
  'GET /api/admin/themes': row('admin', 200),
  'PUT /api/admin/users/:userId': row('admin', 200, { ...user, body: member }),
  'PUT /api/admin/users/:userId/status': row('admin', 200, { ...user, body: active }),
  'POST /api/admin/users/:userId/seat/release': row('admin', 200, user),
  'DELETE /api/admin/users/:userId': row('admin', 200, { ...user, ...ends }),

  'GET /api/service-integrator/customers': row('integrator', 200),
  'POST /api/service-integrator/customers': row('integrator', 201, { body: () => ({ ...profile(), theme: null }) }),
  'GET /api/service-integrator/customers/:customerId': row('integrator', 200, customer),
  'PUT /api/service-integrator/customers/:customerId': row('integrator', 200, { ...customer, body: details }),
  'GET /api/service-integrator/customers/:customerId/usage': row('integrator', 200, customer),
  'GET /api/service-integrator/customers/:customerId/instances': row('integrator', 200, customer),
  'POST /api/service-integrator/customers/:customerId/rotate-key': row('integrator', 200, { ...customer, ...ends }),
  'POST /api/service-integrator/customers/:customerId/reset-password': row('integrator', 200, { ...customer, ...ends }),
  // The license stays perpetual.
  'PUT /api/service-integrator/customers/:customerId/term': row('integrator', 400, { ...customer, body: pastTerm }),
  'DELETE /api/service-integrator/customers/:customerId/term': row('integrator', 200, customer),
  'POST /api/service-integrator/customers/:customerId/term/renew': row('integrator', 409, {
    ...customer,
    body: () => ({ months: 1 }),
  }),
  'POST /api/service-integrator/customers/:customerId/term/extend': row('integrator', 409, {
    ...customer,
    body: () => ({ days: 1 }),
  }),
  'GET /api/service-integrator/customers/:customerId/as-of': row('integrator', 200, { ...customer, ...at }),
  'GET /api/service-integrator/customers/:customerId/history': row('integrator', 200, customer),
  'GET /api/service-integrator/customers/:customerId/reverts/:entryId': row('integrator', 404, {
    ...customer,
    at: `/api/service-integrator/customers/:customerId/reverts/${MISSING}`,
  }),
  'GET /api/service-integrator/customers/:customerId/impact': row('integrator', 200, customer),
  'GET /api/service-integrator/customers/:customerId/seats': row('integrator', 200, customer),
  'GET /api/service-integrator/customers/:customerId/seats/utilization': row('integrator', 200, customer),
  'GET /api/service-integrator/customers/:customerId/seats/idle': row('integrator', 200, { ...customer, query: '?days=30' }),
  'GET /api/service-integrator/stats/dashboard': row('integrator', 200),
  'GET /api/service-integrator/usage': row('integrator', 200),
  'GET /api/service-integrator/usage/parts': row('integrator', 200),
  'GET /api/service-integrator/profile': row('integrator', 200),
  'PUT /api/service-integrator/profile': row('integrator', 200, { body: account }),
  'PUT /api/service-integrator/white-label': row('integrator', 200, {
    body: () => ({ whiteLabelEnabled: true, customDomain: null, logoUrl: null }),
  }),
  'POST /api/service-integrator/white-label/verify': row('integrator', 200),
  'POST /api/service-integrator/rotate-key': row('integrator', 200, ends),
  'GET /api/service-integrator/themes': row('integrator', 200),
  'POST /api/service-integrator/themes': row('integrator', 201, { body: () => ({ ...look(), themeName: `another-${++themes}` }) }),
  'GET /api/service-integrator/themes/:themeId': row('integrator', 200, theme),
  'PUT /api/service-integrator/themes/:themeId': row('integrator', 200, { ...theme, body: look }),
  'DELETE /api/service-integrator/themes/:themeId': row('integrator', 200, { ...theme, ...ends }),
  'POST /api/service-integrator/themes/:themeId/set-default': row('integrator', 200, theme),
  'POST /api/service-integrator/themes/:themeId/assign-customer': row('integrator', 200, {
    ...theme,
    body: (tenant) => ({ customerId: tenant.ids.customer }),
  }),
  'GET /api/service-integrator/themes/:themeId/usage': row('integrator', 200, theme),
  'GET /api/service-integrator/themes/:themeId/impact': row('integrator', 200, theme),
  'GET /api/service-integrator/impact': row('integrator', 200),
  'GET /api/service-integrator/themes/usage': row('integrator', 200),

  'GET /api/themes/list': row(everyone, 200),
  'GET /api/themes/:name': row(everyone, 200, { at: '/api/themes/aurora' }),
  'GET /api/themes/customer/current': row('customer', 200),
  'POST /api/themes/customer/:customerId/assign': row(['admin', 'integrator'], 200, {
    ...customer,
    body: () => ({ theme: 'aurora' }),
  }),
  'DELETE /api/themes/customer/:customerId/theme': row(['admin', 'integrator'], 200, customer),

  'GET /api/users': row('integrator', 200),
  'GET /api/users/with-connections': row('customer', 200),
  'PUT /api/users/:userId': row(['customer', 'integrator'], 200, { ...user, body: member }),
  'PUT /api/users/:userId/status': row(['customer', 'integrator'], 200, { ...user, body: active }),
  'POST /api/users/:userId/seat/release': row(['customer', 'integrator'], 200, user),
  'DELETE /api/users/:userId': row(['customer', 'integrator'], 200, { ...user, ...ends }),

  'POST /api/users/:userId/invitation': row(['customer', 'integrator'], 201, user),
  'DELETE /api/users/:userId/invitation': row(['customer', 'integrator'], 404, { ...user, ...ends }), // nobody is invited

  'GET /api/users/:userId/impact': row(['customer', 'integrator'], 200, user),
  'GET /api/users/machines': row(['customer', 'integrator'], 200),
  'GET /api/users/machine-requests': row(['customer', 'integrator'], 200),
  'GET /api/users/:userId/machines': row(['customer', 'integrator'], 200, user),
  'POST /api/users/:userId/machine-requests/:requestId/approve': row(['customer', 'integrator'], 200, { ...user, ...ends }),
  'POST /api/users/:userId/machine-requests/:requestId/reject': row(['customer', 'integrator'], 200, { ...user, ...ends }),
  'PUT /api/users/:userId/machines/:machineId/name': row(['customer', 'integrator'], 200, {
    ...user,
    body: () => ({ name: 'Desk' }),
  }),
  'DELETE /api/users/:userId/machines/:machineId': row(['customer', 'integrator'], 200, { ...user, ...ends }),
  'GET /api/admin/users/:userId/impact': row('admin', 200, user),
  'GET /api/admin/users/machines': row('admin', 200),
  'GET /api/admin/users/machine-requests': row('admin', 200),
  'GET /api/admin/users/:userId/machines': row('admin', 200, user),
  'POST /api/admin/users/:userId/machine-requests/:requestId/approve': row('admin', 200, { ...user, ...ends }),
  'POST /api/admin/users/:userId/machine-requests/:requestId/reject': row('admin', 200, { ...user, ...ends }),
  'PUT /api/admin/users/:userId/machines/:machineId/name': row('admin', 200, { ...user, body: () => ({ name: 'Desk' }) }),
  'DELETE /api/admin/users/:userId/machines/:machineId': row('admin', 200, { ...user, ...ends }),
  'POST /api/users/:userId/offline-licenses': row(['customer', 'integrator'], 200, { ...user, body: offlineMachine }),
  'POST /api/admin/users/:userId/offline-licenses': row('admin', 200, { ...user, body: offlineMachine }),
  'POST /api/cli/offline-licenses': row('cli', 200, { body: offlineMachine }),
  'POST /api/customer/offline-licenses': row('customer', 200, { body: offlineMachine, ...ofMember }),
  'GET /.well-known/jwks.json': row('public', 200),
  'GET /api/admin/customers/:customerId/voids': row('admin', 200, customer),
  'GET /api/admin/customers/:customerId/call-sources': row('admin', 200, customer),
  'GET /api/admin/customers/:customerId/voids/preview': row('admin', 200, { ...customer, ...ofSource }),
  'POST /api/admin/customers/:customerId/voids': row('admin', 409, { ...customer, body: mistake }),
  'GET /api/service-integrator/customers/:customerId/voids': row('integrator', 200, customer),
  'GET /api/service-integrator/customers/:customerId/call-sources': row('integrator', 200, customer),
  'GET /api/service-integrator/customers/:customerId/voids/preview': row('integrator', 200, { ...customer, ...ofSource }),
  'POST /api/service-integrator/customers/:customerId/voids': row('integrator', 409, { ...customer, body: mistake }),
  'GET /api/customer/voids': row('customer', 200),
  'GET /api/customer/call-sources': row('customer', 200),
  'GET /api/customer/voids/preview': row('customer', 200, ofSource),
  'POST /api/customer/voids': row('customer', 409, { body: mistake }),
  'GET /api/customer/statement': row('customer', 200, aMonth),
  'GET /api/service-integrator/statement': row('integrator', 200, aMonth),
  'GET /api/admin/service-integrators/:integratorId/statement': row('admin', 200, { ...integrator, ...aMonth }),
  'GET /api/admin/customers/:customerId/statement': row('admin', 200, { ...customer, ...aMonth }),
  'GET /api/service-integrator/customers/:customerId/statement': row('integrator', 200, { ...customer, ...aMonth }),
  'PUT /api/customer/machine-approval': row('customer', 200, { body: () => ({ enforced: true }) }),
  'GET /api/cli/machines': row('cli', 200),
  'POST /api/cli/machine-requests/:requestId/approve': row('cli', 200, { ...machineRequest, ...ends }),
  'POST /api/cli/machine-requests/:requestId/reject': row('cli', 200, { ...machineRequest, ...ends }),
  'PUT /api/cli/machines/:machineId/name': row('cli', 200, { ...machine, body: () => ({ name: 'Desk' }) }),
  'DELETE /api/cli/machines/:machineId': row('cli', 200, { ...machine, ...ends }),

  'GET /api/customer/profile': row('customer', 200),
  'PUT /api/customer/profile': row('customer', 200, { body: profile }),
  'POST /api/customer/change-password': row('customer', 200, {
    ...ends,
    body: (tenant) => ({ currentPassword: tenant.customer.licenseKey, newPassword: 'violet lantern quarry' }),
  }),
  'GET /api/customer/usage': row('customer', 200, { query: '?days=7' }),
  'GET /api/customer/instances': row('customer', 200),
  'GET /api/customer/own-usage': row('customer', 200, { query: '?days=7', ...ofMember }),
  'GET /api/customer/machines': row('customer', 200, ofMember),
  'POST /api/customer/machine-requests/:requestId/approve': row('customer', 200, { ...machineRequest, ...ofMember, ...ends }),
  'POST /api/customer/machine-requests/:requestId/reject': row('customer', 200, { ...machineRequest, ...ofMember, ...ends }),
  'PUT /api/customer/machines/:machineId/name': row('customer', 200, {
    ...machine,
    ...ofMember,
    body: () => ({ name: 'Desk' }),
  }),
  'DELETE /api/customer/machines/:machineId': row('customer', 200, { ...machine, ...ofMember, ...ends }),
  'GET /api/customer/seats': row('customer', 200),
  'GET /api/customer/seats/utilization': row('customer', 200),
  'GET /api/customer/history': row('customer', 200),
  'GET /api/admin/history': row('admin', 200),
  'GET /api/admin/audit': row('admin', 200),
  // Own and foreign entries are in tests/http/audit.test.ts.
  'GET /api/admin/audit/:entryId/revert': row('admin', 404, { at: `/api/admin/audit/${MISSING}/revert` }),
  'GET /api/admin/audit/:entryId': row('admin', 404, { at: `/api/admin/audit/${MISSING}` }),
  'GET /api/service-integrator/audit': row('integrator', 200),
  'GET /api/service-integrator/audit/:entryId/revert': row('integrator', 404, {
    at: `/api/service-integrator/audit/${MISSING}/revert`,
  }),
  'GET /api/service-integrator/audit/:entryId': row('integrator', 404, { at: `/api/service-integrator/audit/${MISSING}` }),
  'GET /api/service-integrator/sign-ins': row('integrator', 200),
  'GET /api/service-integrator/sign-ins/chart': row('integrator', 200),
  'GET /api/service-integrator/calls': row('integrator', 200),
  'GET /api/customer/calls': row('customer', 200),
  'GET /api/customer/own-calls': row('customer', 200, ofMember),
  'GET /api/customer/sign-ins': row('customer', 200),
  'GET /api/customer/sign-ins/chart': row('customer', 200),
  'GET /api/service-integrator/history': row('integrator', 200),
  'GET /api/service-integrator/as-of': row('integrator', 200, at),
  'POST /api/customer/request-deletion': row('customer', 200),
  'DELETE /api/customer/request-deletion': row('customer', 200),
  'GET /api/credentials/list': row('customer', 200),
  'POST /api/credentials/store': row('customer', 201, { body: () => ({ service: 'azdo', ...login }) }),
  'PUT /api/credentials/:credentialId': row('customer', 200, { ...credential, body: () => login }),
  'DELETE /api/credentials/:credentialId': row('customer', 200, { ...credential, ...ends }),
  'POST /api/credentials/:credentialId/test': row('customer', 200, credential),

  'POST /api/cli/login': row('public', 200, {
    body: (tenant) => ({ licenseKey: tenant.customer.licenseKey, username: 'new', email: 'new@house.example', machineId: 'm' }),
  }),
  'POST /api/cli/license-key/check': row('public', 200, { body: (tenant) => ({ licenseKey: tenant.customer.licenseKey }) }),
  'POST /api/cli/device': row('public', 400, { body: () => ({}) }),
  'POST /api/cli/device/token': row('public', 400, { body: () => ({}) }),
  'POST /api/customer/device-requests/lookup': row('customer', 404, { ...ofMember, body: unknownCode }),
  'POST /api/customer/device-requests/approve': row('customer', 404, { ...ofMember, body: unknownCode }),
  'POST /api/customer/device-requests/reject': row('customer', 404, { ...ofMember, body: unknownCode }),
  'POST /api/cli/logout': row('cli', 200, ends),
  'POST /api/cli/seat/release': row('cli', 200),
  'GET /api/cli/session': row('cli', 200),
  'GET /api/cli/theme': row('cli', 200),
  'GET /api/cli/usage': row('cli', 200),
  'POST /api/cli/api-calls': row('cli', 202, { body: calls }),
  // A socket is opened by an upgrade, and then asked for its token.
  'GET /api/cli/connect': row('public', 404),

  'GET /monitoring/health/detailed': row('admin', 200),
  'GET /monitoring/metrics': row('admin', 200),
  'GET /monitoring/timeline': row('admin', 200),
  'GET /monitoring/charts': row('admin', 200),
  'GET /api/admin/alerts': row('admin', 200),
  'GET /api/admin/alert-rules': row('admin', 200),
  'POST /api/admin/alert-rules': row('admin', 201, { body: alertRule }),
  'PUT /api/admin/alert-rules/:ruleId': row('admin', 404, { at: `/api/admin/alert-rules/${MISSING}`, body: alertRule }),
  'DELETE /api/admin/alert-rules/:ruleId': row('admin', 404, { at: `/api/admin/alert-rules/${MISSING}` }),
  'GET /api/admin/plans': row('admin', 200),
  'GET /api/service-integrator/plans': row('integrator', 200),
  'POST /api/admin/plans': row('admin', 201, { body: plan }),
  'PUT /api/admin/plans/:code': row('admin', 404, { at: '/api/admin/plans/ZZZ', body: planTerms }),
  'POST /api/admin/plans/:code/retire': row('admin', 404, { at: '/api/admin/plans/ZZZ/retire' }),
  'POST /api/admin/bulk-changes': row('admin', 200, { body: bulkChange }),
  'POST /api/service-integrator/bulk-changes': row('integrator', 200, { body: bulkChange }),
  'POST /api/admin/customers/import': row('admin', 200, { ...ofFile, body: () => 'name\r\n' }),
  'POST /api/service-integrator/customers/import': row('integrator', 200, { ...ofFile, body: () => 'name\r\n' }),
  'POST /api/admin/users/import': row('admin', 200, { ...ofFile, body: () => 'username\r\n' }),
  'POST /api/users/import': row('integrator', 200, { ...ofFile, body: () => 'username\r\n' }),
  'GET /api/admin/customers/:customerId/plan-offer': row('admin', 200, customer),
  'POST /api/admin/customers/:customerId/plan-offer': row('admin', 409, { ...customer, body: () => ({ version: 1 }) }),
  'GET /api/service-integrator/customers/:customerId/plan-offer': row('integrator', 200, customer),
  'POST /api/service-integrator/customers/:customerId/plan-offer': row('integrator', 409, {
    ...customer,
    body: () => ({ version: 1 }),
  }),
  'GET /api/admin/customers/:customerId/plan-move': row('admin', 200, { ...customer, query: '?plan=ENT' }),
  'POST /api/admin/customers/:customerId/plan-move': row('admin', 200, {
    ...customer,
    body: () => ({ plan: 'ENT', version: 1 }),
  }),
  'GET /api/admin/customers/:customerId/integrator-move': row('admin', 400, {
    ...customer,
    query: `?serviceIntegratorId=${MISSING}`,
  }),
  'POST /api/admin/customers/:customerId/integrator-move': row('admin', 400, {
    ...customer,
    body: () => ({ serviceIntegratorId: MISSING }),
  }),
  'GET /monitoring/annotations': row('admin', 200, { query: aDay }),
  'GET /healthz': row('public', 200),
  'GET /readyz': row('public', 200),
  'GET /metrics': row('public', 200, { checksItself: true }),
  'GET /.well-known/latchkey/checkpoint': row('public', 200),
  'GET /.well-known/latchkey/checkpoint/:size': row('public', 404, { at: '/.well-known/latchkey/checkpoint/999999999' }),
  'GET /.well-known/latchkey/consistency/:from/:to': row('public', 200, { at: '/.well-known/latchkey/consistency/0/0' }),
  'GET /.well-known/latchkey/keys': row('public', 200),
  'GET /api/branding': row('public', 200),
  'GET /api/branding/logo': row('public', 404),
  'GET /api/service-integrator/logo': row('integrator', 404, { query: '?url=https://127.0.0.1:1/logo.svg' }),
  // Only browsers of configured origins ask, and these are none.
  'OPTIONS /api/*': row('public', 403, { at: '/api/branding' }),
  'GET /api/version': row('public', 200),
  'GET /api/openapi.json': row('public', 200),
  'GET /api/docs': row('public', 200),
  'GET /api/docs/': row('public', 200),
  'GET /api/docs/static/swagger-ui.css': row('public', 200),
  'GET /api/docs/static/index.css': row('public', 200),
  'GET /api/docs/static/swagger-ui-bundle.js': row('public', 200),
  'GET /api/docs/static/favicon-32x32.png': row('public', 200),
  'GET /api/docs/static/starter.js': row('public', 200),
  'GET /': row('public', 200, { optional: true }),
  'GET /assets/*': row('public', 404, { at: '/assets/nothing.js', optional: true }),
  'GET /:file': row('public', 404, { at: '/nothing.txt', optional: true }),
};
