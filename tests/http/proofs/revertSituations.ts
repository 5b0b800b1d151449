import { newCustomer } from '../../support/apiClient.ts';
import type { Situation, SituationContext } from './situation.ts';

const changed = async ({ admin, mine }: SituationContext, ...seats: number[]) => {
  const { id, name, contactEmail } = await newCustomer(admin, mine.ids.integrator);
  const path = `/api/admin/customers/${id}`;
  for (const developerSeats of seats) await admin.put(path, { name, contactEmail, developerSeats });
  const { history } = (await admin.get(`${path}/history`)).body;
  const idOf = (type: string, nr = 0): string => history.filter((entry: { type: string }) => entry.type === type)[nr].id;
  return { path, body: { name, contactEmail }, idOf };
};

/** Reverts of changes that have no inverse, or no longer. */
export const revertSituations = {
  revert_unsupported: {
    cause: async (context) => {
      const { path, idOf } = await changed(context);
      return context.admin.get(`${path}/reverts/${idOf('LicenseIssued')}`);
    },
    status: 409,
    error: 'This kind of change cannot be reverted. Change the object itself.',
  },
  revert_outdated: {
    cause: async (context) => {
      const { path, idOf } = await changed(context, 20, 30);
      return context.admin.get(`${path}/reverts/${idOf('SeatsAllocated', 1)}`);
    },
    status: 409,
    error: 'A later change has other values. Revert the newest change first, or change the object itself.',
  },
  revert_differs: {
    cause: async (context) => {
      const { path, body, idOf } = await changed(context, 20);
      return context.admin.put(path, { ...body, developerSeats: 21, reverts: idOf('SeatsAllocated') });
    },
    status: 409,
    error: 'The request is not what reverts this change. Open the preview again.',
  },
} satisfies Record<string, Situation>;
