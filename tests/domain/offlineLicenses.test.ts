import { describe, expect, it } from 'vitest';
import { customerDecider } from '../../src/domain/customer/decider.ts';
import { MAX_OFFLINE_LICENSES } from '../../src/domain/limits.ts';
import {
  adaIn,
  adaWithSeat,
  customerChurned,
  customerSuspended,
  licenseTermSet,
  offlineLicenseIssued,
  userDeactivated,
  userRoleChanged,
  userSuspended,
} from '../support/builders/customer.ts';
import { issueOfflineLicense } from '../support/builders/customerCommands.ts';
import { offlineLicenseIdOf } from '../support/builders/ids.ts';
import { licensePlanApplied, licensePlanRemoved } from '../support/builders/plan.ts';
import { decisionSpec } from '../support/decisionSpec.ts';

const given = decisionSpec(customerDecider);
const fingerprintOf = (index: number): string => index.toString(16).padStart(32, '0');

describe('an offline license', () => {
  it('is issued for 7 days', () => {
    given(...adaWithSeat)
      .when(issueOfflineLicense())
      .then(offlineLicenseIssued());
  });

  it('is issued for the days of the plan', () => {
    const expiresAt = '2026-03-02T12:00:00.000Z';
    given(...adaWithSeat, licensePlanApplied({ offlineDays: 30 }))
      .when(issueOfflineLicense())
      .then(offlineLicenseIssued('ada', { expiresAt }));
    given(...adaWithSeat, licensePlanApplied({ offlineDays: 30 }), licensePlanRemoved())
      .when(issueOfflineLicense())
      .then(offlineLicenseIssued());
  });

  it('expires with the grace of the license at the latest', () => {
    const term = { startsAt: '2026-01-01T00:00:00.000Z', expiresAt: '2026-02-01T00:00:00.000Z', graceDays: 2, isTrial: false };
    given(...adaWithSeat, licenseTermSet(term))
      .when(issueOfflineLicense())
      .then(offlineLicenseIssued('ada', { expiresAt: '2026-02-03T00:00:00.000Z' }));
    given(...adaWithSeat, licenseTermSet({ ...term, expiresAt: '2026-03-01T00:00:00.000Z' }))
      .when(issueOfflineLicense())
      .then(offlineLicenseIssued());
  });

  it('is the same one again within an hour, for the same machine and while it does not outlive the license', () => {
    const soon = { at: '2026-01-31T12:59:59.999Z' };
    const later = { at: '2026-01-31T13:00:00.000Z' };
    const second = { licenseId: offlineLicenseIdOf('second') };
    given(...adaWithSeat, offlineLicenseIssued())
      .when(issueOfflineLicense(second, soon))
      .thenNothing();
    given(...adaWithSeat, offlineLicenseIssued())
      .when(issueOfflineLicense(second, later))
      .then(offlineLicenseIssued('ada', { ...second, issuedAt: later.at, expiresAt: '2026-02-07T13:00:00.000Z' }));
    const fingerprint = fingerprintOf(1);
    given(...adaWithSeat, offlineLicenseIssued())
      .when(issueOfflineLicense({ ...second, fingerprint }))
      .then(offlineLicenseIssued('ada', { ...second, fingerprint }));
    const term = { startsAt: '2026-01-01T00:00:00.000Z', expiresAt: '2026-02-01T00:00:00.000Z', graceDays: 0, isTrial: true };
    given(...adaWithSeat, offlineLicenseIssued(), licenseTermSet(term))
      .when(issueOfflineLicense(second))
      .then(offlineLicenseIssued('ada', { ...second, expiresAt: term.expiresAt }));
  });

  it('is refused for a license that cannot be used', () => {
    const term = { startsAt: '2025-01-01T00:00:00.000Z', expiresAt: '2026-01-31T12:00:00.000Z', graceDays: 0, isTrial: false };
    for (const [event, refusal] of [
      [customerSuspended(), 'customer_suspended'],
      [customerChurned(), 'customer_not_active'],
      [licenseTermSet(term), 'license_expired'],
    ] as const) {
      given(...adaWithSeat, event)
        .when(issueOfflineLicense())
        .thenRefused(refusal);
    }
  });

  it('is refused for a user who may not use the tool', () => {
    for (const [event, refusal] of [
      [userSuspended('ada'), 'user_suspended'],
      [userDeactivated('ada'), 'user_inactive'],
      [userRoleChanged('ada', 'stakeholder'), 'role_not_allowed'],
    ] as const) {
      given(...adaWithSeat, event)
        .when(issueOfflineLicense())
        .thenRefused(refusal);
    }
    given(...adaWithSeat)
      .when(issueOfflineLicense({ user: 'nobody' }))
      .thenRefused('user_not_found');
  });

  it('is refused for one machine more than allowed, until another one expires', () => {
    const many = Array.from({ length: MAX_OFFLINE_LICENSES }, (_, index) =>
      offlineLicenseIssued('ada', { fingerprint: fingerprintOf(index) }),
    );
    const fingerprint = fingerprintOf(MAX_OFFLINE_LICENSES);
    given(...adaWithSeat, ...many)
      .when(issueOfflineLicense({ fingerprint }, { at: '2026-02-07T11:59:59.999Z' }))
      .thenRefused('offline_license_limit_reached');
    const at = '2026-02-07T12:00:00.000Z';
    const next = offlineLicenseIssued('ada', { fingerprint, issuedAt: at, expiresAt: '2026-02-14T12:00:00.000Z' });
    given(...adaWithSeat, ...many)
      .when(issueOfflineLicense({ fingerprint }, { at }))
      .then(next);
    expect(adaIn(given(...adaWithSeat, ...many, next).state)?.offlineLicenses).toHaveLength(1);
  });
});
