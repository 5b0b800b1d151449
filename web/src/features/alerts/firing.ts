import type { Alert, AlertsReply } from '../../../../src/contracts/alerts.ts';

/** The alerts of one rule that are not resolved, the latest first. */
export type FiringAlerts = readonly [Alert, ...Alert[]];

/** The alerts that are not resolved, by their rule. */
export const firingIn = (reply: AlertsReply | undefined): FiringAlerts[] => {
  const byRule = new Map<string, FiringAlerts>();
  for (const alert of reply?.alerts ?? []) {
    if (alert.resolvedAt !== null) continue;
    const others = byRule.get(alert.ruleId);
    byRule.set(alert.ruleId, others ? [...others, alert] : [alert]);
  }
  return [...byRule.values()];
};
