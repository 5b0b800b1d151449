import { describe, expect, it } from 'vitest';
import { MAX_API_TOKENS } from '../../src/domain/limits.ts';
import { permissionsOfTenant, ROLES, type TenantKind, tokenScopesOf } from '../../src/domain/permissions.ts';
import { teamDecider } from '../../src/domain/team/decider.ts';
import type { TeamEvent } from '../../src/domain/team/events.ts';
import { teamIdOf } from '../../src/domain/team/teamId.ts';
import { customerIdOf, userIdOf } from '../support/builders/ids.ts';
import {
  apiTokenCreated,
  apiTokenRevoked,
  memberInvited,
  memberJoined,
  memberPasswordSet,
  memberRemoved,
  memberRoleChanged,
} from '../support/builders/team.ts';
import {
  changeMemberRole,
  createApiToken,
  followUser,
  removeMember,
  revokeApiToken,
  revokeApiTokensOfKey,
} from '../support/builders/teamCommands.ts';
import { decisionSpec } from '../support/decisionSpec.ts';

const given = decisionSpec(teamDecider);
const joined = (name: string, role: 'owner' | 'manager' = 'owner'): TeamEvent[] => [
  memberInvited(name, { role }),
  memberJoined(name),
  memberPasswordSet(name),
];
const owners = [...joined('ana'), ...joined('ben')];
const ofKey = { createdBy: null };

describe('the scopes of API tokens', () => {
  it('are the permissions of the tenant without those that create access or read keys', () => {
    const refused = [
      'keys:read',
      'masterKey:read',
      'masterKey:rotate',
      'members:write',
      'ownSession:end',
      'policy:write',
      'tokens:write',
    ];
    for (const kind of Object.keys(ROLES) as TenantKind[]) {
      const [all, scopes] = [permissionsOfTenant(kind), tokenScopesOf(kind)];
      const left = [...all].filter((permission) => !scopes.has(permission));
      expect(left.sort()).toEqual(refused.filter((permission) => (all as ReadonlySet<string>).has(permission)));
    }
  });
});

describe('creating an API token', () => {
  it('is recorded with its creator', () => {
    given(...owners)
      .when(createApiToken())
      .then(apiTokenCreated());
    given().when(createApiToken('CI export', ofKey)).then(apiTokenCreated('CI export', ofKey));
  });

  it('is refused for scopes that no token has, or that the creator or the tenant does not have', () => {
    for (const scopes of [[], ['tokens:write'], ['customers:read', 'members:write'], ['monitoring:read']] as const) {
      given(...owners)
        .when(createApiToken('CI export', { scopes }))
        .thenRefused('api_token_scopes_refused');
    }
    given(...owners, ...joined('mia', 'manager'))
      .when(createApiToken('CI export', { scopes: ['settings:write'], createdBy: userIdOf('mia') }))
      .thenRefused('api_token_scopes_refused');
  });

  it('is refused for a creator who has not joined', () => {
    given(memberInvited()).when(createApiToken()).thenRefused('member_not_found');
  });

  it('is refused for an expiry in the past, after a year, or that is no time', () => {
    for (const expiresAt of ['2026-01-31T12:00:00.000Z', '2027-02-02T12:00:00.000Z', 'never']) {
      given(...owners)
        .when(createApiToken('CI export', { expiresAt }))
        .thenRefused('api_token_expiry_refused');
    }
    const expiresAt = '2027-01-31T12:00:00.000Z';
    given(...owners)
      .when(createApiToken('CI export', { expiresAt }))
      .then(apiTokenCreated('CI export', { expiresAt }));
  });

  it('is refused for the name of another token, unless that was revoked or has expired', () => {
    const again = createApiToken('other', { name: 'ci EXPORT' });
    given(...owners, apiTokenCreated())
      .when(again)
      .thenRefused('api_token_name_taken');
    const created = apiTokenCreated('other', { name: 'ci EXPORT' });
    given(...owners, apiTokenCreated(), apiTokenRevoked())
      .when(again)
      .then(created);
    given(...owners, apiTokenCreated('CI export', { expiresAt: '2026-01-01T00:00:00.000Z' }))
      .when(again)
      .then(created);
  });

  it('is refused beyond the limit', () => {
    const tokens = Array.from({ length: MAX_API_TOKENS }, (_, index) => apiTokenCreated(`token ${index}`));
    given(...owners, ...tokens)
      .when(createApiToken())
      .thenRefused('api_token_limit_reached');
    given(...owners, ...tokens, apiTokenRevoked('token 7'))
      .when(createApiToken())
      .then(apiTokenCreated());
  });

  it('belongs to each kind of tenant', () => {
    const teamId = teamIdOf({ kind: 'customer', customerId: customerIdOf() });
    const ofCustomer = { teamId, scopes: ['usage:read'] as const, createdBy: null };
    given().when(createApiToken('CI export', ofCustomer)).then(apiTokenCreated('CI export', ofCustomer));
  });
});

describe('revoking an API token', () => {
  it('is recorded once', () => {
    given(...owners, apiTokenCreated())
      .when(revokeApiToken())
      .then(apiTokenRevoked());
    given(...owners, apiTokenCreated(), apiTokenRevoked())
      .when(revokeApiToken())
      .thenRefused('api_token_not_found');
  });

  it('comes with the removal of its creator', () => {
    given(...owners, apiTokenCreated(), apiTokenCreated('bens', { createdBy: userIdOf('ben') }), apiTokenCreated('key', ofKey))
      .when(removeMember())
      .then(memberRemoved(), apiTokenRevoked());
  });

  it('comes with a role that has fewer permissions than the token', () => {
    given(...owners, apiTokenCreated(), apiTokenCreated('settings', { scopes: ['settings:write'] }))
      .when(changeMemberRole('ana', 'manager'))
      .then(memberRoleChanged('ana', 'manager'), apiTokenRevoked('settings'));
  });

  it('comes with what the user of a customer becomes', () => {
    const { name, email } = memberInvited('ana').data;
    given(...owners, apiTokenCreated(), apiTokenCreated('settings', { scopes: ['settings:write'] }))
      .when(followUser('ana', { name, email, role: 'manager' }))
      .then(memberRoleChanged('ana', 'manager'), apiTokenRevoked('settings'));
    given(...owners, apiTokenCreated())
      .when(followUser('ana', null))
      .then(memberRemoved(), apiTokenRevoked());
  });

  it('comes with the rotation of the key for tokens that the former key created', () => {
    const tokens = [apiTokenCreated(), apiTokenCreated('key', ofKey)];
    given(...owners, ...tokens)
      .when(revokeApiTokensOfKey('2026-02-01T12:00:00.000Z'))
      .then(apiTokenRevoked('key'));
    given(...owners, ...tokens)
      .when(revokeApiTokensOfKey('2026-01-31T12:00:00.000Z'))
      .thenNothing();
  });
});
