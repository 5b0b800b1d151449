import type { Commands } from '../commands/commands.ts';
import type { IntegratorId } from '../domain/ids.ts';
import type { VerifyDomain } from '../outbound/verifyDomain.ts';
import type { Queries } from '../projections/queries.ts';
import type { HttpSettings } from './deps.ts';
import { HttpProblem } from './problems/problems.ts';
import { hostNameOf } from './requests/origins.ts';

type Deps = Readonly<{
  settings: Pick<HttpSettings, 'hosts' | 'portalHost' | 'publicOrigins'>;
  queries: Pick<Queries, 'integrators'>;
  commands: Pick<Commands, 'integrators'>;
  verifyDomain: VerifyDomain;
}>;

/** Whether a host is a name of this server itself, or lies above or below one. */
const isReserved = (host: string, { hosts, portalHost, publicOrigins }: Deps['settings']): boolean =>
  ['localhost', portalHost, ...hosts, ...publicOrigins.map((origin) => new URL(origin).host)]
    .flatMap((name) => hostNameOf(name) ?? [])
    .some((own) => host === own || host.endsWith(`.${own}`) || own.endsWith(`.${host}`));

/**
 * Throws `custom_domain_reserved` and, where another integrator has verified the domain and its record is still there,
 * `custom_domain_taken`. Unverified claims exclude no other claim.
 */
export const checkClaim = async (
  { settings, queries: { integrators }, commands, verifyDomain }: Deps,
  integratorId: IntegratorId,
  host: string,
): Promise<void> => {
  const { state } = await commands.integrators.load(integratorId);
  if ('customDomain' in state && state.customDomain === host) return;
  if (isReserved(host, settings)) {
    throw new HttpProblem('custom_domain_reserved', {
      issues: [{ path: 'customDomain', message: 'This domain belongs to the license server itself' }],
    });
  }
  const owner = await integrators.byDomain(host);
  if (!owner?.verified || owner.integratorId === integratorId) return;
  await verifyDomain(owner.integratorId, host);
  const still = await integrators.byDomain(host);
  if (still?.verified && still.integratorId !== integratorId) {
    throw new HttpProblem('custom_domain_taken', {
      issues: [{ path: 'customDomain', message: 'Another service integrator has verified this domain' }],
    });
  }
};
