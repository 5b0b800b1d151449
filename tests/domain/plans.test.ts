import { describe, expect, it } from 'vitest';
import { addDays, addMonths } from '../../src/domain/calendar.ts';
import { customerDecider } from '../../src/domain/customer/decider.ts';
import { MAX_PLANS } from '../../src/domain/limits.ts';
import { type PlanCommand, plansDecider } from '../../src/domain/plan/decider.ts';
import type { PlanTerms } from '../../src/domain/plan/events.ts';
import { metaOf } from '../support/builders/command.ts';
import {
  callQuotaSet,
  customerRegistered,
  ENTITLEMENTS,
  floatingSeatsSet,
  licenseEntitlementsSet,
  licenseIssued,
  licenseTermRemoved,
  licenseTermSet,
  seatLimitsEnforced,
  seatLimitsRelaxed,
  seatsAllocated,
} from '../support/builders/customer.ts';
import { applyPlan, moveToPlan, registerCustomer, rotateLicenseKey } from '../support/builders/customerCommands.ts';
import {
  licensePlanApplied,
  licensePlanRemoved,
  planChanged,
  planCodeOf,
  planCopy,
  planCreated,
  planRetired,
  planTerms,
} from '../support/builders/plan.ts';
import { decisionSpec } from '../support/decisionSpec.ts';

const given = decisionSpec(plansDecider);
const meta = metaOf();
const create = (overrides: Partial<PlanTerms> = {}, code = 'PRO'): PlanCommand => ({
  type: 'CreatePlan',
  data: { code: planCodeOf(code), ...planTerms(overrides) },
  meta,
});
const change = (overrides: Partial<PlanTerms> = {}, code = 'PRO'): PlanCommand => ({
  type: 'ChangePlan',
  data: { code: planCodeOf(code), ...planTerms(overrides) },
  meta,
});
/** The command of a caller who does not know entitlements. */
const withoutEntitlements = (overrides: Partial<PlanTerms>): PlanCommand => {
  const { entitlements: _unknown, ...terms } = planTerms(overrides);
  return { type: 'ChangePlan', data: { code: planCodeOf(), ...terms }, meta };
};
const retire = (code = 'PRO'): PlanCommand => ({ type: 'RetirePlan', data: { code: planCodeOf(code) }, meta });

