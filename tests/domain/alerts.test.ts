import { describe, expect, it } from 'vitest';
import type { CustomerId } from '../../src/domain/ids.ts';
import { MAX_ALERT_CUSTOMERS, MAX_ALERT_RULES } from '../../src/domain/limits.ts';
import type { AlertRuleData } from '../../src/domain/operations/alertEvents.ts';
import { type AlertCommand, alertsDecider } from '../../src/domain/operations/alerts.ts';
import { DEFAULT_ALERT_RULES } from '../../src/domain/operations/defaultRules.ts';
import { metaOf } from '../support/builders/command.ts';
import {
  alertFired,
  alertIdOf,
  alertResolved,
  alertRule,
  alertRuleChanged,
  alertRuleCreated,
  alertRuleIdOf,
  alertRuleRemoved,
} from '../support/builders/operations.ts';
import { decisionSpec } from '../support/decisionSpec.ts';

const given = decisionSpec(alertsDecider);
const meta = metaOf();
const { ruleId } = alertRule();
const create = (overrides: Partial<AlertRuleData> = {}): AlertCommand => ({
  type: 'CreateAlertRule',
  data: alertRule(overrides),
  meta,
});
const change = (overrides: Partial<AlertRuleData>): AlertCommand => ({ type: 'ChangeAlertRule', data: alertRule(overrides), meta });
const remove: AlertCommand = { type: 'RemoveAlertRule', data: { ruleId }, meta };
const fire = (n = 1, rule = alertRule()): AlertCommand => ({
  type: 'FireAlert',
  data: { ...alertFired({ alertId: alertIdOf(n) }).data, rule },
  meta,
});
const resolve = (n = 1): AlertCommand => ({ type: 'ResolveAlert', data: { ruleId, alertId: alertIdOf(n) }, meta });
const introduce: AlertCommand = { type: 'IntroduceAlertRules', data: { rules: DEFAULT_ALERT_RULES }, meta };

describe('the first rules', () => {
  it('are introduced once, and do not come back after they were removed', () => {
    const first = given().when(introduce);
    first.then(...DEFAULT_ALERT_RULES.map((rule) => alertRuleCreated(rule)));
    expect(first.state.rules.size).toBe(6);
    given(alertRuleCreated()).when(introduce).thenNothing();
    given(alertRuleCreated(), alertRuleRemoved()).when(introduce).thenNothing();
  });
});

describe('an alert rule', () => {
  it('is created once', () => {
    given().when(create()).then(alertRuleCreated());
    given(alertRuleCreated()).when(create()).thenNothing();
  });

  it('is refused beyond the most rules', () => {
    const rules = Array.from({ length: MAX_ALERT_RULES }, (_, n) =>
      alertRuleCreated({ ruleId: `30000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}` as AlertRuleData['ruleId'] }),
    );
    given(...rules)
      .when(create())
      .thenRefused('alert_rule_limit_reached');
  });

  it('is changed, which ends its alert unless only its name changes', () => {
    given(alertRuleCreated()).when(change({})).thenNothing();
    given(alertRuleCreated())
      .when(change({ threshold: 20 }))
      .then(alertRuleChanged({ threshold: 20 }));
    given(alertRuleCreated(), alertFired())
      .when(change({ threshold: 20 }))
      .then(alertRuleChanged({ threshold: 20 }), alertResolved('rule_changed'));
    given(alertRuleCreated(), alertFired())
      .when(change({ name: 'Errors' }))
      .then(alertRuleChanged({ name: 'Errors' }));
  });

  it('is removed with its alert', () => {
    given(alertRuleCreated()).when(remove).then(alertRuleRemoved());
    given(alertRuleCreated(), alertFired()).when(remove).then(alertResolved('rule_removed'), alertRuleRemoved());
  });

  it('that does not exist is neither changed nor removed', () => {
    given().when(change({})).thenRefused('alert_rule_not_found');
    given(alertRuleCreated(), alertRuleRemoved()).when(remove).thenRefused('alert_rule_not_found');
    given(alertRuleCreated({ ruleId: alertRuleIdOf(2) }))
      .when(remove)
      .thenRefused('alert_rule_not_found');
  });
});

describe('an alert', () => {
  it('fires once, and again after it was resolved', () => {
    given(alertRuleCreated()).when(fire()).then(alertFired());
    given(alertRuleCreated(), alertFired()).when(fire(2)).thenNothing();
    given(alertRuleCreated(), alertFired(), alertResolved())
      .when(fire(2))
      .then(alertFired({ alertId: alertIdOf(2) }));
  });

  it('fires once for each customer, at most for so many at the same time', () => {
    const customerIdOf = (n: number) => `40000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}` as CustomerId;
    const firedFor = (n: number) => alertFired({ alertId: alertIdOf(n), concernedId: customerIdOf(n) });
    const fireFor = (n: number): AlertCommand => ({
      type: 'FireAlert',
      data: { ...firedFor(n).data, rule: alertRule() },
      meta,
    });
    given(alertRuleCreated(), firedFor(1)).when(fireFor(1)).thenNothing();
    given(alertRuleCreated(), firedFor(1)).when(fireFor(2)).then(firedFor(2));
    given(alertRuleCreated(), firedFor(1), firedFor(2))
      .when(resolve(1))
      .then(alertResolved('recovered', 1, customerIdOf(1)));
    // Of the version before: the event had no customer.
    given(alertRuleCreated(), firedFor(1), firedFor(2), alertResolved('recovered', 1))
      .when(remove)
      .then(alertResolved('rule_removed', 2, customerIdOf(2)), alertRuleRemoved());
    const all = Array.from({ length: MAX_ALERT_CUSTOMERS }, (_, n) => firedFor(n));
    given(alertRuleCreated(), ...all)
      .when(fireFor(MAX_ALERT_CUSTOMERS))
      .thenNothing();
  });

  it('does not fire for a rule that was changed or removed since it was evaluated', () => {
    given(alertRuleCreated(), alertRuleChanged({ threshold: 90 }))
      .when(fire())
      .thenNothing();
    given(alertRuleCreated(), alertRuleRemoved()).when(fire()).thenNothing();
    given(alertRuleCreated(), alertRuleChanged({ name: 'Errors' }))
      .when(fire())
      .then(alertFired());
  });

  it('is resolved once', () => {
    given(alertRuleCreated(), alertFired()).when(resolve()).then(alertResolved());
    given(alertRuleCreated(), alertFired(), alertResolved()).when(resolve()).thenNothing();
    given(alertRuleCreated(), alertFired()).when(resolve(2)).thenNothing();
    given(alertRuleCreated(), alertFired(), alertRuleRemoved()).when(resolve()).thenNothing();
  });
});
