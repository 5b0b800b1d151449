import { ADMIN_COOKIE } from '../../../src/http/requests/guard.ts';
import { asCustomer, type Client, clientOf, newCustomer, newIntegrator } from '../../support/apiClient.ts';
import { ADMIN_KEY } from '../../support/keys.ts';
import {
  account,
  type Caused,
  customer,
  fromElsewhere,
  json,
  type Situation,
  type SituationContext,
  signIn,
  statusOfIntegrator,
} from './situation.ts';
import { MISSING } from './testAccounts.ts';

/** The license key of a new customer that has set a portal password. */
const protectedKey = async ({ admin, mine, url }: SituationContext): Promise<string> => {
  const { licenseKey } = await newCustomer(admin, mine.ids.integrator);
  const portal = await asCustomer(url, { licenseKey });
  await portal.post('/api/customer/change-password', { currentPassword: licenseKey, newPassword: 'violet lantern quarry' });
  return licenseKey;
};

/** An administrator whose sign-in is an hour old. */
const signedInLongAgo = async ({ server, url }: SituationContext): Promise<Client> => {
  const { token, session } = await server.product.sessions.open({ kind: 'admin' });
  const change = server.product.db.updateTable('auth.session').set({ authenticated_at: new Date(Date.now() - 3_600_000) });
  await change.where('token_hash', '=', session.hash).execute();
  return clientOf(url, { cookie: `${ADMIN_COOKIE}=${token}` });
};

