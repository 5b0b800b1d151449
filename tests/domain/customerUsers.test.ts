import { describe, expect, it } from 'vitest';
import { customerDecider } from '../../src/domain/customer/decider.ts';
import type { CustomerState } from '../../src/domain/customer/state.ts';
import { findUser } from '../../src/domain/customer/state.ts';
import { ERASED } from '../../src/domain/event.ts';
import {
  customerChurned,
  customerRegistered,
  customerSuspended,
  idleReleaseSet,
  seatClaimed,
  seatLimitsEnforced,
  seatLimitsRelaxed,
  seatReleased,
  seatsAllocated,
  userActivated,
  userDeactivated,
  userDetailsChanged,
  userRegistered,
  userRemoved,
  userRoleChanged,
  userSuspended,
} from '../support/builders/customer.ts';
import {
  activateUser,
  changeUserDetails,
  changeUserRole,
  deactivateUser,
  expectUser,
  registerUser,
  releaseIdleSeat,
  removeUser,
  setIdleRelease,
  signInUser,
  suspendUser,
} from '../support/builders/customerCommands.ts';
import { userIdOf } from '../support/builders/ids.ts';
import { decisionSpec } from '../support/decisionSpec.ts';

const given = decisionSpec(customerDecider);
const customerWith = (developerSeats: number, stakeholderSeats = 1) => [
  customerRegistered(),
  seatsAllocated({ developerSeats, stakeholderSeats }),
  seatLimitsEnforced(),
];
const ada = [userRegistered('ada', { machineId: 'machine-1' }), seatClaimed('ada')] as const;
const adaAway = [...ada, userDeactivated('ada'), seatReleased('ada')] as const;

describe('removing a user', () => {
  it('releases the seat, and frees name and address', () => {
    const removed = given(...customerWith(1), ...ada).when(removeUser());
    removed.then(seatReleased('ada', 'removed'), userRemoved());
    expect(removed.state).toMatchObject({ seats: { developer: { active: 0 } } });
    const address = { username: 'ada', email: 'ada@acme.example', machineId: null };
    expect(findUser(removed.state, address)).toBeUndefined();
    given(...customerWith(1), ...adaAway)
      .when(removeUser())
      .then(userRemoved());
  });

  it('is refused for a user who is not known, or removed already', () => {
    given(...customerWith(1))
      .when(removeUser())
      .thenRefused('user_not_found');
    given(...customerWith(1), ...adaAway, userRemoved())
      .when(removeUser())
      .thenRefused('user_not_found');
    given(...customerWith(1), ...adaAway, userRemoved())
      .when(activateUser())
      .thenRefused('user_not_found');
  });

  it('leaves other users with erased texts alone', () => {
    const erased = { username: ERASED, email: ERASED, machineId: null };
    const events = [...customerWith(2), userRegistered('bob', { username: 'bob' }), userRegistered('ada', erased)];
    const { state } = given(...events).when(removeUser());
    expect(findUser(state, { username: 'bob', email: 'bob@acme.example', machineId: 'machine-1' })).toMatchObject({
      username: 'bob',
    });
  });
});

describe('registering a user', () => {
  it('claims a seat of the kind of the role', () => {
    given(...customerWith(1))
      .when(registerUser('ada'))
      .then(userRegistered('ada'), seatClaimed('ada', 'developer'));
    given(...customerWith(1))
      .when(registerUser('ada', { role: 'admin' }))
      .then(userRegistered('ada', { role: 'admin' }), seatClaimed('ada', 'developer'));
    given(...customerWith(1))
      .when(registerUser('ada', { role: 'stakeholder' }))
      .then(userRegistered('ada', { role: 'stakeholder' }), seatClaimed('ada', 'stakeholder'));
  });

  it('is refused when every seat of the kind is taken', () => {
    given(...customerWith(1), ...ada)
      .when(registerUser('bob'))
      .thenRefused('seat_limit_reached');
    given(...customerWith(0))
      .when(registerUser('bob'))
      .thenRefused('seat_limit_reached');
  });

  it('may exceed the allocation while limits are relaxed', () => {
    const state = given(...customerWith(1), seatLimitsRelaxed(), ...ada).when(registerUser('bob')).state;
    expect(state).toMatchObject({ seats: { developer: { allocated: 1, active: 2 } } });
  });

  it('always claims a seat if they are unlimited', () => {
    given(...customerWith(-1), ...ada)
      .when(registerUser('bob'))
      .then(userRegistered('bob'), seatClaimed('bob'));
  });

  it('is refused for a customer that is not active', () => {
    given(...customerWith(1), customerSuspended())
      .when(registerUser('ada'))
      .thenRefused('customer_not_active');
  });

  it('is refused for a taken email address or username, in any letter case', () => {
    given(...customerWith(5), ...ada)
      .when(registerUser('bob', { email: 'ADA@Acme.Example' }))
      .thenRefused('email_taken');
    given(...customerWith(5), ...ada)
      .when(registerUser('bob', { username: 'Ada' }))
      .thenRefused('username_taken');
  });

  it('happens once, even after later changes', () => {
    given(...customerWith(5), ...ada)
      .when(registerUser('ada'))
      .thenNothing();
    given(...customerWith(5), ...ada)
      .when(registerUser('ada', { username: 'eve', email: 'eve@acme.example' }))
      .thenNothing();
  });
});

