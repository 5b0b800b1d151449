import { Flex, Text } from '@chakra-ui/react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { entitlementsText } from '../../../../../src/contracts/entitlementLines.ts';
import { format } from '../../../lib/format.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { Badge, StatusBadge } from '../../../ui/badges.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { FloatingSeatsFact } from '../../../ui/FloatingSeatsFact.tsx';
import { Time } from '../../../ui/Time.tsx';
import { tierOf } from '../../../ui/tier.ts';
import { callQuotaTexts } from '../../callQuotas/index.ts';
import { portalDashboardTexts as texts } from '../texts.ts';

const { facts } = texts;

/** The customer's license: key, tier and owner. */
export const LicenseCard = ({ customer }: { customer: Customer }) => (
  <Card>
    <CardHead title={texts.license} right={<StatusBadge status={customer.status} />} />
    <Flex
      mx={{ base: '4', md: '5' }}
      mb="3"
      ps="3.5"
      pe="3"
      py="2"
      align="center"
      justify="space-between"
      gap="2"
      bg="bg.subtle"
      borderWidth="1px"
      borderColor="border"
      borderRadius="l2"
    >
      <div>
        <Text textStyle="2xs" color="fg.subtle">
          {texts.licenseKey}
        </Text>
        <Text as="code" fontFamily="mono" textStyle="sm" letterSpacing="0" fontWeight="medium">
          {customer.licenseKey}
        </Text>
      </div>
      <Allowed to="keys:read">
        <CopyButton text={customer.licenseKey} label={texts.copyKey} />
      </Allowed>
    </Flex>
    <Facts>
      <Fact label={facts.tier}>{tierOf(customer)}</Fact>
      <Fact label={facts.theme}>
        {customer.theme ? <Badge tone="brand">{customer.themeDisplayName ?? customer.theme}</Badge> : texts.none}
      </Fact>
      <Fact label={facts.integrator}>{customer.serviceIntegratorName}</Fact>
      {customer.term && <Fact label={facts.expires}>{format.utcDate(customer.term.expiresAt)}</Fact>}
      {customer.entitlements && <Fact label={facts.includes}>{entitlementsText(customer.entitlements)}</Fact>}
      <Fact label={facts.seatLimits}>{customer.seatLimitsEnforced ? texts.enforced : texts.notEnforced}</Fact>
      {customer.machineLimit !== undefined && <Fact label={facts.machineLimit}>{customer.machineLimit}</Fact>}
      {customer.callQuota && <Fact label={facts.callQuota}>{callQuotaTexts.amount(customer.callQuota)}</Fact>}
      <FloatingSeatsFact customer={customer} />
      {customer.idleReleaseDays !== undefined && <Fact label={facts.idleRelease}>{facts.idleAfter(customer.idleReleaseDays)}</Fact>}
      <Fact label={facts.created}>
        <Time at={customer.createdAt} as="date" />
      </Fact>
      <Allowed to="usage:read">
        <Fact label={facts.lastApiCall}>
          <Time at={customer.lastApiCall} />
        </Fact>
      </Allowed>
    </Facts>
  </Card>
);
