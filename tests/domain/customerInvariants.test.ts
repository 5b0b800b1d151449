import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caseless } from '../../src/domain/caseless.ts';
import type { CustomerCommand } from '../../src/domain/customer/commands.ts';
import { customerDecider } from '../../src/domain/customer/decider.ts';
import { type CustomerState, seatKindOf } from '../../src/domain/customer/state.ts';
import * as commands from '../support/builders/customerCommands.ts';

const user = fc.constantFrom('ada', 'Bob', 'eve', 'mallory');
const role = fc.constantFrom('developer' as const, 'stakeholder' as const, 'admin' as const);
const email = fc.constantFrom('ada@acme.example', 'ADA@acme.example', 'bob@acme.example', 'eve@acme.example');
const seats = fc.integer({ min: -1, max: 3 });

const command: fc.Arbitrary<CustomerCommand> = fc.oneof(
  fc.tuple(user, role, email).map(([name, as, at]) => commands.registerUser(name, { role: as, email: at })),
  fc.tuple(user, email).map(([name, at]) => commands.signInUser(name, { email: at })),
  fc.tuple(user, user, email).map(([id, username, at]) => commands.changeUserDetails(id, { username, email: at })),
  fc.tuple(user, role).map(([id, to]) => commands.changeUserRole(id, to)),
  user.map(commands.activateUser),
  user.map(commands.deactivateUser),
  user.map(commands.suspendUser),
  fc.tuple(seats, seats).map(([developerSeats, stakeholderSeats]) => commands.allocateSeats({ developerSeats, stakeholderSeats })),
  fc.constantFrom(
    commands.enforceSeatLimits(),
    commands.relaxSeatLimits(),
    commands.suspendCustomer(),
    commands.reactivateCustomer(),
    commands.churnCustomer(),
  ),
);

const start = [commands.registerCustomer({ developerSeats: 2, stakeholderSeats: 1 })].reduce((state, register) => {
  const decision = customerDecider.decide(register, state);
  return decision.accepted ? decision.events.reduce(customerDecider.evolve, state) : state;
}, customerDecider.initial);

const registered = (state: CustomerState) => {
  if (state.status === 'unregistered' || state.status === 'deleted') throw new Error('Not registered');
  return state;
};

describe('any sequence of commands for a customer', () => {
  it('leaves one seat of the right kind with each active user, and with no other user', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        let state = start;
        for (const one of commands) {
          const decision = customerDecider.decide(one, state);
          if (!decision.accepted) continue;
          const before = registered(state);
          state = decision.events.reduce(customerDecider.evolve, state);
          const after = registered(state);
          const users = [...after.users.values()];
          for (const kind of ['developer', 'stakeholder'] as const) {
            const holders = users.filter(({ status, role: held }) => status === 'active' && seatKindOf(held) === kind);
            expect(after.seats[kind].active).toBe(holders.length);
            expect(users.filter(({ seat }) => seat === kind)).toEqual(holders);
            const { allocated, active } = after.seats[kind];
            const grew = active > before.seats[kind].active;
            if (grew && after.seatLimitsEnforced && allocated !== -1) expect(active).toBeLessThanOrEqual(allocated);
          }
          expect(new Set(users.map(({ email: at }) => caseless(at))).size).toBe(users.length);
          expect(new Set(users.map(({ username }) => caseless(username))).size).toBe(users.length);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('changes nothing when an accepted command is repeated', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        let state = start;
        for (const one of commands) {
          const decision = customerDecider.decide(one, state);
          if (!decision.accepted) continue;
          state = decision.events.reduce(customerDecider.evolve, state);
          expect(customerDecider.decide(one, state)).toEqual({ accepted: true, events: [] });
        }
      }),
      { numRuns: 300 },
    );
  });
});