describe('a command-line tool that signs in', () => {
  it('registers a new user as a developer', () => {
    given(...customerWith(1))
      .when(signInUser('ada'))
      .then(userRegistered('ada', { machineId: 'machine-1' }), seatClaimed('ada'));
  });

  it('finds the same user again after they were renamed', () => {
    given(...customerWith(2), ...ada, userDetailsChanged('ada', { username: 'countess', email: 'countess@acme.example' }))
      .when(signInUser('ada'))
      .thenNothing();
  });

  it('finds a known user by email address in any letter case, and changes nothing', () => {
    const again = given(...customerWith(1), ...ada).when(
      signInUser('ada', { userId: userIdOf('offered'), email: 'ADA@ACME.EXAMPLE' }),
    );
    again.thenNothing();
    expect(findUser(again.state, signInUser('ada', { email: 'ADA@ACME.EXAMPLE' }).data)?.userId).toBe(userIdOf('ada'));
  });

  it('keeps the username that the console shows', () => {
    given(...customerWith(1), ...ada)
      .when(signInUser('ada', { username: 'root' }))
      .thenNothing();
  });

  it('finds a user whose address was changed by username on the same machine', () => {
    const signIn = signInUser('ada', { userId: userIdOf('offered') });
    const again = given(...customerWith(1), ...ada, userDetailsChanged('ada', { email: 'lovelace@acme.example' })).when(signIn);
    again.thenNothing();
    expect(findUser(again.state, signIn.data)?.userId).toBe(userIdOf('ada'));
  });

  it('does not find a user of the same name on another machine', () => {
    given(...customerWith(5), ...ada)
      .when(signInUser('other', { username: 'ADA', email: 'other@acme.example', machineId: 'machine-9' }))
      .thenRefused('username_taken');
  });

  it('is refused when every developer seat is taken', () => {
    given(...customerWith(1), ...ada)
      .when(signInUser('bob'))
      .thenRefused('seat_limit_reached');
  });

  it('accepts a user who holds a seat, although none is free', () => {
    given(...customerWith(1), ...ada, seatsAllocated({ developerSeats: 0 }))
      .when(signInUser('ada'))
      .thenNothing();
  });

  it('is refused for a suspended or churned customer', () => {
    given(...customerWith(1), ...ada, customerSuspended())
      .when(signInUser('ada'))
      .thenRefused('customer_suspended');
    given(...customerWith(1), ...ada, customerChurned())
      .when(signInUser('ada'))
      .thenRefused('customer_not_active');
  });

  it('is refused for a suspended or inactive user', () => {
    given(...customerWith(1), ...ada, userSuspended(), seatReleased('ada', 'suspended'))
      .when(signInUser('ada'))
      .thenRefused('user_suspended');
    given(...customerWith(1), ...adaAway)
      .when(signInUser('ada'))
      .thenRefused('user_inactive');
  });

  it('is refused for a stakeholder, and allowed for a developer and an admin', () => {
    given(...customerWith(1), ...ada, userRoleChanged('ada', 'stakeholder'))
      .when(signInUser('ada'))
      .thenRefused('role_not_allowed');
    given(...customerWith(1), ...ada, userRoleChanged('ada', 'admin'))
      .when(signInUser('ada'))
      .thenNothing();
    given(...customerWith(1), ...ada, userRoleChanged('ada', 'stakeholder'), userRoleChanged('ada', 'developer'))
      .when(signInUser('ada'))
      .thenNothing();
  });

  it('assigns exactly ten seats to a thousand sign-ins', () => {
    let state: CustomerState = customerWith(10).reduce(customerDecider.evolve, customerDecider.initial);
    const outcomes = Array.from({ length: 1000 }, (_, i) => {
      const decision = customerDecider.decide(signInUser(`dev${i}`), state);
      if (decision.accepted) state = decision.events.reduce(customerDecider.evolve, state);
      return decision.accepted ? 'in' : decision.refusal;
    });
    expect(outcomes.filter((outcome) => outcome === 'in')).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome === 'seat_limit_reached')).toHaveLength(990);
    expect(state).toMatchObject({ seats: { developer: { allocated: 10, active: 10 } } });
  });
});

