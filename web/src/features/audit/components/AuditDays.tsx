import { Box, Flex, Text } from '@chakra-ui/react';
import type { AuditEntry, SignInsOfDay } from '../../../../../src/contracts/audit.ts';
import { format } from '../../../lib/format.ts';
import { localDayOf } from '../../../lib/listAddress.ts';
import type { AuditArea } from '../api/audit.ts';
import { auditTexts as texts } from '../texts.ts';
import { EntryLine } from './EntryLine.tsx';
import { SignInsOfADay } from './SignInsOfADay.tsx';

type Day = { day: string; entries: AuditEntry[]; signIns: SignInsOfDay | undefined };

/** The entries by day, newest first, with the days on which users only signed in. */
const daysOf = (entries: readonly AuditEntry[], signIns: readonly SignInsOfDay[]): Day[] => {
  const days = new Map<string, AuditEntry[]>(signIns.map(({ day }) => [day, []]));
  for (const entry of entries) days.set(localDayOf(entry.at), [...(days.get(localDayOf(entry.at)) ?? []), entry]);
  return [...days]
    .sort(([one], [other]) => (one < other ? 1 : -1))
    .map(([day, ofDay]) => ({ day, entries: ofDay, signIns: signIns.find((one) => one.day === day) }));
};

type AuditDaysProps = {
  area: AuditArea;
  entries: readonly AuditEntry[];
  signIns: readonly SignInsOfDay[];
  /** Limits the sign-ins that can be opened. */
  customer: string;
  onOpen: (id: string) => void;
};

/** Entries grouped by day, each day with a count of its sign-ins that can be opened. */
export const AuditDays = ({ area, entries, signIns, customer, onOpen }: AuditDaysProps) => (
  <Box aria-label={texts.list} role="group">
    {daysOf(entries, signIns).map(({ day, entries: ofDay, signIns: count }) => {
      const title = format.date(`${day}T12:00:00`);
      return (
        <Box key={day} as="section" aria-label={texts.day(title)} data-day={day}>
          <Flex
            align="center"
            justify="space-between"
            gap="3"
            wrap="wrap"
            px={{ base: '4', md: '5' }}
            py="2"
            bg="bg.subtle"
            borderTopWidth="1px"
            borderColor="border"
          >
            <Text as="h2" textStyle="sm" fontWeight="semibold">
              {title}
            </Text>
            <Text as="span" textStyle="xs" color="fg.subtle">
              {texts.zone(format.zone)}
            </Text>
          </Flex>
          {count && <SignInsOfADay area={area} count={count} title={title} customer={customer} onOpen={onOpen} />}
          <Box as="ol" listStyleType="none">
            {ofDay.map((entry) => (
              <EntryLine key={entry.id} entry={entry} onOpen={onOpen} />
            ))}
          </Box>
        </Box>
      );
    })}
  </Box>
);
