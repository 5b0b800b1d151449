import type { CustomerId, IntegratorId, UserId } from '../../domain/ids.ts';
import type { SignInAudience, SignInOutcome } from '../../domain/signIns/events.ts';
import type { SignInMethod } from '../../domain/signIns/methods.ts';
import { defineTable, int4, nullable, position, type RowOf, text, timestamptz, uuid } from './defineTable.ts';

/** Recorded sign-ins: one row per event, which may stand for `n` equal ones. */
export const signInTable = defineTable('read.sign_in', {
  key: ['position', 'revision'],
  owners: ['customer_id', 'integrator_id', 'user_id'],
  isLog: true,
  columns: {
    position: position(),
    revision: position(),
    id: uuid(),
    at: timestamptz(),
    first_at: timestamptz(),
    audience: text<SignInAudience>(),
    outcome: text<SignInOutcome>(),
    reason: nullable(text()),
    method: nullable(text<SignInMethod>()),
    address: nullable(text()),
    customer_id: nullable(uuid<CustomerId>()),
    integrator_id: nullable(uuid<IntegratorId>()),
    user_id: nullable(uuid<UserId>()),
    fingerprint: nullable(text()),
    keys: int4(),
    n: int4(),
  },
});

/** Sign-ins of one event with the same properties, in a projection's memory. */
export type SignInRow = RowOf<typeof signInTable>;
