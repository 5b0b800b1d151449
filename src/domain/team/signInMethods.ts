import type { TeamId } from '../ids.ts';
import { OWNERS_WITHOUT_KEY } from '../limits.ts';
import { FULL_ROLE } from '../permissions.ts';
import type { Member, Team } from './evolve.ts';
import { isProviderProtected } from './identity.ts';
import { tenantKindOf } from './teamId.ts';

/** Why a member's role or ways to sign in may not become what a command asks for. */
export type SignInRefusal = 'last_owner' | 'owners_without_second_factor' | 'second_factor_required' | 'last_sign_in_method';

/** Whether the member can sign in by more than a password: with one-time passwords, or by a passkey, which verifies its user itself. */
export const hasSecondFactor = ({ passwordHash, secondFactor, passkeys }: Member): boolean =>
  (passwordHash !== null && secondFactor !== null) || passkeys.length > 0;

/** Whether something signs in the member. */
const canSignIn = ({ passwordHash, passkeys, subject }: Member): boolean =>
  passwordHash !== null || passkeys.length > 0 || subject !== null;

/** Whether each way in which the member can sign in has a second factor, or is refused without one. */
export const isProtected = (member: Member, team: Team): boolean =>
  hasSecondFactor(member) || (member.passwordHash === null && isProviderProtected(member, team));

/** The owners who can sign in: invited ones are not counted. */
export const joinedOwners = (teamId: TeamId, { members }: Team): Member[] =>
  [...members.values()].filter(({ status, role }) => status === 'joined' && role === FULL_ROLE[tenantKindOf(teamId)]);

/** Which refusal keeps the owners that the policy needs when `member` becomes `after`, or is removed if that is null; null if none. */
export const ownersRefusal = (teamId: TeamId, team: Team, { userId }: Member, after: Member | null): SignInRefusal | null => {
  const owners = joinedOwners(teamId, team);
  const later = joinedOwners(teamId, {
    ...team,
    members: after ? team.members.set(userId, after) : team.members.delete(userId),
  });
  if (owners.length > 0 && later.length === 0) return 'last_owner';
  if (team.policy.keySignIn !== 'off') return null;
  return later.filter(hasSecondFactor).length < OWNERS_WITHOUT_KEY ? 'owners_without_second_factor' : null;
};

/** Why a member's ways to sign in may not become these, or else null. */
export const methodsRefusal = (teamId: TeamId, team: Team, before: Member, after: Member): SignInRefusal | null => {
  if (canSignIn(before) && !canSignIn(after)) return 'last_sign_in_method';
  if (team.policy.secondFactorRequired && isProtected(before, team) && !isProtected(after, team)) return 'second_factor_required';
  return ownersRefusal(teamId, team, before, after);
};
