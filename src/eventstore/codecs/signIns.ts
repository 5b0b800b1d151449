import { z } from 'zod';
import type { SignInEvent } from '../../domain/signIns/events.ts';
import { SIGN_IN_METHODS } from '../../domain/signIns/methods.ts';
import { customerOwner, integratorOwner, signInDayOwner } from '../../security/owner.ts';
import { type CategoryCodec, eventCodec, formerShape, shape } from './codec.ts';
import { customerId, integratorId, text, textOrNull, userId } from './fields.ts';

const withoutMethod = z.strictObject({
  audience: z.enum(['admin', 'customer', 'integrator', 'cli']),
  outcome: z.enum(['accepted', 'rejected', 'throttled']),
  reason: textOrNull,
  address: textOrNull,
  customerId: customerId.nullable(),
  integratorId: integratorId.nullable(),
  userId: userId.nullable(),
  fingerprint: textOrNull,
  keys: z.int().nonnegative(),
  count: z.int().positive(),
  firstAt: text,
  lastAt: text,
});

/** The address is encrypted with the account's data key and erased with the account; without an account, with the key of the day, which is erased after the retention period. */
export const signInsCodec: CategoryCodec<SignInEvent> = {
  ownerOf: (day, data) => {
    const customer = customerId.safeParse(data.customerId);
    if (customer.success) return customerOwner(customer.data);
    const integrator = integratorId.safeParse(data.integratorId);
    return integrator.success ? integratorOwner(integrator.data) : signInDayOwner(day);
  },
  events: {
    SignInsRecorded: eventCodec({
      1: formerShape(withoutMethod, ['address'], (former) => ({ ...former, method: null })),
      2: shape(withoutMethod.extend({ method: z.enum(SIGN_IN_METHODS).nullable() }), ['address']),
    }),
  },
};
