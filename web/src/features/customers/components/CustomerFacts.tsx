import { Box, SimpleGrid } from '@chakra-ui/react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { UNLIMITED_SEATS } from '../../../../../src/domain/limits.ts';
import { format } from '../../../lib/format.ts';
import { Allowed, usePermission } from '../../../session/permissions.tsx';
import { StatusBadge } from '../../../ui/badges.tsx';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { FloatingSeatsFact } from '../../../ui/FloatingSeatsFact.tsx';
import { Activity, Cable, Users, Zap } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { SeatMeter } from '../../../ui/SeatMeter.tsx';
import { StatCard } from '../../../ui/StatCard.tsx';
import { developersIn } from '../../../ui/seats.ts';
import { Time } from '../../../ui/Time.tsx';
import { tierOf } from '../../../ui/tier.ts';
import { callQuotaTexts } from '../../callQuotas/index.ts';
import { PortalPasswordFact, RotateLicenseKeyButton } from '../../keys/index.ts';
import { PlanMoveButton } from '../../plans/index.ts';
import { customerTexts } from '../texts.ts';
import { MoveCustomerButton } from './MoveCustomerButton.tsx';

const { facts, stats } = customerTexts;

const Seats = ({ label, active, allocated }: { label: string; active: number; allocated: number }) => (
  <Box textStyle="md" fontWeight="normal" letterSpacing="normal" pt="2.5" pb="1.5">
    <SeatMeter isWide label={label} active={active} allocated={allocated} />
  </Box>
);

const left = (allocated: number, active: number): string =>
  allocated === UNLIMITED_SEATS ? stats.noLimit : stats.available(format.whole(Math.max(0, allocated - active)));

/** What a customer uses of its license right now. */
export const CustomerStats = ({ customer }: { customer: Customer }) => {
  const seats = usePermission('users:read') ? `/admin/customers/${customer.id}/seats` : undefined;
  const calls = usePermission('calls:read') ? `/admin/monitoring/calls?customer=${customer.id}` : undefined;
  return (
    <SimpleGrid columns={{ base: 2, xl: 4 }} gap={{ base: '3', md: '4' }}>
      <StatCard
        label={stats.totalApiCalls}
        icon={Activity}
        value={format.whole(customer.totalApiCalls)}
        hint={stats.allTime}
        to={calls}
      />
      <StatCard
        label={stats.activeConnections}
        icon={Cable}
        value={format.whole(customer.activeConnections)}
        hint={stats.openNow}
        to={seats}
      />
      <StatCard
        label={stats.developerSeats}
        icon={Zap}
        value={<Seats label={stats.developerSeats} active={developersIn(customer)} allocated={customer.developerSeats} />}
        hint={left(customer.developerSeats, developersIn(customer))}
        to={seats}
      />
      <StatCard
        label={stats.stakeholderSeats}
        icon={Users}
        value={
          <Seats label={stats.stakeholderSeats} active={customer.activeStakeholderSeats} allocated={customer.stakeholderSeats} />
        }
        hint={left(customer.stakeholderSeats, customer.activeStakeholderSeats)}
        to={seats}
      />
    </SimpleGrid>
  );
};

/** The details of a customer. */
export const CustomerFacts = ({ customer }: { customer: Customer }) => (
  <Card>
    <CardHead title={customerTexts.details} right={<RotateLicenseKeyButton manager="admin" customer={customer} />} />
    <Facts>
      <Fact label={facts.licenseKey}>
        <code className="mono">{customer.licenseKey}</code>
        <Allowed to="keys:read">
          <CopyButton text={customer.licenseKey} label={customerTexts.copyLicenseKey} />
        </Allowed>
      </Fact>
      <PortalPasswordFact manager="admin" customer={customer} />
      <Fact label={facts.tier}>
        {tierOf(customer)}
        <PlanMoveButton customer={customer} />
      </Fact>
      <Fact label={facts.status}>
        <StatusBadge status={customer.status} />
      </Fact>
      <Fact label={facts.company}>{customer.company ?? customerTexts.none}</Fact>
      <Fact label={facts.contactEmail}>{customer.contactEmail}</Fact>
      <Fact label={facts.integrator}>
        <Link className="text-link" to={`/admin/service-integrators/${customer.serviceIntegratorId}`}>
          {customer.serviceIntegratorName}
        </Link>
        <MoveCustomerButton customer={customer} />
      </Fact>
      <Fact label={facts.theme}>{customer.themeDisplayName ?? customer.theme ?? customerTexts.none}</Fact>
      <Fact label={facts.seatLimits}>{customer.seatLimitsEnforced ? customerTexts.enforced : customerTexts.notEnforced}</Fact>
      {customer.machineLimit !== undefined && <Fact label={facts.machineLimit}>{customer.machineLimit}</Fact>}
      {customer.callQuota && <Fact label={facts.callQuota}>{callQuotaTexts.amount(customer.callQuota)}</Fact>}
      <FloatingSeatsFact customer={customer} />
      {customer.idleReleaseDays !== undefined && <Fact label={facts.idleRelease}>{facts.idleAfter(customer.idleReleaseDays)}</Fact>}
      <Fact label={facts.created}>
        <Time at={customer.createdAt} />
      </Fact>
      <Fact label={facts.lastApiCall}>
        <Time at={customer.lastApiCall} as="ago" />
      </Fact>
      <Fact label={facts.lastActivity}>
        <Time at={customer.lastActivityAt} as="ago" />
      </Fact>
    </Facts>
  </Card>
);
