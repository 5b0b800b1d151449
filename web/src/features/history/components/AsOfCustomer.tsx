import { useQuery } from '@tanstack/react-query';
import type { AsOfReply } from '../../../../../src/contracts/history.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { SeatMeter } from '../../../ui/SeatMeter.tsx';
import { developersIn } from '../../../ui/seats.ts';
import { customerAsOfQuery } from '../api/asOf.ts';
import type { AsOfSource } from '../api/history.ts';
import { asOfTexts as texts } from '../asOfTexts.ts';
import { historyTexts } from '../texts.ts';
import { AsOfLicense, AsOfRecords } from './AsOfLicense.tsx';
import { MomentCard, Moments, type MomentsProps } from './AsOfMoments.tsx';
import { AsOfUsage } from './AsOfUsage.tsx';
import { AsOfUsers } from './AsOfUsers.tsx';

const { asOfFacts: names } = texts;

type MomentProps = { source: AsOfSource; reply: AsOfReply; other: AsOfReply | undefined };

/** The customer at one moment: details, seats, theme, usage and users. */
const Moment = ({ source, reply, other }: MomentProps) => {
  const { customer } = reply;
  return (
    <MomentCard reply={reply}>
      <Facts>
        <Fact label={names.name}>{customer.name}</Fact>
        <Fact label={names.company}>{customer.company ?? historyTexts.nothing}</Fact>
        <Fact label={names.contactEmail}>{customer.contactEmail}</Fact>
        <Fact label={names.serviceIntegrator}>{customer.serviceIntegratorName}</Fact>
        <Fact label={names.status}>
          <StatusBadge status={customer.status} />
        </Fact>
        <Fact label={names.developerSeats}>
          <SeatMeter label={names.developerSeats} active={developersIn(customer)} allocated={customer.developerSeats} />
        </Fact>
        <Fact label={names.stakeholderSeats}>
          <SeatMeter
            label={names.stakeholderSeats}
            active={customer.activeStakeholderSeats}
            allocated={customer.stakeholderSeats}
          />
        </Fact>
        <Fact label={names.seatLimits}>{customer.seatLimitsEnforced ? texts.enforced : texts.notEnforced}</Fact>
        <Fact label={names.machineApproval}>{customer.machineApprovalEnforced ? historyTexts.yes : historyTexts.no}</Fact>
        <Fact label={names.theme}>{customer.themeDisplayName ?? customer.theme ?? historyTexts.nothing}</Fact>
        <Fact label={names.licenseKey}>
          <code className="mono">{customer.licenseKey}</code>
        </Fact>
        <AsOfLicense customer={customer} />
        <AsOfRecords customer={customer} />
      </Facts>
      <AsOfUsage source={source} at={reply.at} isBeside={other !== undefined} />
      <AsOfUsers reply={reply} other={other} />
    </MomentCard>
  );
};

/** The customer at a time, its differences from now or from another time, and the other time beside it. */
export const AsOfCustomer = ({ source, at, other }: MomentsProps) => {
  const query = useQuery(customerAsOfQuery(source, at, other));
  const beside = useQuery({ ...customerAsOfQuery(source, other ?? at, at), enabled: other !== null });
  return (
    <Moments kind="customer" query={query} beside={other === null ? null : beside}>
      {(reply, second) => <Moment source={source} reply={reply} other={second} />}
    </Moments>
  );
};
