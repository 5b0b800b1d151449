import { describe, expect, it } from 'vitest';
import { addDays, addMonths, continuedBy } from '../../src/domain/calendar.ts';
import { customerDecider } from '../../src/domain/customer/decider.ts';
import type { CustomerEvent } from '../../src/domain/customer/events.ts';
import { nextAnnouncementAt, termStateAt } from '../../src/domain/license/term.ts';
import {
  customerRegistered,
  licenseEnteredGrace,
  licenseExpired,
  licenseExpiryAnnounced,
  licenseExtended,
  licenseIssued,
  licenseRenewed,
  licenseTermRemoved,
  licenseTermSet,
  machineApproved,
  seatClaimed,
  seatLimitsEnforced,
  seatsAllocated,
  TERM,
  userRegistered,
} from '../support/builders/customer.ts';
import {
  advanceLicenseTerm,
  extendLicense,
  registerCustomer,
  removeLicenseTerm,
  renewLicense,
  setLicenseTerm,
  signInUser,
} from '../support/builders/customerCommands.ts';
import { decisionSpec } from '../support/decisionSpec.ts';

const given = decisionSpec(customerDecider);
const acme = [customerRegistered(), licenseIssued(), seatsAllocated(), seatLimitsEnforced()] as const;
const DURING = '2026-06-01T00:00:00.000Z';
const EXPIRY = TERM.expiresAt;
const GRACE_END = '2027-01-15T00:00:00.000Z';
const inGrace = licenseTermSet({ graceDays: 14 });

describe('the term of a new license', () => {
  it('is set with the registration', () => {
    given()
      .when({ ...registerCustomer({ term: TERM }) })
      .then(...acme, licenseTermSet());
  });

  it('is refused with the whole registration if it is invalid', () => {
    given()
      .when(registerCustomer({ term: { ...TERM, expiresAt: TERM.startsAt } }))
      .thenRefused('term_without_duration');
  });
});

describe('setting a term', () => {
  it('starts now unless a start is given, and is kept when the same is set again', () => {
    const { startsAt: _, ...rest } = TERM;
    const command = setLicenseTerm({}, DURING);
    const { customerId } = command.data;
    const withoutStart = { ...command, data: { customerId, ...rest } };
    given(...acme)
      .when(withoutStart)
      .then(licenseTermSet({ startsAt: DURING }));
    given(...acme, licenseTermSet())
      .when(withoutStart)
      .thenNothing();
  });

  it('is refused if it starts later, has no duration, runs too long or is over', () => {
    const when = (term: Partial<typeof TERM>) => given(...acme).when(setLicenseTerm(term, DURING));
    when({ startsAt: '2026-06-01T00:00:00.001Z' }).thenRefused('term_starts_later');
    when({ expiresAt: TERM.startsAt }).thenRefused('term_without_duration');
    when({ expiresAt: '2126-06-03T00:00:00.000Z' }).thenRefused('term_too_long');
    when({ expiresAt: DURING }).thenRefused('term_over');
    when({ expiresAt: '2026-05-31T00:00:00.000Z', graceDays: 1 }).thenRefused('term_over');
  });

  it('may leave a license in its grace', () => {
    given(...acme)
      .when(setLicenseTerm({ expiresAt: '2026-05-31T00:00:00.000Z', graceDays: 2 }, DURING))
      .then(licenseTermSet({ expiresAt: '2026-05-31T00:00:00.000Z', graceDays: 2 }));
  });

  it('can be taken back: the license is perpetual', () => {
    given(...acme, licenseTermSet())
      .when(removeLicenseTerm())
      .then(licenseTermRemoved());
    given(...acme)
      .when(removeLicenseTerm())
      .thenNothing();
  });
});

describe('a renewal', () => {
  it('continues from the expiry, also in the grace', () => {
    given(...acme, licenseTermSet())
      .when(renewLicense(12, DURING))
      .then(licenseRenewed());
    given(...acme, inGrace, licenseEnteredGrace())
      .when(renewLicense(12, '2027-01-10T00:00:00.000Z'))
      .then(licenseRenewed());
  });

  it('starts again where the license had expired', () => {
    const at = '2027-03-05T08:00:00.000Z';
    given(...acme, licenseTermSet(), licenseExpired())
      .when(renewLicense(1, at))
      .then(licenseRenewed({ startsAt: at, expiresAt: '2027-04-05T08:00:00.000Z' }));
  });

  it('ends a trial, which an extension does not', () => {
    const trial = given(...acme, licenseTermSet({ isTrial: true }));
    expect(trial.when(renewLicense(1, DURING)).state).toMatchObject({ term: { isTrial: false } });
    expect(trial.when(extendLicense(14, DURING)).state).toMatchObject({ term: { isTrial: true } });
  });

  it('is refused for a perpetual license, and for more than a hundred years', () => {
    given(...acme)
      .when(renewLicense(1, DURING))
      .thenRefused('license_perpetual');
    given(...acme, licenseTermSet({ expiresAt: '2126-01-01T00:00:00.000Z' }))
      .when(renewLicense(12, DURING))
      .thenRefused('term_too_long');
  });
});

