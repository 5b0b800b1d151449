import { Box, Flex } from '@chakra-ui/react';
import { UNLIMITED_SEATS } from '../../../../../src/domain/limits.ts';
import { format } from '../../../lib/format.ts';
import { ArrowRight } from '../../../ui/icons.ts';
import type { Change } from '../api/history.ts';
import { historyTexts as texts } from '../texts.ts';

const INSTANTS: ReadonlySet<string> = new Set(['startsAt', 'expiresAt']);

/** The day of an instant in UTC; empty for what is none. */
const dayOf = (value: unknown): string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? format.utcDate(value) : '';

/** The text of a field's value. Of an instant it is the day in UTC, as a license shows it; the time too if both are on one day. */
const shown = (field: string, value: unknown, other: unknown): string => {
  if (value === null || value === undefined || value === '') return texts.absent[field] ?? texts.nothing;
  if (value === UNLIMITED_SEATS) return texts.unlimited;
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  if (typeof value === 'object') return JSON.stringify(value);
  const day = INSTANTS.has(field) ? dayOf(value) : '';
  if (day !== '') return day === dayOf(other) ? format.exact(String(value)) : day;
  return texts.valueNames[field]?.[String(value)] ?? String(value);
};

/** The values before and after a change, one line per field. */
export const Changes = ({ changes }: { changes: readonly Change[] }) => (
  <Box as="dl" display="flex" flexDirection="column" gap={{ base: '2', md: '1' }} mt="2" textStyle="xs">
    {changes.map(({ field, before, after }, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: changes of several themes or users have the same field
      <Flex key={at} columnGap="2" align="baseline" wrap="wrap">
        <Box as="dt" color="fg.subtle">
          {texts.fieldNames[field] ?? field}
        </Box>
        <Flex as="dd" columnGap="1.5" align="center" minW="0" wrap="wrap">
          <Box as="span" color="fg.muted" textDecoration="line-through" overflowWrap="anywhere">
            {shown(field, before, after)}
          </Box>
          <ArrowRight size={12} aria-label={texts.became} role="img" />
          <Box as="span" fontWeight="medium" overflowWrap="anywhere">
            {shown(field, after, before)}
          </Box>
        </Flex>
      </Flex>
    ))}
  </Box>
);
