import type { Policy } from '../../commands/policies/policy.ts';
import type { Queries } from '../../projections/queries.ts';
import type { ProveDomain } from './proof.ts';

const AT_ONCE = 16;
/** How often the record of a domain is looked for, ms: until it is there, and then whether it still is. */
const EVERY = { unproven: 60_000, proven: 3_600_000 };
/** The read models show a new domain by then. */
const FIRST_MS = 3_000;

/**
 * Looks for the records of custom domains from when they are set for as long as they are in use, a page of them at a time. The two
 * notes are named for the domains that they are about and hold the integrator whose domain was looked at last.
 */
export const watchDomains = ({
  integrators,
  prove,
}: {
  integrators: Pick<Queries['integrators'], 'domains'>;
  prove: ProveDomain;
}): Policy => ({
  name: 'watchDomains',
  categories: ['integrator'],
  react: async ({ event }, { notes, now }) => {
    if (event.type !== 'BrandingChanged' || event.data.customDomain === null) return;
    await notes.put('unproven', '', new Date(now() + FIRST_MS));
    if (!(await notes.get('proven'))) await notes.put('proven', '', new Date(now() + EVERY.proven));
  },
  onDue: async ({ key, value }, { notes, now }) => {
    const verified = key === 'proven';
    const pending = (await integrators.domains({ verified })).filter(({ integratorId }) => integratorId > value);
    const page = pending.slice(0, AT_ONCE);
    await Promise.all(page.map(({ integratorId, host }) => prove(integratorId, host)));
    const last = page.at(-1);
    const [after, inMs] =
      last && pending.length > page.length ? [last.integratorId, 0] : ['', EVERY[verified ? 'proven' : 'unproven']];
    await notes.put(key, after, new Date(now() + inMs));
  },
});
