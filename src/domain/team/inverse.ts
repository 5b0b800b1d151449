import type { UserId } from '../ids.ts';
import { type NoInverse, restored } from '../inverse.ts';
import type { Role } from '../permissions.ts';
import type { SignInPolicyChanged, TeamEvent } from './events.ts';
import type { Team } from './evolve.ts';

type Policy = SignInPolicyChanged['data'];

/** The changes that take an event back: the role of a named user, or fields of the sign-in policy. */
export type TeamInverse =
  | Readonly<{ kind: 'member'; userId: UserId; role: Role }>
  | Readonly<{ kind: 'policy'; changes: Partial<Policy> }>;

const policyOf = ({ keySignIn, secondFactorRequired }: Policy): Policy => ({ keySignIn, secondFactorRequired });

/** What takes an event of a team back, from the state before it and the state now. */
export const inverseOf = (event: TeamEvent, before: Team, now: Team): TeamInverse | NoInverse => {
  switch (event.type) {
    case 'MemberRoleChanged': {
      const { userId, role } = event.data;
      const former = before.members.get(userId);
      if (!former || former.role === role || now.members.get(userId)?.role !== role) return 'revert_outdated';
      return { kind: 'member', userId, role: former.role };
    }
    case 'SignInPolicyChanged': {
      const changes = restored(policyOf(before.policy), policyOf(event.data), policyOf(now.policy));
      return changes ? { kind: 'policy', changes } : 'revert_outdated';
    }
    default:
      return 'revert_unsupported';
  }
};
