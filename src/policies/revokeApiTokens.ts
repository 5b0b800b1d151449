import type { Commands } from '../commands/commands.ts';
import { ownerOf } from '../commands/streams.ts';
import { type TeamTenant, teamIdOf } from '../domain/team/teamId.ts';
import type { ApiTokens } from '../security/apiTokens.ts';
import { type Policy, policyOn } from './engine/policy.ts';

type Recorded = Parameters<Policy['react']>[0];

/** The tenant whose key was rotated; null for other events. */
const rotatedBy = ({ event, stream }: Pick<Recorded, 'event' | 'stream'>): TeamTenant | null => {
  switch (event.type) {
    case 'AdminKeyRotated':
      return { kind: 'administration' };
    case 'MasterLicenseKeyRotated':
      return { kind: 'integrator', integratorId: ownerOf.integrator(stream) };
    case 'LicenseKeyRotated':
      return { kind: 'customer', customerId: ownerOf.customer(stream) };
    default:
      return null;
  }
};

/**
 * Ends the use of revoked API tokens on every node. When a key is rotated, it revokes the tokens that sessions of the former key created:
 * a holder of the former key must not keep access by a token.
 */
export const revokeApiTokens = ({
  commands,
  apiTokens,
}: {
  commands: Pick<Commands, 'teams'>;
  apiTokens: Pick<ApiTokens, 'end'>;
}): Policy =>
  policyOn({
    name: 'revokeApiTokens',
    eventTypes: ['ApiTokenRevoked', 'AdminKeyRotated', 'MasterLicenseKeyRotated', 'LicenseKeyRotated'],
    react: async (recorded, { metaFor }) => {
      if (recorded.event.type === 'ApiTokenRevoked') return apiTokens.end(recorded.event.data.tokenId);
      const tenant = rotatedBy(recorded);
      if (!tenant) return;
      const data = { teamId: teamIdOf(tenant), createdBefore: recorded.meta.at };
      await commands.teams.handle([{ type: 'RevokeApiTokensOfKey', data, meta: metaFor(recorded) }]);
    },
  });
