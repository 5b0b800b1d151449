import { describe, expect, it } from 'vitest';
import { customerDecider } from '../../src/domain/customer/decider.ts';
import { findUser } from '../../src/domain/customer/state.ts';
import { MAX_MACHINE_REQUESTS, MAX_MACHINES } from '../../src/domain/limits.ts';
import {
  adaIn,
  adaWithSeat,
  customerRegistered,
  customerSuspended,
  machineApprovalEnforced,
  machineApprovalRelaxed,
  machineApprovalRequested,
  machineApproved,
  machineLimitSet,
  machineRejected,
  machineRemoved,
  machineRenamed,
  seatClaimed,
  seatsAllocated,
  userMachineChanged,
  userRegistered,
  userRoleChanged,
  userSuspended,
} from '../support/builders/customer.ts';
import {
  approveMachine,
  authorizeMachine,
  enforceMachineApproval,
  rejectMachine,
  relaxMachineApproval,
  removeMachine,
  renameMachine,
  requestMachineApproval,
  setMachineLimit,
  signInUser,
} from '../support/builders/customerCommands.ts';
import { userIdOf } from '../support/builders/ids.ts';
import { decisionSpec } from '../support/decisionSpec.ts';

const given = decisionSpec(customerDecider);
const onMachine2 = signInUser('ada', { machineId: 'machine-2' });
const DAY_LATER = { at: '2026-02-01T12:00:00.001Z' };

describe('a user who signs in on a machine', () => {
  it('needs no approval on the machine of the registration', () => {
    given(...adaWithSeat)
      .when(signInUser('ada'))
      .thenNothing();
  });

  it('names the machine that registers them', () => {
    given(customerRegistered(), seatsAllocated())
      .when(signInUser('ada', { machineName: 'ada-laptop' }))
      .then(userRegistered('ada', { machineId: 'machine-1', machineName: 'ada-laptop' }), seatClaimed('ada'));
    const { state } = given(...adaWithSeat, userRegistered('bob', { machineId: 'machine-9', machineName: 'bob-laptop' }));
    expect(findUser(state, { username: 'bob', email: 'bob@acme.example', machineId: 'machine-9' })?.machines).toEqual([
      { machineId: 'machine-9', machineName: 'bob-laptop', requestId: null },
    ]);
  });

  it('names their machine if it has no name yet, as that of a registration by an earlier version', () => {
    const withName = signInUser('ada', { machineName: 'ada-laptop' });
    const named = machineRenamed('ada', 'machine-1', 'ada-laptop');
    given(...adaWithSeat)
      .when(withName)
      .then(named);
    given(...adaWithSeat, named)
      .when(signInUser('ada', { machineName: 'renamed-host' }))
      .thenNothing();
    given(...adaWithSeat, machineApprovalRelaxed())
      .when(signInUser('ada', { machineId: 'machine-2', machineName: 'ada-laptop' }))
      .then(userMachineChanged('ada', 'machine-2'));
  });

  it('binds the first machine if the registration named none, and only the first', () => {
    const unbound = [customerRegistered(), userRegistered('ada'), seatClaimed('ada')];
    const first = machineApproved('ada', 'machine-1', { machineName: null, requestId: null });
    given(...unbound)
      .when(signInUser('ada'))
      .then(first);
    expect(adaIn(given(...unbound, first).state)?.machineId).toBe('machine-1');
    given(...unbound, first)
      .when(onMachine2)
      .thenRefused('machine_approval_required');
  });

  it('needs approval on another machine, for every status and role', () => {
    const states = [[], [userSuspended()], [userRoleChanged('ada', 'stakeholder')]];
    for (const more of states) {
      given(...adaWithSeat, ...more)
        .when(onMachine2)
        .thenRefused('machine_approval_required');
    }
  });

  it('may use each approved machine, and the last one is recorded', () => {
    const both = [...adaWithSeat, machineApprovalRequested(), machineApproved()];
    given(...both)
      .when(onMachine2)
      .then(userMachineChanged('ada', 'machine-2'));
    given(...both, userMachineChanged('ada', 'machine-2'))
      .when(signInUser('ada'))
      .then(userMachineChanged('ada', 'machine-1'));
    given(...both, userMachineChanged('ada', 'machine-2'), userMachineChanged('ada', 'machine-1'))
      .when(onMachine2)
      .then(userMachineChanged('ada', 'machine-2'));
  });

  it('needs approval also after the last machine was removed', () => {
    given(...adaWithSeat, machineRemoved('ada', 'machine-1'))
      .when(signInUser('ada'))
      .thenRefused('machine_approval_required');
  });

  it('keeps the last machine of events without approvals, and only that one', () => {
    const before = [...adaWithSeat, userMachineChanged('ada', 'machine-2'), userMachineChanged('ada', 'machine-3')];
    given(...before)
      .when(signInUser('ada', { machineId: 'machine-3' }))
      .thenNothing();
    for (const machineId of ['machine-1', 'machine-2']) {
      given(...before)
        .when(signInUser('ada', { machineId }))
        .thenRefused('machine_approval_required');
    }
  });

  it('is found by username on any approved machine', () => {
    const { state } = given(...adaWithSeat, machineApprovalRequested(), machineApproved());
    const renamed = { username: 'ada', email: 'other@acme.example' };
    for (const machineId of ['machine-1', 'machine-2'])
      expect(findUser(state, { ...renamed, machineId })?.userId).toBe(userIdOf('ada'));
    expect(findUser(state, { ...renamed, machineId: 'machine-3' })).toBeUndefined();
  });
});

