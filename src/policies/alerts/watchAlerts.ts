import type { Commands } from '../../commands/commands.ts';
import type { AlertId } from '../../domain/ids.ts';
import type { AlertRule } from '../../domain/operations/alerts.ts';
import { DEFAULT_ALERT_RULES } from '../../domain/operations/defaultRules.ts';
import type { AlertMetric } from '../../domain/operations/metrics.ts';
import type { Policy, PolicyContext } from '../engine/policy.ts';
import type { Measured } from './measure.ts';

/** The key of the note that evaluates the rules. */
const EVALUATE = 'evaluate';
/** The prefix of notes on conditions that are true: since when, ms since 1970, and which condition it is. */
const TRUE_SINCE = 'since:';
const EVERY_MS = 15_000;

/** A changed condition starts over. */
const conditionOf = ({ metric, threshold, forSeconds }: AlertRule): string => `${metric} ${threshold} ${forSeconds}`;

/**
 * Evaluates the alert rules, on one node at a time. How long a condition has been true is a note, so another node continues with it. An
 * alert is fired and resolved by commands, which do nothing the second time.
 */
export const watchAlerts = ({
  commands,
  measure,
  everyMs = EVERY_MS,
}: {
  commands: Pick<Commands, 'alerts'>;
  /** Null where there is nothing to compare: the condition is not true then. */
  measure: (metric: AlertMetric, now: number) => Promise<Measured | null>;
  everyMs?: number;
}): Policy => {
  /** Since when the rule's condition has been true, ms since 1970. */
  const trueSince = async (rule: AlertRule, { notes, now }: PolicyContext): Promise<number> => {
    const key = TRUE_SINCE + rule.ruleId;
    const [since, ...condition] = ((await notes.get(key))?.value ?? '').split(' ');
    if (condition.join(' ') === conditionOf(rule)) return Number(since);
    const at = now();
    await notes.put(key, `${at} ${conditionOf(rule)}`);
    return at;
  };

  const onTrue = async (rule: AlertRule, found: Measured, context: PolicyContext): Promise<void> => {
    if (rule.alertId !== null) return;
    const since = await trueSince(rule, context);
    if (context.now() - since < rule.forSeconds * 1000) return;
    const meta = context.metaFor(null);
    const alertId = meta.commandId as AlertId; // a UUID of its own, as each command has one
    await commands.alerts.handle({ type: 'FireAlert', data: { ruleId: rule.ruleId, alertId, ...found, rule }, meta });
  };

  const onFalse = async ({ ruleId, alertId }: AlertRule, { notes, metaFor }: PolicyContext): Promise<void> => {
    await notes.remove(TRUE_SINCE + ruleId);
    if (alertId !== null) await commands.alerts.handle({ type: 'ResolveAlert', data: { ruleId, alertId }, meta: metaFor(null) });
  };

  return {
    name: 'watchAlerts',
    categories: ['operations'],
    react: async ({ event }, { notes, metaFor, now }) => {
      if (event.type === 'AlertRuleRemoved') await notes.remove(TRUE_SINCE + event.data.ruleId);
      if (event.type !== 'ServerStarted') return;
      await commands.alerts.handle({ type: 'IntroduceAlertRules', data: { rules: DEFAULT_ALERT_RULES }, meta: metaFor(null) });
      if (!(await notes.get(EVALUATE))) await notes.put(EVALUATE, '', new Date(now()));
    },
    onDue: async ({ key }, context) => {
      if (key !== EVALUATE) return;
      const { state } = await commands.alerts.load('alerts');
      const values = new Map<AlertMetric, Measured | null>();
      for (const rule of state.rules.values()) {
        if (!values.has(rule.metric)) values.set(rule.metric, await measure(rule.metric, context.now()));
        const found = values.get(rule.metric) ?? null;
        if (found !== null && found.value >= rule.threshold) await onTrue(rule, found, context);
        else await onFalse(rule, context);
      }
      await context.notes.put(EVALUATE, '', new Date(context.now() + everyMs));
    },
  };
};