describe('an extension', () => {
  it('moves the expiry', () => {
    given(...acme, licenseTermSet())
      .when(extendLicense(14, DURING))
      .then(licenseExtended());
  });

  it('is refused if the license would stay expired, and for a perpetual one', () => {
    given(...acme, licenseTermSet(), licenseExpired())
      .when(extendLicense(14, '2027-03-01T00:00:00.000Z'))
      .thenRefused('term_over');
    given(...acme)
      .when(extendLicense(1, DURING))
      .thenRefused('license_perpetual');
  });
});

describe('the clock', () => {
  it('leads through expiring and grace to expired', () => {
    const term = { expiresAt: EXPIRY, graceDays: 14 };
    const states = ['2026-12-01', '2026-12-02', '2026-12-31', '2027-01-01', '2027-01-14', '2027-01-15'].map((day) =>
      termStateAt(term, `${day}T00:00:00.000Z`),
    );
    expect(states).toEqual(['active', 'expiring', 'expiring', 'grace', 'grace', 'expired']);
  });

  it('announces the expiry 30, 14, 7 and 1 days before, once each, and only the last of those that were missed', () => {
    const announced: CustomerEvent[] = [];
    for (const [before, at, days] of [
      ['2026-12-01T23:59:59.999Z', '2026-12-02T00:00:00.000Z', 30],
      ['2026-12-17T23:59:59.999Z', '2026-12-18T00:00:00.000Z', 14],
      ['2026-12-24T23:59:59.999Z', '2026-12-25T00:00:00.000Z', 7],
      ['2026-12-30T23:59:59.999Z', '2026-12-31T00:00:00.000Z', 1],
    ] as const) {
      given(...acme, inGrace, ...announced)
        .when(advanceLicenseTerm(before))
        .thenNothing();
      given(...acme, inGrace, ...announced)
        .when(advanceLicenseTerm(at))
        .then(licenseExpiryAnnounced(days));
      announced.push(licenseExpiryAnnounced(days));
      expect(nextAnnouncementAt(EXPIRY, before)).toBe(at);
    }
    expect(nextAnnouncementAt(EXPIRY, '2026-12-31T00:00:00.000Z')).toBe(EXPIRY);
    given(...acme, inGrace)
      .when(advanceLicenseTerm('2026-12-28T00:00:00.000Z'))
      .then(licenseExpiryAnnounced(7));
    given(...acme, inGrace, licenseExpiryAnnounced(1), licenseExtended('2027-01-31T00:00:00.000Z'))
      .when(advanceLicenseTerm('2027-01-01T00:00:00.000Z'))
      .then(licenseExpiryAnnounced(30, '2027-01-31T00:00:00.000Z'));
  });

  it('announces the expiry of a short term in its second half only, and of any term in its last week', () => {
    const short = (days: number) => licenseTermSet({ startsAt: addDays(EXPIRY, -days), expiresAt: EXPIRY, isTrial: true });
    for (const [days, first] of [
      [60, 30],
      [59, 14],
      [31, 14],
      [28, 14],
      [27, 7],
      [7, 7],
      [1, 1],
    ] as const) {
      const history = given(...acme, short(days));
      if (first < days) history.when(advanceLicenseTerm(addDays(EXPIRY, -first - 0.01))).thenNothing();
      history.when(advanceLicenseTerm(addDays(EXPIRY, -first))).then(licenseExpiryAnnounced(first));
    }
  });

  it('records the grace and the end once each', () => {
    given(...acme, inGrace, licenseExpiryAnnounced(1))
      .when(advanceLicenseTerm('2026-12-31T23:59:59.999Z'))
      .thenNothing();
    given(...acme, inGrace, licenseExpiryAnnounced(1))
      .when(advanceLicenseTerm(EXPIRY))
      .then(licenseEnteredGrace());
    given(...acme, inGrace, licenseEnteredGrace())
      .when(advanceLicenseTerm('2027-01-14T23:59:59.999Z'))
      .thenNothing();
    given(...acme, inGrace, licenseEnteredGrace())
      .when(advanceLicenseTerm(GRACE_END))
      .then(licenseExpired(EXPIRY, GRACE_END));
    given(...acme, inGrace, licenseEnteredGrace(), licenseExpired(EXPIRY, GRACE_END))
      .when(advanceLicenseTerm('2030-01-01T00:00:00.000Z'))
      .thenNothing();
  });

  it('records both after a long downtime, and no grace where there is none', () => {
    given(...acme, inGrace)
      .when(advanceLicenseTerm('2030-01-01T00:00:00.000Z'))
      .then(licenseEnteredGrace(), licenseExpired(EXPIRY, GRACE_END));
    given(...acme, licenseTermSet())
      .when(advanceLicenseTerm(EXPIRY))
      .then(licenseExpired());
  });

  it('records the steps of the next period again', () => {
    given(...acme, inGrace, licenseEnteredGrace(), licenseRenewed())
      .when(advanceLicenseTerm('2028-01-01T00:00:00.000Z'))
      .then(licenseEnteredGrace('2028-01-01T00:00:00.000Z', '2028-01-15T00:00:00.000Z'));
  });

  it('never changes a perpetual license', () => {
    given(...acme)
      .when(advanceLicenseTerm('2099-01-01T00:00:00.000Z'))
      .thenNothing();
    given(...acme, licenseTermSet(), licenseTermRemoved())
      .when(advanceLicenseTerm('2099-01-01T00:00:00.000Z'))
      .thenNothing();
  });
});

