import { describe, expect, it } from 'vitest';
import { customerDecider } from '../../src/domain/customer/decider.ts';
import { customFieldsText } from '../../src/domain/customer/records.ts';
import { integratorDecider } from '../../src/domain/integrator/decider.ts';
import {
  customerDeleted,
  customerRecordsChanged,
  customerRegistered,
  licenseIssued,
  seatLimitsEnforced,
  seatsAllocated,
} from '../support/builders/customer.ts';
import { changeCustomerRecords, registerCustomer } from '../support/builders/customerCommands.ts';
import {
  customerEnrolled,
  customerWithdrawn,
  externalIdClaimed,
  externalIdReleased,
  integratorChurned,
  integratorRegistered,
  masterLicenseIssued,
} from '../support/builders/integrator.ts';
import { claimExternalId, enrolCustomer, releaseExternalId } from '../support/builders/integratorCommands.ts';
import { decisionSpec } from '../support/decisionSpec.ts';

const given = decisionSpec(customerDecider);
const acme = [customerRegistered(), licenseIssued(), seatsAllocated(), seatLimitsEnforced()] as const;
const RECORDS = { externalId: 'crm-17', tags: ['eu', 'vip'], notes: 'Prefers calls', customFields: '{"contract":"A-17"}' };

describe('the records of a customer', () => {
  it('are recorded with the registration, if there are any', () => {
    given()
      .when(registerCustomer({ records: RECORDS }))
      .then(...acme, customerRecordsChanged());
    given()
      .when(registerCustomer())
      .then(...acme);
  });

  it('change each by itself, and tags are kept in order, each once', () => {
    given(...acme, customerRecordsChanged())
      .when(changeCustomerRecords({ tags: ['vip', 'asia', 'vip'] }))
      .then(customerRecordsChanged({ tags: ['asia', 'vip'] }));
    given(...acme, customerRecordsChanged())
      .when(changeCustomerRecords({ notes: null, customFields: null }))
      .then(customerRecordsChanged({ notes: null, customFields: null }));
  });

  it('stay as they are without a difference', () => {
    given(...acme, customerRecordsChanged())
      .when(changeCustomerRecords({ ...RECORDS, tags: ['vip', 'eu'] }))
      .thenNothing();
    given(...acme)
      .when(changeCustomerRecords({}))
      .thenNothing();
  });

  it('cannot be changed once the customer is deleted', () => {
    given(...acme, customerDeleted())
      .when(changeCustomerRecords({ notes: 'Late' }))
      .thenRefused('customer_not_found');
  });

  it('have the same text of custom fields whatever their order, and none of an empty object', () => {
    const text = '{"a":[{"c":1,"d":null}],"b":{"x":true,"y":"z"}}';
    expect(customFieldsText({ b: { y: 'z', x: true }, a: [{ d: null, c: 1 }] })).toBe(text);
    expect([customFieldsText({}), customFieldsText(null)]).toEqual([null, null]);
  });
});

describe('the external ids of a service integrator', () => {
  const ofPartner = decisionSpec(integratorDecider);
  const partner = [integratorRegistered(), masterLicenseIssued()] as const;

  it('are claimed with the enrolment, by one customer each', () => {
    ofPartner(...partner)
      .when(enrolCustomer('acme', 'crm-17'))
      .then(customerEnrolled(), externalIdClaimed());
    ofPartner(...partner, customerEnrolled(), externalIdClaimed())
      .when(enrolCustomer('zenith', 'crm-17'))
      .thenRefused('external_id_taken');
    ofPartner(...partner, customerEnrolled(), externalIdClaimed())
      .when(enrolCustomer('acme', 'crm-17'))
      .thenNothing();
  });

  it('can be claimed again by the same customer, and not by another', () => {
    ofPartner(...partner, customerEnrolled(), externalIdClaimed())
      .when(claimExternalId())
      .then(externalIdClaimed());
    ofPartner(...partner, customerEnrolled(), externalIdClaimed())
      .when(claimExternalId('zenith'))
      .thenRefused('external_id_taken');
  });

  it('are released unless they were claimed again since', () => {
    ofPartner(...partner, customerEnrolled(), externalIdClaimed())
      .when(releaseExternalId(1))
      .then(externalIdReleased());
    ofPartner(...partner, customerEnrolled(), externalIdClaimed(), externalIdClaimed())
      .when(releaseExternalId(1))
      .thenNothing();
    ofPartner(...partner, customerEnrolled(), externalIdClaimed())
      .when(releaseExternalId(1, 'zenith'))
      .thenNothing();
  });

  it('are free after their release, and after the customer was withdrawn', () => {
    ofPartner(...partner, customerEnrolled(), externalIdClaimed(), externalIdReleased())
      .when(claimExternalId('zenith'))
      .then(externalIdClaimed('zenith'));
    ofPartner(...partner, customerEnrolled(), externalIdClaimed(), externalIdClaimed('acme', 'crm-18'), customerWithdrawn())
      .when(enrolCustomer('zenith', 'crm-18'))
      .then(customerEnrolled('zenith'), externalIdClaimed('zenith', 'crm-18'));
  });

  it('of erased customers exclude nobody', () => {
    const erased = externalIdClaimed('acme', '[erased]');
    ofPartner(...partner, customerEnrolled(), erased, customerWithdrawn(), customerEnrolled('zenith'))
      .when(claimExternalId('zenith', '[erased]'))
      .then(externalIdClaimed('zenith', '[erased]'));
  });

  it('can be claimed while the service integrator is churned, for a customer that it has', () => {
    ofPartner(...partner, customerEnrolled(), integratorChurned())
      .when(claimExternalId())
      .then(externalIdClaimed());
  });
});