describe('disabled approval', () => {
  it('accepts every machine, without approving it', () => {
    given(...adaWithSeat, machineApprovalRelaxed())
      .when(onMachine2)
      .then(userMachineChanged('ada', 'machine-2'));
    const used = [...adaWithSeat, machineApprovalRelaxed(), userMachineChanged('ada', 'machine-2')];
    given(...used, machineApprovalEnforced())
      .when(onMachine2)
      .thenRefused('machine_approval_required');
    given(...used, machineApprovalEnforced())
      .when(signInUser('ada'))
      .then(userMachineChanged('ada', 'machine-1'));
  });

  it('is disabled once', () => {
    given(...adaWithSeat)
      .when(enforceMachineApproval())
      .thenNothing();
    given(...adaWithSeat)
      .when(relaxMachineApproval())
      .then(machineApprovalRelaxed());
    given(...adaWithSeat, machineApprovalRelaxed())
      .when(relaxMachineApproval())
      .thenNothing();
    given(...adaWithSeat, machineApprovalRelaxed())
      .when(enforceMachineApproval())
      .then(machineApprovalEnforced());
  });
});

describe('a request for approval', () => {
  it('is one event, however often the machine tries', () => {
    given(...adaWithSeat)
      .when(requestMachineApproval())
      .then(machineApprovalRequested());
    given(...adaWithSeat, machineApprovalRequested())
      .when(requestMachineApproval())
      .thenNothing();
  });

  it('is not made by a machine that may sign in', () => {
    given(...adaWithSeat)
      .when(requestMachineApproval('ada', 'machine-1'))
      .thenNothing();
  });

  it('expires after 24 hours, and may be made again then', () => {
    given(...adaWithSeat, machineApprovalRequested())
      .when(approveMachine('machine-2', null, DAY_LATER))
      .thenRefused('machine_request_not_found');
    const again = { requestedAt: DAY_LATER.at, expiresAt: '2026-02-02T12:00:00.001Z' };
    const renewed = given(...adaWithSeat, machineApprovalRequested()).when(requestMachineApproval('ada', 'machine-2', DAY_LATER));
    renewed.then(machineApprovalRequested('ada', 'machine-2', again));
    expect(adaIn(renewed.state)?.machineRequests).toHaveLength(1);
  });

  it('counts towards one limit with rejected ones, but not with approved ones', () => {
    const many = Array.from({ length: MAX_MACHINE_REQUESTS }, (_, index) => `other-${index}`);
    const requested = many.map((machineId) => machineApprovalRequested('ada', machineId));
    given(...adaWithSeat, ...requested)
      .when(requestMachineApproval())
      .thenRefused('machine_requests_exhausted');
    given(...adaWithSeat, ...requested, ...many.map((machineId) => machineRejected('ada', machineId)))
      .when(requestMachineApproval())
      .thenRefused('machine_requests_exhausted');
    given(...adaWithSeat, ...requested, machineApproved('ada', 'other-0'))
      .when(requestMachineApproval())
      .then(machineApprovalRequested());
  });

  it('of a rejected machine is refused until the rejection expires', () => {
    given(...adaWithSeat, machineApprovalRequested(), machineRejected())
      .when(requestMachineApproval())
      .thenRefused('machine_rejected');
    given(...adaWithSeat, machineApprovalRequested(), machineRejected())
      .when(approveMachine())
      .thenRefused('machine_request_not_found');
  });
});

