import type { ReactNode } from 'react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { entitlementsText } from '../../../../../src/contracts/entitlementLines.ts';
import { MAX_MACHINES, OFFLINE_LICENSE_DAYS } from '../../../../../src/domain/limits.ts';
import { format } from '../../../lib/format.ts';
import { Fact } from '../../../ui/Facts.tsx';
import { tierOf } from '../../../ui/tier.ts';
import { callQuotaTexts } from '../../callQuotas/index.ts';
import { asOfTexts as texts } from '../asOfTexts.ts';
import { historyTexts } from '../texts.ts';

/** A fact with the name that it has among the differences. */
const Named = ({ field, children }: { field: string; children: ReactNode }) => (
  <Fact label={historyTexts.fieldNames[field] ?? field}>{children}</Fact>
);

/** What the license of a customer included at a moment, and until when. */
export const AsOfLicense = ({ customer }: { customer: Customer }) => {
  const { term, plan, callQuota, machineLimit, idleReleaseDays, floatingDeveloperMinutes } = customer;
  return (
    <>
      <Named field="plan">{tierOf(customer)}</Named>
      <Fact label={texts.asOfFacts.expires}>{term ? format.utcDate(term.expiresAt) : texts.perpetual}</Fact>
      {term && (
        <>
          <Named field="graceDays">{term.graceDays}</Named>
          <Named field="isTrial">{term.isTrial ? historyTexts.yes : historyTexts.no}</Named>
        </>
      )}
      <Named field="entitlements">{entitlementsText(customer.entitlements ?? null) ?? texts.everything}</Named>
      <Named field="callQuota">{callQuota ? callQuotaTexts.amount(callQuota) : historyTexts.unlimited}</Named>
      <Named field="machineLimit">{machineLimit ?? MAX_MACHINES}</Named>
      <Named field="floatingDeveloperMinutes">{floatingDeveloperMinutes ?? historyTexts.absent.floatingDeveloperMinutes}</Named>
      <Named field="idleReleaseDays">{idleReleaseDays ?? historyTexts.absent.idleReleaseDays}</Named>
      <Named field="offlineDays">{plan?.offlineDays ?? OFFLINE_LICENSE_DAYS}</Named>
    </>
  );
};

/** What was kept about a customer at a moment. */
export const AsOfRecords = ({ customer: { externalId, tags, notes, customFields } }: { customer: Customer }) => (
  <>
    <Named field="externalId">{externalId ?? historyTexts.nothing}</Named>
    <Named field="tags">{tags?.join(', ') ?? historyTexts.nothing}</Named>
    <Named field="notes">{notes ?? historyTexts.nothing}</Named>
    <Named field="customFields">
      {customFields === undefined ? historyTexts.nothing : <code className="mono">{JSON.stringify(customFields)}</code>}
    </Named>
  </>
);
