import { z } from 'zod';
import type { AlertRuleId } from '../domain/ids.ts';
import { MAX_ALERT_SECONDS, MAX_ALERT_THRESHOLD, MAX_NAME } from '../domain/limits.ts';
import { ALERT_METRICS } from '../domain/operations/metrics.ts';
import { idOf, instant, reverts, text } from './fields.ts';
import { ok } from './replies.ts';

/** The id of an alert rule. */
export const alertRuleId = idOf<AlertRuleId>();

/** A rule as it is created or changed. `threshold` has the unit of the metric; percentages are from 0 to 100. */
export const alertRuleBody = z.strictObject({
  name: text(MAX_NAME),
  metric: z.enum(ALERT_METRICS),
  threshold: z.number('Must be a number').positive('Must be above 0').max(MAX_ALERT_THRESHOLD),
  /** How long the condition has to be true, in seconds. */
  forSeconds: z.int('Must be a whole number of seconds').min(0).max(MAX_ALERT_SECONDS),
});
export type AlertRuleBody = z.infer<typeof alertRuleBody>;
/** The body of `PUT /api/admin/alert-rules/:ruleId`. */
export const changeAlertRule = alertRuleBody.extend({ reverts });

const alertRule = z.object({
  ruleId: z.uuid(),
  ...alertRuleBody.shape,
  name: z.string(),
  /** When its alert fired; null while it is quiet. */
  firingSince: instant.nullable(),
});
/** An alert rule with its state. */
export type AlertRule = z.infer<typeof alertRule>;

const alert = z.object({
  alertId: z.uuid(),
  ruleId: z.uuid(),
  /** The rule as it was when the alert fired. */
  name: z.string(),
  metric: z.enum(ALERT_METRICS),
  threshold: z.number(),
  forSeconds: z.int(),
  value: z.number(),
  /** The customer whose seats are used up; its name is null when it is deleted. */
  customer: z.object({ id: z.uuid(), name: z.string().nullable() }).nullable(),
  /** The failing health checks. */
  checks: z.array(z.string()),
  firedAt: instant,
  resolvedAt: instant.nullable(),
  /** Why it is resolved: the value is below the threshold, or the rule was changed or removed. */
  reason: z.enum(['recovered', 'rule_changed', 'rule_removed']).nullable(),
});
/** An alert of a rule, from when it fired until it is resolved. `resolvedAt` is null before. */
export type Alert = z.infer<typeof alert>;

/**
 * All rules by name, and the newest 100 alerts, those that are not resolved first. `sendsEmails`: a mail server is configured.
 * `maxCustomers`: for how many customers a rule for seats fires at the same time.
 */
export const alertsReply = ok({
  rules: z.array(alertRule),
  alerts: z.array(alert),
  sendsEmails: z.boolean(),
  maxCustomers: z.int().optional(),
});
export type AlertsReply = z.infer<typeof alertsReply>;

/** The reply of `GET /api/admin/alert-rules`: all rules by name. */
export const alertRulesReply = ok({ rules: z.array(alertRule) });

/** The id of a created rule. */
export const alertRuleReply = ok({ ruleId: z.uuid() });
/** The path parameters of a route of one alert rule. */
export const alertRuleParams = z.strictObject({ ruleId: alertRuleId });
