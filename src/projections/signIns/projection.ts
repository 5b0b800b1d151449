import type { SignInRow } from '../../database/tables/signIns.ts';
import { ERASED } from '../../domain/event.ts';
import type { AnyEvent } from '../../domain/events.ts';
import type { CustomerId, IntegratorId, UserId } from '../../domain/ids.ts';
import type { Projection } from '../engine/projection.ts';
import { instantOf, type RecordedEvent } from '../engine/recordedEvent.ts';
import type { MainRows } from '../main/rows.ts';

const put = (recorded: RecordedEvent, rows: MainRows, row: Pick<SignInRow, 'audience' | 'outcome'> & Partial<SignInRow>): void =>
  rows.signIns.put({
    position: String(recorded.position),
    revision: String(recorded.revision),
    id: recorded.id,
    at: recorded.at,
    first_at: recorded.at,
    reason: null,
    method: null,
    address: null,
    customer_id: null,
    integrator_id: null,
    user_id: null,
    fingerprint: null,
    keys: 0,
    n: 1,
    ...row,
  });

/** The sign-ins of a removed named user stay, without address; those of a portal user who stays keep it for the tool. */
export const eraseMemberAddresses = (userId: UserId, rows: MainRows): void => {
  for (const row of rows.signIns.by('user_id', userId)) {
    if (row.audience !== 'cli') rows.signIns.change(row, { address: null });
  }
};

/** The sign-ins of a removed portal user stay, without address. */
export const eraseUserAddresses = (userId: UserId, rows: MainRows): void => {
  for (const row of rows.signIns.by('user_id', userId)) rows.signIns.change(row, { address: null });
};

/** The sign-ins of a deleted account stay, without address and fingerprint. */
export const eraseSignIns = (column: 'customer_id' | 'integrator_id', id: string, rows: MainRows): void => {
  for (const row of rows.signIns.by(column, id)) rows.signIns.change(row, { address: null, fingerprint: null });
};

/** Row-level security looks at the service integrator of a customer's sign-ins. */
export const moveSignIns = (customerId: CustomerId, integratorId: IntegratorId, rows: MainRows): void => {
  for (const row of rows.signIns.by('customer_id', customerId)) rows.signIns.change(row, { integrator_id: integratorId });
};

type Recorded = AnyEvent & { type: 'SignInsRecorded' };

/** Whether a named user of the console, or a user of the tool, signed in who is removed by now. */
const isOfRemoved = ({ audience, userId }: Recorded['data'], rows: MainRows): boolean =>
  userId !== null && !(audience === 'cli' ? rows.users : rows.members).get(userId);

/** Who signed in from where, for administrators. Sign-ins beyond the retention period go with the first sign-in of each day. */
export const signIns: Projection<MainRows> = {
  name: 'signIns',
  version: 3,
  on: {
    seatDenials: 'ignored',
    seatLeases: 'ignored',
    signIns: {
      SignInsRecorded: (recorded, rows) => {
        const { audience, outcome, reason, method, address, customerId, integratorId, userId, ...rest } = recorded.event.data;
        // An account that is deleted by now: its key may be destroyed before a rebuild, which has to find the same.
        const isErased =
          address === ERASED ||
          (customerId !== null && !rows.customers.get(customerId)) ||
          (integratorId !== null && !rows.integrators.get(integratorId));
        put(recorded, rows, {
          audience,
          outcome,
          reason,
          method,
          address: isErased || isOfRemoved(recorded.event.data, rows) ? null : address,
          customer_id: customerId,
          // With that of the customer: row-level security looks at both.
          integrator_id: integratorId ?? (customerId && rows.customers.get(customerId)?.integrator_id) ?? null,
          user_id: userId,
          fingerprint: isErased ? null : rest.fingerprint,
          first_at: instantOf(rest.firstAt),
          keys: rest.keys,
          n: rest.count,
        });
        if (recorded.revision === 0n) rows.forgetOldSignIns(recorded.at);
      },
    },
    operations: 'ignored',
    plans: 'ignored',
    adminActivity: {
      AdminSignedIn: (recorded, rows) => put(recorded, rows, { audience: 'admin', outcome: 'accepted' }),
      AdminSignInRefused: (recorded, rows) =>
        put(recorded, rows, {
          audience: 'admin',
          outcome: recorded.event.data.reason === 'wrong_key' ? 'rejected' : 'throttled',
          reason: recorded.event.data.reason === 'wrong_key' ? 'wrong_admin_key' : 'too_many_attempts',
        }),
      AdminKeyRotated: 'ignored',
    },
    customer: 'ignored',
    integrator: 'ignored',
    themes: 'ignored',
    credential: 'ignored',
    userActivity: 'ignored',
    apiCalls: 'ignored',
    team: 'ignored',
  },
};
