import { customerId, integratorId, userId } from '../../../src/contracts/fields.ts';
import type { UserId } from '../../../src/domain/ids.ts';
import { ADMIN_COOKIE } from '../../../src/http/requests/guard.ts';
import type { Sessions } from '../../../src/security/sessions.ts';
import { asIntegrator, askApproval, asTool, bearer, type Client, newCustomer, newIntegrator } from '../../support/apiClient.ts';
import { ADMIN_KEY } from '../../support/keys.ts';
import { asAdminMember, codeOf, invite, inviteUser, join, PASSWORD } from '../../support/members.ts';
import { settingsOf } from '../../support/openId.ts';
import type { TestServer } from '../../support/server.ts';
import type { Ids, Known } from './inputs.ts';
import type { LogoHost } from './logoHost.ts';
import { nameOf, type Route } from './registeredRoutes.ts';
import { createTestAccounts, MISSING, type TestAccounts } from './testAccounts.ts';

/** What generated inputs are sent to. A route that changes or deletes a resource takes none from another route. */
export type FuzzTargets = Readonly<{
  accounts: TestAccounts;
  /** What inputs for a route may name. Routes that delete get things of their own, `count` of them. */
  knownFor: (route: Route, count: number) => Promise<Known>;
  /** Headers of the client that a route is for, or of a session of its own where the route ends sessions. */
  headersFor: (route: Route) => Promise<Record<string, string>>;
  /** Forgets failed sign-ins, so that the next are not all rejected before they are evaluated. */
  forgetFailures: () => Promise<void>;
}>;

/** A user that no client works as. */
const SPARE = 'spare';
const ALERT_RULE = { name: 'Errors', metric: 'error_rate', threshold: 100, forSeconds: 86_400 };
const PLAN = { name: 'Professional', developerSeats: 20, stakeholderSeats: 5 };
/** The plan of a customer, in its first version. */
const SPARE_PLAN = 'SPR';
const THEMES = '/api/service-integrator/themes';
/** A custom domain that is verified. */
const BRAND_HOST = 'brand.fuzz.example';
/** Routes about the named user of the session. */
const OF_MEMBER = / \/api\/customer\/(own-usage|own-calls|machines|machine-requests|device-requests|offline-licenses)/;
/** An email domain that is verified. */
const OPENID_DOMAIN = 'people.fuzz.example';
const ENDS_SESSIONS = /\/logout$|^POST \/api\/service-integrator\/rotate-key$/;

/** Routes about what a sign-in of the tool makes: it is made first, because the inputs use up the attempts of the address. */
const TOOL_ROUTES = [
  'DELETE /api/users/:userId',
  'DELETE /api/admin/users/:userId',
  'POST /api/users/:userId/machine-requests/:requestId/approve',
  'POST /api/users/:userId/machine-requests/:requestId/reject',
  'POST /api/admin/users/:userId/machine-requests/:requestId/approve',
  'POST /api/admin/users/:userId/machine-requests/:requestId/reject',
  'POST /api/cli/machine-requests/:requestId/approve',
  'POST /api/cli/machine-requests/:requestId/reject',
  'DELETE /api/users/:userId/machines/:machineId',
  'DELETE /api/admin/users/:userId/machines/:machineId',
  'DELETE /api/cli/machines/:machineId',
  'PUT /api/users/:userId/machines/:machineId/name',
  'PUT /api/admin/users/:userId/machines/:machineId/name',
  'PUT /api/cli/machines/:machineId/name',
  'DELETE /api/customer/machines/:machineId',
  'PUT /api/customer/machines/:machineId/name',
];

/** A customer may have four concurrent credential tests. */
const AT_ONCE = 3;

