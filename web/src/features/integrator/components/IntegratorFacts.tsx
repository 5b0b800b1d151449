import type { ServiceIntegrator } from '../../../../../src/contracts/integrators.ts';
import { format } from '../../../lib/format.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { StatusBadge } from '../../../ui/badges.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { Time } from '../../../ui/Time.tsx';
import { integratorTexts } from '../../integrators/index.ts';
import { RotateIntegratorKeyButton } from '../../keys/index.ts';

const { facts } = integratorTexts;

/** The details of a service integrator's account. */
export const IntegratorFacts = ({ integrator }: { integrator: ServiceIntegrator }) => (
  <Card>
    <CardHead title={integratorTexts.details} right={<RotateIntegratorKeyButton integrator={integrator} />} />
    <Facts>
      <Fact label={facts.masterLicenseKey}>
        <code className="mono">{integrator.masterLicenseKey}</code>
        <Allowed to="masterKey:read">
          <CopyButton text={integrator.masterLicenseKey} label={integratorTexts.copyMasterLicenseKey} />
        </Allowed>
      </Fact>
      <Fact label={facts.status}>
        <StatusBadge status={integrator.status} />
      </Fact>
      <Fact label={facts.contactEmail}>{integrator.contactEmail}</Fact>
      <Fact label={facts.billingEmail}>{integrator.billingEmail}</Fact>
      <Fact label={facts.created}>
        <Time at={integrator.createdAt} />
      </Fact>
    </Facts>
  </Card>
);

const stateOfDomain = ({ domainVerified, domainExpiresAt }: ServiceIntegrator): string => {
  if (domainVerified) return integratorTexts.yes;
  return domainExpiresAt ? integratorTexts.claimExpires(format.date(domainExpiresAt)) : integratorTexts.notYet;
};

/** The branding of a service integrator. */
export const WhiteLabelFacts = ({ integrator }: { integrator: ServiceIntegrator }) => (
  <Card>
    <CardHead title={integratorTexts.branding} />
    <Facts>
      <Fact label={facts.whiteLabel}>
        <StatusBadge status={integrator.whiteLabelEnabled ? 'enabled' : 'disabled'} />
      </Fact>
      <Fact label={facts.customDomain}>{integrator.customDomain ?? integratorTexts.none}</Fact>
      {integrator.customDomain && <Fact label={facts.domainVerified}>{stateOfDomain(integrator)}</Fact>}
      <Fact label={facts.logo}>{integrator.logoUrl ?? integratorTexts.none}</Fact>
    </Facts>
  </Card>
);
