import { describe, expect, it } from 'vitest';
import { customerDecider } from '../../src/domain/customer/decider.ts';
import {
  accountDeletionRequested,
  accountDeletionWithdrawn,
  customerChurned,
  customerDeleted,
  customerDetailsChanged,
  customerReactivated,
  customerRegistered,
  customerSuspended,
  licenseIssued,
  licenseKeyRotated,
  passwordChanged,
  passwordReset,
  seatLimitsEnforced,
  seatLimitsRelaxed,
  seatsAllocated,
  themeAssigned,
  themeUnassigned,
} from '../support/builders/customer.ts';
import {
  abandonEnrolment,
  activateUser,
  allocateSeats,
  assignTheme,
  changeCustomerDetails,
  changePassword,
  churnCustomer,
  deleteCustomer,
  enforceSeatLimits,
  fallBackFromTheme,
  reactivateCustomer,
  registerCustomer,
  relaxSeatLimits,
  requestAccountDeletion,
  resetPassword,
  rotateLicenseKey,
  signInUser,
  suspendCustomer,
  unassignTheme,
  withdrawAccountDeletion,
} from '../support/builders/customerCommands.ts';
import { integratorIdOf } from '../support/builders/ids.ts';
import { decisionSpec } from '../support/decisionSpec.ts';

const given = decisionSpec(customerDecider);
const acme = [customerRegistered(), licenseIssued(), seatsAllocated(), seatLimitsEnforced()] as const;

describe('registering a customer', () => {
  it('issues its license and allocates its seats', () => {
    given().when(registerCustomer()).then(customerRegistered(), licenseIssued(), seatsAllocated(), seatLimitsEnforced());
  });

  it('may relax the seat limits and assign a theme from the start', () => {
    given()
      .when(registerCustomer({ seatLimitsEnforced: false, theme: { theme: 'aurora', source: 'default' } }))
      .then(customerRegistered(), licenseIssued(), seatsAllocated(), seatLimitsRelaxed(), themeAssigned('aurora', 'default'));
  });

  it('happens once', () => {
    given(...acme)
      .when(registerCustomer())
      .thenNothing();
  });

  it('is refused once the enrolment was abandoned', () => {
    given(customerDeleted()).when(registerCustomer()).thenRefused('customer_deleted');
  });
});

describe('abandoning an enrolment', () => {
  it('prevents a customer that was never registered from being registered', () => {
    given().when(abandonEnrolment()).then(customerDeleted());
  });

  it('does not change a registered customer', () => {
    given(...acme)
      .when(abandonEnrolment())
      .thenNothing();
  });
});

describe('changing details', () => {
  it('keeps fields that are not given', () => {
    given(...acme)
      .when(changeCustomerDetails({ name: 'Acme Europe' }))
      .then(customerDetailsChanged({ name: 'Acme Europe' }));
  });

  it('can clear the company', () => {
    given(...acme)
      .when(changeCustomerDetails({ company: null }))
      .then(customerDetailsChanged({ company: null }));
  });

  it('writes nothing when nothing changes', () => {
    given(...acme)
      .when(changeCustomerDetails({ name: 'Acme', company: 'Acme Inc.' }))
      .thenNothing();
  });
});

describe('allocating seats', () => {
  it('changes one kind and keeps the other', () => {
    given(...acme)
      .when(allocateSeats({ developerSeats: -1 }))
      .then(seatsAllocated({ developerSeats: -1 }));
  });

  it('writes nothing when the numbers are equal', () => {
    given(...acme)
      .when(allocateSeats({ developerSeats: 10, stakeholderSeats: 5 }))
      .thenNothing();
  });
});

describe('seat limits', () => {
  it('are relaxed and enforced, each once', () => {
    given(...acme)
      .when(relaxSeatLimits())
      .then(seatLimitsRelaxed());
    given(...acme, seatLimitsRelaxed())
      .when(relaxSeatLimits())
      .thenNothing();
    given(...acme, seatLimitsRelaxed())
      .when(enforceSeatLimits())
      .then(seatLimitsEnforced());
    given(...acme)
      .when(enforceSeatLimits())
      .thenNothing();
  });
});

describe('the status of a customer', () => {
  const statuses = [
    { name: 'active', reached: customerReactivated(), command: reactivateCustomer('on request') },
    { name: 'suspended', reached: customerSuspended(), command: suspendCustomer('on request') },
    { name: 'churned', reached: customerChurned(), command: churnCustomer('on request') },
  ];
  for (const from of statuses) {
    for (const to of statuses) {
      it(`may go from ${from.name} to ${to.name}`, () => {
        const result = given(...acme, from.reached).when(to.command);
        if (from === to) result.thenNothing();
        else result.then({ ...to.reached, data: { reason: 'on request' } });
      });
    }
  }
});

