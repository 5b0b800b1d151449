import { type NoInverse, restored } from '../inverse.ts';
import type { AlertEvent, AlertRuleData } from './alertEvents.ts';
import type { AlertRule, AlertRules } from './alerts.ts';

/** The fields of an alert rule that take an event back. */
export type AlertRuleInverse = Readonly<{ rule: AlertRule; changes: Partial<Omit<AlertRuleData, 'ruleId'>> }>;

const conditionOf = ({ name, metric, threshold, forSeconds }: AlertRuleData) => ({ name, metric, threshold, forSeconds });

/** What takes an event of the alert rules back, from the state before it and the state now. */
export const inverseOf = (event: AlertEvent, before: AlertRules, now: AlertRules): AlertRuleInverse | NoInverse => {
  if (event.type !== 'AlertRuleChanged') return 'revert_unsupported';
  const former = before.rules.get(event.data.ruleId);
  const rule = now.rules.get(event.data.ruleId);
  const changes = former && rule && restored(conditionOf(former), conditionOf(event.data), conditionOf(rule));
  return changes ? { rule, changes } : 'revert_outdated';
};
