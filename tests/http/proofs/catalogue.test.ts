import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { edgeProblems } from '../../../src/http/problems/edgeProblems.ts';
import { refusals } from '../../../src/http/problems/refusals.ts';
import { newCustomer, newIntegrator, type Reply } from '../../support/apiClient.ts';
import { openServer, type TestServer } from '../../support/server.ts';
import { IS_AT_LENGTH } from '../../support/tiers.ts';
import { deviceSituations } from './deviceSituations.ts';
import { domainSituations } from './domainSituations.ts';
import { edgeSituations } from './edgeSituations.ts';
import { OPENID_HOST, openIdSituations } from './openIdSituations.ts';
import { passkeySituations } from './passkeySituations.ts';
import { planSituations } from './planSituations.ts';
import { revertSituations } from './revertSituations.ts';
import {
  account,
  type Caused,
  CREDENTIALS,
  customer,
  login,
  look,
  type Situation,
  type SituationContext,
  signIn,
  THEMES,
} from './situation.ts';
import { teamSituations } from './teamSituations.ts';
import { termSituations } from './termSituations.ts';
import { createTestAccounts, MISSING } from './testAccounts.ts';
import { tokenSituations } from './tokenSituations.ts';

/** Total: a code without a situation does not compile. */
const situations: Readonly<Record<Caused, Situation>> = {
  ...domainSituations,
  ...termSituations,
  ...planSituations,
  ...teamSituations,
  ...tokenSituations,
  ...passkeySituations,
  ...deviceSituations,
  ...revertSituations,
  ...openIdSituations,
  ...edgeSituations,
};

/** Situations that need a server, a provider or many objects of their own. `npm test` has shorter tests of each. */
const AT_LENGTH: ReadonlySet<string> = new Set<Caused>([
  'customer_not_active',
  'user_suspended',
  'void_limit_reached',
  'alert_rule_limit_reached',
  'machine_limit_reached',
  'user_changed',
  'email_taken',
  'theme_is_default',
  'plan_limit_reached',
  'member_limit_reached',
  'last_owner',
  'tenant_required',
  'code_required',
  'wrong_code',
  'code_not_confirmed',
  'wrong_own_password',
  'key_sign_in_off',
  'api_token_expired',
  'passkey_exists',
  'passkey_limit_reached',
  'last_sign_in_method',
  'passkey_not_confirmed',
  'passkey_required',
  'access_denied',
  'user_code_unknown',
  'user_code_of_another',
  'identity_without_member',
  'identity_of_other',
  'identity_without_role',
  'identity_without_second_factor',
  'openid_failed',
  'openid_email_unverified',
  'openid_domain_foreign',
  'too_many_imports',
]);

let server: TestServer;
let context: SituationContext;

beforeAll(async () => {
  // Name servers that fail say nothing about a domain: one that was verified stays so.
  const resolveTxt = () => Promise.reject(Object.assign(new Error('queryTxt ESERVFAIL'), { code: 'ESERVFAIL' }));
  let aheadMs = 0;
  const now = (): number => Date.now() + aheadMs;
  server = await openServer({ TRUST_PROXY: 'loopback', CREDENTIAL_TEST_ALLOW: `${OPENID_HOST}/32` }, { resolveTxt, now });
  const aMinuteLater: SituationContext['aMinuteLater'] = async (send) => {
    aheadMs = 60_000;
    try {
      return await send();
    } finally {
      aheadMs = 0;
    }
  };
  context = { ...(await createTestAccounts(server.url)), server, url: server.url, aMinuteLater };
});

afterAll(() => server.close());

const expectProblem = (reply: Reply, { status, code, error }: { status: number; code: string; error: string }): void => {
  const { issues, approval: _shown, tenants: _offered, calls: _refused, ...body } = reply.body;
  expect([reply.status, body]).toEqual([status, { success: false, error, code }]);
  if (issues !== undefined) expect(issues[0]).toEqual({ path: expect.any(String), message: expect.any(String) });
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(reply.headers.get('cache-control')).toBe('no-store');
};

