import type { UserId } from '../ids.ts';
import { type NoInverse, restored } from '../inverse.ts';
import type { SignInPolicyChanged, TeamEvent } from './events.ts';
import type { Member, Team } from './evolve.ts';

type Policy = SignInPolicyChanged['data'];
type Changeable = Partial<Pick<Member, 'name' | 'email' | 'role'>>;

/** The changes that take an event back: fields of a named user, or of the sign-in policy. */
export type TeamInverse =
  | Readonly<{ kind: 'member'; userId: UserId; changes: Changeable }>
  | Readonly<{ kind: 'policy'; changes: Partial<Policy> }>;

const policyOf = ({ keySignIn, secondFactorRequired }: Policy): Policy => ({ keySignIn, secondFactorRequired });

/** What takes an event of a team back, from the state before it and the state now. */
export const inverseOf = (event: TeamEvent, before: Team, now: Team): TeamInverse | NoInverse => {
  const member = <Fields extends Changeable>(
    userId: UserId,
    after: Fields,
    of: (member: Member) => Fields,
  ): TeamInverse | NoInverse => {
    const [former, current] = [before.members.get(userId), now.members.get(userId)];
    const changes: Changeable | null | undefined = former && current && restored<Changeable>(of(former), after, of(current));
    return changes ? { kind: 'member', userId, changes } : 'revert_outdated';
  };
  switch (event.type) {
    case 'MemberDetailsChanged': {
      const { userId, ...details } = event.data;
      return member(userId, details, ({ name, email }) => ({ name, email }));
    }
    case 'MemberRoleChanged':
      return member(event.data.userId, { role: event.data.role }, ({ role }) => ({ role }));
    case 'SignInPolicyChanged': {
      const changes = restored(policyOf(before.policy), policyOf(event.data), policyOf(now.policy));
      return changes ? { kind: 'policy', changes } : 'revert_outdated';
    }
    default:
      return 'revert_unsupported';
  }
};
