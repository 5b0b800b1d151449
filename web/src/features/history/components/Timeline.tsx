import { Box, Flex, Text } from '@chakra-ui/react';
import { memo } from 'react';
import type { HistoryEntry } from '../../../../../src/contracts/history.ts';
import { Badge, type Tone } from '../../../ui/badges.tsx';
import { Link } from '../../../ui/Link.tsx';
import { Time } from '../../../ui/Time.tsx';
import { auditEntryPath, type HistorySource } from '../api/history.ts';
import { historyTexts as texts, typeLabels } from '../texts.ts';
import { Changes } from './Changes.tsx';

/** The colors of kinds of authors. */
export const tones = {
  admin: 'violet',
  integrator: 'brand',
  customer: 'cyan',
  user: 'green',
  system: 'gray',
} as const satisfies Record<HistoryEntry['actor']['kind'], Tone>;

type EntryProps = { entry: HistoryEntry /** The entry on the audit page; null where there is none. */; path: string | null };

const Entry = memo(({ entry, path }: EntryProps) => (
  <Box as="li" position="relative" ps="6" pb="5" _last={{ pb: '1' }} data-type={entry.type}>
    <Box
      position="absolute"
      insetStart="4px"
      top="5"
      bottom="-2px"
      w="1px"
      bg="border"
      css={{ 'li:last-of-type > &': { display: 'none' } }}
    />
    <Box
      position="absolute"
      insetStart="0"
      top="1.5"
      boxSize="9px"
      borderRadius="full"
      bg="bg.panel"
      borderWidth="2px"
      borderColor="brand.focusRing"
      aria-hidden
    />
    <Flex justify="space-between" gap="3" wrap="wrap" align="baseline">
      <Text textStyle="sm" fontWeight="medium" overflowWrap="anywhere" minW="0">
        {path === null ? entry.summary : <Link to={path}>{entry.summary}</Link>}
      </Text>
      <Text as="span" textStyle="xs" color="fg.subtle" whiteSpace="nowrap">
        <Time at={entry.at} />
      </Text>
    </Flex>
    <Flex align="center" gap="2" mt="1" wrap="wrap">
      <Badge tone={tones[entry.actor.kind]}>{typeLabels[entry.type] ?? entry.type}</Badge>
      <Text as="span" textStyle="xs" color="fg.subtle" overflowWrap="anywhere">
        {texts.by(entry.actor)}
      </Text>
    </Flex>
    {entry.changes.length > 0 && <Changes changes={entry.changes} />}
  </Box>
));

type TimelineProps = { source: HistorySource; entries: readonly HistoryEntry[] };

/** What happened, newest first. Each entry links to all that is known about it. */
export const Timeline = ({ source, entries }: TimelineProps) => (
  <Box as="ol" listStyleType="none" aria-label={texts.list} px={{ base: '4', md: '5' }} pt="5">
    {entries.map((entry) => (
      <Entry key={entry.id} entry={entry} path={auditEntryPath(source, entry.id)} />
    ))}
  </Box>
);
