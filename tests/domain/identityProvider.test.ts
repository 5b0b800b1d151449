import { describe, expect, it } from 'vitest';
import { MAX_MEMBERS } from '../../src/domain/limits.ts';
import { teamDecider } from '../../src/domain/team/decider.ts';
import type { TeamEvent } from '../../src/domain/team/events.ts';
import { identityProviderIdOf, userIdOf } from '../support/builders/ids.ts';
import {
  identityLinked,
  identityProviderConfigured,
  identityProviderRemoved,
  identityUnlinked,
  invitationWithdrawn,
  memberDetailsChanged,
  memberInvited,
  memberJoined,
  memberPasswordSet,
  memberProvisioned,
  memberRemoved,
  memberRoleChanged,
  secondFactorEnabled,
  signInPolicyChanged,
} from '../support/builders/team.ts';
import {
  admitIdentity,
  changeSignInPolicy,
  configureIdentityProvider,
  inviteMember,
  removeIdentityProvider,
  unlinkIdentity,
} from '../support/builders/teamCommands.ts';
import { decisionSpec } from '../support/decisionSpec.ts';

const given = decisionSpec(teamDecider);
/** An owner with a password and one-time passwords. */
const owner = (name: string): TeamEvent[] => [
  memberInvited(name),
  memberJoined(name),
  memberPasswordSet(name),
  secondFactorEnabled(name),
];
/** A team whose roles are changed here only. */
const plain = { roleClaim: null, roles: [], secondFactor: 'never' } as const;
const configured = identityProviderConfigured(plain);
const mapped = identityProviderConfigured();

describe('the identity provider', () => {
  it('is set up, and the same settings change nothing', () => {
    given().when(configureIdentityProvider()).then(mapped);
    given(mapped)
      .when(configureIdentityProvider({ clientSecret: null }))
      .thenNothing();
  });

  it('keeps its secret for the same client of the same issuer only', () => {
    const domains = ['partner.example', 'partner.test'];
    given(mapped)
      .when(configureIdentityProvider({ clientSecret: null, domains }))
      .then(identityProviderConfigured({ domains }));
    given()
      .when(configureIdentityProvider({ clientSecret: null }))
      .thenRefused('identity_provider_secret_required');
    for (const other of [{ issuer: 'https://evil.example' }, { clientId: 'other' }]) {
      given(mapped)
        .when(configureIdentityProvider({ clientSecret: null, ...other }))
        .thenRefused('identity_provider_secret_required');
    }
  });

  it('is another one with another issuer, to which nobody is linked', () => {
    const other = { providerId: identityProviderIdOf('other'), issuer: 'https://other.example', clientSecret: 'another' };
    const { state, ...decided } = given(...owner('ana'), mapped, identityLinked()).when(configureIdentityProvider(other));
    decided.then(identityProviderRemoved(), identityProviderConfigured(other));
    expect(state.members.get(userIdOf('ana'))?.subject).toBeNull();
    expect(state.provider?.providerId).toBe(other.providerId);
  });

  it('gives roles of its tenant only', () => {
    given()
      .when(configureIdentityProvider({ defaultRole: 'operator' }))
      .thenRefused('role_unknown');
    given()
      .when(configureIdentityProvider({ roles: [{ value: 'it', role: 'admin' }] }))
      .thenRefused('role_unknown');
  });

  it('is removed with all links', () => {
    given().when(removeIdentityProvider()).thenNothing();
    const { state, ...decided } = given(...owner('ana'), mapped, identityLinked()).when(removeIdentityProvider());
    decided.then(identityProviderRemoved());
    expect(state.provider).toBeNull();
    expect(state.members.get(userIdOf('ana'))?.subject).toBeNull();
  });
});

