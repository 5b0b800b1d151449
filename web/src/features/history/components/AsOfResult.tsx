import { Box, Flex, SimpleGrid, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { AsOfReply } from '../../../../../src/contracts/history.ts';
import { isMissing } from '../../../api/error.ts';
import { format } from '../../../lib/format.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import { Card } from '../../../ui/Card.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { SeatMeter } from '../../../ui/SeatMeter.tsx';
import { developersIn } from '../../../ui/seats.ts';
import { Time } from '../../../ui/Time.tsx';
import { asOfQuery } from '../api/asOf.ts';
import type { HistorySource } from '../api/history.ts';
import { asOfTexts as texts } from '../asOfTexts.ts';
import { historyTexts } from '../texts.ts';
import { AsOfLicense, AsOfRecords } from './AsOfLicense.tsx';
import { AsOfUsage } from './AsOfUsage.tsx';
import { AsOfUsers } from './AsOfUsers.tsx';
import { Changes } from './Changes.tsx';

const { asOfFacts: names } = texts;
const FACTS = { base: '4', md: '5' } as const;

type MomentProps = { source: HistorySource; reply: AsOfReply; other: AsOfReply | undefined };

/** The customer at one moment: details, seats, theme, usage and users. */
const Moment = ({ source, reply, other }: MomentProps) => {
  const { customer, lastChange } = reply;
  return (
    <Card data-as-of={reply.at} minW="0">
      <Box px={FACTS} pt="4" pb="2">
        <Text as="h3" textStyle="md" fontWeight="semibold">
          {texts.asOfShown(format.exact(reply.at))}
        </Text>
        {lastChange && (
          <Text textStyle="xs" color="fg.subtle" overflowWrap="anywhere" data-last-change>
            {lastChange.summary}, {historyTexts.by(lastChange.actor)}, <Time at={lastChange.at} />
          </Text>
        )}
      </Box>
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
    </Card>
  );
};

const Differences = ({ reply, isOfTwo }: { reply: AsOfReply; isOfTwo: boolean }) => {
  const changes = reply.changes ?? [];
  return (
    <Card px={FACTS} py="4">
      <Text as="h3" textStyle="sm" fontWeight="semibold">
        {isOfTwo ? texts.changedBetween : texts.differences}
      </Text>
      {changes.length > 0 ? (
        <Changes changes={changes} />
      ) : (
        <Text textStyle="sm" color="fg.muted" mt="2">
          {isOfTwo ? texts.noChangesBetween : texts.noDifferences}
        </Text>
      )}
    </Card>
  );
};

type AsOfResultProps = { source: HistorySource; at: string; other: string | null };

/** The customer at a time, its differences from now or from another time, and the other time beside it. */
export const AsOfResult = ({ source, at, other }: AsOfResultProps) => {
  const query = useQuery(asOfQuery(source, at, other));
  const beside = useQuery({ ...asOfQuery(source, other ?? at, at), enabled: other !== null });
  if (isMissing(query.error) || (other !== null && isMissing(beside.error))) {
    return (
      <Card px={FACTS} py="5" mt="4">
        <Text textStyle="sm" color="fg.muted">
          {texts.asOfMissing}
        </Text>
      </Card>
    );
  }
  const second = other === null ? undefined : beside.data;
  return (
    <Box opacity={query.isPlaceholderData ? 0.6 : 1} aria-busy={query.isPlaceholderData} mt="4">
      <QueryView query={query} loading={texts.asOfLoading} fallback={historyTexts.asOfFailed} height="240px">
        {(reply) => (
          <Flex direction="column" gap="4">
            <Differences reply={reply} isOfTwo={other !== null} />
            <SimpleGrid columns={{ base: 1, lg: second ? 2 : 1 }} gap="4" alignItems="start">
              <Moment source={source} reply={reply} other={second} />
              {second && <Moment source={source} reply={second} other={reply} />}
            </SimpleGrid>
          </Flex>
        )}
      </QueryView>
    </Box>
  );
};
