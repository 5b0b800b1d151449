import { entitlementsText } from '../../contracts/entitlementLines.ts';
import type { Values } from '../../database/tables/history.ts';
import { callQuotaText } from '../../domain/license/callQuota.ts';
import type { PlanChanged, PlanCreated, PlanTerms } from '../../domain/plan/events.ts';
import { planTermsOf } from '../../domain/plan/terms.ts';
import type { Projection } from '../engine/projection.ts';
import type { RecordedEvent } from '../engine/recordedEvent.ts';
import type { MainRows } from '../main/rows.ts';
import { record } from './entries.ts';

/** A plan's name is no personal data, unlike the field `name` of others. */
const shown = (plan: PlanTerms): Values => {
  const { name, entitlements, callQuota, ...terms } = planTermsOf(plan);
  return { planName: name, ...terms, entitlements: entitlementsText(entitlements), callQuota: callQuotaText(callQuota) };
};

const planEntry = (recorded: RecordedEvent<PlanCreated | PlanChanged>, rows: MainRows): void => {
  const { code } = recorded.event.data;
  const before = rows.plans.get(code);
  record(recorded, rows, { now: { plan: code, ...shown(recorded.event.data) }, before: before ? shown(before.terms) : {} });
};

/** Plans belong to the history of the administration. */
export const planEntries: Projection<MainRows>['on']['plans'] = {
  PlanCreated: planEntry,
  PlanChanged: planEntry,
  PlanRetired: (recorded, rows) => {
    const { code } = recorded.event.data;
    record(recorded, rows, { now: { plan: code, planName: rows.plans.get(code)?.terms.name ?? '' } });
  },
};