describe('a sign-in at the identity provider', () => {
  it('needs the provider that is set up now', () => {
    given(...owner('ana'))
      .when(admitIdentity())
      .thenRefused('identity_provider_not_found');
    given(...owner('ana'), configured)
      .when(admitIdentity('ana', { providerId: identityProviderIdOf('former') }))
      .thenRefused('identity_provider_not_found');
  });

  it('links the member with the email address once', () => {
    given(...owner('ana'), configured)
      .when(admitIdentity('ana', { email: 'ANA@partner.example' }))
      .then(identityLinked());
    given(...owner('ana'), configured, identityLinked())
      .when(admitIdentity())
      .thenNothing();
  });

  it('finds the linked member after the email address changed on either side', () => {
    given(...owner('ana'), ...owner('ben'), configured, identityLinked())
      .when(admitIdentity('ana', { email: 'ben@partner.example' }))
      .thenNothing();
    given(...owner('ana'), configured, identityLinked(), memberDetailsChanged())
      .when(admitIdentity())
      .thenNothing();
  });

  it('is unlinked while something else signs in the member, and linked again by the next sign-in', () => {
    const linked = [...owner('ana'), configured, identityLinked()] as const;
    given(...linked)
      .when(unlinkIdentity())
      .then(identityUnlinked());
    given(...linked, identityUnlinked())
      .when(unlinkIdentity())
      .thenNothing();
    given(...linked, identityUnlinked())
      .when(admitIdentity())
      .then(identityLinked());
    given(...owner('ben'), configured, memberProvisioned(), identityLinked())
      .when(unlinkIdentity())
      .thenRefused('last_sign_in_method');
  });

  it('does not take over a member who is linked to another user', () => {
    given(...owner('ana'), configured, identityLinked())
      .when(admitIdentity('ana', { subject: 'another subject' }))
      .thenRefused('identity_of_other');
  });

  it('lets an invited user join while the invitation is valid', () => {
    given(memberInvited(), configured).when(admitIdentity()).then(memberJoined(), identityLinked());
    given(memberInvited(), configured)
      .when(admitIdentity('ana', {}, '2026-02-07T12:00:00.000Z'))
      .thenRefused('invitation_expired');
    given(memberInvited(), invitationWithdrawn(), configured).when(admitIdentity()).thenRefused('identity_without_member');
  });

  it('lets new users join only if that is allowed and they get a role', () => {
    given(configured).when(admitIdentity()).thenRefused('identity_without_member');
    const open = { ...plain, newUsersJoin: true } as const;
    given(identityProviderConfigured(open)).when(admitIdentity()).thenRefused('identity_without_role');
    given(identityProviderConfigured({ ...open, defaultRole: 'auditor' }))
      .when(admitIdentity())
      .then(memberProvisioned('ana', { role: 'auditor' }), identityLinked());
    given(identityProviderConfigured({ newUsersJoin: true }))
      .when(admitIdentity('ana', { claimValues: ['licensing'] }))
      .then(memberProvisioned(), identityLinked());
  });

  it("takes name, address and role of a customer's member from the portal user", () => {
    const ana = { name: 'ana.ruiz', email: 'ana@customer.example', role: 'developer' } as const;
    const open = identityProviderConfigured({ ...plain, newUsersJoin: true, defaultRole: 'admin' });
    given(open)
      .when(admitIdentity('ana', { portalUser: ana }))
      .then(memberProvisioned('ana', ana), identityLinked());
    // The member with the id of the portal user is meant, also if another one has the address.
    given(memberInvited('ben', { email: 'ana@partner.example' }), open)
      .when(admitIdentity('ana', { portalUser: ana }))
      .then(memberProvisioned('ana', ana), identityLinked());
    given(configured)
      .when(admitIdentity('ana', { portalUser: ana }))
      .thenRefused('identity_without_member');
  });

  it('adds no member beyond the limit, and one who was removed as a new one', () => {
    const full = Array.from({ length: MAX_MEMBERS }, (_, index) => memberInvited(`member ${index}`));
    const open = identityProviderConfigured({ ...plain, newUsersJoin: true, defaultRole: 'manager' });
    given(...full, open)
      .when(admitIdentity())
      .thenRefused('member_limit_reached');
    given(...owner('ben'), memberProvisioned(), open, identityLinked(), memberRemoved())
      .when(admitIdentity())
      .then(memberProvisioned(), identityLinked());
  });

  it('takes an email address that an invitation cannot take any more', () => {
    given(memberProvisioned())
      .when(inviteMember('ben', { email: 'ana@partner.example' }))
      .thenRefused('member_email_taken');
  });
});

describe('the role of a user of the identity provider', () => {
  const linked = [...owner('ana'), ...owner('ben'), mapped, identityLinked()] as const;

  it('follows the claim at each sign-in', () => {
    given(...linked)
      .when(admitIdentity('ana', { claimValues: ['other', 'licensing'] }))
      .then(memberRoleChanged('ana', 'manager'));
    given(...linked)
      .when(admitIdentity('ana', { claimValues: ['it', 'licensing'] }))
      .thenNothing();
  });

  it('is the default one without a mapped value, or the sign-in is refused', () => {
    given(...linked)
      .when(admitIdentity('ana', { claimValues: ['sales'] }))
      .thenRefused('identity_without_role');
    given(...linked, identityProviderConfigured({ defaultRole: 'auditor' }))
      .when(admitIdentity('ana', { claimValues: ['sales'] }))
      .then(memberRoleChanged('ana', 'auditor'));
  });

  it('stays without a claim', () => {
    given(...owner('ana'), ...owner('ben'), identityProviderConfigured({ ...plain, defaultRole: 'auditor' }))
      .when(admitIdentity('ana', { claimValues: ['licensing'] }))
      .then(identityLinked());
  });

  it('stays for the last owner, and for one of two whom the policy needs', () => {
    given(...owner('ana'), mapped, identityLinked())
      .when(admitIdentity('ana', { claimValues: ['licensing'] }))
      .thenNothing();
    given(...linked, signInPolicyChanged('off'))
      .when(admitIdentity('ana', { claimValues: ['licensing'] }))
      .thenNothing();
  });
});

describe('a second factor at the identity provider', () => {
  const required = [...owner('ana'), identityProviderConfigured({ ...plain, secondFactor: 'reported' })] as const;

  it('is expected where the policy requires one', () => {
    const policy = signInPolicyChanged('allowed', true);
    given(...required, policy)
      .when(admitIdentity())
      .thenRefused('identity_without_second_factor');
    given(...required, policy)
      .when(admitIdentity('ana', { hasSecondFactor: true }))
      .then(identityLinked());
    given(...required, policy, identityProviderConfigured({ ...plain, secondFactor: 'never' }))
      .when(admitIdentity('ana', { hasSecondFactor: true }))
      .thenRefused('identity_without_second_factor');
    given(...required, policy, identityProviderConfigured({ ...plain, secondFactor: 'always' }))
      .when(admitIdentity())
      .then(identityLinked());
  });

  it('can be required of members who sign in nowhere else', () => {
    const change = changeSignInPolicy('allowed', true);
    const member = [memberProvisioned('ben'), identityLinked('ben')] as const;
    given(...required, ...member)
      .when(change)
      .then(signInPolicyChanged('allowed', true));
    given(...required, ...member, memberPasswordSet('ben'))
      .when(change)
      .thenRefused('members_without_second_factor');
    given(...owner('ana'), configured, ...member)
      .when(change)
      .thenRefused('members_without_second_factor');
  });

  it('does not replace the second factor that keeps owners from being locked out', () => {
    given(...required, memberProvisioned('ben', { role: 'owner' }), identityLinked('ben'))
      .when(changeSignInPolicy('off'))
      .thenRefused('owners_without_second_factor');
  });
});
