import type { IntegratorId } from '../domain/ids.ts';
import { lookupVerification, type ResolveTxt, type VerificationStatus } from './domainVerification.ts';

/** What the name servers said of a custom domain; `detail` is a sentence for people. */
type DomainProof = Readonly<{ verified: boolean; detail: string }>;

/** Looks whether an integrator may show its brand under a domain, and keeps what was found. */
export type ProveDomain = (integratorId: IntegratorId, domain: string) => Promise<DomainProof>;

/** Name servers that fail or keep silent say nothing: what was found before stays. */
const TELLING: Record<VerificationStatus, boolean> = {
  verified: true,
  other_value: true,
  no_record: true,
  name_not_found: true,
  resolver_failed: false,
  timed_out: false,
};

/** A domain is an integrator's when its TXT record names the integrator. `now` is ms since 1970. */
export const proveDomains =
  ({
    integrators,
    resolveTxt,
    now,
  }: {
    /** `markDomain` keeps when the domain was verified, or that it is not; false where another integrator has verified it. */
    integrators: Readonly<{ markDomain: (integratorId: IntegratorId, domain: string, at: Date | null) => Promise<boolean> }>;
    resolveTxt: ResolveTxt;
    now: () => number;
  }): ProveDomain =>
  async (integratorId, domain) => {
    const { status, detail } = await lookupVerification(domain, integratorId, { resolveTxt });
    const verified = status === 'verified';
    if (!TELLING[status]) return { verified: false, detail };
    const isHeld = await integrators.markDomain(integratorId, domain, verified ? new Date(now()) : null);
    return verified && !isHeld
      ? { verified: false, detail: `Another service integrator has verified ${domain}. Remove its TXT record, then check again.` }
      : { verified, detail };
  };
