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
export const FieldFact = ({ field, children }: { field: string; children: ReactNode }) => (
  <Fact label={historyTexts.fieldNames[field] ?? field}>{children}</Fact>
);

/** What the license of a customer included at a moment, and until when. */
export const AsOfLicense = ({ customer }: { customer: Customer }) => {
  const { term, plan, callQuota, machineLimit, idleReleaseDays, floatingDeveloperMinutes } = customer;
  return (
    <>
      <FieldFact field="plan">{tierOf(customer)}</FieldFact>
      <Fact label={texts.asOfFacts.expires}>{term ? format.utcDate(term.expiresAt) : texts.perpetual}</Fact>
      {term && (
        <>
          <FieldFact field="graceDays">{term.graceDays}</FieldFact>
          <FieldFact field="isTrial">{term.isTrial ? historyTexts.yes : historyTexts.no}</FieldFact>
        </>
      )}
      <FieldFact field="entitlements">{entitlementsText(customer.entitlements ?? null) ?? texts.everything}</FieldFact>
      <FieldFact field="callQuota">{callQuota ? callQuotaTexts.amount(callQuota) : historyTexts.unlimited}</FieldFact>
      <FieldFact field="machineLimit">{machineLimit ?? MAX_MACHINES}</FieldFact>
      <FieldFact field="floatingDeveloperMinutes">
        {floatingDeveloperMinutes ?? historyTexts.absent.floatingDeveloperMinutes}
      </FieldFact>
      <FieldFact field="idleReleaseDays">{idleReleaseDays ?? historyTexts.absent.idleReleaseDays}</FieldFact>
      <FieldFact field="offlineDays">{plan?.offlineDays ?? OFFLINE_LICENSE_DAYS}</FieldFact>
    </>
  );
};

/** What was kept about a customer at a moment. */
export const AsOfRecords = ({ customer: { externalId, tags, notes, customFields } }: { customer: Customer }) => (
  <>
    <FieldFact field="externalId">{externalId ?? historyTexts.nothing}</FieldFact>
    <FieldFact field="tags">{tags?.join(', ') ?? historyTexts.nothing}</FieldFact>
    <FieldFact field="notes">{notes ?? historyTexts.nothing}</FieldFact>
    <FieldFact field="customFields">
      {customFields === undefined ? historyTexts.nothing : <code className="mono">{JSON.stringify(customFields)}</code>}
    </FieldFact>
  </>
);
