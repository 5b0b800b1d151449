import type { AlertRuleId } from '../ids.ts';
import type { AlertRuleData } from './alertEvents.ts';

const rule = (n: number, data: Omit<AlertRuleData, 'ruleId'>): AlertRuleData => ({
  ruleId: `00000000-0000-4000-8000-00000000000${n}` as AlertRuleId,
  ...data,
});

/** The rules of a new installation. They can be changed and removed. */
export const DEFAULT_ALERT_RULES: readonly AlertRuleData[] = [
  rule(1, { name: 'Failing health checks', metric: 'health', threshold: 1, forSeconds: 120 }),
  rule(2, { name: 'Error rate', metric: 'error_rate', threshold: 10, forSeconds: 300 }),
  rule(3, { name: 'Slow API calls', metric: 'p95', threshold: 5_000, forSeconds: 300 }),
  rule(4, { name: 'Seats used up', metric: 'seats', threshold: 100, forSeconds: 0 }),
  rule(5, { name: 'Read models behind', metric: 'projection_lag', threshold: 30_000, forSeconds: 60 }),
  rule(6, { name: 'Rejected sign-ins', metric: 'rejected_sign_ins', threshold: 100, forSeconds: 0 }),
];
