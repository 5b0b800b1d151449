import { Box, Button, Flex } from '@chakra-ui/react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { format } from '../lib/format.ts';
import { ChevronLeft, ChevronRight } from './icons.ts';

type PaginationProps = {
  /** Rows on this page. */
  shown: number;
  /** The reply: it has no `total` where nobody counts the rows, and `countedUpTo` where counting ended. */
  page: Readonly<{ total?: number; countedUpTo?: number | undefined; nextCursor: string | null }>;
  /** The noun of the rows, as 'customers'. */
  noun: string;
  /** The address's parameter for the cursor, where a screen has two lists. */
  cursorName?: string;
  /** Below cards instead of in one. */
  isBare?: boolean;
};

const cursorsIn = (state: unknown, name: string): readonly string[] => {
  const earlier: unknown = typeof state === 'object' && state !== null ? Reflect.get(state, name) : null;
  return Array.isArray(earlier) ? earlier.filter((cursor) => typeof cursor === 'string') : [];
};

/** On paper only: that a list goes on, and how to get the rest. */
export const NotAllPrinted = ({ noun }: { noun: string }) => (
  <Box as="span" display="none" _print={{ display: 'inline' }}>
    Not all {noun} are printed. Print from the Export menu for up to 5,000, or export the list for all.
  </Box>
);

/** The cursor is in the address; the cursors of the previous pages are in the state of the history entry. */
export const Pagination = ({ shown, page, noun, cursorName = 'cursor', isBare = false }: PaginationProps) => {
  const { total, countedUpTo, nextCursor } = page;
  const navigate = useNavigate();
  const { pathname, state } = useLocation();
  const [search] = useSearchParams();
  const cursor = search.get(cursorName) ?? '';
  const earlier = cursorsIn(state, cursorName);

  const go = (to: string, before: readonly string[]) => {
    const next = new URLSearchParams(search);
    if (to) next.set(cursorName, to);
    else next.delete(cursorName);
    navigate({ pathname, search: next.toString() }, { state: { ...state, [cursorName]: before } });
  };

  return (
    <Flex
      px={isBare ? '0' : { base: '4', md: '5' }}
      py="2.5"
      minH="12"
      align="center"
      justify="space-between"
      gap="3"
      borderTopWidth={isBare ? '0' : '1px'}
      borderColor="border"
      textStyle="xs"
      color="fg.subtle"
    >
      <span aria-live="polite">
        {format.whole(shown)}
        {total === undefined ? nextCursor && '+' : ` of ${format.counted(total, countedUpTo)}`} {noun}
      </span>
      {(total === undefined ? nextCursor : shown < total) && <NotAllPrinted noun={noun} />}
      {(cursor || nextCursor) && (
        <Flex as="nav" aria-label="Pages" gap="2">
          <Button size="xs" variant="outline" disabled={!cursor} onClick={() => go(earlier.at(-1) ?? '', earlier.slice(0, -1))}>
            <ChevronLeft aria-hidden />
            {cursor && earlier.length === 0 ? 'First' : 'Previous'}
          </Button>
          <Button size="xs" variant="outline" disabled={!nextCursor} onClick={() => go(nextCursor ?? '', [...earlier, cursor])}>
            Next
            <ChevronRight aria-hidden />
          </Button>
        </Flex>
      )}
    </Flex>
  );
};
