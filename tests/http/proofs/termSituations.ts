import { endOfMonth, monthOf } from '../../../src/domain/license/callQuota.ts';
import { asTool, clientOf, newCustomer } from '../../support/apiClient.ts';
import { type Caused, type Situation, type SituationContext, toolLogin } from './situation.ts';

const LONG_AGO = '2020-01-01T00:00:00Z';

const settingTerm = async ({ admin, mine }: SituationContext, term: { startsAt?: string; expiresAt: string }) => {
  const { id } = await newCustomer(admin, mine.ids.integrator);
  return admin.put(`/api/admin/customers/${id}/term`, term);
};

/** What is refused about the term of a license, and the records of a customer. */
export const termSituations = {
  license_expired: {
    cause: async ({ admin, mine, url, aMinuteLater }) => {
      const term = { expiresAt: new Date(Date.now() + 60_000).toISOString() };
      const { licenseKey } = await newCustomer(admin, mine.ids.integrator, { term });
      return aMinuteLater(() => clientOf(url).post('/api/cli/login', toolLogin({ licenseKey }, 'overdue')));
    },
    status: 403,
    error: 'This license has expired. Ask your service integrator or your administrator to renew it.',
  },
  quota_exceeded: {
    cause: async ({ admin, mine, url }) => {
      const limited = await newCustomer(admin, mine.ids.integrator, { callQuota: { limit: 1, kind: 'hard' } });
      const call = { service: 'jira', instanceUrl: 'https://a.example', operation: 'GET:/issue', status: 200, durationMs: 1 };
      const ada = await asTool(url, limited, 'ada');
      return ada.post('/api/cli/api-calls', { sourceId: 'any', firstSequence: 1, calls: [call, call] });
    },
    status: 403,
    error: `The quota of 1 API calls a month is used up: 1 of 2 calls were recorded. Keep the others until ${endOfMonth(
      monthOf(new Date().toISOString()),
    ).slice(0, 10)} (UTC), or ask your service integrator or your administrator to raise the quota.`,
  },
  external_id_taken: {
    cause: async ({ admin, mine }) => {
      await newCustomer(admin, mine.ids.integrator, { externalId: 'crm-taken' });
      return mine.partner.post('/api/service-integrator/customers', {
        ...{ name: 'Namesake', contactEmail: 'it@namesake.example', company: 'Namesake', externalId: 'crm-taken' },
      });
    },
    status: 409,
    error: 'Another customer has this external ID. Choose another one, or update that customer.',
  },
  license_perpetual: {
    cause: ({ mine }) => mine.partner.post(`/api/service-integrator/customers/${mine.ids.customer}/term/renew`, { months: 1 }),
    status: 409,
    error: 'This license has no term: it does not expire. Set a term first.',
  },
  term_starts_later: {
    cause: (context) => settingTerm(context, { startsAt: '2099-01-01T00:00:00Z', expiresAt: '2100-01-01T00:00:00Z' }),
    status: 400,
    error: 'The term must start now or earlier. Choose an earlier start.',
  },
  term_without_duration: {
    cause: (context) => settingTerm(context, { startsAt: LONG_AGO, expiresAt: LONG_AGO }),
    status: 400,
    error: 'The term must expire after it starts. Choose a later expiry.',
  },
  term_too_long: {
    cause: (context) => settingTerm(context, { expiresAt: '2200-01-01T00:00:00Z' }),
    status: 400,
    error: 'The term must expire within 100 years. Choose an earlier expiry, or leave the license perpetual.',
  },
  term_over: {
    cause: (context) => settingTerm(context, { startsAt: LONG_AGO, expiresAt: '2020-02-01T00:00:00Z' }),
    status: 400,
    error: 'The license would have expired already. Choose a later expiry, or suspend the customer.',
  },
} satisfies { readonly [Code in Caused]?: Situation };