describe('deciding on a request', () => {
  it('approves once, by the customer or by an approved machine of the user', () => {
    for (const by of [null, 'machine-1']) {
      given(...adaWithSeat, machineApprovalRequested())
        .when(approveMachine('machine-2', by))
        .then(machineApproved());
    }
    given(...adaWithSeat, machineApprovalRequested(), machineApproved())
      .when(approveMachine())
      .thenNothing();
  });

  it('rejects once', () => {
    given(...adaWithSeat, machineApprovalRequested())
      .when(rejectMachine('machine-2', 'machine-1'))
      .then(machineRejected());
    given(...adaWithSeat, machineApprovalRequested(), machineRejected())
      .when(rejectMachine())
      .thenNothing();
    given(...adaWithSeat)
      .when(rejectMachine())
      .thenRefused('machine_request_not_found');
  });

  it('is refused for the machine itself and for a removed machine', () => {
    const removed = [...adaWithSeat, machineApprovalRequested(), machineRemoved('ada', 'machine-1')];
    for (const command of [approveMachine, rejectMachine]) {
      given(...adaWithSeat, machineApprovalRequested())
        .when(command('machine-2', 'machine-2'))
        .thenRefused('machine_not_approved');
      given(...removed)
        .when(command('machine-2', 'machine-1'))
        .thenRefused('machine_not_approved');
    }
  });

  it('does not find a request of another user', () => {
    given(...adaWithSeat, userRegistered('bob', { machineId: 'machine-9' }), machineApprovalRequested('bob'))
      .when(approveMachine('machine-2', 'machine-1'))
      .thenRefused('machine_request_not_found');
  });

  it('does not find a request again whose machine was removed since', () => {
    given(...adaWithSeat, machineApprovalRequested(), machineApproved(), machineRemoved())
      .when(approveMachine())
      .thenRefused('machine_request_not_found');
  });

  it('is refused beyond the maximum number of machines', () => {
    const many = Array.from({ length: MAX_MACHINES - 1 }, (_, index) => `laptop-${index}`);
    const owned = many.flatMap((machineId) => [machineApprovalRequested('ada', machineId), machineApproved('ada', machineId)]);
    given(...adaWithSeat, ...owned, machineApprovalRequested())
      .when(approveMachine())
      .thenRefused('machine_limit_reached');
    given(...adaWithSeat, ...owned, machineRemoved('ada', 'laptop-0'), machineApprovalRequested())
      .when(approveMachine())
      .then(machineApproved());
  });
});

describe('removing a machine', () => {
  it('leaves the one that was approved last as the machine of the user', () => {
    const both = [...adaWithSeat, machineApprovalRequested(), machineApproved(), userMachineChanged('ada', 'machine-2')];
    given(...both)
      .when(removeMachine('machine-2', 'machine-1'))
      .then(machineRemoved());
    expect(adaIn(given(...both, machineRemoved()).state)?.machineId).toBe('machine-1');
    expect(adaIn(given(...both, machineRemoved(), machineRemoved('ada', 'machine-1')).state)?.machineId).toBeNull();
  });

  it('is refused if there is none', () => {
    given(...adaWithSeat, machineApprovalRequested())
      .when(removeMachine())
      .thenRefused('machine_not_found');
  });
});

