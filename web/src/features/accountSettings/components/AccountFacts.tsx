import type { ServiceIntegrator } from '../../../../../src/contracts/integrators.ts';
import { Allowed, usePermission } from '../../../session/permissions.tsx';
import { StatusBadge } from '../../../ui/badges.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { Time } from '../../../ui/Time.tsx';
import { RotateMasterKeyButton } from '../../keys/index.ts';
import { accountTexts as texts } from '../texts.ts';

const { facts, fields } = texts;

/** What the session can see of the integrator's account but not change. */
export const AccountFacts = ({ integrator }: { integrator: ServiceIntegrator }) => {
  const mayChange = usePermission('settings:write');
  return (
    <Card as="section" aria-label={texts.account}>
      <CardHead title={texts.account} right={<RotateMasterKeyButton />} />
      <Facts>
        {!mayChange && (
          <>
            <Fact label={fields.companyName}>{integrator.companyName}</Fact>
            <Fact label={fields.contactEmail}>{integrator.contactEmail}</Fact>
            <Fact label={fields.billingEmail}>{integrator.billingEmail}</Fact>
          </>
        )}
        <Fact label={facts.masterLicenseKey}>
          <code className="mono">{integrator.masterLicenseKey}</code>
          <Allowed to="masterKey:read">
            <CopyButton text={integrator.masterLicenseKey} label={texts.copyKey} />
          </Allowed>
        </Fact>
        <Fact label={facts.status}>
          <StatusBadge status={integrator.status} />
        </Fact>
        <Fact label={facts.created}>
          <Time at={integrator.createdAt} as="date" />
        </Fact>
      </Facts>
    </Card>
  );
};
