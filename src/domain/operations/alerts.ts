import { Map as ImmutableMap } from 'immutable';
import { accept, type Command, type Decider, type Decision, refuse } from '../decider.ts';
import type { AlertId, AlertRuleId, CustomerId } from '../ids.ts';
import { MAX_ALERT_CUSTOMERS, MAX_ALERT_RULES } from '../limits.ts';
import type { AlertEnd, AlertEvent, AlertFired, AlertResolved, AlertRuleData } from './alertEvents.ts';

/** Creates rules, unless there has ever been one: removed rules do not come back with the next start. */
type IntroduceAlertRules = Command<'IntroduceAlertRules', { rules: readonly AlertRuleData[] }>;
type CreateAlertRule = Command<'CreateAlertRule', AlertRuleData>;
type ChangeAlertRule = Command<'ChangeAlertRule', AlertRuleData>;
type RemoveAlertRule = Command<'RemoveAlertRule', { ruleId: AlertRuleId }>;
/** `rule` is what the value was compared with: the command does nothing if the rule is another one by now. */
type FireAlert = Command<'FireAlert', AlertFired['data'] & { rule: AlertRuleData }>;
type ResolveAlert = Command<'ResolveAlert', { ruleId: AlertRuleId; alertId: AlertId }>;

/** All commands to the alert rules. */
export type AlertCommand = IntroduceAlertRules | CreateAlertRule | ChangeAlertRule | RemoveAlertRule | FireAlert | ResolveAlert;
/** Why a command to the alert rules is refused. */
export type AlertRefusal = 'alert_rule_not_found' | 'alert_rule_limit_reached';

/** A rule, and the alerts that it has fired and that are not resolved, by the customer that they concern: null for no customer. */
export type AlertRule = AlertRuleData & Readonly<{ alerts: ImmutableMap<CustomerId | null, AlertId> }>;
/** The rules of the installation, by id. `isIntroduced` once there was one. */
export type AlertRules = Readonly<{ isIntroduced: boolean; rules: ImmutableMap<AlertRuleId, AlertRule> }>;

type Decided = Decision<AlertEvent, AlertRefusal>;

const dataOf = ({ ruleId, name, metric, threshold, forSeconds }: AlertRuleData): AlertRuleData => ({
  ruleId,
  name,
  metric,
  threshold,
  forSeconds,
});

const isSame = (one: AlertRuleData, other: AlertRuleData): boolean =>
  one.name === other.name &&
  one.metric === other.metric &&
  one.threshold === other.threshold &&
  one.forSeconds === other.forSeconds;

const created = (rule: AlertRuleData): AlertEvent => ({ type: 'AlertRuleCreated', data: dataOf(rule) });

/** The end of the alerts that the rule has fired. */
const ended = ({ ruleId, alerts }: AlertRule, reason: AlertEnd): AlertResolved[] =>
  [...alerts].map(([concernedId, alertId]) => ({ type: 'AlertResolved', data: { ruleId, alertId, reason, concernedId } }));

const create = ({ data }: CreateAlertRule, { rules }: AlertRules): Decided => {
  if (rules.has(data.ruleId)) return accept();
  return rules.size < MAX_ALERT_RULES ? accept(created(data)) : refuse('alert_rule_limit_reached');
};

/** A changed rule is evaluated from the start, so its alerts end. A new name changes no condition. */
const change = ({ data }: ChangeAlertRule, rule: AlertRule): Decided => {
  if (isSame(data, rule)) return accept();
  const alerts = isSame({ ...rule, name: data.name }, data) ? [] : ended(rule, 'rule_changed');
  return accept<AlertEvent>({ type: 'AlertRuleChanged', data: dataOf(data) }, ...alerts);
};

const decideRule = (command: Exclude<AlertCommand, IntroduceAlertRules | CreateAlertRule>, rule: AlertRule): Decided => {
  switch (command.type) {
    case 'ChangeAlertRule':
      return change(command, rule);
    case 'RemoveAlertRule':
      return accept<AlertEvent>(...ended(rule, 'rule_removed'), { type: 'AlertRuleRemoved', data: { ruleId: rule.ruleId } });
    case 'FireAlert': {
      const { ruleId, alertId, value, concernedId, checks, rule: compared } = command.data;
      const isFiring = rule.alerts.has(concernedId) || rule.alerts.size >= MAX_ALERT_CUSTOMERS;
      if (isFiring || !isSame({ ...compared, name: rule.name }, rule)) return accept();
      return accept({ type: 'AlertFired', data: { ruleId, alertId, value, concernedId, checks } });
    }
    case 'ResolveAlert': {
      const { alertId } = command.data;
      return accept(...ended({ ...rule, alerts: rule.alerts.filter((firing) => firing === alertId) }, 'recovered'));
    }
  }
};

const decide = (command: AlertCommand, state: AlertRules): Decided => {
  if (command.type === 'IntroduceAlertRules') {
    return state.isIntroduced ? accept() : accept(...command.data.rules.map(created));
  }
  if (command.type === 'CreateAlertRule') return create(command, state);
  const rule = state.rules.get(command.data.ruleId);
  if (rule) return decideRule(command, rule);
  // The rule may have been removed since it was evaluated.
  return command.type === 'FireAlert' || command.type === 'ResolveAlert' ? accept() : refuse('alert_rule_not_found');
};

const withAlerts = (
  state: AlertRules,
  ruleId: AlertRuleId,
  change: (alerts: AlertRule['alerts']) => AlertRule['alerts'],
): AlertRules => {
  const rule = state.rules.get(ruleId);
  return rule ? { ...state, rules: state.rules.set(ruleId, { ...rule, alerts: change(rule.alerts) }) } : state;
};

const evolve = (state: AlertRules, event: AlertEvent): AlertRules => {
  const { rules } = state;
  switch (event.type) {
    case 'AlertRuleCreated':
      return { isIntroduced: true, rules: rules.set(event.data.ruleId, { ...dataOf(event.data), alerts: ImmutableMap() }) };
    case 'AlertRuleChanged': {
      const before = rules.get(event.data.ruleId);
      return before ? { ...state, rules: rules.set(before.ruleId, { ...before, ...dataOf(event.data) }) } : state;
    }
    case 'AlertRuleRemoved':
      return { ...state, rules: rules.delete(event.data.ruleId) };
    case 'AlertFired':
      return withAlerts(state, event.data.ruleId, (alerts) => alerts.set(event.data.concernedId, event.data.alertId));
    case 'AlertResolved':
      return withAlerts(state, event.data.ruleId, (alerts) => alerts.filter((alertId) => alertId !== event.data.alertId));
  }
};

/**
 * The alert rules of the installation. An alert is fired and resolved once for each customer that it concerns, however many nodes
 * evaluate its rule.
 */
export const alertsDecider: Decider<AlertCommand, AlertRules, AlertEvent, AlertRefusal> = {
  initial: { isIntroduced: false, rules: ImmutableMap() },
  decide,
  evolve,
};