describe('a plan', () => {
  it('is created once by its code, also if the command is repeated', () => {
    given().when(create()).then(planCreated());
    given(planCreated()).when(create()).then();
    given(planCreated())
      .when(create({ developerSeats: 1 }))
      .thenRefused('plan_exists');
    given(planCreated(), planRetired()).when(create()).thenRefused('plan_exists');
    given().when(create({}, 'ENT')).thenRefused('plan_built_in');
  });

  it('is changed, and counts its versions', () => {
    given(planCreated()).when(change()).then();
    const changed = given(planCreated()).when(change({ developerSeats: 30 }));
    changed.then(planChanged({ developerSeats: 30 }));
    expect(changed.state.get(planCodeOf())).toMatchObject({ version: 2, developerSeats: 30 });
    given().when(change()).thenRefused('plan_not_found');
    given().when(change({}, 'ENT')).thenRefused('plan_built_in');
  });

  it('includes the same, in whatever order it is named', () => {
    const reversed = [...ENTITLEMENTS].reverse();
    given()
      .when(create({ entitlements: reversed }))
      .then(planCreated({ entitlements: ENTITLEMENTS }));
    given(planCreated({ entitlements: ENTITLEMENTS }))
      .when(change({ entitlements: reversed }))
      .then();
    given(planCreated({ entitlements: ENTITLEMENTS }))
      .when(withoutEntitlements({ name: 'Renamed' }))
      .then(planChanged({ name: 'Renamed', entitlements: ENTITLEMENTS }));
    given(planCreated({ entitlements: ENTITLEMENTS }))
      .when(change({ entitlements: null }))
      .then(planChanged());
  });

  it('is retired for good', () => {
    given(planCreated()).when(retire()).then(planRetired());
    given(planCreated(), planRetired()).when(retire()).then();
    given(planCreated(), planRetired())
      .when(change({ developerSeats: 30 }))
      .thenRefused('plan_retired');
    given().when(retire()).thenRefused('plan_not_found');
    given().when(retire('ENT')).thenRefused('plan_built_in');
  });

  it('has grace and a trial only with a term', () => {
    const perpetual = { termMonths: null, graceDays: 0, isTrial: false };
    given().when(create(perpetual)).then(planCreated(perpetual));
    given()
      .when(create({ ...perpetual, graceDays: 1 }))
      .thenRefused('plan_term_missing');
    given()
      .when(create({ ...perpetual, isTrial: true }))
      .thenRefused('plan_term_missing');
    given(planCreated())
      .when(change({ termMonths: null }))
      .thenRefused('plan_term_missing');
  });

  it('has its term in months or in days, and keeps the days for a caller who does not know them', () => {
    const days = { termMonths: null, termDays: 14 };
    const fromMonths = ({ termMonths }: Pick<PlanTerms, 'termMonths'>): PlanCommand => {
      const { termDays: _unknown, ...terms } = planTerms({ termMonths, name: 'Renamed' });
      return { type: 'ChangePlan', data: { code: planCodeOf(), ...terms }, meta };
    };
    given()
      .when(create({ ...days, isTrial: true }))
      .then(planCreated({ ...days, isTrial: true }));
    given(planCreated()).when(change(days)).then(planChanged(days));
    given(planCreated(days))
      .when(fromMonths({ termMonths: null }))
      .then(planChanged({ ...days, name: 'Renamed' }));
    given(planCreated(days))
      .when(fromMonths({ termMonths: 6 }))
      .then(planChanged({ termMonths: 6, name: 'Renamed' }));
    given(planCreated(days))
      .when(change({ termMonths: null, termDays: null }))
      .thenRefused('plan_term_missing');
  });

  it('is one of a limited number, with those that are retired', () => {
    const many = Array.from({ length: MAX_PLANS }, (_, n) => planCreated({ code: planCodeOf(`${n}`.padStart(3, '0')) }));
    given(...many, planRetired())
      .when(create())
      .thenRefused('plan_limit_reached');
    given(...many.slice(1))
      .when(create())
      .then(planCreated());
  });
});

describe('a license', () => {
  const givenCustomer = decisionSpec(customerDecider);

  it('copies its plan when it is issued, and keeps its tier when the key is rotated', () => {
    const issued = givenCustomer().when(registerCustomer({ plan: planCopy(), licenseKey: 'LK-PRO-AAAA-BBBBB' }));
    const license = { type: 'LicenseIssued' as const, data: { licenseKey: 'LK-PRO-AAAA-BBBBB', tier: 'PRO' } };
    issued.then(customerRegistered(), license, licensePlanApplied(), seatsAllocated(), seatLimitsEnforced());
    expect(issued.state).toMatchObject({ tier: 'PRO', plan: { name: 'Professional', version: 1 } });
    const rotated = givenCustomer(customerRegistered(), license, licensePlanApplied()).when(rotateLicenseKey('LK-PRO-CCCC-DDDDD'));
    expect(rotated.state).toMatchObject({ tier: 'PRO', licenseKey: 'LK-PRO-CCCC-DDDDD' });
  });

  it('has the built-in plan without another one', () => {
    const issued = givenCustomer().when(registerCustomer());
    issued.then(customerRegistered(), licenseIssued(), seatsAllocated(), seatLimitsEnforced());
    expect(issued.state).toMatchObject({ tier: 'ENT', plan: null });
  });
});

