import type { Customer } from '../../../src/contracts/customers.ts';
import type { ServiceIntegrator } from '../../../src/contracts/integrators.ts';
import {
  MAX_DESCRIPTION,
  MAX_DISPLAY_NAME,
  MAX_EMAIL,
  MAX_MACHINE_ID,
  MAX_NAME,
  MAX_THEME_NAME,
  MAX_URL,
  MAX_USERNAME,
} from '../../../src/domain/limits.ts';
import { asCustomer, asIntegrator, clientOf, newCustomer, newIntegrator } from '../../support/apiClient.ts';
import type { TestConsole } from './console.ts';

/** Wide letters without a space, so that no line breaks. */
const long = (length: number): string => 'W'.repeat(length);
const padded = (start: string, end: string, length: number): string =>
  `${start}${'w'.repeat(length - start.length - end.length)}${end}`;

/** Addresses have at most 64 characters before the @ and 63 between dots. */
const email = `${'w'.repeat(64)}@${'w'.repeat(63)}.${'w'.repeat(63)}.${'w'.repeat(MAX_EMAIL - 64 - 1 - 128 - 8)}.example`;
const domain = `${'w'.repeat(63)}.${'w'.repeat(63)}.${'w'.repeat(63)}.${'w'.repeat(253 - 192 - 8)}.example`;
const name = long(MAX_NAME);

const mustSucceed = async (reply: Promise<{ status: number; body: unknown }>): Promise<void> => {
  const { status, body } = await reply;
  if (status >= 300) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
};

/** An integrator and a customer of it: every text that a user may enter, at its maximum length, with white label, theme and calls. */
export const seedLongestValues = async ({
  url,
  admin,
}: TestConsole): Promise<{ integrator: ServiceIntegrator; customer: Customer }> => {
  const integrator = await newIntegrator(admin, { companyName: name, contactEmail: email, billingEmail: email });
  const partner = await asIntegrator(url, integrator);
  const logoUrl = padded('https://logos.example/', '.png', MAX_URL);
  await mustSucceed(partner.put('/api/service-integrator/white-label', { whiteLabelEnabled: true, customDomain: domain, logoUrl }));
  const themeName = 'w'.repeat(MAX_THEME_NAME);
  await mustSucceed(
    partner.post('/api/service-integrator/themes', {
      themeName,
      displayName: long(MAX_DISPLAY_NAME),
      description: long(MAX_DESCRIPTION),
      primaryColor: '#0070AD',
      isDefault: true,
    }),
  );
  const customer = await newCustomer(admin, integrator.id, { name, company: name, contactEmail: email, theme: themeName });
  const machineId = long(MAX_MACHINE_ID);
  const login = { licenseKey: customer.licenseKey, username: long(MAX_USERNAME), email, machineId };
  const tool = await clientOf(url).post('/api/cli/login', login);
  await mustSucceed(Promise.resolve(tool));
  const instanceUrl = padded('https://instance.example/', '/end', MAX_URL);
  const call = { service: 'jira', instanceUrl, operation: long(200), status: 500, durationMs: 5 };
  await mustSucceed(
    clientOf(url, { authorization: `Bearer ${tool.body.token}` }).post('/api/cli/api-calls', {
      sourceId: 'long',
      firstSequence: 1,
      calls: [call],
    }),
  );
  const portal = await asCustomer(url, customer);
  await mustSucceed(
    portal.post('/api/credentials/store', {
      service: 'jira',
      instanceUrl: padded('https://127.0.0.1:1/', '/end', MAX_URL),
      username: long(MAX_EMAIL),
      password: 'secret',
    }),
  );
  for (const owner of [admin, partner]) await mustSucceed(owner.post('/api/team/members', { name, email, role: 'auditor' }));
  await mustSucceed(portal.post('/api/customer/request-deletion'));
  const changed = { name: `${name.slice(1)}V`, contactEmail: email, company: name };
  await mustSucceed(admin.put(`/api/admin/customers/${customer.id}`, changed));
  return { integrator, customer: { ...customer, ...changed } };
};
