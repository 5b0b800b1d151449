import type { AlertRuleData } from '../../domain/operations/alertEvents.ts';
import type { Projection } from '../engine/projection.ts';
import type { MainRows } from '../main/rows.ts';

const rowOf = ({ ruleId, name, metric, threshold, forSeconds }: AlertRuleData) => ({
  rule_id: ruleId,
  name,
  condition: { metric, threshold, forSeconds },
});

/** One row for each alert rule, and one for each alert. */
export const alerts: Projection<MainRows> = {
  name: 'alerts',
  version: 1,
  on: {
    customer: 'ignored',
    integrator: 'ignored',
    themes: 'ignored',
    credential: 'ignored',
    userActivity: 'ignored',
    apiCalls: 'ignored',
    adminActivity: 'ignored',
    seatDenials: 'ignored',
    seatLeases: 'ignored',
    signIns: 'ignored',
    team: 'ignored',
    plans: 'ignored',
    operations: {
      ServerStarted: 'ignored',
      ReadModelsRebuilt: 'ignored',
      ImportFinished: 'ignored',
      BulkChangeFinished: 'ignored',
      AlertRuleCreated: ({ event: { data } }, rows) => rows.alertRules.put({ ...rowOf(data), alert_id: null }),
      AlertRuleChanged: ({ event: { data } }, rows) => {
        const rule = rows.alertRules.get(data.ruleId);
        if (rule) rows.alertRules.change(rule, rowOf(data));
      },
      AlertRuleRemoved: ({ event: { data } }, rows) => {
        const rule = rows.alertRules.get(data.ruleId);
        if (rule) rows.alertRules.remove(rule);
      },
      AlertFired: ({ event: { data }, at }, rows) => {
        const rule = rows.alertRules.get(data.ruleId);
        if (!rule) return;
        const { alertId, value, concernedId, checks } = data;
        rows.alertRules.change(rule, { alert_id: alertId });
        rows.alerts.put({
          alert_id: alertId,
          rule_id: rule.rule_id,
          name: rule.name,
          condition: rule.condition,
          found: { value, concernedId, checks },
          fired_at: at,
          resolved_at: null,
          reason: null,
        });
      },
      AlertResolved: ({ event: { data }, at }, rows) => {
        const rule = rows.alertRules.get(data.ruleId);
        if (rule) rows.alertRules.change(rule, { alert_id: null });
        const alert = rows.alerts.get(data.alertId);
        if (alert) rows.alerts.change(alert, { resolved_at: at, reason: data.reason });
      },
    },
  },
};
