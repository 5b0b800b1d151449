import { describe, expect, it } from 'vitest';
import type { CustomerCommand } from '../../src/domain/customer/commands.ts';
import { consequencesOf } from '../../src/domain/customer/consequences.ts';
import { customerDecider } from '../../src/domain/customer/decider.ts';
import type { CustomerEvent } from '../../src/domain/customer/events.ts';
import { isRegistered } from '../../src/domain/customer/state.ts';
import {
  customerRegistered,
  customerSuspended,
  licenseTermSet,
  seatClaimed,
  seatLimitsEnforced,
  seatReleased,
  seatsAllocated,
  userDeactivated,
  userRegistered,
  userSuspended,
} from '../support/builders/customer.ts';
import {
  allocateSeats,
  changeUserRole,
  churnCustomer,
  deleteCustomer,
  reactivateCustomer,
  removeUser,
  suspendCustomer,
  suspendUser,
} from '../support/builders/customerCommands.ts';

const PAIR = [
  customerRegistered(),
  seatsAllocated({ developerSeats: 5, stakeholderSeats: 0 }),
  seatLimitsEnforced(),
  ...['ada', 'bob'].flatMap((name) => [userRegistered(name), seatClaimed(name, 'developer')]),
];

const NOW = '2026-01-31T12:00:00.000Z';

/** Given events, when commands are only decided: their consequences, by name. */
const given = (...events: readonly CustomerEvent[]) => {
  const state = events.reduce(customerDecider.evolve, customerDecider.initial);
  if (!isRegistered(state)) throw new Error('No customer was given');
  return {
    when: (...commands: readonly CustomerCommand[]) => {
      const decided = consequencesOf(commands, state, NOW);
      if (!decided.accepted) return { refusal: decided.refusal };
      const names = (users: readonly { username: string }[]) => users.map(({ username }) => username).sort();
      return {
        events: decided.events,
        lockedOut: names(decided.lockedOut),
        released: names(decided.released.map(({ user }) => user)),
        over: decided.overLimit.map(({ kind, limit, holders }) => [kind, limit, names(holders)]),
      };
    },
  };
};

describe('the consequences of a change that is only decided', () => {
  it('of a suspension are all active users', () => {
    const { when } = given(...PAIR, userDeactivated('bob'), seatReleased('bob', 'deactivated'));
    expect(when(suspendCustomer('Unpaid'))).toEqual({
      events: [customerSuspended('Unpaid')],
      lockedOut: ['ada'],
      released: [],
      over: [],
    });
    expect(when(deleteCustomer()).lockedOut).toEqual(['ada']);
  });

  it('of a second suspension, or of its end, are none', () => {
    const { when } = given(...PAIR, customerSuspended());
    expect(when(suspendCustomer())).toEqual({ events: [], lockedOut: [], released: [], over: [] });
    expect([when(churnCustomer()).lockedOut, when(reactivateCustomer()).lockedOut]).toEqual([[], []]);
  });

  it('of a suspension are no users once the license has expired, but they are during its grace', () => {
    const { when } = given(...PAIR, licenseTermSet({ expiresAt: '2026-01-31T00:00:00.000Z' }));
    expect([when(suspendCustomer()).lockedOut, when(suspendUser('ada')).lockedOut]).toEqual([[], []]);
    const { when: inGrace } = given(...PAIR, licenseTermSet({ expiresAt: '2026-01-31T00:00:00.000Z', graceDays: 1 }));
    expect(inGrace(suspendCustomer()).lockedOut).toEqual(['ada', 'bob']);
  });

  it('of fewer seats than are held are the holders, who keep them', () => {
    const { when } = given(...PAIR);
    const { over, released, lockedOut } = when(allocateSeats({ developerSeats: 1 }));
    expect([over, released, lockedOut]).toEqual([[['developer', 1, ['ada', 'bob']]], [], []]);
    expect([when(allocateSeats({ developerSeats: 2 })).over, when(allocateSeats({ developerSeats: -1 })).over]).toEqual([[], []]);
  });

  it('of a limit that was exceeded before are not named again', () => {
    const { when } = given(...PAIR, seatsAllocated({ developerSeats: 1, stakeholderSeats: 0 }));
    expect(when(suspendUser('ada')).over).toEqual([]);
  });

  it('of a suspended or removed user are the seat and the access', () => {
    const { when } = given(...PAIR);
    expect(when(suspendUser('ada'))).toEqual({
      events: [userSuspended('ada'), seatReleased('ada', 'suspended')],
      lockedOut: ['ada'],
      released: ['ada'],
      over: [],
    });
    expect(when(removeUser('bob'))).toMatchObject({ lockedOut: ['bob'], released: ['bob'] });
  });

  it('are none if the change is refused', () => {
    expect(given(...PAIR).when(changeUserRole('ada', 'stakeholder'))).toEqual({ refusal: 'seat_limit_reached' });
  });
});
