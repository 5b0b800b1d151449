import { z } from 'zod';
import type { SignInEvent } from '../../domain/signIns/events.ts';
import { customerOwner, integratorOwner, signInDayOwner } from '../../security/owner.ts';
import { type CategoryCodec, first } from './codec.ts';
import { customerId, integratorId, text, textOrNull, userId } from './fields.ts';

/** The address is encrypted with the account's data key and erased with the account; without an account, with the key of the day, which is erased after the retention period. */
export const signInsCodec: CategoryCodec<SignInEvent> = {
  ownerOf: (day, data) => {
    const customer = customerId.safeParse(data.customerId);
    if (customer.success) return customerOwner(customer.data);
    const integrator = integratorId.safeParse(data.integratorId);
    return integrator.success ? integratorOwner(integrator.data) : signInDayOwner(day);
  },
  events: {
    SignInsRecorded: first(
      z.strictObject({
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
      }),
      ['address'],
    ),
  },
};