describe('a user who approves a machine by its code', () => {
  const second = machineApproved('ada', 'machine-2', { machineName: 'laptop', requestId: null });

  it('approves it and uses it from then on, whatever was requested or rejected before', () => {
    const requests = [machineApprovalRequested('ada', 'machine-2'), machineRejected('ada', 'machine-2')] as const;
    for (const before of [[], requests.slice(0, 1), requests]) {
      given(...adaWithSeat, ...before)
        .when(authorizeMachine())
        .then(second, userMachineChanged('ada', 'machine-2'));
    }
    expect(adaIn(given(...adaWithSeat, ...requests, second).state)?.machineRequests).toEqual([]);
  });

  it('changes nothing on the machine that was used last, but names it once', () => {
    given(...adaWithSeat, machineRenamed('ada', 'machine-1'))
      .when(authorizeMachine('machine-1'))
      .thenNothing();
    given(...adaWithSeat)
      .when(authorizeMachine('machine-1'))
      .then(machineRenamed('ada', 'machine-1', 'laptop'));
  });

  it('is refused one machine more than allowed, but only while machines need approval', () => {
    const others = Array.from({ length: MAX_MACHINES - 1 }, (_, index) => machineApproved('ada', `other-${index}`));
    given(...adaWithSeat, ...others)
      .when(authorizeMachine())
      .thenRefused('machine_limit_reached');
    given(...adaWithSeat, ...others, machineApprovalRelaxed())
      .when(authorizeMachine())
      .then(userMachineChanged('ada', 'machine-2'));
  });

  it('is refused while the license, the user or the role does not allow the tool', () => {
    given(...adaWithSeat, customerSuspended())
      .when(authorizeMachine())
      .thenRefused('customer_suspended');
    given(...adaWithSeat, userSuspended('ada'))
      .when(authorizeMachine())
      .thenRefused('user_suspended');
    given(...adaWithSeat, userRoleChanged('ada', 'stakeholder'))
      .when(authorizeMachine())
      .thenRefused('role_not_allowed');
    given(...adaWithSeat)
      .when(authorizeMachine('machine-2', 'nobody'))
      .thenRefused('user_not_found');
  });
});

describe('renaming a machine', () => {
  const both = [...adaWithSeat, machineApprovalRequested(), machineApproved()];

  it('changes its name, unless it has this name already', () => {
    given(...both)
      .when(renameMachine())
      .then(machineRenamed());
    given(...both, machineRenamed())
      .when(renameMachine())
      .thenNothing();
    expect(adaIn(given(...both, machineRenamed()).state)?.machines.map(({ machineName }) => machineName)).toEqual([
      null,
      'Build server',
    ]);
  });

  it('is refused to a machine that is not approved, and of an unknown machine', () => {
    given(...both)
      .when(renameMachine('Build server', 'machine-2', 'machine-9'))
      .thenRefused('machine_not_approved');
    given(...adaWithSeat)
      .when(renameMachine())
      .thenRefused('machine_not_found');
  });
});

describe('a license that limits the machines of each user', () => {
  const limited = [...adaWithSeat, machineLimitSet(2)];
  const full = [...limited, machineApprovalRequested(), machineApproved()];

  it('is set once, and the limit can be removed', () => {
    given(...adaWithSeat)
      .when(setMachineLimit(2))
      .then(machineLimitSet(2));
    given(...limited)
      .when(setMachineLimit(2))
      .thenNothing();
    given(...limited)
      .when(setMachineLimit(null))
      .then(machineLimitSet(null));
  });

  it('refuses one machine more, until one is removed', () => {
    given(...full, machineApprovalRequested('ada', 'machine-3'))
      .when(approveMachine('machine-3'))
      .thenRefused('machine_limit_reached');
    given(...full)
      .when(authorizeMachine('machine-3'))
      .thenRefused('machine_limit_reached');
    given(...full, machineRemoved(), machineApprovalRequested('ada', 'machine-3'))
      .when(approveMachine('machine-3'))
      .then(machineApproved('ada', 'machine-3'));
  });

  it('keeps machines from before the limit, which still sign in', () => {
    given(...full, machineLimitSet(1))
      .when(onMachine2)
      .then(userMachineChanged('ada', 'machine-2'));
  });

  it('counts machines without approval too: each is listed, and one more is refused', () => {
    const second = machineApproved('ada', 'machine-2', { machineName: null, requestId: null });
    given(...limited, machineApprovalRelaxed())
      .when(onMachine2)
      .then(second, userMachineChanged('ada', 'machine-2'));
    given(...limited, machineApprovalRelaxed(), second)
      .when(signInUser('ada', { machineId: 'machine-3' }))
      .thenRefused('machine_limit_reached');
    given(...limited, machineApprovalRelaxed(), second)
      .when(authorizeMachine('machine-3'))
      .thenRefused('machine_limit_reached');
  });
});
