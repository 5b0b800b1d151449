import { ownerOf } from '../commands/streams.ts';
import type { IntegratorId } from '../domain/ids.ts';
import { type Policy, policyOn } from './engine/policy.ts';

/** Destroys the data key of a deleted integrator: what stays of its stream are facts without names and addresses. */
export const eraseDeletedIntegrators = ({ destroyKey }: { destroyKey: (integratorId: IntegratorId) => Promise<void> }): Policy =>
  policyOn({
    name: 'eraseDeletedIntegrators',
    eventTypes: ['IntegratorDeleted'],
    react: ({ stream }) => destroyKey(ownerOf.integrator(stream)),
  });
