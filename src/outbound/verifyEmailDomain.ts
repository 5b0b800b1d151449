import type { TeamId } from '../domain/ids.ts';
import { lookupVerification, type ResolveTxt } from './domainVerification.ts';
import { CONCLUSIVE, type DomainVerification } from './verifyDomain.ts';

/** Verifies that a team's tenant controls an email domain, and stores the result. */
export type VerifyEmailDomain = (teamId: TeamId, domain: string) => Promise<DomainVerification>;

/**
 * A domain is verified if its TXT record contains the team's token. A domain of another team is given to this one once that team's
 * record is gone. A domain that was verified stays so: only another team's verification ends it.
 */
export const emailDomainVerifier =
  ({
    domains,
    resolveTxt,
  }: {
    domains: Readonly<{
      tokenOf: (teamId: TeamId) => string;
      /** The team of the same kind of tenant that has verified the domain. */
      holderOf: (teamId: TeamId, domain: string) => Promise<TeamId | null>;
      /** Resolves to false if another team than `from` has it. */
      take: (teamId: TeamId, domain: string, from: TeamId | null) => Promise<boolean>;
    }>;
    resolveTxt: ResolveTxt;
  }): VerifyEmailDomain =>
  async (teamId, domain) => {
    const lookup = (team: TeamId) => lookupVerification(domain, domains.tokenOf(team), { resolveTxt });
    const [{ status, detail }, holder] = await Promise.all([lookup(teamId), domains.holderOf(teamId, domain)]);
    if (holder === teamId) return { verified: true, detail: `${domain} is verified.` };
    if (status !== 'verified') return { verified: false, detail };
    const other = holder && (await lookup(holder)).status;
    const isFree = other === null || (CONCLUSIVE[other] && other !== 'verified');
    return isFree && (await domains.take(teamId, domain, holder))
      ? { verified: true, detail }
      : { verified: false, detail: `Another team has verified ${domain}. Remove its TXT record, then check again.` };
  };
