import { z } from 'zod';
import type { AlertId, AlertRuleId, IntegratorId } from '../../domain/ids.ts';
import { isUuid } from '../../domain/ids.ts';
import { BULK_CHANGES } from '../../domain/limits.ts';
import type { AlertResolved } from '../../domain/operations/alertEvents.ts';
import type { OperationsEvent } from '../../domain/operations/events.ts';
import { teamIdOf } from '../../domain/team/teamId.ts';
import { integratorOwner, teamOwner } from '../../security/owner.ts';
import { type CategoryCodec, eventCodec, first, formerShape, shape } from './codec.ts';
import { customerId, integratorId, text, textOrNull } from './fields.ts';

const alertRuleId = z.custom<AlertRuleId>(isUuid, 'Must be a UUID in lower case');
const alertId = z.custom<AlertId>(isUuid, 'Must be a UUID in lower case');

const rule = z.strictObject({
  ruleId: alertRuleId,
  name: text,
  metric: z.enum(['health', 'error_rate', 'p95', 'seats', 'projection_lag', 'rejected_sign_ins']),
  threshold: z.number(),
  forSeconds: z.number(),
});

const resolved = z.strictObject({ ruleId: alertRuleId, alertId, reason: z.enum(['recovered', 'rule_changed', 'rule_removed']) });

const count = z.int().min(0);

/** The name of an imported file is sealed by the data key of the service integrator, or of the administration. */
export const operationsCodec: CategoryCodec<OperationsEvent> = {
  ownerOf: (_id, { file, integratorId: importer }) => {
    if (file === undefined) return null;
    return typeof importer === 'string'
      ? integratorOwner(importer as IntegratorId)
      : teamOwner(teamIdOf({ kind: 'administration' }));
  },
  events: {
    ServerStarted: first(
      z.strictObject({ version: text, replaced: textOrNull, roles: z.array(z.enum(['api', 'projector', 'embedded'])) }),
    ),
    ReadModelsRebuilt: first(z.strictObject({ group: z.enum(['main', 'usage']) })),
    ImportFinished: first(
      z.strictObject({
        integratorId: integratorId.nullable(),
        kind: z.enum(['customers', 'users']),
        file: text,
        created: count,
        changed: count,
        unchanged: count,
        refused: count,
        isComplete: z.boolean(),
      }),
      ['file'],
    ),
    BulkChangeFinished: first(
      z.strictObject({
        integratorId: integratorId.nullable(),
        kind: z.enum(BULK_CHANGES),
        changed: count,
        refused: count,
      }),
    ),
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
    AlertResolved: eventCodec<AlertResolved['data']>({
      1: formerShape(resolved, [], (former) => ({ ...former, concernedId: null })),
      2: shape(resolved.extend({ concernedId: customerId.nullable() })),
    }),
  },
};
