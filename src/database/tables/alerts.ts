import type { AlertId, AlertRuleId } from '../../domain/ids.ts';
import type { AlertEnd, AlertFired, AlertRuleData } from '../../domain/operations/alertEvents.ts';
import { defineTable, json, nullable, type RowOf, text, timestamptz, uuid } from './defineTable.ts';

/** When a rule fires. */
export type AlertCondition = Pick<AlertRuleData, 'metric' | 'threshold' | 'forSeconds'>;
/** What the rule found when it fired. */
export type AlertFinding = Pick<AlertFired['data'], 'value' | 'concernedId' | 'checks'>;

/** One row for each alert rule. */
export const alertRuleTable = defineTable('read.alert_rule', {
  key: ['rule_id'],
  columns: {
    rule_id: uuid<AlertRuleId>(),
    name: text(),
    condition: json<AlertCondition>(),
    /** The latest alert until it is resolved; read only by nodes of the version before, whose rules have one alert each. */
    alert_id: nullable(uuid<AlertId>()),
  },
});

/** A row of `read.alert_rule` in a projection's memory. */
export type AlertRuleRow = RowOf<typeof alertRuleTable>;

/** One row for each alert, with the rule as it was when the alert fired. */
export const alertTable = defineTable('read.alert', {
  key: ['alert_id'],
  columns: {
    alert_id: uuid<AlertId>(),
    rule_id: uuid<AlertRuleId>(),
    name: text(),
    condition: json<AlertCondition>(),
    found: json<AlertFinding>(),
    fired_at: timestamptz(),
    resolved_at: nullable(timestamptz()),
    reason: nullable(text<AlertEnd>()),
  },
});

/** A row of `read.alert` in a projection's memory. */
export type AlertRow = RowOf<typeof alertTable>;
