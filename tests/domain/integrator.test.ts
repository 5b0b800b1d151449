import { describe, expect, it } from 'vitest';
import { integratorDecider } from '../../src/domain/integrator/decider.ts';
import {
  brandingChanged,
  customerEnrolled,
  customerWithdrawn,
  integratorChurned,
  integratorDeleted,
  integratorProfileChanged,
  integratorReactivated,
  integratorRegistered,
  integratorSuspended,
  masterLicenseIssued,
  masterLicenseKeyRotated,
  whiteLabelDisabled,
  whiteLabelEnabled,
} from '../support/builders/integrator.ts';
import {
  changeBranding,
  changeIntegratorProfile,
  churnIntegrator,
  deleteIntegrator,
  disableWhiteLabel,
  enableWhiteLabel,
  enrolCustomer,
  reactivateIntegrator,
  registerIntegrator,
  rotateMasterLicenseKey,
  suspendIntegrator,
  withdrawCustomer,
} from '../support/builders/integratorCommands.ts';
import { decisionSpec } from '../support/decisionSpec.ts';

const given = decisionSpec(integratorDecider);
const partner = [integratorRegistered(), masterLicenseIssued()] as const;

describe('registering an integrator', () => {
  it('issues its master license', () => {
    given().when(registerIntegrator()).then(integratorRegistered(), masterLicenseIssued());
  });

  it('happens once', () => {
    given(...partner)
      .when(registerIntegrator())
      .thenNothing();
    given(...partner, integratorDeleted())
      .when(registerIntegrator())
      .thenRefused('integrator_deleted');
  });
});

describe('changing the profile', () => {
  it('keeps fields that are not given', () => {
    given(...partner)
      .when(changeIntegratorProfile({ billingEmail: 'new@partner.example' }))
      .then(integratorProfileChanged({ billingEmail: 'new@partner.example' }));
  });

  it('writes nothing when nothing changes', () => {
    given(...partner)
      .when(changeIntegratorProfile({ companyName: 'Partner' }))
      .thenNothing();
  });
});

describe('the status of an integrator', () => {
  const statuses = [
    { name: 'active', reached: integratorReactivated(), command: reactivateIntegrator('on request') },
    { name: 'suspended', reached: integratorSuspended(), command: suspendIntegrator('on request') },
    { name: 'churned', reached: integratorChurned(), command: churnIntegrator('on request') },
  ];
  for (const from of statuses) {
    for (const to of statuses) {
      it(`may go from ${from.name} to ${to.name}`, () => {
        const result = given(...partner, from.reached).when(to.command);
        if (from === to) result.thenNothing();
        else result.then({ ...to.reached, data: { reason: 'on request' } });
      });
    }
  }

  it('releases domain and branding when it becomes churned', () => {
    given(...partner, whiteLabelEnabled(), brandingChanged())
      .when(churnIntegrator())
      .then(integratorChurned(), whiteLabelDisabled(), brandingChanged({ customDomain: null, logoUrl: null }));
  });
});

describe('white-label', () => {
  it('is enabled and disabled, each once', () => {
    given(...partner)
      .when(enableWhiteLabel())
      .then(whiteLabelEnabled());
    given(...partner, whiteLabelEnabled())
      .when(enableWhiteLabel())
      .thenNothing();
    given(...partner, whiteLabelEnabled())
      .when(disableWhiteLabel())
      .then(whiteLabelDisabled());
    given(...partner)
      .when(disableWhiteLabel())
      .thenNothing();
  });

  it('accepts a domain and a logo, and keeps fields that are not given', () => {
    given(...partner)
      .when(changeBranding({ customDomain: 'licenses.partner.example', logoUrl: 'https://partner.example/logo.svg' }))
      .then(brandingChanged());
    given(...partner, brandingChanged())
      .when(changeBranding({ customDomain: null }))
      .then(brandingChanged({ customDomain: null }));
    given(...partner, brandingChanged())
      .when(changeBranding({}))
      .thenNothing();
  });

  it('is refused for a churned integrator', () => {
    const churned = given(...partner, integratorChurned());
    churned.when(enableWhiteLabel()).thenRefused('integrator_churned');
    churned.when(changeBranding({ customDomain: 'licenses.partner.example' })).thenRefused('integrator_churned');
    churned.when(changeBranding({ customDomain: null, logoUrl: null })).thenNothing();
  });
});

describe('enrolling a customer', () => {
  it('happens once', () => {
    given(...partner)
      .when(enrolCustomer())
      .then(customerEnrolled());
    given(...partner, customerEnrolled())
      .when(enrolCustomer())
      .thenNothing();
  });

  it('is accepted for a suspended integrator and refused for a churned one', () => {
    given(...partner, integratorSuspended())
      .when(enrolCustomer())
      .then(customerEnrolled());
    given(...partner, integratorChurned())
      .when(enrolCustomer())
      .thenRefused('integrator_churned');
  });

  it('is refused for an unknown or deleted integrator', () => {
    given().when(enrolCustomer()).thenRefused('integrator_not_found');
    given(...partner, integratorDeleted())
      .when(enrolCustomer())
      .thenRefused('integrator_not_found');
  });
});

describe('withdrawing a customer', () => {
  it('happens once', () => {
    given(...partner, customerEnrolled())
      .when(withdrawCustomer())
      .then(customerWithdrawn());
    given(...partner)
      .when(withdrawCustomer())
      .thenNothing();
    given(...partner, integratorDeleted())
      .when(withdrawCustomer())
      .thenNothing();
  });
});

describe('rotating the master license key', () => {
  it('happens once for one key', () => {
    const rotated = given(...partner).when(rotateMasterLicenseKey('LK-SI-CCCC-DDDDD'));
    rotated.then(masterLicenseKeyRotated());
    expect(rotated.state).toMatchObject({ masterLicenseKey: 'LK-SI-CCCC-DDDDD' });
    given(...partner, masterLicenseKeyRotated())
      .when(rotateMasterLicenseKey('LK-SI-CCCC-DDDDD'))
      .thenNothing();
  });
});

describe('deleting an integrator', () => {
  it('is refused while it has customers, whatever their status', () => {
    given(...partner, customerEnrolled(), customerEnrolled('other'), customerWithdrawn('other'))
      .when(deleteIntegrator())
      .thenRefused('integrator_has_customers');
  });

  it('is accepted once the last one is withdrawn', () => {
    given(...partner, customerEnrolled(), customerWithdrawn())
      .when(deleteIntegrator())
      .then(integratorDeleted());
  });

  it('happens once and makes it unknown', () => {
    given(...partner, integratorDeleted())
      .when(deleteIntegrator())
      .thenNothing();
    given(...partner, integratorDeleted())
      .when(suspendIntegrator())
      .thenRefused('integrator_not_found');
    given().when(deleteIntegrator()).thenRefused('integrator_not_found');
  });
});
