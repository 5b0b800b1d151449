import type { Commands } from '../commands/commands.ts';
import { ownerOf } from '../commands/streams.ts';
import type { DomainRelease } from '../contracts/integrators.ts';
import type { IntegratorId } from '../domain/ids.ts';
import { HOUR_MS } from '../domain/time.ts';
import type { VerifyDomain } from '../outbound/verifyDomain.ts';
import type { ClaimedDomain } from '../projections/integrators/domains.ts';
import type { Queries } from '../projections/queries.ts';
import { type Policy, type PolicyContext, policyOn } from './engine/policy.ts';

const CONCURRENT = 16;
/** Keys of the two notes. Installations have stored them, so they keep their former words. */
const NOTE = { unverified: 'unproven', verified: 'proven' } as const;
/** How often the record of a domain is looked up, ms. */
const INTERVAL_MS = { unverified: 60_000, verified: HOUR_MS };
/** The read models show a new domain by then. */
const FIRST_MS = 3_000;

/**
 * Verifies custom domains while they are in use, a page of them at a time. A claim that stays unverified too long, or that another
 * integrator verified, is released. One note schedules unverified domains, the other verified ones; each holds the id of the
 * integrator whose domain was looked up last.
 */
export const watchDomains = ({
  integrators,
  commands,
  verifyDomain,
}: {
  integrators: Pick<Queries['integrators'], 'domains' | 'startClaim' | 'markReleased'>;
  commands: Commands;
  verifyDomain: VerifyDomain;
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
    const { verified } = await verifyDomain(integratorId, host);
    if (!verified && expiresAt !== null && expiresAt.getTime() <= context.now()) {
      await release(integratorId, host, 'expired', context);
    }
  };

  return policyOn({
    name: 'watchDomains',
    eventTypes: ['BrandingChanged'],
    react: async ({ event, stream }, { notes, now }) => {
      await integrators.startClaim(ownerOf.integrator(stream), event.data.customDomain);
      if (event.data.customDomain === null) return;
      await notes.put(NOTE.unverified, '', new Date(now() + FIRST_MS));
      if (!(await notes.get(NOTE.verified))) await notes.put(NOTE.verified, '', new Date(now() + INTERVAL_MS.verified));
    },
    onDue: async ({ key, value }, context) => {
      const { notes, now } = context;
      const verified = key === NOTE.verified;
      const pending = (await integrators.domains({ verified })).filter(({ integratorId }) => integratorId > value);
      const page = pending.slice(0, CONCURRENT);
      await Promise.all(page.map((claim) => check(claim, context)));
      const last = page.at(-1);
      const [after, inMs] =
        last && pending.length > page.length ? [last.integratorId, 0] : ['', INTERVAL_MS[verified ? 'verified' : 'unverified']];
      await notes.put(key, after, new Date(now() + inMs));
    },
  });
};
