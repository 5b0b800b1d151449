import { Box, SimpleGrid } from '@chakra-ui/react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { DEFAULT_PLAN } from '../../../../../src/domain/limits.ts';
import { format } from '../../../lib/format.ts';
import { Allowed, usePermission } from '../../../session/permissions.tsx';
import { Badge, StatusBadge } from '../../../ui/badges.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { FloatingSeatsFact } from '../../../ui/FloatingSeatsFact.tsx';
import { Activity, Cable, CircleCheck, ShieldCheck } from '../../../ui/icons.ts';
import { SeatPanel } from '../../../ui/SeatPanel.tsx';
import { StatCard } from '../../../ui/StatCard.tsx';
import { developersIn } from '../../../ui/seats.ts';
import { Time } from '../../../ui/Time.tsx';
import { callQuotaTexts } from '../../callQuotas/index.ts';
import { EntitlementsCard } from '../../entitlements/index.ts';
import { PortalPasswordFact, RotateLicenseKeyButton } from '../../keys/index.ts';
import { LazyPlanOffer } from '../../plans/index.ts';
import { RecordsCard } from '../../records/index.ts';
import { TermCard } from '../../terms/index.ts';
import { integratorCustomerTexts as texts } from '../texts.ts';

const { stats, facts } = texts;

/** The address of the customer's seats, where the session may see them. */
const useSeats = ({ id }: Customer): string | undefined =>
  usePermission('users:read') ? `/service-integrator/customers/${id}/seats` : undefined;

const Figures = ({ customer }: { customer: Customer }) => {
  const calls = usePermission('calls:read') ? `/service-integrator/calls?customer=${customer.id}` : undefined;
  return (
    <SimpleGrid columns={{ base: 2, xl: 4 }} gap={{ base: '3', md: '4' }}>
      <StatCard
        label={stats.status}
        icon={CircleCheck}
        value={
          <Box minH="8" display="flex" alignItems="center">
            <StatusBadge status={customer.status} />
          </Box>
        }
      />
      <StatCard label={stats.tier} icon={ShieldCheck} value={customer.tier || DEFAULT_PLAN} hint={customer.plan?.name} />
      <StatCard
        label={stats.totalApiCalls}
        icon={Activity}
        value={format.whole(customer.totalApiCalls)}
        hint={texts.allTime}
        to={calls}
      />
      <StatCard
        label={stats.activeConnections}
        icon={Cable}
        value={format.whole(customer.activeConnections)}
        hint={texts.openNow}
        to={useSeats(customer)}
      />
    </SimpleGrid>
  );
};

const LicenseKey = ({ customer }: { customer: Customer }) => (
  <Card as="section" aria-label={texts.licenseKey}>
    <CardHead title={texts.licenseKey} right={<RotateLicenseKeyButton manager="integrator" customer={customer} />} />
    <Facts>
      <Fact label={facts.licenseKey}>
        <code className="mono">{customer.licenseKey}</code>
        <Allowed to="keys:read">
          <CopyButton text={customer.licenseKey} label={texts.copyKey} />
        </Allowed>
      </Fact>
      <PortalPasswordFact manager="integrator" customer={customer} />
      <Fact label={texts.createdAt}>
        <Time at={customer.createdAt} />
      </Fact>
      <Fact label={texts.lastApiCall}>
        <Time at={customer.lastApiCall} />
      </Fact>
    </Facts>
  </Card>
);

const CompanyInformation = ({ customer }: { customer: Customer }) => (
  <Card as="section" aria-label={texts.companyInformation}>
    <CardHead title={texts.companyInformation} />
    <Facts>
      <Fact label={facts.company}>{customer.company ?? texts.noCompany}</Fact>
      <Fact label={facts.theme}>
        {customer.theme ? <Badge tone="brand">{customer.themeDisplayName ?? customer.theme}</Badge> : texts.noTheme}
      </Fact>
      <Fact label={facts.seatLimits}>{customer.seatLimitsEnforced ? texts.enforced : texts.notEnforced}</Fact>
      {customer.machineLimit !== undefined && <Fact label={facts.machineLimit}>{customer.machineLimit}</Fact>}
      {customer.callQuota && <Fact label={facts.callQuota}>{callQuotaTexts.amount(customer.callQuota)}</Fact>}
      <FloatingSeatsFact customer={customer} />
      {customer.idleReleaseDays !== undefined && <Fact label={facts.idleRelease}>{facts.idleAfter(customer.idleReleaseDays)}</Fact>}
    </Facts>
  </Card>
);

/** What an integrator sees of one of its customers: figures, key, seats and company. */
export const OwnCustomerPanels = ({ customer, etag }: { customer: Customer; etag: string | null }) => {
  const seats = useSeats(customer);
  return (
    <>
      {customer.plan && <LazyPlanOffer manager="integrator" customer={customer} />}
      <Figures customer={customer} />
      <SimpleGrid columns={{ base: 1, lg: 2 }} gap="4" mt="4">
        <LicenseKey customer={customer} />
        <CompanyInformation customer={customer} />
        <SeatPanel
          title={texts.developerSeats}
          active={developersIn(customer)}
          allocated={customer.developerSeats}
          to={seats}
          isFloating={customer.floatingDeveloperMinutes !== undefined}
        />
        <SeatPanel
          title={texts.stakeholderSeats}
          active={customer.activeStakeholderSeats}
          allocated={customer.stakeholderSeats}
          to={seats}
        />
        <TermCard manager="integrator" customer={customer} etag={etag} />
        <EntitlementsCard manager="integrator" customer={customer} etag={etag} />
        <RecordsCard manager="integrator" customer={customer} etag={etag} />
      </SimpleGrid>
    </>
  );
};