/** What the edge refuses, before or beside the domain. */
export const edgeSituations = {
  validation_failed: {
    cause: ({ admin }) => admin.post('/api/admin/service-integrators', { ...account, billingEmail: 'nobody' }),
    status: 400,
    error: 'billingEmail: Must be an email address',
  },
  reauthentication_required: {
    cause: async (context) => (await signedInLongAgo(context)).post(`/api/admin/customers/${context.mine.ids.customer}/rotate-key`),
    status: 403,
    error: 'Confirm that it is you: your last sign-in is more than 10 minutes ago.',
  },
  proof_unavailable: {
    cause: ({ mine }) => mine.portal.post('/api/auth/reauthenticate', { method: 'password', password: 'any' }),
    status: 409,
    error: 'Your session cannot be confirmed in this way. Sign out, then sign in again.',
  },
  download_not_found: {
    cause: ({ url }) => clientOf(url).get(`/api/downloads/${MISSING}`),
    status: 404,
    error: 'This download has expired, was used already or began in another browser. Start it again.',
  },
  session_not_found: {
    cause: ({ mine }) => mine.portal.delete(`/api/sessions/${MISSING}`),
    status: 404,
    error: 'This session has ended or does not exist. List the sessions again.',
  },
  entry_not_found: {
    cause: ({ mine }) => mine.partner.get(`/api/service-integrator/audit/${MISSING}`),
    status: 404,
    error: 'This entry of the history does not exist. Check the link.',
  },
  invalid_json: {
    cause: ({ anonymous }) => anonymous.send('POST', '/api/auth/admin/login', { headers: json, body: '{"adminKey":' }),
    status: 400,
    error: 'The body is not valid JSON in UTF-8',
  },
  invalid_request: {
    cause: ({ admin }) => admin.get('/api/admin/customers/%ff'),
    status: 400,
    error: 'The request is not valid HTTP',
  },
  body_too_large: {
    cause: ({ anonymous }) => anonymous.post('/api/auth/admin/login', { adminKey: 'x'.repeat(1024 * 1024) }),
    status: 413,
    error: 'The body is larger than the 4 kB that this endpoint accepts. Send less in one request.',
  },
  body_too_complex: {
    cause: ({ anonymous }) => anonymous.send('POST', '/api/auth/admin/login', { headers: json, body: '['.repeat(17) }),
    status: 400,
    error:
      'The body nests deeper than 16 levels, or an object in it has more than 100 fields. Send only what this endpoint accepts.',
  },
  address_too_long: {
    cause: ({ anonymous }) => anonymous.get(`/api/branding?${'x'.repeat(8_192)}`),
    status: 414,
    error: 'The address is longer than 8,192 characters. Send a shorter search or cursor.',
  },
  unsupported_media_type: {
    cause: ({ anonymous }) =>
      anonymous.send('POST', '/api/auth/admin/login', { headers: { 'content-type': 'text/plain' }, body: 'adminKey' }),
    status: 415,
    error: 'Send the body as application/json; files to import as text/csv',
  },
  invalid_csv: {
    cause: ({ admin }) =>
      admin.send('POST', '/api/admin/customers/import?file=a.csv', {
        headers: { 'content-type': 'text/csv' },
        body: new Uint8Array([0xff]),
      }),
    status: 400,
    error: 'The body is not a CSV file in UTF-8. Save the file as CSV UTF-8',
  },
  import_too_long: {
    cause: ({ admin }) =>
      admin.send('POST', '/api/admin/customers/import?file=a.csv', {
        headers: { 'content-type': 'text/csv' },
        body: `name\n${'Acme\n'.repeat(20_001)}`,
      }),
    status: 400,
    error: 'A file may have at most 20,000 lines. Split it into several files.',
  },
  too_many_imports: {
    cause: async ({ mine }) => {
      const body = `name\n${'Acme\n'.repeat(2_000)}`;
      const send = () =>
        mine.partner.send('POST', '/api/service-integrator/customers/import?file=a.csv&dryRun=true', {
          headers: { 'content-type': 'text/csv' },
          body,
        });
      const replies = await Promise.all(Array.from({ length: 12 }, send));
      return replies.find(({ status }) => status === 429) ?? send();
    },
    status: 429,
    error: 'Too many imports are running. Try again when one of them has finished.',
    retryAfter: true,
  },
  not_found: { cause: ({ admin }) => admin.send('PATCH', '/api/admin/customers'), status: 404, error: 'Not found' },
  session_required: { cause: ({ anonymous }) => anonymous.get('/api/customer/profile'), status: 401, error: 'Please sign in' },
  forbidden: {
    cause: ({ mine }) => mine.portal.get('/api/admin/customers'),
    status: 403,
    error: 'Your session is not allowed to do this',
  },
  origin_refused: {
    cause: ({ admin }) => admin.post('/api/auth/admin/logout', undefined, { headers: { origin: 'https://evil.example' } }),
    status: 403,
    error: 'Requests from this origin are refused',
  },
  unknown_host: {
    cause: ({ anonymous }) => anonymous.get('/api/branding', { headers: { 'x-forwarded-host': 'somewhere.example' } }),
    status: 421,
    error: 'This server does not serve this host name. Add it to PUBLIC_ORIGINS.',
  },
  wrong_admin_key: {
    cause: ({ url }) => signIn(url, 'admin', { adminKey: 'not this one' }),
    status: 401,
    error: 'The admin key is wrong',
  },
  unknown_license_key: {
    cause: ({ url }) => signIn(url, 'customer', { licenseKey: 'LK-ENT-0000-00000' }),
    status: 401,
    error: 'Unknown license key',
  },
  password_required: {
    cause: async (context) => signIn(context.url, 'customer', { licenseKey: await protectedKey(context) }),
    status: 401,
    error: 'This account is protected by a password. Send it with the license key.',
  },
  wrong_password: {
    cause: async (context) => signIn(context.url, 'customer', { licenseKey: await protectedKey(context), password: 'wrong' }),
    status: 401,
    error: 'The password is wrong. Your service integrator or administrator can reset it.',
  },
  password_too_weak: {
    cause: async ({ admin, mine, url }) => {
      const customer = await newCustomer(admin, mine.ids.integrator);
      const portal = await asCustomer(url, customer);
      return portal.post('/api/customer/change-password', { currentPassword: customer.licenseKey, newPassword: 'password1234' });
    },
    status: 400,
    error: 'This password is easy to guess. Use several unrelated words, and none about your company.',
  },
  unknown_master_license_key: {
    cause: ({ url }) => signIn(url, 'service-integrator', { masterLicenseKey: 'LK-SI-0000-00000' }),
    status: 401,
    error: 'Unknown master license key',
  },
  too_many_attempts: {
    cause: async ({ url }) => {
      const headers = fromElsewhere();
      const guess = (adminKey: string) => clientOf(url).post('/api/auth/admin/login', { adminKey }, { headers });
      for (let attempt = 0; attempt < 20; attempt++) {
        if ((await guess(`guess ${attempt}`)).status === 429) break;
      }
      return guess(ADMIN_KEY);
    },
    status: 429,
    error: 'Too many failed sign-ins. Wait a minute and try again.',
    retryAfter: true,
  },
  integrator_suspended: {
    cause: async (context) => {
      const { id, masterLicenseKey } = await newIntegrator(context.admin);
      await statusOfIntegrator(context, id, 'suspended');
      return signIn(context.url, 'service-integrator', { masterLicenseKey });
    },
    status: 403,
    error: 'This service integrator is suspended. Ask your administrator to reactivate it.',
  },
  integrator_closed: {
    cause: async (context) => {
      const { id, masterLicenseKey } = await newIntegrator(context.admin);
      await statusOfIntegrator(context, id, 'churned');
      return signIn(context.url, 'service-integrator', { masterLicenseKey });
    },
    status: 403,
    error: 'This service integrator account has ended. Ask your administrator to reactivate it.',
  },
  integrator_unknown: {
    cause: ({ admin }) =>
      admin.post('/api/admin/customers', { ...customer, serviceIntegratorId: MISSING, developerSeats: 1, stakeholderSeats: 1 }),
    status: 400,
    error: 'Unknown service integrator',
  },
  custom_domain_taken: {
    cause: async ({ server, mine, theirs }) => {
      const brand = { whiteLabelEnabled: true, customDomain: 'taken.example.com', logoUrl: null };
      await mine.partner.put('/api/service-integrator/white-label', brand);
      await server.product.queries.integrators.markDomain(mine.integrator.id, brand.customDomain, new Date());
      return theirs.partner.put('/api/service-integrator/white-label', brand);
    },
    status: 409,
    error: 'Another service integrator has verified this custom domain. Use another domain.',
  },
  statement_not_found: {
    cause: ({ mine }) => mine.portal.get('/api/customer/statement?month=2099-12'),
    status: 404,
    error: 'There is no statement of a month that has not begun. Choose an earlier month.',
  },
  checkpoint_not_found: {
    cause: ({ anonymous }) => anonymous.get('/.well-known/latchkey/checkpoint/999999999'),
    status: 404,
    error: 'The audit log has no checkpoint of this size. /.well-known/latchkey/checkpoint is the newest one.',
  },
  logo_unavailable: {
    cause: ({ mine }) => mine.partner.get('/api/service-integrator/logo?url=https://127.0.0.1:1/logo.svg'),
    status: 404,
    error: 'There is no image at this address. Use the https address of a PNG, SVG or JPG of at most 256 KiB.',
  },
  custom_domain_reserved: {
    cause: ({ mine }) =>
      mine.partner.put('/api/service-integrator/white-label', {
        whiteLabelEnabled: true,
        customDomain: 'portal.latchkey.example',
        logoUrl: null,
      }),
    status: 400,
    error: 'This custom domain belongs to the license server itself. Use another domain.',
  },
  too_many_tests: {
    cause: async ({ mine }) => {
      const given = { service: 'jira', instanceUrl: 'https://jira.invalid', username: 'u', password: 'p' };
      const { id } = (await mine.portal.post('/api/credentials/store', given)).body.credential;
      const test = () => mine.portal.post(`/api/credentials/${id}/test`);
      const replies = await Promise.all(Array.from({ length: 12 }, test));
      return replies.find(({ status }) => status === 429) ?? test();
    },
    status: 429,
    error: 'Too many connection tests are running. Try again in a few seconds.',
    retryAfter: true,
  },
  idempotency_key_reused: {
    cause: async ({ mine }) => {
      const headers = { 'idempotency-key': 'once' };
      await mine.partner.put('/api/service-integrator/profile', account, { headers });
      return mine.partner.put('/api/service-integrator/profile', { ...account, companyName: 'Other' }, { headers });
    },
    status: 409,
    error: 'This Idempotency-Key was used for another request. Use a new one.',
  },
  idempotency_key_invalid: {
    cause: ({ mine }) =>
      mine.partner.put('/api/service-integrator/profile', account, { headers: { 'idempotency-key': 'with a blank' } }),
    status: 400,
    error: 'Idempotency-Key must be 1 to 200 visible ASCII characters',
  },
} satisfies Partial<Record<Caused, Situation>>;
