import { Box, Flex } from '@chakra-ui/react';
import type { Area } from '../areas.ts';
import { format } from '../lib/format.ts';
import type { LiveState } from '../live/connection.ts';
import { lastMessageAt, useLiveState } from '../live/useLive.ts';
import { useNow } from '../ui/media.ts';
import { layoutTexts } from './texts.ts';

const colorOf = {
  connecting: 'fg.subtle',
  live: 'meter.success',
  reconnecting: 'meter.warning',
  offline: 'meter.danger',
} as const satisfies Record<LiveState, string>;

const Updated = ({ at }: { at: number }) => {
  const now = useNow(1000);
  return <Box as="span" hideBelow="md">{`· ${layoutTexts.updated(format.ago(new Date(at).toISOString(), now))}`}</Box>;
};

/** Whether the live feed keeps the screen up to date; if not, when the last message arrived. */
export const LiveBadge = ({ area }: { area: Area }) => {
  const state = useLiveState(area);
  const updatedAt = lastMessageAt(area);
  return (
    <Flex
      align="center"
      gap="2"
      me={{ base: '1', md: '0' }}
      textStyle="xs"
      color="fg.muted"
      aria-live="polite"
      data-live={state}
      whiteSpace="nowrap"
    >
      <Box
        position="relative"
        boxSize="2"
        borderRadius="full"
        bg={colorOf[state]}
        _after={{
          content: '""',
          position: 'absolute',
          inset: '0',
          borderRadius: 'full',
          bg: 'inherit',
          animation: state === 'live' ? 'pulse 2s infinite' : 'none',
        }}
        aria-hidden
      />
      <Box as="span" srOnly={{ base: true, md: false }}>
        {layoutTexts.live[state]}
      </Box>
      {(state === 'reconnecting' || state === 'offline') && updatedAt !== null && <Updated at={updatedAt} />}
    </Flex>
  );
};
