import { Box, SimpleGrid, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { AsOfReply } from '../../../../../src/contracts/history.ts';
import { isMissing } from '../../../api/error.ts';
import { format } from '../../../lib/format.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import { Fact, Facts } from '../../../ui/Facts.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { SeatMeter } from '../../../ui/SeatMeter.tsx';
import { Time } from '../../../ui/Time.tsx';
import { asOfQuery, type HistorySource } from '../api/history.ts';
import { historyTexts as texts } from '../texts.ts';
import { Changes } from './Changes.tsx';

const { asOfFacts: names } = texts;

const Then = ({ reply }: { reply: AsOfReply }) => {
  const { customer, changes = [], lastChange } = reply;
  return (
    <SimpleGrid columns={{ base: 1, lg: 2 }} gap={{ base: '2', lg: '6' }} pt="1" data-as-of={reply.at}>
      <Box>
        <Text textStyle="sm" fontWeight="semibold" px={{ base: '4', md: '5' }} pb="2">
          {texts.asOfShown(format.dateTime(reply.at))}
        </Text>
        {lastChange && (
          <Text textStyle="xs" color="fg.subtle" px={{ base: '4', md: '5' }} pb="2" overflowWrap="anywhere" data-last-change>
            {lastChange.summary}, {texts.by(lastChange.actor)}, <Time at={lastChange.at} />
          </Text>
        )}
        <Facts>
          <Fact label={names.name}>{customer.name}</Fact>
          <Fact label={names.status}>
            <StatusBadge status={customer.status} />
          </Fact>
          <Fact label={names.developerSeats}>
            <SeatMeter label={names.developerSeats} active={customer.activeDeveloperSeats} allocated={customer.developerSeats} />
          </Fact>
          <Fact label={names.stakeholderSeats}>
            <SeatMeter
              label={names.stakeholderSeats}
              active={customer.activeStakeholderSeats}
              allocated={customer.stakeholderSeats}
            />
          </Fact>
          <Fact label={names.theme}>{customer.themeDisplayName ?? customer.theme ?? texts.nothing}</Fact>
          <Fact label={names.licenseKey}>
            <code className="mono">{customer.licenseKey}</code>
          </Fact>
        </Facts>
      </Box>
      <Box px={{ base: '4', md: '5' }} pb="5">
        <Text textStyle="sm" fontWeight="semibold">
          {texts.differences}
        </Text>
        {changes.length > 0 ? (
          <Changes changes={changes} />
        ) : (
          <Text textStyle="sm" color="fg.muted" mt="2">
            {texts.noDifferences}
          </Text>
        )}
      </Box>
    </SimpleGrid>
  );
};

/** The customer at a time, and its differences from now. */
export const AsOfResult = ({ source, at }: { source: HistorySource; at: string }) => {
  const query = useQuery(asOfQuery(source, at));
  if (isMissing(query.error)) {
    return (
      <Text px={{ base: '4', md: '5' }} pb="5" textStyle="sm" color="fg.muted">
        {texts.asOfMissing}
      </Text>
    );
  }
  return (
    <Box opacity={query.isPlaceholderData ? 0.6 : 1} aria-busy={query.isPlaceholderData}>
      <QueryView query={query} loading={texts.asOfLoading} fallback={texts.asOfFailed} height="240px">
        {(reply) => <Then reply={reply} />}
      </QueryView>
    </Box>
  );
};
