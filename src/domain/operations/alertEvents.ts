import type { DomainEvent } from '../event.ts';
import type { AlertId, AlertRuleId, CustomerId } from '../ids.ts';
import type { AlertMetric } from './metrics.ts';

/** An alert fires when the metric is at least `threshold` for `forSeconds`, and is resolved when it is below. */
export type AlertRuleData = Readonly<{
  ruleId: AlertRuleId;
  name: string;
  metric: AlertMetric;
  threshold: number;
  forSeconds: number;
}>;

/** An alert rule was created, with its name, metric and condition. */
export type AlertRuleCreated = DomainEvent<'AlertRuleCreated', AlertRuleData>;
/** All values of an alert rule after a change. */
export type AlertRuleChanged = DomainEvent<'AlertRuleChanged', AlertRuleData>;
export type AlertRuleRemoved = DomainEvent<'AlertRuleRemoved', { ruleId: AlertRuleId }>;
/**
 * A rule found its condition true. `value` is that of the metric. `concernedId` is the customer whose seats are in use, `checks` the
 * failing checks by name; else null and none.
 */
export type AlertFired = DomainEvent<
  'AlertFired',
  { ruleId: AlertRuleId; alertId: AlertId; value: number; concernedId: CustomerId | null; checks: readonly string[] }
>;
/** Why an alert ended: the value is below the threshold, or the rule was changed or removed. */
export type AlertEnd = 'recovered' | 'rule_changed' | 'rule_removed';
/** An alert ended, because its metric recovered or because its rule was changed or removed. `concernedId` is that of the alert. */
export type AlertResolved = DomainEvent<
  'AlertResolved',
  { ruleId: AlertRuleId; alertId: AlertId; reason: AlertEnd; concernedId: CustomerId | null }
>;

/** The events of the stream `operations-alerts`. */
export type AlertEvent = AlertRuleCreated | AlertRuleChanged | AlertRuleRemoved | AlertFired | AlertResolved;
