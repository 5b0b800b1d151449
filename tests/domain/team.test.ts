import { describe, expect, it } from 'vitest';
import { MAX_MEMBERS, MAX_PASSKEYS } from '../../src/domain/limits.ts';
import { teamDecider } from '../../src/domain/team/decider.ts';
import type { TeamEvent } from '../../src/domain/team/events.ts';
import { teamIdOf, tenantOfTeam } from '../../src/domain/team/teamId.ts';
import { customerIdOf, integratorIdOf, invitationIdOf, userIdOf } from '../support/builders/ids.ts';
import {
  breakGlassUsed,
  invitationWithdrawn,
  memberDetailsChanged,
  memberInvited,
  memberJoined,
  memberPasswordSet,
  memberRemoved,
  memberRoleChanged,
  memberSessionsRevoked,
  newSignInNoticed,
  noticesDismissed,
  passkeyAdded,
  passkeyRemoved,
  recoveryCodesReplaced,
  recoveryCodeUsed,
  secondFactorDisabled,
  secondFactorEnabled,
  signInPolicyChanged,
  wrongCodesNoticed,
} from '../support/builders/team.ts';
import {
  acceptInvitation,
  addPasskey,
  changeMemberDetails,
  changeMemberRole,
  changeSignInPolicy,
  disableSecondFactor,
  dismissNotices,
  enableSecondFactor,
  expectOwners,
  expectSecondFactor,
  followUser,
  inviteMember,
  noticeNewSignIn,
  noticeWrongCodes,
  recordKeySignIn,
  removeMember,
  removePasskey,
  replaceRecoveryCodes,
  revokeMemberSessions,
  setMemberPassword,
  useRecoveryCode,
  withdrawInvitation,
} from '../support/builders/teamCommands.ts';
import { decisionSpec } from '../support/decisionSpec.ts';

const given = decisionSpec(teamDecider);
const invited = [memberInvited()] as const;
const joined = [...invited, memberJoined(), memberPasswordSet()] as const;
/** An owner with a password and one-time passwords. */
const owner = (name: string): TeamEvent[] => [
  memberInvited(name),
  memberJoined(name),
  memberPasswordSet(name),
  secondFactorEnabled(name),
];
const twoOwners = [...owner('ana'), ...owner('ben')];

describe('the id of a team', () => {
  it('names the tenant', () => {
    for (const tenant of [
      { kind: 'administration' },
      { kind: 'integrator', integratorId: integratorIdOf() },
      { kind: 'customer', customerId: customerIdOf() },
    ] as const) {
      expect(tenantOfTeam(teamIdOf(tenant))).toEqual(tenant);
    }
  });
});

describe('an invitation', () => {
  it('is recorded once', () => {
    given().when(inviteMember()).then(memberInvited());
    given(...invited)
      .when(inviteMember())
      .thenNothing();
  });

  it('replaces the former one of the same member', () => {
    const again = { invitationId: invitationIdOf('again') };
    const both = given(...invited).when(inviteMember('ana', again));
    both.then(memberInvited('ana', again));
    given(...invited, memberInvited('ana', again))
      .when(acceptInvitation())
      .thenRefused('invitation_not_found');
  });

  it('needs a role of this kind of tenant, an unused email address and a place in the team', () => {
    given()
      .when(inviteMember('ana', { role: 'operator' }))
      .thenRefused('role_unknown');
    given(...invited)
      .when(inviteMember('ben', { email: 'ANA@partner.example' }))
      .thenRefused('member_email_taken');
    const full = Array.from({ length: MAX_MEMBERS }, (_, index) => memberInvited(`member-${index}`));
    given(...full)
      .when(inviteMember())
      .thenRefused('member_limit_reached');
  });

  it('is accepted once, before it expires, unless it was withdrawn', () => {
    given(...invited)
      .when(acceptInvitation())
      .then(memberJoined());
    given(...joined)
      .when(acceptInvitation())
      .thenRefused('invitation_not_found');
    given(...invited)
      .when(acceptInvitation('ana', '2026-02-07T12:00:00.000Z'))
      .thenRefused('invitation_expired');
    given(...invited)
      .when(withdrawInvitation())
      .then(invitationWithdrawn());
    given(...invited, invitationWithdrawn())
      .when(withdrawInvitation())
      .thenNothing();
    given(...invited, invitationWithdrawn())
      .when(acceptInvitation())
      .thenRefused('invitation_not_found');
  });

  it('is not for members who joined', () => {
    given(...joined)
      .when(inviteMember())
      .thenRefused('member_exists');
    given(...joined)
      .when(withdrawInvitation())
      .thenRefused('member_exists');
  });
});