describe('a changed plan', () => {
  const of = decisionSpec(customerDecider);
  const next = (overrides: Partial<PlanTerms>) => planCopy({ version: 2, ...overrides });
  const licensed = [
    customerRegistered(),
    licensePlanApplied(),
    seatsAllocated({ developerSeats: 20, stakeholderSeats: 7 }),
    seatLimitsEnforced(),
    licenseTermSet({ expiresAt: '2027-01-01T00:00:00.000Z', graceDays: 14 }),
  ];

  it('is applied to a license, which keeps what the plan did not change', () => {
    const plan = next({ developerSeats: 30, seatLimitsEnforced: false, graceDays: 30, termMonths: 24 });
    const applied = of(...licensed).when(applyPlan(plan));
    applied.then(
      licensePlanApplied(plan),
      seatsAllocated({ developerSeats: 30, stakeholderSeats: 7 }),
      seatLimitsRelaxed(),
      licenseTermSet({ expiresAt: '2027-01-01T00:00:00.000Z', graceDays: 30 }),
    );
    expect(applied.state).toMatchObject({ plan: { version: 2, termMonths: 24 } });
    of(...licensed, licensePlanApplied(plan))
      .when(applyPlan(plan))
      .then();
  });

  it('replaces what the license includes if the plan includes something else than before', () => {
    const limited = next({ entitlements: ENTITLEMENTS });
    of(...licensed)
      .when(applyPlan(limited))
      .then(licensePlanApplied(limited), licenseEntitlementsSet());
    of(...licensed, licenseEntitlementsSet())
      .when(applyPlan(limited))
      .then(licensePlanApplied(limited));
    of(...licensed, licenseEntitlementsSet())
      .when(applyPlan(next({ developerSeats: 20, name: 'Team' })))
      .then(licensePlanApplied(next({ name: 'Team' })));
  });

  it('replaces the quota of a license only if the plan has another quota than before', () => {
    const limited = next({ callQuota: { limit: 5_000, kind: 'soft' } });
    const agreed = [...licensed, callQuotaSet(9_000)];
    of(...agreed)
      .when(applyPlan(limited))
      .then(licensePlanApplied(limited), callQuotaSet(5_000, 'soft'));
    of(...agreed)
      .when(applyPlan(next({ name: 'Team' })))
      .then(licensePlanApplied(next({ name: 'Team' })));
    of(...agreed, licensePlanApplied(limited))
      .when(applyPlan(planCopy({ version: 3 })))
      .then(licensePlanApplied({ version: 3 }), callQuotaSet(null));
  });

  it('makes seats floating or named only if the plan has changed that', () => {
    const shared = next({ floatingDeveloperMinutes: 30 });
    of(...licensed)
      .when(applyPlan(shared))
      .then(licensePlanApplied(shared), floatingSeatsSet(30));
    of(...licensed, floatingSeatsSet(5))
      .when(applyPlan(next({ name: 'Team' })))
      .then(licensePlanApplied(next({ name: 'Team' })));
    of(...licensed, licensePlanApplied(shared), floatingSeatsSet(30))
      .when(applyPlan(planCopy({ version: 3 })))
      .then(licensePlanApplied({ version: 3 }), floatingSeatsSet(null));
  });

  it('changes no more than the copy where the license has the new values, or no term', () => {
    const plan = next({ developerSeats: 25, graceDays: 30, isTrial: true });
    const same = [customerRegistered(), licensePlanApplied(), seatsAllocated({ developerSeats: 25, stakeholderSeats: 7 })];
    of(...same)
      .when(applyPlan(plan))
      .then(licensePlanApplied(plan));
  });

  it('is not for a license with the built-in plan, or with another one', () => {
    of(customerRegistered(), licenseIssued())
      .when(applyPlan(next({})))
      .thenRefused('license_without_plan');
    of(...licensed)
      .when(applyPlan(planCopy({ code: planCodeOf('TRY'), version: 2 })))
      .thenRefused('license_without_plan');
  });

  it('is refused where the license would have ended by it', () => {
    const overdue = licenseTermSet({ startsAt: '2025-01-01T00:00:00.000Z', expiresAt: '2026-01-25T00:00:00.000Z', graceDays: 14 });
    of(...licensed, overdue)
      .when(applyPlan(next({ graceDays: 0 })))
      .thenRefused('term_over');
  });
});

