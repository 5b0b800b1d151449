import { describe, expect, it } from 'vitest';
import { customerDecider } from '../../src/domain/customer/decider.ts';
import { inverseOf as customerInverse } from '../../src/domain/customer/inverse.ts';
import { isRegistered } from '../../src/domain/customer/state.ts';
import { integratorDecider } from '../../src/domain/integrator/decider.ts';
import { inverseOf as integratorInverse } from '../../src/domain/integrator/inverse.ts';
import { alertsDecider } from '../../src/domain/operations/alerts.ts';
import { inverseOf as alertRuleInverse } from '../../src/domain/operations/inverse.ts';
import { plansDecider } from '../../src/domain/plan/decider.ts';
import { inverseOf as planInverse } from '../../src/domain/plan/inverse.ts';
import { teamDecider } from '../../src/domain/team/decider.ts';
import { inverseOf as teamInverse } from '../../src/domain/team/inverse.ts';
import { themeDecider } from '../../src/domain/theme/decider.ts';
import { inverseOf as themeInverse } from '../../src/domain/theme/inverse.ts';
import * as customer from '../support/builders/customer.ts';
import { userIdOf } from '../support/builders/ids.ts';
import * as partner from '../support/builders/integrator.ts';
import * as operations from '../support/builders/operations.ts';
import * as plan from '../support/builders/plan.ts';
import * as team from '../support/builders/team.ts';
import * as theme from '../support/builders/theme.ts';

/** Given what happened, when an event is reverted after later ones, then these changes take it back, or none do. */
const revertSpec =
  <State, E, Result>(
    { initial, evolve }: { initial: State; evolve: (state: State, event: E) => State },
    inverseOf: (event: E, before: State, now: State) => Result,
  ) =>
  (...history: readonly E[]) => ({
    when: (reverted: E, ...later: readonly E[]) => {
      const before = history.reduce(evolve, initial);
      const inverse = inverseOf(reverted, before, [reverted, ...later].reduce(evolve, before));
      // biome-ignore lint/suspicious/noThenProperty: given, when, then; it is never awaited
      return { then: (expected: Result) => expect(inverse).toEqual(expected) };
    },
  });

describe('reverting a change of a plan', () => {
  const given = revertSpec(plansDecider, (event, before, now) => {
    const inverse = planInverse(event, before, now);
    return typeof inverse === 'string' ? inverse : inverse.changes;
  });
  const created = plan.planCreated();
  const quota = { limit: 5_000, kind: 'soft' } as const;

  it('restores the terms that the event changed, also entitlements and the quota', () => {
    given(created)
      .when(
        plan.planChanged({ developerSeats: 30, callQuota: quota }),
        plan.planChanged({ developerSeats: 30, callQuota: quota, graceDays: 7 }),
      )
      .then({ developerSeats: 20, callQuota: null });
    const reports = [{ code: 'reports', startsAt: null, endsAt: null }];
    given(created, plan.planChanged({ entitlements: reports }))
      .when(plan.planChanged({ entitlements: null }))
      .then({ entitlements: reports });
  });

  it('does not overwrite a later change, change a retired plan, or take back a creation', () => {
    given(created)
      .when(plan.planChanged({ developerSeats: 30 }), plan.planChanged({ developerSeats: 40 }))
      .then('revert_outdated');
    given(created)
      .when(plan.planChanged({ developerSeats: 30 }), plan.planRetired())
      .then('plan_retired');
    given().when(created).then('revert_unsupported');
  });
});

describe('reverting a change of a service integrator', () => {
  const given = revertSpec(integratorDecider, (event, before, now) => {
    if (!('companyName' in before) || !('companyName' in now)) throw new Error('It is not registered');
    return integratorInverse(event, before, now);
  });
  const registered = [partner.integratorRegistered(), partner.masterLicenseIssued()];

  it('restores only the fields of the brand that the event changed', () => {
    const domain = partner.brandingChanged({ logoUrl: null });
    given(...registered, domain)
      .when(partner.brandingChanged({ logoUrl: 'https://partner.example/new.svg' }))
      .then({ logoUrl: null });
    given(...registered)
      .when(partner.brandingChanged())
      .then({ customDomain: null, logoUrl: null });
  });

  it('does not overwrite a later change of the same field', () => {
    const [first, second] = [
      partner.brandingChanged({ logoUrl: 'https://a.example/' }),
      partner.brandingChanged({ logoUrl: null }),
    ];
    given(...registered)
      .when(first, second)
      .then('revert_outdated');
    given(...registered, first)
      .when(second, partner.integratorProfileChanged({ billingEmail: 'new@partner.example' }))
      .then({ logoUrl: 'https://a.example/' });
  });

  it('switches the white label as it was', () => {
    const [on, off] = [partner.whiteLabelEnabled(), partner.whiteLabelDisabled()];
    given(...registered)
      .when(on)
      .then({ whiteLabelEnabled: false });
    given(...registered, on)
      .when(off)
      .then({ whiteLabelEnabled: true });
    given(...registered)
      .when(on, off)
      .then('revert_outdated');
  });

  it('restores the status and the details, and nothing that has no former value', () => {
    given(...registered, partner.integratorSuspended())
      .when(partner.integratorReactivated())
      .then({ status: 'suspended' });
    given(...registered)
      .when(partner.integratorProfileChanged({ companyName: 'Renamed' }))
      .then({ companyName: 'Partner' });
    given(...registered)
      .when(partner.masterLicenseKeyRotated())
      .then('revert_unsupported');
  });
});