describe('a member', () => {
  it('is unknown before the invitation and after the removal', () => {
    given().when(removeMember()).thenRefused('member_not_found');
    given(...twoOwners, memberRemoved('ben'))
      .when(removeMember('ben'))
      .thenRefused('member_not_found');
  });

  it('has a name and an email address that no other member has', () => {
    const details = { name: 'Ana Ruiz', email: 'ana.ruiz@partner.example' };
    given(...joined)
      .when(changeMemberDetails('ana', details))
      .then(memberDetailsChanged());
    given(...joined, memberDetailsChanged())
      .when(changeMemberDetails('ana', details))
      .thenNothing();
    given(...joined, memberInvited('ben'))
      .when(changeMemberDetails('ben', details))
      .then(memberDetailsChanged('ben'));
    given(...joined, memberInvited('ben'))
      .when(changeMemberDetails('ben', { name: 'Ben', email: 'Ana@Partner.Example' }))
      .thenRefused('member_email_taken');
  });

  it('gets another role from others, and gives up permissions, but takes none', () => {
    given(...twoOwners)
      .when(changeMemberRole('ana', 'manager', userIdOf('ben')))
      .then(memberRoleChanged());
    given(...twoOwners)
      .when(changeMemberRole('ana', 'manager', userIdOf('ana')))
      .then(memberRoleChanged());
    given(...twoOwners, memberRoleChanged())
      .when(changeMemberRole('ana', 'owner', userIdOf('ana')))
      .thenRefused('own_role');
    given(...twoOwners, memberRoleChanged())
      .when(changeMemberRole('ana', 'manager'))
      .thenNothing();
    given(...twoOwners)
      .when(changeMemberRole('ana', 'developer'))
      .thenRefused('role_unknown');
  });

  it('stays an owner as long as there is no other', () => {
    given(...joined)
      .when(changeMemberRole('ana', 'auditor'))
      .thenRefused('last_owner');
    given(...joined, memberInvited('ben'))
      .when(removeMember())
      .thenRefused('last_owner');
    given(...twoOwners)
      .when(removeMember())
      .then(memberRemoved());
  });
});

describe('what signs in a member', () => {
  it('is set after the member joined', () => {
    given(...invited)
      .when(setMemberPassword())
      .thenRefused('member_not_found');
    given(...invited)
      .when(enableSecondFactor())
      .thenRefused('member_not_found');
    given(...joined)
      .when(setMemberPassword())
      .then(memberPasswordSet());
    given(...joined)
      .when(enableSecondFactor())
      .then(secondFactorEnabled());
  });

  it('keeps a second factor where the policy requires one', () => {
    const required = [...joined, secondFactorEnabled(), signInPolicyChanged('allowed', true)];
    given(...joined, secondFactorEnabled())
      .when(disableSecondFactor())
      .then(secondFactorDisabled());
    given(...joined)
      .when(disableSecondFactor())
      .thenNothing();
    given(...required)
      .when(disableSecondFactor())
      .thenRefused('second_factor_required');
    given(...required)
      .when(expectSecondFactor())
      .thenNothing();
    given(...required, secondFactorDisabled())
      .when(expectSecondFactor())
      .thenRefused('second_factor_required');
    given(...joined)
      .when(expectSecondFactor())
      .thenNothing();
  });

  it('is a recovery code once', () => {
    const enabled = [...joined, secondFactorEnabled()];
    given(...enabled)
      .when(useRecoveryCode())
      .then(recoveryCodeUsed());
    given(...enabled, recoveryCodeUsed())
      .when(useRecoveryCode())
      .thenRefused('wrong_code');
    given(...enabled)
      .when(replaceRecoveryCodes())
      .then(recoveryCodesReplaced());
    given(...enabled, recoveryCodesReplaced())
      .when(useRecoveryCode())
      .thenRefused('wrong_code');
    given(...joined)
      .when(replaceRecoveryCodes())
      .thenRefused('second_factor_required');
  });
});

