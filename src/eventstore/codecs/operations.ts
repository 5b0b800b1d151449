import { z } from 'zod';
import type { AlertId, AlertRuleId } from '../../domain/ids.ts';
import type { OperationsEvent } from '../../domain/operations/events.ts';
import { type CategoryCodec, first } from './codec.ts';
import { customerId, isUuid, text, textOrNull } from './fields.ts';

const alertRuleId = z.custom<AlertRuleId>(isUuid, 'Must be a UUID in lower case');
const alertId = z.custom<AlertId>(isUuid, 'Must be a UUID in lower case');

const rule = z.strictObject({
  ruleId: alertRuleId,
  name: text,
  metric: z.enum(['health', 'error_rate', 'p95', 'seats', 'projection_lag', 'rejected_sign_ins']),
  threshold: z.number(),
  forSeconds: z.number(),
});

export const operationsCodec: CategoryCodec<OperationsEvent> = {
  ownerOf: () => null,
  events: {
    ServerStarted: first(
      z.strictObject({ version: text, replaced: textOrNull, roles: z.array(z.enum(['api', 'projector', 'embedded'])) }),
    ),
    ReadModelsRebuilt: first(z.strictObject({ group: z.enum(['main', 'usage']) })),
    AlertRuleCreated: first(rule),
    AlertRuleChanged: first(rule),
    AlertRuleRemoved: first(z.strictObject({ ruleId: alertRuleId })),
    AlertFired: first(
      z.strictObject({
        ruleId: alertRuleId,
        alertId,
        value: z.number(),
        concernedId: customerId.nullable(),
        checks: z.array(text).readonly(),
      }),
    ),
    AlertResolved: first(
      z.strictObject({ ruleId: alertRuleId, alertId, reason: z.enum(['recovered', 'rule_changed', 'rule_removed']) }),
    ),
  },
};