const times = async <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> => {
  const made: T[] = [];
  const indexes = Array.from({ length: count }, (_, index) => index).values();
  const worker = async (): Promise<void> => {
    for (const index of indexes) made.push(await make(index));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return made;
};

/** The body of a new API token, with a scope that each kind of tenant has. */
const newToken = (name: string) => ({
  name,
  scopes: ['ownSession:read'],
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
});

/** The id of the newest entry of a type on an audit page. */
const newestOf = async (client: Client, path: string, type: string): Promise<string> =>
  (await client.get(`${path}?types=${type}&limit=1`)).body.entries[0].id;

/** Resources for the routes that delete what their address names, by the name of the parameter. */
const doomed = (
  { admin, mine, theirs }: TestAccounts,
  {
    url,
    spareId,
    inviteeId,
    sessions,
    accountId,
  }: { url: string; spareId: string; inviteeId: string; sessions: Sessions; accountId: UserId },
  name: string,
  count: number,
): Promise<[parameter: keyof Ids, ids: string[]]> | null => {
  const { partner, portal } = mine;
  const made = async (parameter: keyof Ids, make: (index: number) => Promise<string>): Promise<[keyof Ids, string[]]> => [
    parameter,
    await times(count, make),
  ];
  /** One is enough where repeating leads to the same again; few requests are allowed a day. */
  const only = async (parameter: keyof Ids, make: () => Promise<string>): Promise<[keyof Ids, string[]]> => [
    parameter,
    [await make()],
  ];
  /** An input may have turned off the approval of machines. */
  const requestOf = async (username: string): Promise<string> => {
    await portal.put('/api/customer/machine-approval', { enforced: true });
    return (await askApproval(url, mine.customer, username, name)).requestId;
  };
  const approvedMachine = async (user: string, username: string): Promise<string> => {
    const requestId = await requestOf(username);
    const { machines } = (await admin.post(`/api/admin/users/${user}/machine-requests/${requestId}/approve`)).body;
    return machines.at(-1).id;
  };
  switch (name) {
    case 'DELETE /api/admin/customers/:customerId':
      return made('customerId', async () => (await newCustomer(admin, mine.ids.integrator)).id);
    case 'GET /api/admin/customers/:customerId/integrator-move':
      return only('customerId', async () => (await newCustomer(admin, theirs.ids.integrator)).id);
    case 'POST /api/admin/customers/:customerId/integrator-move':
      return made('customerId', async () => (await newCustomer(admin, theirs.ids.integrator)).id);
    case 'DELETE /api/admin/service-integrators/:integratorId':
      return made('integratorId', async () => (await newIntegrator(admin)).id);
    case 'DELETE /api/service-integrator/themes/:themeId':
      return made('themeId', async (index) => {
        const theme = { themeName: `doomed-${index}`, displayName: 'Doomed', primaryColor: '#0070AD' };
        return (await partner.post(THEMES, theme)).body.theme.id;
      });
    case 'DELETE /api/users/:userId':
    case 'DELETE /api/admin/users/:userId':
      return made('userId', async (index) => (await asTool(url, mine.customer, `removed-${name.length}-${index}`)).userId);
    case 'PUT /api/admin/alert-rules/:ruleId':
    case 'DELETE /api/admin/alert-rules/:ruleId':
      return only('ruleId', async () => (await admin.post('/api/admin/alert-rules', ALERT_RULE)).body.ruleId);
    case 'GET /api/admin/audit/:entryId/revert':
      return only('entryId', async () => {
        const { ruleId } = (await admin.post('/api/admin/alert-rules', ALERT_RULE)).body;
        await admin.put(`/api/admin/alert-rules/${ruleId}`, { ...ALERT_RULE, name: 'Changed' });
        return newestOf(admin, '/api/admin/audit', 'AlertRuleChanged');
      });
    case 'GET /api/service-integrator/audit/:entryId/revert':
      return only('entryId', async () => {
        const look = { displayName: 'Revised', primaryColor: '#0070AD' };
        const { id } = (await partner.post(THEMES, { themeName: 'revised', ...look })).body.theme;
        await partner.put(`${THEMES}/${id}`, { ...look, displayName: 'Changed' });
        return newestOf(partner, '/api/service-integrator/audit', 'ThemeRevised');
      });
    case 'PUT /api/admin/plans/:code':
    case 'POST /api/admin/plans/:code/retire':
      return only('code', async () => {
        const code = name.startsWith('PUT') ? 'FUZ' : 'OLD';
        await admin.post('/api/admin/plans', { code, ...PLAN });
        return code;
      });
    case 'DELETE /api/credentials/:credentialId':
      return made('credentialId', async () => {
        const credential = { service: 'jira', instanceUrl: 'https://127.0.0.1:1', username: 'doomed', password: 'doomed' };
        return (await portal.post('/api/credentials/store', credential)).body.credential.id;
      });
    case 'POST /api/users/:userId/machine-requests/:requestId/approve':
    case 'POST /api/users/:userId/machine-requests/:requestId/reject':
    case 'POST /api/admin/users/:userId/machine-requests/:requestId/approve':
    case 'POST /api/admin/users/:userId/machine-requests/:requestId/reject':
      return only('requestId', () => requestOf(SPARE));
    case 'POST /api/cli/machine-requests/:requestId/approve':
    case 'POST /api/cli/machine-requests/:requestId/reject':
    case 'POST /api/customer/machine-requests/:requestId/approve':
    case 'POST /api/customer/machine-requests/:requestId/reject':
      return only('requestId', () => requestOf(mine.username));
    case 'DELETE /api/users/:userId/machines/:machineId':
    case 'DELETE /api/admin/users/:userId/machines/:machineId':
    case 'PUT /api/users/:userId/machines/:machineId/name':
    case 'PUT /api/admin/users/:userId/machines/:machineId/name':
      return only('machineId', () => approvedMachine(spareId, SPARE));
    case 'DELETE /api/cli/machines/:machineId':
    case 'DELETE /api/customer/machines/:machineId':
    case 'PUT /api/cli/machines/:machineId/name':
    case 'PUT /api/customer/machines/:machineId/name':
      return only('machineId', () => approvedMachine(mine.ids.user, mine.username));
    case 'POST /api/users/:userId/offline-licenses':
    case 'POST /api/admin/users/:userId/offline-licenses':
      return only('userId', async () => mine.ids.user);
    case 'POST /api/users/:userId/invitation':
      return only('userId', async () => inviteeId);
    case 'DELETE /api/users/:userId/invitation':
      return only('userId', async () => (await inviteUser(portal, inviteeId)).userId);
    case 'GET /api/team/members/:userId/impact':
    case 'PUT /api/team/members/:userId':
    case 'POST /api/team/members/:userId/invitation':
    case 'DELETE /api/team/members/:userId/invitation':
    case 'POST /api/team/members/:userId/revoke-sessions':
      return only('userId', async () => (await invite(admin, 'auditor')).userId);
    case 'DELETE /api/tokens/:tokenId':
      return made('tokenId', async (index) => (await admin.post('/api/tokens', newToken(`doomed-${index}`))).body.token.tokenId);
    case 'DELETE /api/sessions/:sessionId':
      return made('sessionId', async () => (await sessions.open({ kind: 'admin' })).session.id);
    case 'DELETE /api/account/sessions/:sessionId':
      return made('sessionId', async () => (await sessions.open({ kind: 'admin', userId: accountId })).session.id);
    case 'DELETE /api/team/members/:userId':
      return made('userId', async () => (await invite(admin, 'auditor')).userId);
    default:
      return null;
  }
};

/** Named users with what the routes that sign them in accept, each for routes that do not change what others need. */
const createMembers = async (url: string, { admin, mine }: TestAccounts) => {
  const joined = (owner: Client, options: { secondFactor: boolean }) =>
    invite(owner, 'auditor').then((one) => join(url, one, options));
  const plain = { secondFactor: false };
  const [administrator, partner, account, strong, invited, joining] = [
    await joined(admin, plain),
    await joined(mine.partner, plain),
    await joined(admin, plain),
    await joined(admin, { secondFactor: true }),
    await invite(admin, 'auditor'),
    await invite(admin, 'auditor'),
  ];
  const { userId: portalUser } = await asTool(url, mine.customer, 'portal-member');
  const portal = await join(url, await inviteUser(mine.portal, portalUser), plain);
  const sessions = { account: await asAdminMember(url, account), strong: await asAdminMember(url, strong) };
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  const confirming = {
    currentPassword: [PASSWORD],
    newPassword: [PASSWORD],
    secret: [secret],
    // One confirmation is enough.
    assertion: [undefined],
    recentAuthentication: [undefined],
  };
  return {
    headersFor: (name: string): Record<string, string> | null => {
      if (name === 'POST /api/account/recovery-codes') return sessions.strong.headers;
      return name.includes(' /api/account') ? sessions.account.headers : null;
    },
    accountId: userId.parse(account.userId),
    /** A code is of the moment, so these are made when a route is fuzzed. */
    valuesFor: (name: string): Known['values'] | null => {
      if (name === 'POST /api/tokens') return { scopes: [['ownSession:read']], expiresAt: [newToken('').expiresAt] };
      if (name === 'POST /api/downloads') return { path: ['/api/admin/customers?search=any'] };
      if (name === 'GET /monitoring/annotations') return { from: ['2026-01-01T00:00:00Z'], to: ['2026-01-02T00:00:00Z'] };
      if (name === 'POST /api/auth/invitation') return { token: [invited.token] };
      if (name === 'POST /api/auth/join')
        return { token: [joining.token], password: [PASSWORD], secret: [secret], code: [codeOf(secret)] };
      if (name.endsWith('/openid')) return { email: [`any@${OPENID_DOMAIN}`] };
      if (name === 'POST /api/auth/admin/member-login') return { email: [administrator.email], password: [PASSWORD] };
      if (name === 'POST /api/auth/customer/member-login') return { email: [portal.email], password: [PASSWORD] };
      if (name === 'POST /api/auth/service-integrator/member-login') return { email: [partner.email], password: [PASSWORD] };
      return name.includes(' /api/account') ? { ...confirming, code: [codeOf(secret)] } : null;
    },
  };
};

/** What the routes about plans accept. */
const planValues = (name: string): Known['values'] => {
  if (name === 'POST /api/admin/plans') return { code: ['FZA', 'fzb', 'FZC'], termMonths: [12], termDays: [null] };
  if (name === 'PUT /api/admin/plans/:code') return { termMonths: [12], termDays: [null, undefined] };
  if (name.endsWith('/plan-move')) return { plan: [SPARE_PLAN, 'ENT', 'ZZZ'], version: [1, 2] };
  if (name.endsWith('/integrator-move')) return { records: ['keep', 'clear', undefined] };
  return name.endsWith('/plan-offer') ? { version: [1, 2] } : {};
};

/** Calls that a void finds. */
const RECORDED = {
  sourceId: 'fuzz',
  firstSequence: 1,
  calls: [{ service: 'jira', instanceUrl: 'https://jira.example', operation: 'GET:/issue', status: 200, durationMs: 10 }],
};
const voidValues = (name: string): Known['values'] =>
  /^POST .*\/voids$/.test(name)
    ? { sourceId: [RECORDED.sourceId, 'unknown'], firstSequence: [undefined, 1], lastSequence: [undefined, 1], from: [undefined] }
    : {};

/** Files that the console's page loads; none where the console is not built. */
const consoleFiles = async (anonymous: Client): Promise<string[]> => {
  const { body } = await anonymous.get('/', { headers: { accept: 'text/html' } });
  return [...String(body).matchAll(/="\/(?:assets\/)?([\w-]+\.\w+)"/g)].flatMap(([, file]) => file ?? []);
};

/** Gives an integrator a verified domain with a logo. */
const brand = async (partner: Client, record: string, logoUrl: string, txtRecords: Map<string, string>): Promise<void> => {
  txtRecords.set(`_latchkey.${BRAND_HOST}`, record);
  await partner.put('/api/service-integrator/white-label', { whiteLabelEnabled: true, customDomain: BRAND_HOST, logoUrl });
  await partner.post('/api/service-integrator/white-label/verify');
};

/** Lets users with an email address of the domain sign in with OpenID Connect. */
const addProvider = async (owner: Client, issuer: string, txtRecords: Map<string, string>): Promise<void> => {
  const { body } = await owner.put('/api/team/identity-provider', settingsOf(issuer, { domains: [OPENID_DOMAIN] }));
  txtRecords.set(OPENID_DOMAIN, body.record);
  await owner.post('/api/team/identity-provider/verify');
};

/** `txtRecords` are written: what the server's name server answers. */
export const createFuzzTargets = async (
  server: TestServer,
  {
    metricsToken,
    logoHost,
    txtRecords,
    issuer,
  }: { metricsToken: string; logoHost: LogoHost; txtRecords: Map<string, string>; issuer: string },
): Promise<FuzzTargets> => {
  const accounts = await createTestAccounts(server.url);
  const { admin, mine, theirs, anonymous } = accounts;
  const members = await createMembers(server.url, accounts);
  for (const owner of [admin, mine.partner, mine.portal]) await addProvider(owner, issuer, txtRecords);
  await admin.post('/api/admin/plans', { code: SPARE_PLAN, ...PLAN });
  const spare = await newCustomer(admin, mine.ids.integrator, { name: 'Spare', developerSeats: -1, plan: SPARE_PLAN });
  const user = await asTool(server.url, mine.customer, SPARE);
  await user.post('/api/cli/api-calls', RECORDED);
  await (await asTool(server.url, spare)).post('/api/cli/api-calls', RECORDED);
  // No input names this user, whom nobody suspends.
  const invitee = await asTool(server.url, mine.customer, 'invitee');
  const integrator = await newIntegrator(admin, { companyName: 'Spare' });
  const look = { themeName: 'spare', displayName: 'Spare', primaryColor: '#0070AD' };
  const theme = (await mine.partner.post(THEMES, look)).body.theme;
  // No input changes the tenant whose keys sign in.
  const visited = await newIntegrator(admin, { companyName: 'Visited' });
  await brand(await asIntegrator(server.url, visited), `latchkey-verify=${visited.id}`, logoHost.logoUrl, txtRecords);
  const visitor = await newCustomer(admin, visited.id, { name: 'Visitor', developerSeats: -1 });
  // A change that can be taken back.
  await admin.put(`/api/admin/customers/${spare.id}`, { name: 'Spared', contactEmail: 'it@spare.example' });
  const { history } = (await admin.get(`/api/admin/customers/${spare.id}/history?limit=1`)).body;
  const known: Known = {
    ids: {
      customerId: { right: [spare.id], wrong: [theirs.ids.customer, MISSING] },
      userId: { right: [user.userId], wrong: [theirs.ids.user, MISSING] },
      integratorId: { right: [integrator.id], wrong: [MISSING] },
      serviceIntegratorId: { right: [mine.ids.integrator], wrong: [MISSING] },
      themeId: { right: [theme.id], wrong: [theirs.ids.theme, MISSING] },
      credentialId: { right: [mine.ids.credential], wrong: [theirs.ids.credential, MISSING] },
      entryId: { right: [history[0].id], wrong: [MISSING] },
      sessionId: { right: [MISSING], wrong: [MISSING] },
      ruleId: { right: [MISSING], wrong: [MISSING] },
      machineId: { right: [MISSING], wrong: [mine.ids.machine, theirs.ids.machine] },
      requestId: { right: [MISSING], wrong: [theirs.ids.machine_request] },
      name: { right: ['aurora'], wrong: ['neon'] },
      file: { right: ['index.html', ...(await consoleFiles(anonymous))], wrong: ['swagger-ui.css', '../package.json'] },
    },
    values: {
      licenseKey: [visitor.licenseKey, visitor.licenseKey.toLowerCase(), spare.licenseKey, 'LK-ENT-0000-00000'],
      masterLicenseKey: [visited.masterLicenseKey, integrator.masterLicenseKey, 'LK-SI-0000-00000'],
      adminKey: [ADMIN_KEY, ` ${ADMIN_KEY} `],
      key: [ADMIN_KEY],
      theme: ['aurora', 'spare', theme.id, theirs.ids.theme, null],
      currentPassword: [mine.customer.licenseKey, 'violet lantern quarry'],
      newPassword: ['violet lantern quarry', mine.customer.licenseKey],
      password: ['violet lantern quarry', 'wrong'],
      reverts: [undefined],
      plan: [undefined, SPARE_PLAN, 'ENT', 'ZZZ'],
      fingerprint: ['0123456789abcdef0123456789abcdef', 'F'.repeat(32), 'abc'],
      month: ['2026-01', '2026-11', '2099-12', '2026-13'],
      issuer: [issuer],
      domains: [[OPENID_DOMAIN]],
      roleClaim: ['groups'],
      url: [logoHost.logoUrl, logoHost.missingUrl, 'http://127.0.0.1/logo.png'],
    },
  };

  const making = {
    url: server.url,
    spareId: user.userId,
    inviteeId: invitee.userId,
    sessions: server.product.sessions,
    accountId: members.accountId,
  };
  // Asked for now: later the inputs of other routes rename the users that these sign in.
  const machines = new Map<string, [keyof Ids, string[]]>();
  for (const name of TOOL_ROUTES) {
    const own = await doomed(accounts, making, name, 1);
    if (own) machines.set(name, own);
  }

  const { body: checkpoint } = await anonymous.get('/.well-known/latchkey/checkpoint');
  const size = { right: [String(checkpoint).split('\n')[1] ?? ''], wrong: ['999999999'] };
  /** Of the audit log. */
  const sizes = { size, from: { right: ['0'], wrong: ['999999999'] }, to: size };

  const clientFor = ({ audience: [kind = 'public'] }: Route): Client =>
    ({ admin, integrator: mine.partner, customer: mine.portal, cli: mine.tool, public: anonymous })[kind];

  const at = {
    userId: userId.parse(mine.ids.user),
    customerId: customerId.parse(mine.ids.customer),
    integratorId: integratorId.parse(mine.ids.integrator),
    machine: null,
  };
  /** Headers of a session that was opened just now, and that no other test needs. */
  const newSessionFor = async (route: Route): Promise<Record<string, string>> => {
    const [kind = 'public'] = route.audience;
    if (kind === 'public') return {};
    const { userId: _user, ...tenant } = at;
    const owner = kind === 'cli' || OF_MEMBER.test(nameOf(route)) ? { kind, ...at } : { kind, ...tenant };
    const { token } = await server.product.sessions.open(owner);
    return kind === 'admin' ? { cookie: `${ADMIN_COOKIE}=${token}` } : bearer(token);
  };

  /** Codes that wait for a decision, for the routes that decide. */
  const startedCodes = async (name: string): Promise<{ userCode?: string[] }> => {
    if (!name.includes('/device-requests/')) return {};
    const start = async () => (await anonymous.post('/api/cli/device', { machineId: `machine-${name}` })).body.userCode;
    return { userCode: [await start(), await start()] };
  };

  const forgetFailures = async (): Promise<void> => {
    await server.product.db.deleteFrom('auth.sign_in_failures').execute();
    await server.product.db.deleteFrom('auth.sign_in_permit').execute();
    await server.product.db.deleteFrom('auth.account_failure').execute();
    await server.product.db.deleteFrom('auth.device_request').execute();
    server.product.permits.forget();
  };
  const madeFor = async (route: Route, count: number) => {
    await forgetFailures(); // what is made signs in, at an address whose attempts inputs used up
    return doomed(accounts, making, nameOf(route), count);
  };

  return {
    accounts,
    knownFor: async (route, count) => {
      const own = machines.get(nameOf(route)) ?? (await madeFor(route, count));
      const values = {
        ...known.values,
        ...members.valuesFor(nameOf(route)),
        ...planValues(nameOf(route)),
        ...voidValues(nameOf(route)),
        ...(await startedCodes(nameOf(route))),
      };
      if (route.url.startsWith('/.well-known/latchkey/')) return { values, ids: { ...known.ids, ...sizes } };
      if (!own) return { ...known, values };
      const [parameter, right] = own;
      return { values, ids: { ...known.ids, [parameter]: { right, wrong: known.ids[parameter]?.wrong ?? [] } } };
    },
    headersFor: async (route) => {
      const name = nameOf(route);
      if (name === 'GET /metrics') return bearer(metricsToken);
      if (name === 'GET /api/branding/logo') return { host: BRAND_HOST };
      const member = members.headersFor(name);
      if (member) return member;
      return [ENDS_SESSIONS, OF_MEMBER].some((some) => some.test(name)) ? newSessionFor(route) : clientFor(route).headers;
    },
    forgetFailures,
  };
};
