import type { Commands } from '../../commands/commands.ts';
import type { AlertId, CustomerId } from '../../domain/ids.ts';
import type { AlertCommand, AlertRule } from '../../domain/operations/alerts.ts';
import { DEFAULT_ALERT_RULES } from '../../domain/operations/defaultRules.ts';
import type { AlertMetric } from '../../domain/operations/metrics.ts';
import { type Policy, type PolicyContext, policyOn } from '../engine/policy.ts';
import type { Measuring } from './measure.ts';

/** The key of the note that evaluates the rules. */
const EVALUATE = 'evaluate';
/** The prefix of notes on conditions that are true. */
const TRUE_SINCE = 'since:';
/** The key of what concerns no customer. */
const NOBODY = '';
const EVERY_MS = 15_000;

/** A changed condition starts over. */
const conditionOf = ({ metric, threshold, forSeconds }: AlertRule): string => `${metric} ${threshold} ${forSeconds}`;

/** Since when a condition has been true, ms since 1970, by the customer that it concerns. */
type Since = Readonly<Record<string, number>>;

/** Versions before had the instant and the condition, of no or of one unnamed customer. */
const sinceIn = (text: string | undefined, condition: string): Since => {
  if (text === undefined) return {};
  if (!text.startsWith('{')) {
    const [at, ...former] = text.split(' ');
    return former.join(' ') === condition ? { [NOBODY]: Number(at) } : {};
  }
  const note: { condition: string; since: Since } = JSON.parse(text);
  return note.condition === condition ? note.since : {};
};

/** Measures what does not depend on the rule once for all rules. */
const oncePerMetric = (measure: Measuring): Measuring => {
  const values = new Map<AlertMetric, ReturnType<Measuring>>();
  return (rule, options) => {
    if (rule.metric === 'seats') return measure(rule, options);
    const value = values.get(rule.metric) ?? measure(rule, options);
    values.set(rule.metric, value);
    return value;
  };
};

const keyOf = (concernedId: CustomerId | null): string => concernedId ?? NOBODY;

/**
 * Evaluates the alert rules, on one node at a time. How long a condition has been true is a note, so another node continues with it. An
 * alert is fired and resolved by commands, which do nothing the second time. Each customer that a rule concerns has its own alert; those
 * whose condition was true before keep their place among the `MAX_ALERT_CUSTOMERS`.
 */
export const watchAlerts = ({
  commands,
  measure,
  everyMs = EVERY_MS,
}: {
  commands: Pick<Commands, 'alerts'>;
  measure: Measuring;
  everyMs?: number;
}): Policy => {
  const evaluate = async (rule: AlertRule, measureRule: Measuring, { notes, now, metaFor }: PolicyContext): Promise<void> => {
    const { ruleId, threshold, forSeconds, alerts } = rule;
    const [key, condition, at] = [TRUE_SINCE + ruleId, conditionOf(rule), now()];
    const noted = (await notes.get(key))?.value;
    const before = sinceIn(noted, condition);
    const followed = [...alerts.keys(), ...Object.keys(before)].filter((id): id is CustomerId => id !== null && id !== NOBODY);
    const values = await measureRule(rule, { now: at, followed });
    const found = values.filter(({ value }) => value >= threshold);
    const since: Since = Object.fromEntries(found.map(({ concernedId }) => [keyOf(concernedId), before[keyOf(concernedId)] ?? at]));
    const note = found.length === 0 ? undefined : JSON.stringify({ condition, since });
    if (note !== noted) await (note === undefined ? notes.remove(key) : notes.put(key, note));

    const isTrue = new Set(found.map(({ concernedId }) => concernedId));
    const ended = [...alerts].filter(([concernedId]) => !isTrue.has(concernedId));
    const due = found.filter(({ concernedId }) => at - (since[keyOf(concernedId)] ?? at) >= forSeconds * 1000);
    const changes: AlertCommand[] = [
      ...ended.map(([, alertId]) => ({ type: 'ResolveAlert' as const, data: { ruleId, alertId }, meta: metaFor(null) })),
      ...due
        .filter(({ concernedId }) => !alerts.has(concernedId))
        .map((one) => {
          const meta = metaFor(null);
          const alertId = meta.commandId as AlertId; // a UUID of its own, as each command has one
          return { type: 'FireAlert' as const, data: { ruleId, alertId, ...one, rule }, meta };
        }),
    ];
    if (changes.length > 0) await commands.alerts.handle(changes);
  };

  return policyOn({
    name: 'watchAlerts',
    eventTypes: ['AlertRuleRemoved', 'ServerStarted'],
    react: async ({ event }, { notes, metaFor, now }) => {
      if (event.type === 'AlertRuleRemoved') return notes.remove(TRUE_SINCE + event.data.ruleId);
      await commands.alerts.handle({ type: 'IntroduceAlertRules', data: { rules: DEFAULT_ALERT_RULES }, meta: metaFor(null) });
      if (!(await notes.get(EVALUATE))) await notes.put(EVALUATE, '', new Date(now()));
    },
    onDue: async ({ key }, context) => {
      if (key !== EVALUATE) return;
      const { state } = await commands.alerts.load('alerts');
      const measureOnce = oncePerMetric(measure);
      for (const rule of state.rules.values()) await evaluate(rule, measureOnce, context);
      await context.notes.put(EVALUATE, '', new Date(context.now() + everyMs));
    },
  });
};
