import { z } from 'zod';
import { updateCustomer } from './customers.ts';
import { userId } from './fields.ts';
import { change } from './history.ts';
import { ok } from './replies.ts';
import { updateUser } from './users.ts';

/**
 * What takes an event back: the body of `PUT …/customers/:customerId` or `PUT …/users/:userId`. `changes` are from the present values to
 * the former ones.
 */
export const revertReply = ok({
  revert: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('customer'), body: updateCustomer }),
    z.object({ kind: z.literal('user'), userId, username: z.string(), body: updateUser }),
  ]),
  changes: z.array(change),
});
export type RevertReply = z.infer<typeof revertReply>;
