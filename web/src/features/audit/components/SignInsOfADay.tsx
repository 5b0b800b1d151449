import { Box, Button, Flex } from '@chakra-ui/react';
import { useId, useState } from 'react';
import type { SignInsOfDay } from '../../../../../src/contracts/audit.ts';
import { areaRoot } from '../../../areas.ts';
import { format } from '../../../lib/format.ts';
import { endOfDay, startOfDay } from '../../../lib/listAddress.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { ChevronDown, ChevronRight } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { NotAllPrinted } from '../../../ui/Pagination.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { type ListAt, useListQuery } from '../../../ui/useListQuery.ts';
import { type AuditArea, auditQuery } from '../api/audit.ts';
import { auditTexts as texts } from '../texts.ts';
import { filterOf, NO_FILTERS, searchOf } from './auditAddress.ts';
import { EntryLine } from './EntryLine.tsx';

const SHOWN = 10;

type SignInsProps = { area: AuditArea; count: SignInsOfDay; title: string; customer: string; onOpen: (id: string) => void };

const Opened = ({ area, count: { day }, customer, onOpen }: SignInsProps) => {
  const typed = { ...NO_FILTERS, types: 'UserAuthenticated', from: day, to: day, customer };
  const filter = { ...filterOf(typed), from: startOfDay(day), to: endOfDay(day) };
  const query = useListQuery(
    ({ cursor, limit = SHOWN }: ListAt) => auditQuery(area, filter, cursor, limit),
    { cursor: '' },
    'entries',
  );
  const ofDay = `from=${day}&to=${day}`;
  return (
    <QueryView query={query} loading={texts.loadingSignIns} fallback={texts.signInsFailed} height="120px">
      {({ entries, nextCursor }) => (
        <>
          <Box as="ol" listStyleType="none">
            {entries.map((entry) => (
              <EntryLine key={entry.id} entry={entry} onOpen={onOpen} />
            ))}
          </Box>
          <Flex
            gap="4"
            wrap="wrap"
            px={{ base: '4', md: '5' }}
            py="2.5"
            textStyle="xs"
            borderTopWidth="1px"
            borderColor="border.muted"
          >
            {nextCursor !== null && <NotAllPrinted noun={texts.signInsNoun} />}
            {nextCursor !== null && (
              <Link className="text-link" to={`?${searchOf(typed)}`}>
                {texts.allSignIns}
              </Link>
            )}
            <Allowed to="signIns:read">
              <Link className="text-link" to={`${areaRoot[area]}/team/sign-ins?${ofDay}`}>
                {texts.consoleSignIns}
              </Link>
            </Allowed>
          </Flex>
        </>
      )}
    </QueryView>
  );
};

/** How many users signed in with the tool on a day; it opens to the newest of them. */
export const SignInsOfADay = (props: SignInsProps) => {
  const { count, isMore } = props.count;
  const [isOpen, setOpen] = useState(false);
  const list = useId();
  const number = `${format.whole(count)}${isMore ? '+' : ''}`;
  return (
    <Box borderTopWidth="1px" borderColor="border.muted">
      <Button
        className="printed"
        variant="ghost"
        size="sm"
        mx={{ base: '1.5', md: '2.5' }}
        my="1"
        color="fg.muted"
        aria-expanded={isOpen}
        aria-controls={list}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
        {texts.signIns(number)}
      </Button>
      <Box id={list} role="region" aria-label={texts.signInsOf(props.title)} hidden={!isOpen} bg="bg.subtle">
        {isOpen && <Opened {...props} />}
      </Box>
    </Box>
  );
};