describe('a passkey', () => {
  const withPasskey = [memberInvited(), memberJoined(), passkeyAdded()] as const;

  it('is added once, after the member joined', () => {
    given(...invited)
      .when(addPasskey())
      .thenRefused('member_not_found');
    given(...joined)
      .when(addPasskey())
      .then(passkeyAdded());
    given(...withPasskey)
      .when(addPasskey())
      .thenNothing();
    given(...withPasskey)
      .when(addPasskey('ana', 'phone', 'credential-laptop'))
      .thenRefused('passkey_exists');
    given(...withPasskey, passkeyRemoved())
      .when(addPasskey('ana', 'phone', 'credential-laptop'))
      .then(passkeyAdded('ana', 'phone', { credentialId: 'credential-laptop' }));
  });

  it('is one of a limited number', () => {
    const many = Array.from({ length: MAX_PASSKEYS }, (_, index) => passkeyAdded('ana', `key-${index}`));
    given(...joined, ...many)
      .when(addPasskey())
      .thenRefused('passkey_limit_reached');
    given(...joined, ...many, passkeyRemoved('ana', 'key-0'))
      .when(addPasskey())
      .then(passkeyAdded());
  });

  it('is removed while another passkey or a password signs in the member', () => {
    given(...withPasskey)
      .when(removePasskey())
      .thenRefused('last_sign_in_method');
    given(...withPasskey, passkeyAdded('ana', 'phone'))
      .when(removePasskey())
      .then(passkeyRemoved());
    given(...withPasskey, memberPasswordSet())
      .when(removePasskey())
      .then(passkeyRemoved());
    given(...withPasskey, memberPasswordSet(), passkeyRemoved())
      .when(removePasskey())
      .thenRefused('passkey_not_found');
  });

  it('counts as second factor', () => {
    const required = signInPolicyChanged('allowed', true);
    given(...withPasskey)
      .when(changeSignInPolicy('allowed', true))
      .then(required);
    given(...withPasskey, required)
      .when(expectSecondFactor())
      .thenNothing();
    given(...withPasskey, memberPasswordSet(), required)
      .when(removePasskey())
      .thenRefused('second_factor_required');
    given(...withPasskey, memberPasswordSet(), secondFactorEnabled(), required)
      .when(disableSecondFactor())
      .then(secondFactorDisabled());
    const off = [...withPasskey, memberPasswordSet(), ...owner('ben')];
    given(...off)
      .when(changeSignInPolicy('off'))
      .then(signInPolicyChanged());
    given(...off, signInPolicyChanged())
      .when(removePasskey())
      .thenRefused('owners_without_second_factor');
  });
});

describe('the sign-in policy', () => {
  it('turns sign-in with the key off only for two owners with a second factor', () => {
    given(...twoOwners)
      .when(changeSignInPolicy('off'))
      .then(signInPolicyChanged());
    given(...owner('ana'), memberInvited('ben'), memberJoined('ben'), memberPasswordSet('ben'))
      .when(changeSignInPolicy('off'))
      .thenRefused('owners_without_second_factor');
    given(...twoOwners, memberRoleChanged('ben', 'manager'))
      .when(changeSignInPolicy('off'))
      .thenRefused('owners_without_second_factor');
  });

  it('keeps these two while it is off', () => {
    const off = [...twoOwners, signInPolicyChanged()];
    for (const command of [removeMember(), changeMemberRole('ana', 'manager'), disableSecondFactor()]) {
      given(...off)
        .when(command)
        .thenRefused('owners_without_second_factor');
    }
    given(...off, ...owner('eve'))
      .when(removeMember())
      .then(memberRemoved());
  });

  it('requires a second factor once all members have one', () => {
    given(...twoOwners, memberInvited('eve'))
      .when(changeSignInPolicy('allowed', true))
      .then(signInPolicyChanged('allowed', true));
    given(...twoOwners, memberInvited('eve'), memberJoined('eve'), memberPasswordSet('eve'))
      .when(changeSignInPolicy('allowed', true))
      .thenRefused('members_without_second_factor');
  });

  it('can always allow the key again', () => {
    given(...twoOwners, signInPolicyChanged())
      .when(changeSignInPolicy('allowed'))
      .then(signInPolicyChanged('allowed'));
    given(...twoOwners, signInPolicyChanged())
      .when(changeSignInPolicy('off'))
      .thenNothing();
    given().when(changeSignInPolicy('break_glass')).then(signInPolicyChanged('break_glass'));
  });
});

describe('sessions', () => {
  it('are revoked for one member or all', () => {
    given(...joined)
      .when(revokeMemberSessions(userIdOf('ana')))
      .then(memberSessionsRevoked());
    given(...joined)
      .when(revokeMemberSessions(null))
      .then(memberSessionsRevoked(null));
    given(...joined)
      .when(revokeMemberSessions(userIdOf('ben')))
      .thenRefused('member_not_found');
  });
});

