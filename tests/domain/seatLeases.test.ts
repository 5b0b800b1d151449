import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { customerDecider } from '../../src/domain/customer/decider.ts';
import { seatLeasesDecider } from '../../src/domain/seatLeases/decider.ts';
import { seatHeldOffline, seatLeased, seatLeaseEnded } from '../support/builders/activity.ts';
import { commandOf } from '../support/builders/command.ts';
import { adaWithSeat, customerRegistered, floatingSeatsSet, seatsAllocated } from '../support/builders/customer.ts';
import { registerUser, setFloatingSeats, signInUser } from '../support/builders/customerCommands.ts';
import { customerIdOf, userIdOf } from '../support/builders/ids.ts';
import { decisionSpec } from '../support/decisionSpec.ts';

const given = decisionSpec(seatLeasesDecider);
const customerId = customerIdOf();
const leaseSeat = (user = 'ada', limit: number | null = 1, kind: 'developer' | 'stakeholder' = 'developer') =>
  commandOf('LeaseSeat', { customerId, userId: userIdOf(user), kind, limit });
const endSeatLease = (user = 'ada') =>
  commandOf('EndSeatLease', { customerId, userId: userIdOf(user), reason: 'released', lastUsedAt: null });
const released = (user = 'ada') => seatLeaseEnded(user, { reason: 'released', lastUsedAt: null });

describe('leasing a floating seat', () => {
  it('takes a free seat, and keeps the own one also above a lower limit', () => {
    given().when(leaseSeat()).then(seatLeased());
    given(seatLeased()).when(leaseSeat()).thenNothing();
    given(seatLeased('ada'), seatLeased('bob')).when(leaseSeat('bob', 1)).thenNothing();
    given(seatLeased('ada')).when(leaseSeat('bob', null)).then(seatLeased('bob'));
  });

  it('is refused when every seat of the kind is held, until one is given back', () => {
    given(seatLeased('ada')).when(leaseSeat('bob')).thenRefused('seat_limit_reached');
    given().when(leaseSeat('ada', 0)).thenRefused('seat_limit_reached');
    given(seatLeased('ada', 'stakeholder')).when(leaseSeat('bob')).then(seatLeased('bob'));
    given(seatLeased('ada'), seatLeaseEnded('ada')).when(leaseSeat('bob')).then(seatLeased('bob'));
  });

  it('of another kind gives the first one back', () => {
    given(seatLeased('ada', 'stakeholder'))
      .when(leaseSeat('ada', 1))
      .then(seatLeaseEnded('ada', { kind: 'stakeholder', reason: 'not_allowed', lastUsedAt: null }), seatLeased());
  });
});

describe('ending a lease', () => {
  it('frees the seat once, and remembers whose seat was released by another user', () => {
    const held = given(seatLeased());
    held.when(endSeatLease()).then(released());
    given().when(endSeatLease()).thenNothing();
    given(seatLeased(), released()).when(endSeatLease()).thenNothing();
    expect(given(seatLeased(), released()).state.released.has(userIdOf('ada'))).toBe(true);
    expect(given(seatLeased(), released(), seatLeased()).state.released.size).toBe(0);
    expect(given(seatLeased(), seatLeaseEnded()).state.released.size).toBe(0);
  });
});

describe('an offline license', () => {
  const UNTIL = '2026-02-07T12:00:00.000Z';
  const hold = (until = UNTIL, user = 'ada') =>
    commandOf('HoldSeatOffline', { customerId, userId: userIdOf(user), kind: 'developer', limit: 1, until });
  const end = (reason: 'unused' | 'signed_out' | 'released' | 'not_allowed' | 'named', at = '2026-02-07T11:59:59.999Z') =>
    commandOf('EndSeatLease', { customerId, userId: userIdOf('ada'), reason, lastUsedAt: null }, { at });
  const ended = (reason: 'unused' | 'released' | 'not_allowed' | 'named') => seatLeaseEnded('ada', { reason, lastUsedAt: null });

  it('holds a seat until it expires, whatever else ends the use', () => {
    given().when(hold()).then(seatLeased(), seatHeldOffline());
    given(seatLeased()).when(hold()).then(seatHeldOffline());
    const held = given(seatLeased(), seatHeldOffline());
    held.when(hold()).thenNothing();
    held.when(hold('2026-02-01T12:00:00.000Z')).thenNothing();
    held.when(hold('2026-02-08T12:00:00.000Z')).then(seatHeldOffline('2026-02-08T12:00:00.000Z'));
    held.when(end('unused')).thenNothing();
    held.when(end('signed_out')).thenNothing();
    held.when(end('released')).thenRefused('seat_held_offline');
    held.when(end('unused', UNTIL)).then(ended('unused'));
    held.when(end('released', UNTIL)).then(ended('released'));
  });

  it('needs a free seat, and holds none of a user who may not use the tool, or where seats are named', () => {
    given(seatLeased('bob')).when(hold()).thenRefused('seat_limit_reached');
    const held = given(seatLeased(), seatHeldOffline());
    held.when(end('not_allowed')).then(ended('not_allowed'));
    held.when(end('named')).then(ended('named'));
    given(seatLeased(), seatHeldOffline(), ended('not_allowed'), seatLeased()).when(end('unused')).then(ended('unused'));
  });
});

it('never are more seats held than the limit, whatever is asked in whatever order', () => {
  const user = fc.integer({ min: 1, max: 6 }).map((n) => `user-${n}`);
  const command = fc.oneof(
    user.map((name) => leaseSeat(name, 3)),
    user.map((name) => endSeatLease(name)),
  );
  fc.assert(
    fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
      const { initial, decide, evolve } = seatLeasesDecider;
      let state = initial;
      for (const one of commands) {
        const decision = decide(one, state);
        if (decision.accepted) state = decision.events.reduce(evolve, state);
        expect(state.held.developer).toBe(state.kinds.size);
        expect(state.held.developer).toBeLessThanOrEqual(3);
      }
    }),
  );
});

describe('a license with floating seats', () => {
  const licensed = decisionSpec(customerDecider);
  const floating = [customerRegistered(), floatingSeatsSet()];
  const oneSeat = seatsAllocated({ developerSeats: 1, stakeholderSeats: 0 });

  it('is set and changed by kind, once', () => {
    licensed(customerRegistered()).when(setFloatingSeats(15)).then(floatingSeatsSet(15));
    licensed(...floating)
      .when(setFloatingSeats(15))
      .thenNothing();
    licensed(...floating)
      .when(setFloatingSeats(null))
      .then(floatingSeatsSet(null));
    licensed(customerRegistered()).when(setFloatingSeats(null)).thenNothing();
    licensed(...floating)
      .when(setFloatingSeats(5, 'stakeholder'))
      .then(floatingSeatsSet(5, 'stakeholder'));
  });

  it('has any number of active users, whose sign-ins are decided by the leases', () => {
    const shared = licensed(...adaWithSeat, oneSeat, floatingSeatsSet());
    expect(shared.when(registerUser('bob')).state).toMatchObject({ seats: { developer: { allocated: 1, active: 2 } } });
    shared.when(registerUser('eve', { role: 'stakeholder' })).thenRefused('seat_limit_reached');
    expect(shared.when(signInUser('bob')).state).toMatchObject({ seats: { developer: { active: 2 } } });
    licensed(...adaWithSeat, oneSeat, floatingSeatsSet(), floatingSeatsSet(null))
      .when(registerUser('bob'))
      .thenRefused('seat_limit_reached');
  });
});
