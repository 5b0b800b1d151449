import { expect } from 'vitest';
import { streams } from '../../../src/commands/streams.ts';
import { customerId, integratorId } from '../../../src/contracts/fields.ts';
import { MAX_ALERT_RULES, MAX_MACHINE_REQUESTS, MAX_VOIDS } from '../../../src/domain/limits.ts';
import { asCustomer, askApproval, asTool, clientOf, newCustomer, newIntegrator, toolLoginOf } from '../../support/apiClient.ts';
import { commandOf, metaOf } from '../../support/builders/command.ts';
import { apiCallsVoided } from '../../support/builders/customer.ts';
import { eventually } from '../../support/eventually.ts';
import {
  account,
  type Caused,
  CREDENTIALS,
  customer,
  login,
  look,
  madeAgain,
  type Situation,
  signIn,
  statusOfCustomer,
  statusOfIntegrator,
  THEMES,
  toolLogin,
  twoUsers,
} from './situation.ts';
import { createTestTenant, MISSING } from './testAccounts.ts';

const moveOf = (id: string): string => `/api/admin/customers/${id}/integrator-move`;

/** What the domain refuses. */
export const domainSituations = {
  customer_not_found: {
    cause: ({ admin }) => admin.get(`/api/admin/customers/${MISSING}`),
    status: 404,
    error: 'Customer not found',
  },
  customer_deleted: {
    cause: (context) =>
      madeAgain(context, context.mine.partner, {
        create: ['/api/service-integrator/customers', { ...customer, company: 'Any' }],
        remove: ({ body }) => context.admin.delete(`/api/admin/customers/${body.customer.id}`),
      }),
    status: 409,
    error: 'This customer was deleted',
  },
  customer_suspended: {
    cause: async (context) => {
      const { id, licenseKey } = await newCustomer(context.admin, context.mine.ids.integrator);
      await statusOfCustomer(context, id, 'suspended');
      return signIn(context.url, 'customer', { licenseKey });
    },
    status: 403,
    error: 'This license is suspended. Ask your service integrator or your administrator to reactivate it.',
  },
  customer_churned: {
    cause: async (context) => {
      const { id, licenseKey } = await newCustomer(context.admin, context.mine.ids.integrator);
      await statusOfCustomer(context, id, 'churned');
      return clientOf(context.url).post('/api/cli/login', toolLogin({ licenseKey }, 'late'));
    },
    status: 403,
    error: 'This license has ended. Ask your service integrator or your administrator for a new one.',
  },
  customer_not_active: {
    cause: async (context) => {
      const tenant = await createTestTenant(context.url, context.admin);
      await context.admin.put(`/api/admin/users/${tenant.ids.user}/status`, { status: 'inactive' });
      await statusOfCustomer(context, tenant.ids.customer, 'suspended');
      return context.admin.put(`/api/admin/users/${tenant.ids.user}/status`, { status: 'active' });
    },
    status: 409,
    error: 'The customer is not active. Reactivate it first.',
  },
  wrong_current_password: {
    cause: ({ mine }) =>
      mine.portal.post('/api/customer/change-password', { currentPassword: 'wrong', newPassword: 'violet lantern quarry' }),
    status: 400,
    error: "The current password is wrong. If you haven't set a password, enter your license key.",
  },
  user_not_found: {
    cause: ({ admin }) => admin.put(`/api/admin/users/${MISSING}/status`, { status: 'active' }),
    status: 404,
    error: 'User not found',
  },
  user_suspended: {
    cause: async ({ admin, url }) => {
      const tenant = await createTestTenant(url, admin);
      await admin.put(`/api/admin/users/${tenant.ids.user}/status`, { status: 'suspended' });
      return eventually(
        () => tenant.tool.get('/api/cli/session'),
        ({ status }) => status !== 200,
      );
    },
    status: 403,
    error: 'This user is suspended. Ask the person who manages your users to activate it.',
  },
  user_inactive: {
    cause: async ({ admin, url, mine }) => {
      const owner = await newCustomer(admin, mine.ids.integrator);
      const { userId } = await asTool(url, owner, 'idle');
      await admin.put(`/api/admin/users/${userId}/status`, { status: 'inactive' });
      return clientOf(url).post('/api/cli/login', toolLogin(owner, 'idle'));
    },
    status: 403,
    error: 'This user is inactive. Ask the person who manages your users to activate it.',
  },
  role_not_allowed: {
    cause: async ({ admin, url, mine }) => {
      const owner = await newCustomer(admin, mine.ids.integrator);
      const { userId } = await asTool(url, owner, 'stella');
      const user = { username: 'stella', email: 'stella@example.com', role: 'stakeholder' };
      await admin.put(`/api/admin/users/${userId}`, user);
      return clientOf(url).post('/api/cli/login', toolLogin(owner, 'stella'));
    },
    status: 403,
    error:
      "Your role is stakeholder, which has portal access only. Ask your company's license owner or your service integrator to change your role to developer.",
  },
  username_hidden_characters: {
    cause: async ({ admin, url, mine }) => {
      const { licenseKey } = await newCustomer(admin, mine.ids.integrator);
      return clientOf(url).post('/api/cli/login', { ...toolLogin({ licenseKey }, 'ada'), username: 'a\u200bda' });
    },
    status: 400,
    error: 'The username contains invisible characters. Type it again without them.',
  },
  machine_approval_required: {
    cause: async ({ admin, url, mine }) => {
      const owner = await newCustomer(admin, mine.ids.integrator);
      await asTool(url, owner, 'ada');
      return clientOf(url).post('/api/cli/login', toolLoginOf(owner, 'ada', 'new-machine'));
    },
    status: 403,
    error: expect.stringMatching(
      /^This machine needs approval before it can sign in as this user\. Compare the code [0-9A-Z]{4}-[0-9A-Z]{4} and approve it with "latchkey devices"/,
    ),
  },
  machine_rejected: {
    cause: async ({ admin, url, mine }) => {
      const owner = await newCustomer(admin, mine.ids.integrator);
      const ada = await asTool(url, owner, 'ada');
      const { requestId } = await askApproval(url, owner, 'ada', 'new-machine');
      await ada.post(`/api/cli/machine-requests/${requestId}/reject`);
      return clientOf(url).post('/api/cli/login', toolLoginOf(owner, 'ada', 'new-machine'));
    },
    status: 403,
    error: 'The sign-in of this machine was rejected. It can request approval again after 24 hours.',
  },
  machine_not_approved: {
    cause: async ({ admin, url, mine }) => {
      const owner = await newCustomer(admin, mine.ids.integrator);
      await asTool(url, owner, 'ada');
      const portal = await asCustomer(url, owner);
      await portal.put('/api/customer/machine-approval', { enforced: false });
      const guest = await asTool(url, owner, 'ada', 'new-machine');
      return guest.get('/api/cli/machines');
    },
    status: 403,
    error: 'This machine is not approved for your user. Run latchkey login on it.',
  },
  machine_not_found: {
    cause: ({ mine }) => mine.tool.delete(`/api/cli/machines/${MISSING}`),
    status: 404,
    error: 'Machine not found',
  },
  machine_request_not_found: {
    cause: ({ mine }) => mine.tool.post(`/api/cli/machine-requests/${MISSING}/approve`),
    status: 404,
    error: 'This request was already decided, has expired or does not exist. List the requests again.',
  },
  machine_requests_exhausted: {
    cause: async ({ admin, url, mine }) => {
      const owner = await newCustomer(admin, mine.ids.integrator);
      await asTool(url, owner, 'ada');
      for (let index = 0; index < MAX_MACHINE_REQUESTS; index++) await askApproval(url, owner, 'ada', `new-${index}`);
      return clientOf(url).post('/api/cli/login', toolLoginOf(owner, 'ada', 'new-machine'));
    },
    status: 403,
    error:
      'Too many machines requested approval for this user within 24 hours. Approve one of them, or wait until a request expires.',
  },
  alert_rule_not_found: {
    cause: ({ admin }) => admin.delete(`/api/admin/alert-rules/${MISSING}`),
    status: 404,
    error: 'Alert rule not found',
  },
  no_calls_to_void: {
    cause: ({ admin, mine }) =>
      admin.post(`/api/admin/customers/${mine.ids.customer}/voids`, { sourceId: 'no-such-source', reason: 'Sent twice' }),
    status: 409,
    error:
      'This source has no recorded calls in this range, so nothing was voided. Check the source, the numbers and the times in the list of API calls.',
  },
  void_limit_reached: {
    cause: async ({ admin, mine, server }) => {
      const { id } = await newCustomer(admin, mine.ids.integrator);
      const voids = Array.from({ length: MAX_VOIDS }, () => apiCallsVoided());
      await server.product.events.append(streams.customer(customerId.parse(id)), voids, { expected: 'any', meta: metaOf() });
      return admin.post(`/api/admin/customers/${id}/voids`, { sourceId: 'laptop', reason: 'Sent twice' });
    },
    status: 409,
    error: 'The calls of this customer were voided 500 times, the maximum. Correct the tool that records calls by mistake.',
  },
  alert_rule_limit_reached: {
    cause: async ({ admin }) => {
      const rule = { name: 'Errors', metric: 'error_rate', threshold: 100, forSeconds: 86_400 };
      for (let index = 0; index < MAX_ALERT_RULES; index++) {
        const reply = await admin.post('/api/admin/alert-rules', rule);
        if (reply.status === 409) return reply;
      }
      return admin.post('/api/admin/alert-rules', rule);
    },
    status: 409,
    error: 'There are 50 alert rules, the maximum. Remove one first.',
  },
  seat_held_offline: {
    cause: async ({ admin, url, mine }) => {
      const owner = await newCustomer(admin, mine.ids.integrator);
      const { id, name, contactEmail } = owner;
      await admin.put(`/api/admin/customers/${id}`, { name, contactEmail, floatingDeveloperMinutes: 15 });
      const ada = await asTool(url, owner, 'ada');
      await ada.post('/api/cli/offline-licenses', { fingerprint: '0'.repeat(32) });
      return ada.post('/api/cli/seat/release');
    },
    status: 409,
    error:
      'An offline license of this user holds the seat until it expires, because it cannot be revoked. Deactivate the user if the seat must be free before.',
  },
  offline_license_limit_reached: {
    cause: async ({ admin, url, mine }) => {
      const owner = await newCustomer(admin, mine.ids.integrator);
      const ada = await asTool(url, owner, 'ada');
      const { name, contactEmail } = owner;
      await admin.put(`/api/admin/customers/${owner.id}`, { name, contactEmail, machineLimit: 1 });
      await ada.post('/api/cli/offline-licenses', { fingerprint: '0'.repeat(32) });
      return ada.post('/api/cli/offline-licenses', { fingerprint: '1'.repeat(32) });
    },
    status: 409,
    error:
      'This user has offline licenses for as many machines as the license allows. Wait until one of them expires, or use one of these machines.',
  },
  machine_limit_reached: {
    cause: async ({ admin, url, mine }) => {
      const owner = await newCustomer(admin, mine.ids.integrator);
      const ada = await asTool(url, owner, 'ada');
      const { name, contactEmail } = owner;
      await admin.put(`/api/admin/customers/${owner.id}`, { name, contactEmail, machineLimit: 1 });
      const { requestId } = await askApproval(url, owner, 'ada', 'one-too-many');
      return ada.post(`/api/cli/machine-requests/${requestId}/approve`);
    },
    status: 409,
    error:
      'This user has reached the machine limit of the license. Remove a machine first: run "latchkey devices revoke ID", or choose Machines of the user in the console.',
  },
  user_changed: {
    cause: async (context) => {
      const { id, other } = await twoUsers(context);
      const expected = { ...other, role: 'developer', status: 'active' };
      return context.admin.put(`/api/admin/users/${id}/status`, { status: 'inactive', expected });
    },
    status: 412,
    error: 'Someone else changed this user since then. Check the user, then change it again if needed.',
  },
  username_taken: {
    cause: async (context) => {
      const { id, other } = await twoUsers(context);
      return context.admin.put(`/api/admin/users/${id}`, { username: other.username, email: 'new@example.com', role: 'developer' });
    },
    status: 409,
    error: 'Another user of this customer has this username. Choose another one.',
  },
  email_taken: {
    cause: async (context) => {
      const { id, other } = await twoUsers(context);
      return context.admin.put(`/api/admin/users/${id}`, { username: 'new', email: other.email.toUpperCase(), role: 'developer' });
    },
    status: 409,
    error: 'Another user of this customer has this email address. Choose another one.',
  },
  seat_limit_reached: {
    cause: async ({ admin, url, mine }) => {
      const full = await newCustomer(admin, mine.ids.integrator, { developerSeats: 0 });
      return clientOf(url).post('/api/cli/login', toolLogin(full, 'ada'));
    },
    status: 409,
    error: 'Every seat of this kind is taken. Free one, or ask for more seats.',
  },
  integrator_not_found: {
    cause: ({ admin }) => admin.delete(`/api/admin/service-integrators/${MISSING}`),
    status: 404,
    error: 'Service integrator not found',
  },
  integrator_deleted: {
    cause: (context) =>
      madeAgain(context, context.admin, {
        create: ['/api/admin/service-integrators', account],
        remove: ({ body }) => context.admin.delete(`/api/admin/service-integrators/${body.service_integrator.id}`),
      }),
    status: 409,
    error: 'This service integrator was deleted',
  },
  integrator_churned: {
    cause: async (context) => {
      const { id } = await newIntegrator(context.admin);
      await statusOfIntegrator(context, id, 'churned');
      const wanted = { ...customer, serviceIntegratorId: id, developerSeats: 1, stakeholderSeats: 1 };
      return context.admin.post('/api/admin/customers', wanted);
    },
    status: 409,
    error: 'This service integrator has churned and cannot have new customers or branding. Reactivate it first.',
  },
  integrator_not_active: {
    cause: async (context) => {
      const { id } = await newIntegrator(context.admin);
      await statusOfIntegrator(context, id, 'suspended');
      return context.admin.post(moveOf(context.mine.ids.customer), { serviceIntegratorId: id });
    },
    status: 409,
    error: 'This service integrator is suspended. Reactivate it first, or choose another one.',
  },
  same_integrator: {
    cause: ({ admin, mine }) => admin.post(moveOf(mine.ids.customer), { serviceIntegratorId: mine.ids.integrator }),
    status: 409,
    error: 'The customer belongs to this service integrator already. Choose another one.',
  },
  customer_moved: {
    cause: async ({ admin, mine, server }) => {
      const { id } = await newIntegrator(admin);
      const moving = customerId.parse(mine.ids.customer);
      // Another move of the customer, which has moved twice since this request began.
      const data = {
        integratorId: integratorId.parse(id),
        customerId: moving,
        move: 3,
        records: 'keep',
        externalId: null,
      } as const;
      await server.product.commands.integrators.handle(commandOf('BeginCustomerMove', data));
      return admin.post(moveOf(moving), { serviceIntegratorId: id });
    },
    status: 409,
    error: 'The customer moved to another service integrator after you loaded it. Reload it first.',
  },
  integrator_has_customers: {
    cause: async ({ admin }) => {
      const { id } = await newIntegrator(admin);
      for (let count = 0; count < 3; count++) await newCustomer(admin, id);
      return admin.delete(`/api/admin/service-integrators/${id}`);
    },
    status: 409,
    error: 'Cannot delete service integrator with 3 active customers',
  },
  theme_not_found: {
    cause: ({ mine }) => mine.partner.put(`${THEMES}/${MISSING}`, look),
    status: 404,
    error: 'Theme not found',
  },
  theme_deleted: {
    cause: (context) =>
      madeAgain(context, context.mine.partner, {
        create: [THEMES, { ...look, themeName: 'again' }],
        remove: ({ body }) => context.mine.partner.delete(`${THEMES}/${body.theme.id}`),
      }),
    status: 409,
    error: 'This theme was deleted',
  },
  theme_name_taken: {
    cause: ({ mine }) => mine.partner.post(THEMES, { ...look, themeName: 'own' }),
    status: 409,
    error: 'A theme with this name already exists. Choose another name.',
  },
  theme_name_reserved: {
    cause: ({ mine }) => mine.partner.post(THEMES, { ...look, themeName: 'aurora' }),
    status: 409,
    error: 'This theme name is reserved. Choose another name.',
  },
  theme_is_default: {
    cause: async ({ url, admin }) => {
      const { partner, ids } = await createTestTenant(url, admin);
      await partner.post(THEMES, { ...look, themeName: 'second' });
      await partner.post(`${THEMES}/${ids.theme}/set-default`);
      return partner.delete(`${THEMES}/${ids.theme}`);
    },
    status: 409,
    error: 'This is the default theme. Set another theme as default first.',
  },
  theme_unknown: {
    cause: ({ admin, mine }) => admin.post(`/api/themes/customer/${mine.ids.customer}/assign`, { theme: 'neon' }),
    status: 400,
    error: 'Unknown theme. Choose another one.',
  },
  theme_inactive: {
    cause: async ({ mine }) => {
      const { body } = await mine.partner.post(THEMES, { ...look, themeName: 'asleep' });
      await mine.partner.put(`${THEMES}/${body.theme.id}`, { ...look, isActive: false });
      return mine.partner.post(`${THEMES}/${body.theme.id}/assign-customer`, { customerId: mine.ids.customer });
    },
    status: 409,
    error: 'This theme is inactive. Activate it first.',
  },
  credential_not_found: {
    cause: ({ mine }) => mine.portal.post(`${CREDENTIALS}/${MISSING}/test`),
    status: 404,
    error: 'Credential not found',
  },
  credential_deleted: {
    cause: (context) =>
      madeAgain(context, context.mine.portal, {
        create: [`${CREDENTIALS}/store`, { ...login, service: 'jira' }],
        remove: ({ body }) => context.mine.portal.delete(`${CREDENTIALS}/${body.credential.id}`),
      }),
    status: 409,
    error: 'This credential was deleted',
  },
  secret_required: {
    cause: ({ mine }) =>
      mine.portal.put(`${CREDENTIALS}/${mine.ids.credential}`, { instanceUrl: 'https://elsewhere.example', username: 'any' }),
    status: 400,
    error: 'Enter the password and the API token again for a new instance URL.',
  },
  secret_missing: {
    cause: ({ mine }) =>
      mine.portal.put(`${CREDENTIALS}/${mine.ids.credential}`, {
        instanceUrl: 'https://elsewhere.example',
        username: 'any',
        password: null,
        apiToken: null,
      }),
    status: 400,
    error: 'A credential needs a password, or for Jira an API token. Enter one of them.',
  },
  revision_changed: {
    cause: ({ admin, mine }) =>
      admin.put(`/api/admin/customers/${mine.ids.customer}`, customer, { headers: { 'if-match': '"0"' } }),
    status: 412,
    error: 'Someone else changed this after you loaded it. Reload it and repeat your change.',
  },
  precondition_invalid: {
    cause: ({ admin, mine }) =>
      admin.put(`/api/admin/customers/${mine.ids.customer}`, customer, { headers: { 'if-match': 'newest' } }),
    status: 400,
    error: 'If-Match must be the ETag of an earlier reply',
  },
} satisfies Partial<Record<Caused, Situation>>;
