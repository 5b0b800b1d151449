import type { ServiceIntegrator } from '../../../../../src/contracts/integrators.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { StatusBadge } from '../../../ui/badges.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { Time } from '../../../ui/Time.tsx';
import { integratorDashboardTexts as texts } from '../texts.ts';

const { facts } = texts;

/** Who the integrator is and how it signs in. */
export const AccountCard = ({ integrator }: { integrator: ServiceIntegrator }) => (
  <Card as="section" aria-label={texts.account}>
    <CardHead title={texts.account} right={<StatusBadge status={integrator.status} />} />
    <Facts>
      <Fact label={facts.company}>{integrator.companyName}</Fact>
      <Fact label={facts.contactEmail}>{integrator.contactEmail}</Fact>
      <Fact label={facts.billingEmail}>{integrator.billingEmail}</Fact>
      <Fact label={facts.masterLicenseKey}>
        <code className="mono">{integrator.masterLicenseKey}</code>
        <Allowed to="masterKey:read">
          <CopyButton text={integrator.masterLicenseKey} label={texts.copyKey} />
        </Allowed>
      </Fact>
      <Fact label={facts.whiteLabel}>
        <StatusBadge status={integrator.whiteLabelEnabled ? 'enabled' : 'disabled'} />
      </Fact>
      <Fact label={facts.created}>
        <Time at={integrator.createdAt} as="date" />
      </Fact>
    </Facts>
  </Card>
);
