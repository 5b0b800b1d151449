import { Box, Flex, Text } from '@chakra-ui/react';
import { type MouseEvent, memo } from 'react';
import type { AuditEntry } from '../../../../../src/contracts/audit.ts';
import { format } from '../../../lib/format.ts';
import { Badge } from '../../../ui/badges.tsx';
import { Link } from '../../../ui/Link.tsx';
import { historyTexts, tones, typeLabels } from '../../history/index.ts';
import { auditTexts as texts } from '../texts.ts';

type EntryProps = { entry: AuditEntry; onOpen: (id: string) => void };

/** An entry, whose sentence links to it. A plain click opens it beside the list. */
export const EntryLine = memo(({ entry, onOpen }: EntryProps) => {
  const { id, at, actor, customer, integrator, type } = entry;
  const whose = customer ? (customer.name ?? texts.deleted) : integrator ? (integrator.name ?? texts.deleted) : null;
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onOpen(id);
  };
  return (
    <Box
      as="li"
      data-type={type}
      display="grid"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: '76px minmax(0, 1fr)' }}
      columnGap="3"
      rowGap="0.5"
      px={{ base: '4', md: '5' }}
      py="2.5"
      borderTopWidth="1px"
      borderColor="border.muted"
      _hover={{ bg: 'bg.subtle' }}
    >
      <Text as="span" textStyle="xs" color="fg.subtle" fontVariantNumeric="tabular-nums" pt="2px">
        <time dateTime={at} title={format.exactZoned(at)}>
          {format.time(at)}
        </time>
      </Text>
      <Box minW="0">
        <Text as="div" textStyle="sm" fontWeight="medium" overflowWrap="anywhere">
          <Link to={`?entry=${id}`} onClick={open}>
            {entry.summary}
          </Link>
        </Text>
        <Flex align="center" gap="2" mt="1" wrap="wrap" textStyle="xs" color="fg.subtle" minW="0">
          <Badge tone={tones[actor.kind]}>{typeLabels[type] ?? type}</Badge>
          {whose !== null && (
            <Text as="span" color="fg.muted" overflowWrap="anywhere">
              {whose}
            </Text>
          )}
          <Text as="span" overflowWrap="anywhere">
            {historyTexts.by(actor)}
          </Text>
        </Flex>
      </Box>
    </Box>
  );
});
