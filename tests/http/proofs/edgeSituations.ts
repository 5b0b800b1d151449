import { clientOf, newIntegrator } from '../../support/apiClient.ts';
import { ADMIN_KEY } from '../../support/server.ts';
import { MISSING } from './cast.ts';
import { account, type Caused, customer, fromElsewhere, json, type Situation, signIn, statusOfIntegrator } from './situation.ts';

/** What the edge refuses, before or beside the domain. */
export const edgeSituations = {
  validation_failed: {
    cause: ({ admin }) => admin.post('/api/admin/service-integrators', { ...account, billingEmail: 'nobody' }),
    status: 400,
    error: 'billingEmail: Must be an e-mail address',
  },
  invalid_json: {
    cause: ({ nobody }) => nobody.send('POST', '/api/auth/admin/login', { headers: json, body: '{"adminKey":' }),
    status: 400,
    error: 'The body is not valid JSON in UTF-8',
  },
  invalid_request: {
    cause: ({ admin }) => admin.get('/api/admin/customers/%ff'),
    status: 400,
    error: 'The request is not valid HTTP',
  },
  body_too_large: {
    cause: ({ nobody }) => nobody.post('/api/auth/admin/login', { adminKey: 'x'.repeat(1024 * 1024) }),
    status: 413,
    error: 'The body is larger than 1 MiB',
  },
  unsupported_media_type: {
    cause: ({ nobody }) =>
      nobody.send('POST', '/api/auth/admin/login', { headers: { 'content-type': 'text/plain' }, body: 'adminKey' }),
    status: 415,
    error: 'Send the body as application/json',
  },
  not_found: { cause: ({ admin }) => admin.send('PATCH', '/api/admin/customers'), status: 404, error: 'Not found' },
  session_required: { cause: ({ nobody }) => nobody.get('/api/customer/profile'), status: 401, error: 'Please sign in' },
  forbidden: { cause: ({ mine }) => mine.portal.get('/api/admin/customers'), status: 403, error: 'Your session may not do this' },
  origin_refused: {
    cause: ({ admin }) => admin.post('/api/auth/admin/logout', undefined, { headers: { origin: 'https://evil.example' } }),
    status: 403,
    error: 'Requests from this origin are refused',
  },
  unknown_host: {
    cause: ({ nobody }) => nobody.get('/api/branding', { headers: { 'x-forwarded-host': 'somewhere.example' } }),
    status: 421,
    error: 'This server does not answer for this host name. Add it to PUBLIC_ORIGINS.',
  },
  wrong_admin_key: {
    cause: ({ url }) => signIn(url, 'admin', { adminKey: 'not this one' }),
    status: 401,
    error: 'The admin key is wrong',
  },
  unknown_license_key: {
    cause: ({ url }) => signIn(url, 'customer', { licenseKey: 'LK-ENT-0000-00000' }),
    status: 401,
    error: 'This license key is not known',
  },
  unknown_master_license_key: {
    cause: ({ url }) => signIn(url, 'service-integrator', { masterLicenseKey: 'LK-SI-0000-00000' }),
    status: 401,
    error: 'This master license key is not known',
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
    cause: async (stage) => {
      const { id, masterLicenseKey } = await newIntegrator(stage.admin);
      await statusOfIntegrator(stage, id, 'suspended');
      return signIn(stage.url, 'service-integrator', { masterLicenseKey });
    },
    status: 403,
    error: 'This service integrator is suspended. Ask your administrator to reactivate it.',
  },
  integrator_closed: {
    cause: async (stage) => {
      const { id, masterLicenseKey } = await newIntegrator(stage.admin);
      await statusOfIntegrator(stage, id, 'churned');
      return signIn(stage.url, 'service-integrator', { masterLicenseKey });
    },
    status: 403,
    error: 'This service integrator account has ended. Ask your administrator to reactivate it.',
  },
  integrator_unknown: {
    cause: ({ admin }) =>
      admin.post('/api/admin/customers', { ...customer, serviceIntegratorId: MISSING, developerSeats: 1, stakeholderSeats: 1 }),
    status: 400,
    error: 'There is no such service integrator',
  },
  custom_domain_taken: {
    cause: async ({ mine, theirs }) => {
      const brand = { whiteLabelEnabled: true, customDomain: 'taken.example.com', logoUrl: null };
      await mine.partner.put('/api/service-integrator/white-label', brand);
      return theirs.partner.put('/api/service-integrator/white-label', brand);
    },
    status: 409,
    error: 'This custom domain is in use by somebody else',
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
