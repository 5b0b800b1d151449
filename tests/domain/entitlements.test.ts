import { describe, expect, it } from 'vitest';
import { entitlementLine, entitlementsIn, entitlementsText } from '../../src/contracts/entitlementLines.ts';
import { customerDecider } from '../../src/domain/customer/decider.ts';
import { isEntitled } from '../../src/domain/license/entitlements.ts';
import {
  customerRegistered,
  ENTITLEMENTS,
  licenseEntitlementsSet,
  licenseIssued,
  seatLimitsEnforced,
  seatsAllocated,
} from '../support/builders/customer.ts';
import { registerCustomer, setLicenseEntitlements } from '../support/builders/customerCommands.ts';
import { decisionSpec } from '../support/decisionSpec.ts';

const given = decisionSpec(customerDecider);

describe('a license', () => {
  it('includes everything, or what was agreed when it was issued', () => {
    const issued = given().when(registerCustomer({ entitlements: [...ENTITLEMENTS].reverse() }));
    issued.then(customerRegistered(), licenseIssued(), seatsAllocated(), seatLimitsEnforced(), licenseEntitlementsSet());
    expect(given().when(registerCustomer()).state).toMatchObject({ entitlements: null });
  });

  it('gets other entitlements, and everything again', () => {
    given(customerRegistered()).when(setLicenseEntitlements(ENTITLEMENTS)).then(licenseEntitlementsSet());
    given(customerRegistered(), licenseEntitlementsSet())
      .when(setLicenseEntitlements([...ENTITLEMENTS].reverse()))
      .then();
    const shorter = ENTITLEMENTS.slice(1);
    given(customerRegistered(), licenseEntitlementsSet())
      .when(setLicenseEntitlements(shorter))
      .then(licenseEntitlementsSet(shorter));
    given(customerRegistered(), licenseEntitlementsSet()).when(setLicenseEntitlements(null)).then(licenseEntitlementsSet(null));
    given(customerRegistered()).when(setLicenseEntitlements(null)).then();
  });
});

describe('an entitlement', () => {
  it('is valid from its start until before its end', () => {
    const at = (code: string, instant: string) => isEntitled(ENTITLEMENTS, code, instant);
    expect(at('azdo', '2020-01-01T00:00:00.000Z')).toBe(true);
    expect([at('jira', '2026-06-30T23:59:59.999Z'), at('jira', '2026-07-01T00:00:00.000Z')]).toEqual([true, false]);
    expect([at('reports', '2025-12-31T23:59:59.999Z'), at('reports', '2026-01-01T00:00:00.000Z')]).toEqual([false, true]);
    expect(at('confluence', '2026-06-01T00:00:00.000Z')).toBe(false);
    expect(isEntitled(null, 'confluence', '2026-06-01T00:00:00.000Z')).toBe(true);
  });

  it('is a line of text, which is read back as it was', () => {
    expect(ENTITLEMENTS.map(entitlementLine)).toEqual([
      'azdo',
      'jira until 2026-07-01T00:00:00.000Z',
      'reports from 2026-01-01 until 2026-12-31',
    ]);
    expect(entitlementsIn(` ${ENTITLEMENTS.map(entitlementLine).join(' \n\n')}`)).toEqual(ENTITLEMENTS);
    expect(entitlementsIn(String(entitlementsText(ENTITLEMENTS)))).toEqual(ENTITLEMENTS);
    expect([entitlementsText(null), entitlementsIn(' \n')]).toEqual([null, null]);
    expect(entitlementsIn('jira for ever')).toEqual([{ code: 'jira for ever', startsAt: null, endsAt: null }]);
  });
});