describe("changing a user's details", () => {
  it('keeps fields that are not given', () => {
    given(...customerWith(5), ...ada)
      .when(changeUserDetails('ada', { username: 'countess' }))
      .then(userDetailsChanged('ada', { username: 'countess' }));
  });

  it('may change only the letter case', () => {
    given(...customerWith(5), ...ada)
      .when(changeUserDetails('ada', { username: 'Ada', email: 'Ada@acme.example' }))
      .then(userDetailsChanged('ada', { username: 'Ada', email: 'Ada@acme.example' }));
  });

  it('is refused for an email address or username of another user', () => {
    const both = [...customerWith(5), ...ada, userRegistered('bob'), seatClaimed('bob')];
    given(...both)
      .when(changeUserDetails('bob', { email: 'ADA@acme.example' }))
      .thenRefused('email_taken');
    given(...both)
      .when(changeUserDetails('bob', { username: 'ADA' }))
      .thenRefused('username_taken');
  });

  it('releases the old email address and username', () => {
    const renamed = userDetailsChanged('ada', { username: 'countess', email: 'countess@acme.example' });
    given(...customerWith(5), ...ada, renamed)
      .when(registerUser('new', { username: 'ada', email: 'ada@acme.example' }))
      .then(userRegistered('new', { username: 'ada', email: 'ada@acme.example' }), seatClaimed('new'));
  });

  it('writes nothing when nothing changes', () => {
    given(...customerWith(5), ...ada)
      .when(changeUserDetails('ada', {}))
      .thenNothing();
  });
});

describe("changing a user's role", () => {
  it('moves the seat of an active user', () => {
    given(...customerWith(1, 1), ...ada)
      .when(changeUserRole('ada', 'stakeholder'))
      .then(
        userRoleChanged('ada', 'stakeholder'),
        seatReleased('ada', 'role_changed', 'developer'),
        seatClaimed('ada', 'stakeholder'),
      );
  });

  it('keeps the seat if the new role needs the same kind', () => {
    given(...customerWith(1), ...ada)
      .when(changeUserRole('ada', 'admin'))
      .then(userRoleChanged('ada', 'admin'));
  });

  it('is refused when no seat of the new kind is free', () => {
    given(...customerWith(1, 0), ...ada)
      .when(changeUserRole('ada', 'stakeholder'))
      .thenRefused('seat_limit_reached');
  });

  it('moves no seat of an inactive user', () => {
    given(...customerWith(1, 0), ...adaAway)
      .when(changeUserRole('ada', 'stakeholder'))
      .then(userRoleChanged('ada', 'stakeholder'));
  });

  it('writes nothing for the role they have', () => {
    given(...customerWith(1), ...ada)
      .when(changeUserRole('ada', 'developer'))
      .thenNothing();
  });
});

describe('activating a user', () => {
  it('claims a free seat', () => {
    given(...customerWith(1), ...adaAway)
      .when(activateUser('ada'))
      .then(userActivated('ada'), seatClaimed('ada', 'developer'));
  });

  it('claims a seat of the current role', () => {
    given(...customerWith(1), ...adaAway, userRoleChanged('ada', 'stakeholder'))
      .when(activateUser('ada'))
      .then(userActivated('ada'), seatClaimed('ada', 'stakeholder'));
  });

  it('is refused when every seat is taken', () => {
    given(...customerWith(1), ...adaAway, userRegistered('bob'), seatClaimed('bob'))
      .when(activateUser('ada'))
      .thenRefused('seat_limit_reached');
  });

  it('is refused for a customer that is not active', () => {
    given(...customerWith(1), ...adaAway, customerSuspended())
      .when(activateUser('ada'))
      .thenRefused('customer_not_active');
  });

  it('writes nothing for an active one', () => {
    given(...customerWith(1), ...ada)
      .when(activateUser('ada'))
      .thenNothing();
  });
});