describe('the theme of a customer', () => {
  it('is assigned', () => {
    given(...acme)
      .when(assignTheme('meridian'))
      .then(themeAssigned('meridian'));
  });

  it('is assigned again when it becomes an explicit choice', () => {
    given(...acme, themeAssigned('meridian', 'default'))
      .when(assignTheme('meridian'))
      .then(themeAssigned('meridian'));
  });

  it('is not assigned twice', () => {
    given(...acme, themeAssigned('meridian'))
      .when(assignTheme('meridian'))
      .thenNothing();
  });

  it('is unassigned, once', () => {
    given(...acme, themeAssigned('meridian'))
      .when(unassignTheme())
      .then(themeUnassigned());
    given(...acme)
      .when(unassignTheme())
      .thenNothing();
  });

  it('falls back to the default when its own was deleted', () => {
    given(...acme, themeAssigned('gone'))
      .when(fallBackFromTheme('gone', 'next'))
      .then(themeAssigned('next', 'default'));
  });

  it('falls back to none if there is no default', () => {
    given(...acme, themeAssigned('gone'))
      .when(fallBackFromTheme('gone', null))
      .then(themeUnassigned());
  });

  it('does not fall back once another one was assigned', () => {
    given(...acme, themeAssigned('gone'), themeAssigned('summit'))
      .when(fallBackFromTheme('gone', 'next'))
      .thenNothing();
  });
});

describe('rotating the license key', () => {
  it('replaces the old key by a new one', () => {
    const rotated = given(...acme).when(rotateLicenseKey('LK-ENT-CCCC-DDDDD'));
    rotated.then(licenseKeyRotated());
    expect(rotated.state).toMatchObject({ licenseKey: 'LK-ENT-CCCC-DDDDD' });
  });

  it('happens once for one key', () => {
    given(...acme, licenseKeyRotated())
      .when(rotateLicenseKey('LK-ENT-CCCC-DDDDD'))
      .thenNothing();
  });
});

describe('changing the password', () => {
  it('sets a first one, which replaces the license key', () => {
    given(...acme)
      .when(changePassword('hash-1'))
      .then(passwordChanged('hash-1'));
  });

  it('replaces the one that was verified', () => {
    given(...acme, passwordChanged('hash-1'))
      .when(changePassword('hash-2', 'hash-1'))
      .then(passwordChanged('hash-2'));
  });

  it('is refused when the one that was verified is not the current one', () => {
    given(...acme, passwordChanged('hash-1'))
      .when(changePassword('hash-3', null))
      .thenRefused('wrong_current_password');
  });
});

describe('resetting the password', () => {
  it('removes it, so that the license key is checked again', () => {
    given(...acme, passwordChanged('hash-1'))
      .when(resetPassword())
      .then(passwordReset());
    given(...acme, passwordChanged('hash-1'), passwordReset())
      .when(changePassword('hash-2', null))
      .then(passwordChanged('hash-2'));
  });

  it('writes nothing if none is set', () => {
    given(...acme)
      .when(resetPassword())
      .thenNothing();
  });
});

describe('requesting deletion', () => {
  it('is recorded once and can be withdrawn', () => {
    given(...acme)
      .when(requestAccountDeletion())
      .then(accountDeletionRequested());
    given(...acme, accountDeletionRequested())
      .when(requestAccountDeletion())
      .thenNothing();
    given(...acme, accountDeletionRequested())
      .when(withdrawAccountDeletion())
      .then(accountDeletionWithdrawn());
    given(...acme)
      .when(withdrawAccountDeletion())
      .thenNothing();
  });
});

describe('deleting a customer', () => {
  it('keeps only its service integrator', () => {
    const deleted = given(...acme).when(deleteCustomer());
    deleted.then(customerDeleted());
    expect(deleted.state).toEqual({ status: 'deleted', integratorId: integratorIdOf() });
  });

  it('happens once', () => {
    given(...acme, customerDeleted())
      .when(deleteCustomer())
      .thenNothing();
  });

  it('makes it unknown to all other commands', () => {
    for (const command of [suspendCustomer(), activateUser(), signInUser(), requestAccountDeletion(), allocateSeats({})]) {
      given(...acme, customerDeleted())
        .when(command)
        .thenRefused('customer_not_found');
    }
  });
});

describe('a customer that was never registered', () => {
  it('is not found', () => {
    for (const command of [suspendCustomer(), activateUser(), signInUser(), deleteCustomer()]) {
      given().when(command).thenRefused('customer_not_found');
    }
  });
});
