import { describe, expect, it } from 'vitest';
import { customerDecider } from '../../src/domain/customer/decider.ts';
import { isRegistered } from '../../src/domain/customer/state.ts';
import { integratorDecider } from '../../src/domain/integrator/decider.ts';
import {
  customerDeleted,
  customerMoved,
  customerMovedAway,
  customerRecordsChanged,
  customerRegistered,
  licenseIssued,
  themeAssigned,
  themeUnassigned,
} from '../support/builders/customer.ts';
import { assignTheme, moveCustomer } from '../support/builders/customerCommands.ts';
import { customerIdOf, integratorIdOf, themeIdOf } from '../support/builders/ids.ts';
import {
  customerEnrolled,
  customerMoveBegun,
  customerWithdrawn,
  externalIdClaimed,
  integratorChurned,
  integratorRegistered,
  integratorSuspended,
} from '../support/builders/integrator.ts';
import { beginCustomerMove, deleteIntegrator, withdrawCustomer } from '../support/builders/integratorCommands.ts';
import { decisionSpec } from '../support/decisionSpec.ts';

const given = decisionSpec(customerDecider);
const givenReseller = decisionSpec(integratorDecider);
const acme = [customerRegistered(), licenseIssued()] as const;
const RECORDS = { externalId: 'crm-17', tags: ['vip'], notes: 'Prefers calls', customFields: null };
const CLEARED = { externalId: null, tags: [], notes: null, customFields: null };
const moved = [customerMovedAway(), customerMoved()] as const;

describe('a customer that moves to another service integrator', () => {
  it('leaves the one and belongs to the other by one append', () => {
    const { state } = given(...acme).when(moveCustomer());
    given(...acme)
      .when(moveCustomer())
      .then(...moved);
    expect(state).toMatchObject({
      integratorId: integratorIdOf('reseller'),
      moves: 1,
      licenseKey: licenseIssued().data.licenseKey,
    });
  });

  it('keeps its records, with the external id that was claimed there', () => {
    const before = [...acme, customerRecordsChanged(RECORDS)];
    given(...before)
      .when(moveCustomer({ externalId: 'crm-17' }))
      .then(...moved);
    given(...before)
      .when(moveCustomer({ externalId: 'crm-16' }))
      .then(customerRecordsChanged({ ...RECORDS, externalId: 'crm-16' }), ...moved);
  });

  it('leaves its records behind where the administrator says so', () => {
    given(...acme, customerRecordsChanged(RECORDS))
      .when(moveCustomer({ records: 'clear' }))
      .then(customerRecordsChanged(CLEARED), ...moved);
  });

  it('gets the default theme for a custom theme, and keeps a built-in one', () => {
    const own = themeIdOf('own');
    const given2 = given(...acme, themeAssigned(themeIdOf('theirs')));
    given2.when(moveCustomer()).then(themeUnassigned(), ...moved);
    given2.when(moveCustomer({ defaultThemeId: own })).then(themeUnassigned(), ...moved, themeAssigned(own, 'default'));
    given(...acme, themeAssigned())
      .when(moveCustomer({ defaultThemeId: own }))
      .then(...moved);
    given(...acme)
      .when(moveCustomer({ defaultThemeId: own }))
      .then(...moved);
  });

  it('moves once by one move, whatever is repeated and however late', () => {
    const back = [customerMovedAway('reseller'), customerMoved('partner')];
    given(...acme, ...moved)
      .when(moveCustomer())
      .thenNothing();
    given(...acme, ...moved, ...back)
      .when(moveCustomer())
      .thenRefused('customer_moved');
    given(...acme, ...moved)
      .when(moveCustomer({ integratorId: integratorIdOf('third') }))
      .thenRefused('customer_moved');
    given(...acme, ...moved)
      .when(moveCustomer({ move: 3, integratorId: integratorIdOf('third') }))
      .thenRefused('customer_moved');
  });

  it('does not move to the service integrator that it belongs to, or after its deletion', () => {
    given(...acme)
      .when(moveCustomer({ integratorId: integratorIdOf() }))
      .thenRefused('same_integrator');
    given(...acme, customerDeleted())
      .when(moveCustomer())
      .thenRefused('customer_not_found');
    const { state } = given(...acme, ...moved, customerDeleted());
    expect(state).toEqual({ status: 'deleted', integratorId: integratorIdOf('reseller') });
    expect(isRegistered(state)).toBe(false);
  });

  it('takes no change of its former service integrator any more', () => {
    const late = {
      ...assignTheme('aurora'),
      meta: { ...assignTheme('aurora').meta, actor: { kind: 'integrator', id: integratorIdOf() } },
    } as const;
    given(...acme)
      .when(late)
      .then(themeAssigned());
    given(...acme, ...moved)
      .when(late)
      .thenRefused('customer_not_found');
  });
});

describe('a service integrator to which a customer moves', () => {
  const reseller = integratorRegistered();

  it('has the customer and its external id from the beginning of the move, and cannot be deleted', () => {
    givenReseller(reseller).when(beginCustomerMove()).then(customerMoveBegun());
    givenReseller(reseller)
      .when(beginCustomerMove({ externalId: 'crm-17' }))
      .then(customerMoveBegun(), externalIdClaimed());
    givenReseller(reseller)
      .when(beginCustomerMove({ externalId: 'crm-17', records: 'clear' }))
      .then(customerMoveBegun('acme', { records: 'clear' }));
    givenReseller(reseller, customerMoveBegun()).when(deleteIntegrator()).thenRefused('integrator_has_customers');
  });

  it('is active, and has the external id free', () => {
    givenReseller(reseller, integratorChurned()).when(beginCustomerMove()).thenRefused('integrator_churned');
    givenReseller(reseller, integratorSuspended()).when(beginCustomerMove()).thenRefused('integrator_not_active');
    givenReseller(reseller, externalIdClaimed('other'))
      .when(beginCustomerMove({ externalId: 'crm-17' }))
      .thenRefused('external_id_taken');
    givenReseller().when(beginCustomerMove()).thenRefused('integrator_not_found');
  });

  it('begins a move once, and a later move of the same customer again', () => {
    const begun = givenReseller(reseller, customerMoveBegun(), integratorSuspended());
    begun.when(beginCustomerMove()).thenNothing();
    const enrolled = givenReseller(reseller, customerEnrolled(), externalIdClaimed('acme', 'old'));
    enrolled
      .when(beginCustomerMove({ move: 2, externalId: 'crm-17' }))
      .then(customerMoveBegun('acme', { move: 2 }), externalIdClaimed());
    const { state } = enrolled.when(beginCustomerMove({ move: 2, externalId: 'crm-17' }));
    expect('externalIds' in state && [...state.externalIds.keys()]).toEqual(['crm-17']);
  });

  it('withdraws a customer that left, unless it comes back by a later move', () => {
    const back = givenReseller(reseller, customerEnrolled(), customerMoveBegun('acme', { move: 2 }));
    back.when(withdrawCustomer('acme', 1)).thenNothing();
    back.when(withdrawCustomer('acme', 2)).then(customerWithdrawn());
    back.when(withdrawCustomer()).then(customerWithdrawn());
    givenReseller(reseller, customerEnrolled()).when(withdrawCustomer('acme', 1)).then(customerWithdrawn());
    const { state } = givenReseller(reseller, customerMoveBegun(), externalIdClaimed(), customerWithdrawn());
    expect(state).toMatchObject({
      customers: expect.objectContaining({ size: 0 }),
      externalIds: expect.objectContaining({ size: 0 }),
    });
    expect('customers' in state && state.customers.has(customerIdOf())).toBe(false);
  });
});