describe('every code of the catalogue', () => {
  const all = Object.entries(situations) as [Caused, Situation][];

  it('has a situation, or is a problem of the moment', () => {
    const ofTheMoment = ['overloaded', 'unavailable', 'request_timeout', 'internal_error', 'idempotency_in_progress', 'own_role'];
    const codes = [...all.map(([code]) => code), ...ofTheMoment];
    expect(codes.sort()).toEqual(Object.keys({ ...refusals, ...edgeProblems }).sort());
  });

  it.each(all.filter(([code]) => IS_AT_LENGTH || !AT_LENGTH.has(code)))(
    '%s is the reply to its situation',
    async (code, situation) => {
      const reply = await situation.cause(context);
      expectProblem(reply, { ...situation, code });
      expect(/^\d+$/.test(reply.headers.get('retry-after') ?? '')).toBe(situation.retryAfter === true);
    },
  );
});

describe('every situation that the console has a text for', () => {
  type Cause = (context: SituationContext) => Promise<Reply>;
  const user = { username: 'any', email: 'any@any.example', role: 'developer' };

  it.each<[situation: string, cause: Cause, status: number, code: string, error: string]>([
    [
      'login of an administrator',
      ({ url }) => signIn(url, 'admin', { adminKey: '' }),
      400,
      'validation_failed',
      'Please enter admin key',
    ],
    [
      'login of a customer without a key',
      ({ url }) => signIn(url, 'customer', { licenseKey: ' ' }),
      400,
      'validation_failed',
      'Please enter license key',
    ],
    [
      'login of a service integrator without a key',
      ({ url }) => signIn(url, 'service-integrator', {}),
      400,
      'validation_failed',
      'Please enter master license key',
    ],
    [
      'login of a customer',
      ({ url }) => signIn(url, 'customer', { licenseKey: 'x' }),
      401,
      'unknown_license_key',
      'Unknown license key',
    ],
    [
      'login of an integrator',
      ({ url }) => signIn(url, 'service-integrator', { masterLicenseKey: 'x' }),
      401,
      'unknown_master_license_key',
      'Unknown master license key',
    ],
    [
      'create customer',
      ({ admin, mine }) =>
        admin.post('/api/admin/customers', {
          ...customer,
          serviceIntegratorId: mine.ids.integrator,
          developerSeats: -2,
          stakeholderSeats: 1,
        }),
      400,
      'validation_failed',
      'developerSeats: Must be -1 (unlimited), 0 or more',
    ],
    [
      'create customer, by an integrator',
      ({ mine }) => mine.partner.post('/api/service-integrator/customers', { ...customer, company: '' }),
      400,
      'validation_failed',
      'company: Must not be empty',
    ],
    [
      'create service integrator',
      ({ admin }) => admin.post('/api/admin/service-integrators', { ...account, companyName: undefined }),
      400,
      'validation_failed',
      'companyName: Required',
    ],
    [
      'update customer',
      ({ admin }) => admin.put(`/api/admin/customers/${MISSING}`, customer),
      404,
      'customer_not_found',
      'Customer not found',
    ],
    [
      'delete customer',
      ({ admin }) => admin.delete(`/api/admin/customers/${MISSING}`),
      404,
      'customer_not_found',
      'Customer not found',
    ],
    [
      'update service integrator',
      ({ admin, mine }) =>
        admin.put(`/api/admin/service-integrators/${mine.ids.integrator}`, { ...account, logoUrl: 'http://a.example' }),
      400,
      'validation_failed',
      'logoUrl: Must be an https address',
    ],
    [
      'delete service integrator',
      async ({ admin }) => {
        const { id } = await newIntegrator(admin);
        await newCustomer(admin, id);
        return admin.delete(`/api/admin/service-integrators/${id}`);
      },
      409,
      'integrator_has_customers',
      'Cannot delete service integrator with 1 active customers',
    ],
    [
      'add credential',
      ({ mine }) => mine.portal.post(`${CREDENTIALS}/store`, { ...login, service: 'azdo', apiToken: 'x' }),
      400,
      'validation_failed',
      'API tokens are supported only for Jira',
    ],
    [
      'test credential',
      ({ mine, theirs }) => mine.portal.post(`${CREDENTIALS}/${theirs.ids.credential}/test`),
      404,
      'credential_not_found',
      'Credential not found',
    ],
    [
      'delete credential',
      ({ mine }) => mine.portal.delete(`${CREDENTIALS}/${MISSING}`),
      404,
      'credential_not_found',
      'Credential not found',
    ],
    [
      'load users',
      ({ mine }) => mine.portal.get('/api/users/with-connections?status=asleep'),
      400,
      'validation_failed',
      'status: Must be one of active, inactive, suspended',
    ],
    [
      'update user',
      ({ mine }) => mine.portal.put(`/api/users/${mine.ids.user}`, { ...user, role: 'king' }),
      400,
      'validation_failed',
      'role: Must be one of developer, stakeholder, admin',
    ],
    [
      'update user status',
      ({ mine, theirs }) => mine.partner.put(`/api/users/${theirs.ids.user}/status`, { status: 'inactive' }),
      404,
      'user_not_found',
      'User not found',
    ],
    [
      'update profile',
      ({ mine }) => mine.portal.put('/api/customer/profile', customer),
      400,
      'validation_failed',
      'company: Required',
    ],
    [
      'change password',
      ({ mine }) => mine.portal.post('/api/customer/change-password', { currentPassword: 'x', newPassword: 'short' }),
      400,
      'validation_failed',
      'Password must be at least 8 characters',
    ],
    [
      'load customers',
      ({ mine }) => mine.partner.get('/api/service-integrator/customers?limit=0'),
      400,
      'validation_failed',
      'limit: Must be at least 1',
    ],
    [
      'assign theme',
      ({ mine }) => mine.partner.post(`${THEMES}/${MISSING}/assign-customer`, { customerId: mine.ids.customer }),
      404,
      'theme_not_found',
      'Theme not found',
    ],
    [
      'load themes',
      ({ mine }) => mine.partner.get(`${THEMES}?active=perhaps`),
      400,
      'validation_failed',
      'active: Must be one of true, false',
    ],
    [
      'create theme',
      ({ mine }) => mine.partner.post(THEMES, { ...look, themeName: 'Ocean Blue' }),
      400,
      'validation_failed',
      'Theme name must contain only lowercase letters, numbers, hyphens, and underscores',
    ],
    [
      'update theme',
      ({ mine }) => mine.partner.put(`${THEMES}/${mine.ids.theme}`, { ...look, primaryColor: 'blue' }),
      400,
      'validation_failed',
      'Primary color must be a valid hex color (e.g., #0070AD)',
    ],
    [
      'delete theme',
      ({ mine, theirs }) => mine.partner.delete(`${THEMES}/${theirs.ids.theme}`),
      404,
      'theme_not_found',
      'Theme not found',
    ],
    [
      'set default theme',
      ({ mine }) => mine.partner.post(`${THEMES}/${MISSING}/set-default`),
      404,
      'theme_not_found',
      'Theme not found',
    ],
  ])('%s that fails gets the reason', async (_situation, cause, status, code, error) => {
    expectProblem(await cause(context), { status, code, error });
  });

  it('a failed credential test gets the reason in a successful reply', async () => {
    const { mine } = context;
    const reply = await mine.portal.post(`${CREDENTIALS}/${mine.ids.credential}/test`);
    expect([reply.status, reply.body.success, typeof reply.body.error]).toEqual([200, false, 'string']);
    expect(reply.body.error).not.toBe('');
  });
});
