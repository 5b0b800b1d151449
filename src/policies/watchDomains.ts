import type { Commands } from '../commands/commands.ts';
import { ownerOf } from '../commands/streams.ts';
import type { DomainRelease } from '../contracts/integrators.ts';
import type { IntegratorId } from '../domain/ids.ts';
import type { ProveDomain } from '../outbound/domainProof.ts';
import type { ClaimedDomain } from '../projections/integrators/domains.ts';
import type { Queries } from '../projections/queries.ts';
import type { Policy, PolicyContext } from './engine/policy.ts';

const CONCURRENT = 16;
/** How often the record of a domain is looked up, ms: until it is there, and then whether it still is. */
const EVERY = { unproven: 60_000, proven: 3_600_000 };
/** The read models show a new domain by then. */
const FIRST_MS = 3_000;

/**
 * Looks up the records of custom domains from when they are set for as long as they are in use, a page of them at a time. A claim that
 * stays unverified too long, or that another integrator verified, is released. The two notes are named for the domains that they are
 * about and hold the integrator whose domain was looked up last.
 */
export const watchDomains = ({
  integrators,
  commands,
  prove,
}: {
  integrators: Pick<Queries['integrators'], 'domains' | 'startClaim' | 'markReleased'>;
  commands: Commands;
  prove: ProveDomain;
}): Policy => {
  const release = async (
    integratorId: IntegratorId,
    host: string,
    reason: DomainRelease['reason'],
    { metaFor }: PolicyContext,
  ): Promise<void> => {
    const { state, revision } = await commands.integrators.load(integratorId);
    if (!('customDomain' in state) || state.customDomain !== host) return;
    await integrators.markReleased(integratorId, host, reason);
    // A change that came first is decided on in the next round.
    await commands.integrators.handle(
      { type: 'ChangeBranding', data: { integratorId, customDomain: null }, meta: metaFor(null) },
      { ifRevision: revision },
    );
  };

  const check = async ({ integratorId, host, expiresAt, isTaken }: ClaimedDomain, context: PolicyContext): Promise<void> => {
    if (isTaken) return release(integratorId, host, 'verified_by_other', context);
    const { verified } = await prove(integratorId, host);
    if (!verified && expiresAt !== null && expiresAt.getTime() <= context.now()) {
      await release(integratorId, host, 'expired', context);
    }
  };

  return {
    name: 'watchDomains',
    categories: ['integrator'],
    react: async ({ event, stream }, { notes, now }) => {
      if (event.type !== 'BrandingChanged') return;
      await integrators.startClaim(ownerOf.integrator(stream), event.data.customDomain);
      if (event.data.customDomain === null) return;
      await notes.put('unproven', '', new Date(now() + FIRST_MS));
      if (!(await notes.get('proven'))) await notes.put('proven', '', new Date(now() + EVERY.proven));
    },
    onDue: async ({ key, value }, context) => {
      const { notes, now } = context;
      const verified = key === 'proven';
      const pending = (await integrators.domains({ verified })).filter(({ integratorId }) => integratorId > value);
      const page = pending.slice(0, CONCURRENT);
      await Promise.all(page.map((claim) => check(claim, context)));
      const last = page.at(-1);
      const [after, inMs] =
        last && pending.length > page.length ? [last.integratorId, 0] : ['', EVERY[verified ? 'proven' : 'unproven']];
      await notes.put(key, after, new Date(now() + inMs));
    },
  };
};