describe('another plan', () => {
  const of = decisionSpec(customerDecider);
  const trial = planCopy({ code: planCodeOf('TRY'), name: 'Trial', developerSeats: 3, termMonths: 1, graceDays: 0, isTrial: true });
  const licensed = [
    customerRegistered(),
    licensePlanApplied(trial),
    seatsAllocated({ developerSeats: 4, stakeholderSeats: -1 }),
    seatLimitsEnforced(),
    licenseTermSet({ startsAt: '2026-01-01T00:00:00.000Z', expiresAt: '2026-02-20T00:00:00.000Z', graceDays: 0, isTrial: true }),
  ];

  it('gives a license all of its values, and its term from now on or the former expiry', () => {
    const limited = planCopy({ entitlements: ENTITLEMENTS });
    const moved = of(...licensed).when(moveToPlan(limited, 'start'));
    moved.then(
      licensePlanApplied(limited),
      seatsAllocated({ developerSeats: 20, stakeholderSeats: -1 }),
      licenseEntitlementsSet(),
      licenseTermSet({ startsAt: metaOf().at, expiresAt: addMonths(metaOf().at, 12), graceDays: 14, isTrial: false }),
    );
    expect(moved.state).toMatchObject({ tier: 'PRO', plan: { version: 1 }, termStep: 'running' });
    of(...licensed)
      .when(moveToPlan(planCopy({ developerSeats: 4, seatLimitsEnforced: false })))
      .then(
        licensePlanApplied({ developerSeats: 4, seatLimitsEnforced: false }),
        seatLimitsRelaxed(),
        licenseTermSet({
          startsAt: '2026-01-01T00:00:00.000Z',
          expiresAt: '2026-02-20T00:00:00.000Z',
          graceDays: 14,
          isTrial: false,
        }),
      );
  });

  it('gives a license a term in days', () => {
    const days = planCopy({ developerSeats: 4, termMonths: null, termDays: 14, isTrial: true });
    of(...licensed)
      .when(moveToPlan(days, 'start'))
      .then(
        licensePlanApplied(days),
        licenseTermSet({ startsAt: metaOf().at, expiresAt: addDays(metaOf().at, 14), graceDays: 14, isTrial: true }),
      );
  });

  it('gives a license its quota, or removes the one that was agreed under the former plan', () => {
    const limited = planCopy({ developerSeats: 4, callQuota: { limit: 5_000, kind: 'soft' } });
    of(...licensed.slice(0, -1))
      .when(moveToPlan(limited))
      .then(licensePlanApplied(limited), callQuotaSet(5_000, 'soft'));
    of(...licensed.slice(0, -1), callQuotaSet(9_000))
      .when(moveToPlan(planCopy({ developerSeats: 4 })))
      .then(licensePlanApplied({ developerSeats: 4 }), callQuotaSet(null));
    of(...licensed.slice(0, -1), callQuotaSet(5_000, 'soft'))
      .when(moveToPlan(limited))
      .then(licensePlanApplied(limited));
  });

  it('makes seats floating or named as it says, whatever was agreed under the former plan', () => {
    const shared = planCopy({ developerSeats: 4, floatingDeveloperMinutes: 30 });
    const former = licensed.slice(0, -1);
    of(...former)
      .when(moveToPlan(shared))
      .then(licensePlanApplied(shared), floatingSeatsSet(30));
    of(...former, floatingSeatsSet(5))
      .when(moveToPlan(planCopy({ developerSeats: 4 })))
      .then(licensePlanApplied({ developerSeats: 4 }), floatingSeatsSet(null));
    of(...former, floatingSeatsSet(30))
      .when(moveToPlan(shared))
      .then(licensePlanApplied(shared));
  });

  it('may be the built-in one, in both directions', () => {
    const back = of(...licensed, licenseEntitlementsSet()).when(moveToPlan(null, 'start'));
    back.then(
      licensePlanRemoved(),
      seatsAllocated({ developerSeats: 10, stakeholderSeats: 5 }),
      { type: 'LicenseEntitlementsSet', data: { entitlements: null } },
      licenseTermRemoved(),
    );
    expect(back.state).toMatchObject({ tier: 'ENT', plan: null, term: null });
    const perpetual = [customerRegistered(), licenseIssued(), seatsAllocated({ developerSeats: 20, stakeholderSeats: -1 })];
    of(...perpetual)
      .when(moveToPlan(planCopy()))
      .then(licensePlanApplied());
    of(...perpetual)
      .when(moveToPlan(null, 'start'))
      .then();
  });

  it('is no change of a license that has the plan, whatever the version', () => {
    of(...licensed)
      .when(moveToPlan({ ...trial, version: 2, developerSeats: 9 }, 'start'))
      .then();
  });

  it('is refused where the license would end by it', () => {
    const inGrace = licenseTermSet({ startsAt: '2025-01-01T00:00:00.000Z', expiresAt: '2026-01-25T00:00:00.000Z', graceDays: 14 });
    of(...licensed, inGrace)
      .when(moveToPlan(planCopy({ graceDays: 0 })))
      .thenRefused('term_over');
  });
});