describe('signing in with the tool', () => {
  const ada = [userRegistered('ada', { machineId: 'machine-1' }), seatClaimed(), machineApproved()] as const;
  const at = (instant: string) => {
    const command = signInUser('ada', { machineId: 'machine-1' });
    return { ...command, meta: { ...command.meta, at: instant } };
  };

  it('works until the end of the grace, whether or not the policy recorded it', () => {
    const history = given(...acme, inGrace, ...ada);
    history.when(at('2027-01-14T23:59:59.999Z')).thenNothing();
    history.when(at(GRACE_END)).thenRefused('license_expired');
  });

  it('works again after a renewal', () => {
    given(...acme, inGrace, ...ada, licenseExpired(EXPIRY, GRACE_END), licenseRenewed())
      .when(at(GRACE_END))
      .thenNothing();
  });
});

describe('months', () => {
  it('end on the last day where a month has no such day', () => {
    expect(addMonths('2027-01-31T10:00:00.000Z', 1)).toBe('2027-02-28T10:00:00.000Z');
    expect(addMonths('2028-02-29T10:00:00.000Z', 12)).toBe('2029-02-28T10:00:00.000Z');
    expect(addMonths('2026-12-15T00:00:00.000Z', 13)).toBe('2028-01-15T00:00:00.000Z');
  });

  it.each([
    ['2027-01-31', '2027-02-28', 1, '2027-03-31'],
    ['2027-01-31', '2027-02-28', 2, '2027-04-30'],
    ['2027-01-30', '2027-02-28', 12, '2028-02-29'],
    ['2028-02-29', '2031-02-28', 12, '2032-02-29'],
    ['2027-01-15', '2027-02-15', 1, '2027-03-15'],
    ['2027-01-15', '2027-02-28', 1, '2027-03-28'],
    ['2027-01-31', '2027-02-27', 1, '2027-03-27'],
  ])('of a term from %s to %s continue for %i on the day of its beginning', (startsAt, expiresAt, months, expected) => {
    const at = (day: string): string => `${day}T10:00:00.000Z`;
    expect(continuedBy({ startsAt: at(startsAt), expiresAt: at(expiresAt) }, months)).toBe(at(expected));
  });

  it('are renewed without losing days to a short month', () => {
    const start = '2027-01-31T10:00:00.000Z';
    const term = licenseTermSet({ startsAt: start, expiresAt: addMonths(start, 1), graceDays: 0, isTrial: false });
    given(...acme, term)
      .when(renewLicense(1, start))
      .then(licenseRenewed({ startsAt: start, expiresAt: '2027-03-31T10:00:00.000Z' }));
  });
});
