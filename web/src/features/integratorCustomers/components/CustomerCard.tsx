import { Allowed } from '../../../session/permissions.tsx';
import { CallQuotaBadge } from '../../callQuotas/index.ts';
import { ownCustomerPath } from '../api/integratorCustomers.ts';
import '../../../ui/cards.css';
import { Box, SimpleGrid } from '@chakra-ui/react';
import { memo } from 'react';
import type { Customer } from '../../../../../src/contracts/customers.ts';
import { format } from '../../../lib/format.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import { Card } from '../../../ui/Card.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { SeatMeter } from '../../../ui/SeatMeter.tsx';
import { developersIn } from '../../../ui/seats.ts';
import { Who } from '../../../ui/Who.tsx';
import { DeletionBadge } from '../../customers/index.ts';
import { TermBadge } from '../../terms/index.ts';
import { integratorCustomerTexts as texts } from '../texts.ts';
import { CustomerActions } from './CustomerActions.tsx';

const { facts } = texts;

const Seats = ({ label, active, allocated }: { label: string; active: number; allocated: number }) => (
  <div>
    <div className="caption">{label}</div>
    <SeatMeter isWide label={label} active={active} allocated={allocated} />
  </div>
);

/** One customer. The whole card is a link to its screen, except for the buttons on it. */
export const CustomerCard = memo(({ customer }: { customer: Customer }) => (
  <Card
    as="li"
    className="opens"
    position="relative"
    display="flex"
    flexDirection="column"
    aria-label={customer.name}
    transition="border-color .12s"
    _hover={{ borderColor: 'border.emphasized' }}
  >
    <Box px={{ base: '4', md: '5' }} pt="4" pb="4" flex="1">
      <Who
        name={customer.name}
        detail={customer.contactEmail}
        to={ownCustomerPath(customer.id)}
        right={
          <div className="badges">
            <StatusBadge status={customer.status} />
            <TermBadge customer={customer} />
            <CallQuotaBadge customer={customer} />
            <DeletionBadge customer={customer} />
          </div>
        }
      />
      <dl className="card-facts">
        <div>
          <dt>{facts.company}</dt>
          <dd title={customer.company ?? undefined}>{customer.company ?? texts.noCompany}</dd>
        </div>
        <div>
          <dt>{facts.apiCalls}</dt>
          <dd>{format.whole(customer.totalApiCalls)}</dd>
        </div>
        <div>
          <dt>{facts.licenseKey}</dt>
          <dd className="copied">
            <code className="mono" title={customer.licenseKey}>
              {customer.licenseKey}
            </code>
            <Allowed to="keys:read">
              <CopyButton text={customer.licenseKey} label={texts.copyLicenseKey(customer.name)} />
            </Allowed>
          </dd>
        </div>
        <div>
          <dt>{facts.theme}</dt>
          <dd title={customer.themeDisplayName ?? undefined}>{customer.themeDisplayName ?? customer.theme ?? texts.noTheme}</dd>
        </div>
      </dl>
      <SimpleGrid columns={2} gap="4" mt="4">
        <Seats label={texts.developerSeats} active={developersIn(customer)} allocated={customer.developerSeats} />
        <Seats label={texts.stakeholderSeats} active={customer.activeStakeholderSeats} allocated={customer.stakeholderSeats} />
      </SimpleGrid>
    </Box>
    <Box px={{ base: '4', md: '5' }} py="3" borderTopWidth="1px" borderColor="border.muted" bg="bg.subtle">
      <CustomerActions customer={customer} />
    </Box>
  </Card>
));
