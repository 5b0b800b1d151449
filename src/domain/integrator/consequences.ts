import { decideInOrder, type Refused } from '../decider.ts';
import type { IntegratorCommand } from './commands.ts';
import { type IntegratorRefusal, integratorDecider } from './decider.ts';
import type { IntegratorEvent } from './events.ts';
import type { Integrator, IntegratorState } from './evolve.ts';

/** What commands would do to a service integrator, its users and its API tokens. */
type IntegratorConsequences = Readonly<{
  accepted: true;
  /** Whether its key, users and API tokens work before, and not afterwards. */
  isLockedOut: boolean;
  /** The custom domain that another service integrator may use afterwards. */
  releasedDomain: string | null;
  /** Whether white-label branding is on before, and not afterwards. */
  endsBranding: boolean;
}>;

const isRegistered = (state: IntegratorState): state is Integrator => 'customers' in state;

/** Decides commands on the state now without appending anything: what they would do, or why they are refused. */
export const integratorConsequencesOf = (
  commands: readonly IntegratorCommand[],
  before: Integrator,
): IntegratorConsequences | Refused<IntegratorRefusal> => {
  const decided = decideInOrder<IntegratorCommand, IntegratorState, IntegratorEvent, IntegratorRefusal>(
    integratorDecider,
    commands,
    before,
  );
  if (!decided.accepted) return decided;
  const { state: after } = decided;
  const kept = isRegistered(after) ? after : null;
  return {
    accepted: true,
    isLockedOut: before.status === 'active' && after.status !== 'active',
    releasedDomain: kept?.customDomain === before.customDomain ? null : before.customDomain,
    endsBranding: before.whiteLabelEnabled && kept?.whiteLabelEnabled !== true,
  };
};
