import type { Commands } from '../commands/commands.ts';
import { ownerOf } from '../commands/streams.ts';
import { type TeamTenant, teamIdOf } from '../domain/team/teamId.ts';
import type { StreamName } from '../eventstore/port.ts';
import type { ApiTokens } from '../security/apiTokens.ts';
import { type Policy, policyOn } from './engine/policy.ts';

const ROTATIONS = ['AdminKeyRotated', 'MasterLicenseKeyRotated', 'LicenseKeyRotated'] as const;

/** The tenant whose key was rotated. */
const rotatedBy = (type: (typeof ROTATIONS)[number], stream: StreamName): TeamTenant => {
  switch (type) {
    case 'AdminKeyRotated':
      return { kind: 'administration' };
    case 'MasterLicenseKeyRotated':
      return { kind: 'integrator', integratorId: ownerOf.integrator(stream) };
    case 'LicenseKeyRotated':
      return { kind: 'customer', customerId: ownerOf.customer(stream) };
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
    eventTypes: ['ApiTokenRevoked', ...ROTATIONS],
    react: async (recorded, { metaFor }) => {
      const { event, stream, meta } = recorded;
      if (event.type === 'ApiTokenRevoked') return apiTokens.end(event.data.tokenId);
      const data = { teamId: teamIdOf(rotatedBy(event.type, stream)), createdBefore: meta.at };
      await commands.teams.handle([{ type: 'RevokeApiTokensOfKey', data, meta: metaFor(recorded) }]);
    },
  });
