import { Box, SimpleGrid, Text } from '@chakra-ui/react';
import { UNLIMITED_SEATS } from '../../../src/domain/limits.ts';
import { format } from '../lib/format.ts';
import { Card, CardHead } from './Card.tsx';
import { LinkedFigure } from './LinkedFigure.tsx';
import { SeatMeter } from './SeatMeter.tsx';

/** `isFloating` where users share the seats: `active` are those that users hold now. */
type SeatPanelProps = {
  title: string;
  active: number;
  allocated: number;
  isFloating?: boolean;
  /** The screen with the seats and who holds them. */
  to?: string | undefined;
};

const words = {
  allocated: 'Allocated',
  active: 'Active',
  inUse: 'In use',
  available: 'Available',
  unlimited: 'Unlimited',
} as const;

const Figure = ({ label, value, to }: { label: string; value: string; to?: string | undefined }) => (
  <Box minW="0" data-stat={label}>
    <Text as="dt" textStyle="xs" color="fg.subtle">
      {label}
    </Text>
    <Text as="dd" textStyle="xl" fontWeight="semibold" fontVariantNumeric="tabular-nums" truncate>
      <LinkedFigure value={value} to={to} />
    </Text>
  </Box>
);

/** Seats of one kind: allocated, active and available, and a meter. */
export const SeatPanel = ({ title, active, allocated, isFloating = false, to }: SeatPanelProps) => {
  const isUnlimited = allocated === UNLIMITED_SEATS;
  return (
    <Card as="section" aria-label={title}>
      <CardHead title={title} />
      <Box px={{ base: '4', md: '5' }} pb="5">
        <SimpleGrid as="dl" columns={3} gap="3" mb="4">
          <Figure label={words.allocated} value={isUnlimited ? words.unlimited : format.whole(allocated)} />
          <Figure label={isFloating ? words.inUse : words.active} value={format.whole(active)} to={to} />
          <Figure label={words.available} value={isUnlimited ? words.unlimited : format.whole(Math.max(0, allocated - active))} />
        </SimpleGrid>
        <SeatMeter isWide label={title} active={active} allocated={allocated} />
      </Box>
    </Card>
  );
};