describe('a sign-in with the key', () => {
  it('is recorded for every owner if only emergencies allow it, once for each sign-in', () => {
    const team = [...twoOwners, memberInvited('eve'), signInPolicyChanged('break_glass')];
    given(...team)
      .when(recordKeySignIn())
      .then(breakGlassUsed('emergency', ['ana', 'ben']));
    given(...team, breakGlassUsed('emergency', ['ana', 'ben']))
      .when(recordKeySignIn())
      .thenNothing();
    given(...team, breakGlassUsed('emergency', ['ana', 'ben']))
      .when(recordKeySignIn('another'))
      .then(breakGlassUsed('another', ['ana', 'ben']));
  });

  it('is as the policy says', () => {
    given(...twoOwners)
      .when(recordKeySignIn())
      .thenNothing();
    given(...twoOwners, signInPolicyChanged('off'))
      .when(recordKeySignIn())
      .thenRefused('key_sign_in_off');
  });
});

describe('a notice', () => {
  it('is given once, and dismissed once', () => {
    given(...joined)
      .when(noticeNewSignIn())
      .then(newSignInNoticed());
    given(...joined, newSignInNoticed())
      .when(noticeNewSignIn())
      .thenNothing();
    given(...joined, newSignInNoticed())
      .when(dismissNotices('ana', 'new place', 'unknown', 'new place'))
      .then(noticesDismissed());
    given(...joined, newSignInNoticed(), noticesDismissed())
      .when(dismissNotices('ana', 'new place'))
      .thenNothing();
    given(...joined)
      .when(noticeNewSignIn('ben'))
      .thenRefused('member_not_found');
  });

  it('of an emergency is dismissed by each owner', () => {
    given(...twoOwners, breakGlassUsed('emergency', ['ana', 'ben']), noticesDismissed('ana', 'emergency'))
      .when(dismissNotices('ben', 'emergency'))
      .then(noticesDismissed('ben', 'emergency'));
  });

  it('of the wrong codes of an hour is not given again after it was dismissed', () => {
    given(...joined)
      .when(noticeWrongCodes())
      .then(wrongCodesNoticed());
    given(...joined, wrongCodesNoticed(), noticesDismissed('ana', 'wrong codes'))
      .when(noticeWrongCodes())
      .thenNothing();
    given(...joined, wrongCodesNoticed())
      .when(noticeWrongCodes('ana', 'next hour'))
      .then(wrongCodesNoticed('ana', 'next hour'));
  });
});

describe('following a portal user', () => {
  const { name, email, role } = memberInvited().data;

  it('changes what differs, also the role of the last owner', () => {
    given(...owner('ana'))
      .when(followUser('ana', { name: 'Ann', email, role: 'auditor' }))
      .then(memberDetailsChanged('ana', { name: 'Ann', email }), memberRoleChanged('ana', 'auditor'));
  });

  it('changes nothing when it is repeated', () => {
    given(...joined)
      .when(followUser('ana', { name, email, role }))
      .thenNothing();
  });

  it('removes the member of a user who is gone, whatever the policy needs', () => {
    given(...twoOwners, signInPolicyChanged('off'))
      .when(followUser('ana', null))
      .then(memberRemoved('ana'));
  });

  it('leaves out users who are no members', () => {
    given().when(followUser('ana', null)).thenNothing();
  });
});

describe('expecting owners', () => {
  it('is refused while the key is off and too few would be left', () => {
    given(...twoOwners, signInPolicyChanged('off'))
      .when(expectOwners('ana', 'auditor'))
      .thenRefused('owners_without_second_factor');
    given(...twoOwners, signInPolicyChanged('off'))
      .when(expectOwners('ana', null))
      .thenRefused('owners_without_second_factor');
  });

  it('is refused for the last owner, even if others sign in with the key', () => {
    given(...owner('ana'))
      .when(expectOwners('ana', null))
      .thenRefused('last_owner');
    given(...owner('ana'))
      .when(expectOwners('ana', 'auditor'))
      .thenRefused('last_owner');
    given(...twoOwners)
      .when(expectOwners('ana', null))
      .thenNothing();
  });

  it('is met by a suspension while the key signs in, by another role of others, and by users who are no members', () => {
    given(...owner('ana'))
      .when(expectOwners('ana', null, true))
      .thenNothing();
    given(...twoOwners, signInPolicyChanged('off'))
      .when(expectOwners('ana', null, true))
      .thenRefused('owners_without_second_factor');
    given(...twoOwners, ...joined.map(() => memberInvited('eve', { role: 'auditor' })), signInPolicyChanged('off'))
      .when(expectOwners('eve', null))
      .thenNothing();
    given(...twoOwners, signInPolicyChanged('off'))
      .when(expectOwners('nobody', null))
      .thenNothing();
  });
});
