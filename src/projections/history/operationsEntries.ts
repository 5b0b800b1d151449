import { alertValueText } from '../../contracts/alertValues.ts';
import type { CustomerId } from '../../domain/ids.ts';
import type { AlertFired, AlertRuleChanged, AlertRuleCreated } from '../../domain/operations/alertEvents.ts';
import type { OperationsEvent } from '../../domain/operations/events.ts';
import type { AlertMetric } from '../../domain/operations/metrics.ts';
import type { Projection } from '../engine/projection.ts';
import type { RecordedEvent } from '../engine/recordedEvent.ts';
import type { MainRows } from '../main/rows.ts';
import { type Entry, record } from './entries.ts';

/** What follows the value of a metric in a sentence. */
const PHRASES: Readonly<Record<AlertMetric, string>> = {
  health: ' failing checks',
  error_rate: ' of calls failed',
  p95: ' at the 95th percentile',
  seats: ' of the seats are in use',
  projection_lag: ' behind',
  rejected_sign_ins: ' in 10 minutes',
};

/** Names failing checks as the console does: `eventStore` is "event store". */
const nameOf = (check: string): string => check.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const phraseOf = (metric: AlertMetric, { value, checks }: AlertFired['data']): string => {
  if (metric !== 'health' || checks.length === 0) return PHRASES[metric];
  return `${value === 1 ? ' failing check' : PHRASES.health}: ${checks.map(nameOf).join(', ')}`;
};

const ruleEntry = (recorded: RecordedEvent<AlertRuleCreated | AlertRuleChanged>, rows: MainRows): void => {
  const { ruleId, name, metric, threshold, forSeconds } = recorded.event.data;
  const before = rows.alertRules.get(ruleId);
  record(recorded, rows, {
    now: { rule: name, metric, threshold, forSeconds },
    before: before ? { rule: before.name, ...before.condition } : {},
  });
};

const concerning = (customerId: CustomerId | null | undefined): Pick<Entry, 'customerId'> =>
  customerId == null ? {} : { customerId };

/**
 * The operation of the installation belongs to the history of the administration, an import to that of who imported, and an alert to that
 * of the customer that it concerns.
 */
export const operationsEntries = {
  ServerStarted: (recorded, rows) => {
    const { version, replaced, roles } = recorded.event.data;
    record(recorded, rows, { now: { version, roles: roles.join(', ') }, before: replaced === null ? {} : { version: replaced } });
  },
  ReadModelsRebuilt: (recorded, rows) => record(recorded, rows, { now: { group: recorded.event.data.group } }),
  ImportFinished: (recorded, rows) => {
    const { integratorId, ...now } = recorded.event.data;
    record(recorded, rows, { ...(integratorId !== null && { integratorId }), now });
  },
  BulkChangeFinished: (recorded, rows) => {
    const { integratorId, ...now } = recorded.event.data;
    record(recorded, rows, { ...(integratorId !== null && { integratorId }), now });
  },
  AlertRuleCreated: ruleEntry,
  AlertRuleChanged: ruleEntry,
  AlertRuleRemoved: (recorded, rows) => {
    const rule = rows.alertRules.get(recorded.event.data.ruleId);
    record(recorded, rows, { now: { rule: rule?.name ?? '' } });
  },
  AlertFired: (recorded, rows) => {
    const { ruleId, value, concernedId } = recorded.event.data;
    const rule = rows.alertRules.get(ruleId);
    const metric = rule?.condition.metric;
    const found = metric === undefined ? String(value) : `${alertValueText(metric, value)}${phraseOf(metric, recorded.event.data)}`;
    record(recorded, rows, { ...concerning(concernedId), now: { rule: rule?.name ?? '', found } });
  },
  AlertResolved: (recorded, rows) => {
    const { alertId, reason } = recorded.event.data;
    const alert = rows.alerts.get(alertId);
    record(recorded, rows, { ...concerning(alert?.found.concernedId), now: { rule: alert?.name ?? '', reason } });
  },
} satisfies Exclude<Projection<MainRows>['on']['operations'], 'ignored'> & Record<OperationsEvent['type'], unknown>;
