import type { AlertId, AlertRuleId } from '../../../src/domain/ids.ts';
import type {
  AlertEnd,
  AlertFired,
  AlertResolved,
  AlertRuleChanged,
  AlertRuleCreated,
  AlertRuleData,
  AlertRuleRemoved,
} from '../../../src/domain/operations/alertEvents.ts';
import type {
  BulkChangeFinished,
  ImportFinished,
  ReadModelsRebuilt,
  ServerStarted,
} from '../../../src/domain/operations/events.ts';

export const serverStarted = (overrides: Partial<ServerStarted['data']> = {}): ServerStarted => ({
  type: 'ServerStarted',
  data: { version: '1.0.0', replaced: null, roles: ['api', 'projector'], ...overrides },
});
export const readModelsRebuilt = (group: ReadModelsRebuilt['data']['group'] = 'main'): ReadModelsRebuilt => ({
  type: 'ReadModelsRebuilt',
  data: { group },
});
export const importFinished = (overrides: Partial<ImportFinished['data']> = {}): ImportFinished => ({
  type: 'ImportFinished',
  data: {
    integratorId: null,
    kind: 'customers',
    file: 'customers.csv',
    created: 2,
    changed: 1,
    unchanged: 3,
    refused: 1,
    isComplete: true,
    ...overrides,
  },
});

export const bulkChangeFinished = (overrides: Partial<BulkChangeFinished['data']> = {}): BulkChangeFinished => ({
  type: 'BulkChangeFinished',
  data: { integratorId: null, kind: 'renewal', changed: 12, refused: 1, ...overrides },
});

export const alertRuleIdOf = (n = 1): AlertRuleId => `10000000-0000-4000-8000-00000000000${n}` as AlertRuleId;
export const alertIdOf = (n = 1): AlertId => `20000000-0000-4000-8000-00000000000${n}` as AlertId;
export const alertRule = (overrides: Partial<AlertRuleData> = {}): AlertRuleData => ({
  ruleId: alertRuleIdOf(),
  name: 'Error rate',
  metric: 'error_rate',
  threshold: 10,
  forSeconds: 60,
  ...overrides,
});
export const alertRuleCreated = (overrides: Partial<AlertRuleData> = {}): AlertRuleCreated => ({
  type: 'AlertRuleCreated',
  data: alertRule(overrides),
});
export const alertRuleChanged = (overrides: Partial<AlertRuleData> = {}): AlertRuleChanged => ({
  type: 'AlertRuleChanged',
  data: alertRule(overrides),
});
export const alertRuleRemoved = (): AlertRuleRemoved => ({ type: 'AlertRuleRemoved', data: { ruleId: alertRuleIdOf() } });
export const alertFired = (overrides: Partial<AlertFired['data']> = {}): AlertFired => ({
  type: 'AlertFired',
  data: { ruleId: alertRuleIdOf(), alertId: alertIdOf(), value: 12.5, concernedId: null, checks: [], ...overrides },
});
export const alertResolved = (
  reason: AlertEnd = 'recovered',
  n = 1,
  concernedId: AlertResolved['data']['concernedId'] = null,
): AlertResolved => ({
  type: 'AlertResolved',
  data: { ruleId: alertRuleIdOf(), alertId: alertIdOf(n), reason, concernedId },
});
