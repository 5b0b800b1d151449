import { describe, expect, it } from 'vitest';
import { customerDecider } from '../../src/domain/customer/decider.ts';
import { endOfMonth, monthOf, reachedPercent } from '../../src/domain/license/callQuota.ts';
import {
  apiCallsVoided,
  callQuotaReached,
  callQuotaSet,
  callQuotaUseLowered,
  customerRegistered,
} from '../support/builders/customer.ts';
import { announceCallQuota, setCallQuota } from '../support/builders/customerCommands.ts';
import { decisionSpec } from '../support/decisionSpec.ts';

const given = decisionSpec(customerDecider);

describe('the monthly quota of API calls', () => {
  it('is set, changed and removed; the same quota again changes nothing', () => {
    given(customerRegistered())
      .when(setCallQuota({ limit: 1_000, kind: 'hard' }))
      .then(callQuotaSet());
    given(customerRegistered(), callQuotaSet())
      .when(setCallQuota({ limit: 1_000, kind: 'hard' }))
      .then();
    given(customerRegistered(), callQuotaSet())
      .when(setCallQuota({ limit: 1_000, kind: 'soft' }))
      .then(callQuotaSet(1_000, 'soft'));
    given(customerRegistered(), callQuotaSet()).when(setCallQuota(null)).then(callQuotaSet(null));
    given(customerRegistered()).when(setCallQuota(null)).then();
  });

  it('is announced once at 70, 90 and 100 percent of a limit in a month', () => {
    given(customerRegistered(), callQuotaSet()).when(announceCallQuota(699)).then();
    given(customerRegistered(), callQuotaSet()).when(announceCallQuota(700)).then(callQuotaReached(70));
    given(customerRegistered(), callQuotaSet(), callQuotaReached(70)).when(announceCallQuota(899)).then();
    given(customerRegistered(), callQuotaSet(), callQuotaReached(70)).when(announceCallQuota(900)).then(callQuotaReached(90));
    given(customerRegistered(), callQuotaSet(), callQuotaReached(90)).when(announceCallQuota(1_000)).then(callQuotaReached(100));
    given(customerRegistered(), callQuotaSet(), callQuotaReached(100)).when(announceCallQuota(5_000)).then();
  });

  it('is announced at the highest part only, where calls reach several at the same time', () => {
    given(customerRegistered(), callQuotaSet()).when(announceCallQuota(950)).then(callQuotaReached(90));
  });

  it('is announced again for another month and another limit, but not for a limit that was announced before', () => {
    given(customerRegistered(), callQuotaSet(), callQuotaReached(90))
      .when(announceCallQuota(900, '2026-02'))
      .then(callQuotaReached(90, 1_000, '2026-02'));
    const changed = [customerRegistered(), callQuotaSet(), callQuotaReached(90), callQuotaSet(1_250)] as const;
    given(...changed)
      .when(announceCallQuota(900))
      .then(callQuotaReached(70, 1_250));
    given(...changed, callQuotaReached(70, 1_250), callQuotaSet())
      .when(announceCallQuota(900))
      .then();
  });

  it('is lowered after voids that the use is counted without, and announced again', () => {
    const voided = [customerRegistered(), callQuotaSet(), callQuotaReached(90), apiCallsVoided()] as const;
    const again = (used: number, voids = 1) => announceCallQuota(used, '2026-01', voids);
    given(...voided)
      .when(again(899))
      .then(callQuotaUseLowered(70));
    given(...voided)
      .when(again(699))
      .then(callQuotaUseLowered(0));
    given(...voided)
      .when(again(900))
      .then();
    given(...voided)
      .when(again(0, 0))
      .then();
    given(...voided, callQuotaUseLowered(0))
      .when(again(699))
      .then();
    given(...voided, callQuotaUseLowered(0))
      .when(again(900))
      .then(callQuotaReached(90));
    given(...voided, callQuotaUseLowered(0), callQuotaReached(90))
      .when(again(0))
      .then();
  });

  it('is not lowered without voids, as by a restored database', () => {
    given(customerRegistered(), callQuotaSet(), callQuotaReached(90)).when(announceCallQuota(0)).then();
  });

  it('is not announced for a month before the newest that was', () => {
    given(customerRegistered(), callQuotaSet(), callQuotaReached(70, 1_000, '2026-02'))
      .when(announceCallQuota(1_000, '2026-01'))
      .then();
  });

  it('is not announced after its removal', () => {
    given(customerRegistered(), callQuotaSet(), callQuotaSet(null)).when(announceCallQuota(1_000)).then();
  });

  it('is of a calendar month of UTC', () => {
    expect(monthOf('2026-12-31T23:59:59.999Z')).toBe('2026-12');
    expect(endOfMonth('2026-12')).toBe('2027-01-01T00:00:00.000Z');
    expect(endOfMonth('2028-02')).toBe('2028-03-01T00:00:00.000Z');
    expect([0, 2, 3].map((used) => reachedPercent(used, 3))).toEqual([0, 0, 100]);
  });
});
