import type { IntegratorId } from '../domain/ids.ts';
import { lookupVerification, type ResolveTxt, type VerificationStatus } from './domainVerification.ts';

/** The result of verifying a custom domain. `detail` is a sentence for users. */
export type DomainVerification = Readonly<{ verified: boolean; detail: string }>;

/** Verifies that an integrator controls a domain, and stores the result. */
export type VerifyDomain = (integratorId: IntegratorId, domain: string) => Promise<DomainVerification>;

/** A failure or timeout of the name servers is not conclusive, so it does not change the stored result. */
export const CONCLUSIVE: Record<VerificationStatus, boolean> = {
  verified: true,
  other_value: true,
  no_record: true,
  name_not_found: true,
  resolver_failed: false,
  timed_out: false,
};

/** A domain is verified if its TXT record contains the integrator's id. `now` is ms since 1970. */
export const domainVerifier =
  ({
    integrators,
    resolveTxt,
    now,
  }: {
    /** `markDomain` stores when the domain was verified, or null. Returns false if another integrator has verified it. */
    integrators: Readonly<{ markDomain: (integratorId: IntegratorId, domain: string, at: Date | null) => Promise<boolean> }>;
    resolveTxt: ResolveTxt;
    now: () => number;
  }): VerifyDomain =>
  async (integratorId, domain) => {
    const { status, detail } = await lookupVerification(domain, integratorId, { resolveTxt });
    const verified = status === 'verified';
    if (!CONCLUSIVE[status]) return { verified: false, detail };
    const isHeld = await integrators.markDomain(integratorId, domain, verified ? new Date(now()) : null);
    return verified && !isHeld
      ? { verified: false, detail: `Another service integrator has verified ${domain}. Remove its TXT record, then check again.` }
      : { verified, detail };
  };