describe('reverting a change of a theme', () => {
  const given = revertSpec(themeDecider, themeInverse);

  it('restores the changed part of the look, while nobody changed it again', () => {
    const revised = theme.themeRevised('ocean', { displayName: 'Sea' });
    given(theme.themeCreated())
      .when(revised)
      .then(expect.objectContaining({ changes: { displayName: 'Ocean' } }));
    given(theme.themeCreated())
      .when(revised, theme.themeRevised('ocean', { displayName: 'Lake' }))
      .then('revert_outdated');
    given(theme.themeCreated()).when(revised, theme.themeDeleted()).then('revert_outdated');
  });

  it('makes a deactivated default the default again, if there is none by now', () => {
    const catalogue = [theme.themeCreated(), theme.themeCreated('lake'), theme.themeMadeDefault()];
    given(...catalogue)
      .when(theme.themeDeactivated(), theme.themeMadeDefault('lake'))
      .then(expect.objectContaining({ changes: { isActive: true } }));
    given(...catalogue)
      .when(theme.themeMadeDefault('lake'))
      .then(expect.objectContaining({ theme: expect.objectContaining({ displayName: 'Ocean' }), changes: { isDefault: true } }));
    given(theme.themeCreated()).when(theme.themeMadeDefault()).then('revert_unsupported');
  });
});

describe('reverting a change of a team or an alert rule', () => {
  it('restores the role of a member, and the changed part of the policy', () => {
    const given = revertSpec(teamDecider, teamInverse);
    const ana = [team.memberInvited('ana', { role: 'auditor' }), team.memberJoined()];
    given(...ana)
      .when(team.memberRoleChanged('ana', 'manager'))
      .then({ kind: 'member', userId: userIdOf('ana'), changes: { role: 'auditor' } });
    given(...ana)
      .when(team.memberDetailsChanged('ana', { name: 'Ana', email: 'ana@partner.example' }))
      .then({ kind: 'member', userId: userIdOf('ana'), changes: { name: 'ana' } });
    given(...ana)
      .when(team.memberRoleChanged('ana', 'manager'), team.memberRemoved())
      .then('revert_outdated');
    given(...ana)
      .when(team.memberRemoved())
      .then('revert_unsupported');
  });

  it('restores the condition of a rule', () => {
    const given = revertSpec(alertsDecider, alertRuleInverse);
    const { threshold } = operations.alertRule();
    const changed = operations.alertRuleChanged({ threshold: threshold + 1 });
    given(operations.alertRuleCreated())
      .when(changed)
      .then(expect.objectContaining({ changes: { threshold } }));
    given(operations.alertRuleCreated()).when(changed, operations.alertRuleRemoved()).then('revert_outdated');
  });
});

describe('reverting a change of a customer', () => {
  const given = revertSpec(customerDecider, (event, before, now) => {
    if (!isRegistered(before) || !isRegistered(now)) throw new Error('It is not registered');
    return customerInverse(event, before, now);
  });
  const registered = [customer.customerRegistered(), customer.licenseIssued(), customer.seatsAllocated()];

  it('restores the seats that the event changed, and the theme', () => {
    given(...registered)
      .when(customer.seatsAllocated({ developerSeats: 20 }))
      .then({ kind: 'customer', changes: { developerSeats: 10 } });
    given(...registered, customer.themeAssigned())
      .when(customer.themeUnassigned())
      .then({ kind: 'customer', changes: { theme: 'aurora' } });
    given(...registered, customer.customerRecordsChanged({ tags: ['emea'], notes: 'Call first' }))
      .when(customer.customerRecordsChanged({ tags: ['emea', 'gold'], notes: 'Call first' }))
      .then({ kind: 'customer', changes: { tags: ['emea'] } });
    const [jira, reports] = [
      { code: 'jira', startsAt: null, endsAt: null },
      { code: 'reports', startsAt: null, endsAt: '2027-01-01T00:00:00.000Z' },
    ];
    given(...registered, customer.licenseEntitlementsSet([jira]))
      .when(customer.licenseEntitlementsSet([reports, jira]), customer.licenseEntitlementsSet([jira, reports]))
      .then({ kind: 'customer', changes: { entitlements: [jira] } });
    given(...registered)
      .when(customer.licenseEntitlementsSet([jira]), customer.licenseEntitlementsSet(null))
      .then('revert_outdated');
    given(...registered)
      .when(customer.customerSuspended(), customer.customerReactivated())
      .then('revert_outdated');
    given(...registered)
      .when(customer.licenseKeyRotated())
      .then('revert_unsupported');
  });

  it('restores the details, the role and the status of a user who was not removed', () => {
    const userId = userIdOf('ada');
    const ada = [...registered, customer.userRegistered('ada')];
    given(...ada)
      .when(customer.userSuspended('ada'))
      .then({ kind: 'user', userId, changes: { status: 'active' } });
    given(...ada, customer.userSuspended('ada'))
      .when(customer.userActivated('ada'))
      .then({ kind: 'user', userId, changes: { status: 'suspended' } });
    given(...ada)
      .when(customer.userDetailsChanged('ada', { email: 'lovelace@acme.example' }))
      .then({ kind: 'user', userId, changes: { email: 'ada@acme.example' } });
    given(...ada)
      .when(customer.userRoleChanged('ada', 'stakeholder'), customer.userRoleChanged('ada', 'developer'))
      .then('revert_outdated');
    given(...ada)
      .when(customer.userDeactivated('ada'), customer.userRemoved('ada'))
      .then('revert_outdated');
  });
});
