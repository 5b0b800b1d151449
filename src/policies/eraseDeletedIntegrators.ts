import { ownerOf } from '../commands/streams.ts';
import type { IntegratorId } from '../domain/ids.ts';
import type { Policy } from './engine/policy.ts';

/** Destroys the data key of a deleted integrator: what stays of its stream are facts without names and addresses. */
export const eraseDeletedIntegrators = ({ destroyKey }: { destroyKey: (integratorId: IntegratorId) => Promise<void> }): Policy => ({
  name: 'eraseDeletedIntegrators',
  categories: ['integrator'],
  react: async ({ event, stream }) => {
    if (event.type === 'IntegratorDeleted') await destroyKey(ownerOf.integrator(stream));
  },
});