describe('deactivating and suspending a user', () => {
  it('releases the seat', () => {
    given(...customerWith(1), ...ada)
      .when(deactivateUser('ada'))
      .then(userDeactivated('ada'), seatReleased('ada', 'deactivated'));
    given(...customerWith(1), ...ada)
      .when(suspendUser('ada'))
      .then(userSuspended('ada'), seatReleased('ada', 'suspended'));
  });

  it('releases it once', () => {
    given(...customerWith(1), ...adaAway)
      .when(suspendUser('ada'))
      .then(userSuspended('ada'));
    given(...customerWith(1), ...adaAway)
      .when(deactivateUser('ada'))
      .thenNothing();
    given(...customerWith(1), ...adaAway, userSuspended('ada'))
      .when(suspendUser('ada'))
      .thenNothing();
    given(...customerWith(1), ...adaAway, userSuspended('ada'))
      .when(deactivateUser('ada'))
      .then(userDeactivated('ada'));
  });

  it('makes the seat available to another user', () => {
    given(...customerWith(1), ...adaAway)
      .when(registerUser('bob'))
      .then(userRegistered('bob'), seatClaimed('bob'));
  });

  it('works for a suspended customer', () => {
    given(...customerWith(1), ...ada, customerSuspended())
      .when(deactivateUser('ada'))
      .then(userDeactivated('ada'), seatReleased('ada'));
  });
});

describe('expecting a state of a user', () => {
  it('changes nothing, and is refused if the user is in another state', () => {
    given(...customerWith(1), ...ada)
      .when(expectUser('ada'))
      .thenNothing();
    given(...customerWith(1), ...adaAway)
      .when(expectUser('ada', { status: 'inactive' }))
      .thenNothing();
    for (const seen of [{ status: 'suspended' }, { role: 'admin' }, { username: 'eve' }, { email: 'eve@acme.example' }] as const) {
      given(...customerWith(1), ...ada)
        .when(expectUser('ada', seen))
        .thenRefused('user_changed');
    }
  });
});

describe('an unknown user', () => {
  it('is not found', () => {
    for (const command of [activateUser('eve'), suspendUser('eve'), changeUserRole('eve', 'admin'), changeUserDetails('eve', {})]) {
      given(...customerWith(1))
        .when(command)
        .thenRefused('user_not_found');
    }
  });
});

describe('lowering the allocation below the active seats', () => {
  it('keeps the active users and refuses new claims', () => {
    const lowered = given(
      ...customerWith(2),
      ...ada,
      userRegistered('bob'),
      seatClaimed('bob'),
      seatsAllocated({ developerSeats: 1 }),
    );
    expect(lowered.state).toMatchObject({ seats: { developer: { allocated: 1, active: 2 } } });
    lowered.when(registerUser('eve')).thenRefused('seat_limit_reached');
  });
});

describe('the automatic release of idle seats', () => {
  const released = [userDeactivated('ada', 'Seat released automatically after 30 idle days'), seatReleased('ada')];

  it('is set once, and can be switched off', () => {
    given(...customerWith(1), ...ada)
      .when(setIdleRelease(30))
      .then(idleReleaseSet(30));
    given(...customerWith(1), ...ada, idleReleaseSet(30))
      .when(setIdleRelease(30))
      .thenNothing();
    given(...customerWith(1), ...ada, idleReleaseSet(30))
      .when(setIdleRelease(null))
      .then(idleReleaseSet(null));
  });

  it('deactivates a user who holds a seat, and says why', () => {
    given(...customerWith(1), ...ada, idleReleaseSet(30))
      .when(releaseIdleSeat())
      .then(...released);
  });

  it('does nothing a second time, and when the license no longer says so', () => {
    given(...customerWith(1), ...ada, idleReleaseSet(30), ...released)
      .when(releaseIdleSeat())
      .thenNothing();
    given(...customerWith(1), ...ada)
      .when(releaseIdleSeat())
      .thenNothing();
    given(...customerWith(1), ...ada, idleReleaseSet(31))
      .when(releaseIdleSeat())
      .thenNothing();
  });
});
