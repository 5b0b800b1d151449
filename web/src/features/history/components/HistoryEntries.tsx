import { Box, Button } from '@chakra-ui/react';
import { useListAddress } from '../../../lib/listAddress.ts';
import { History } from '../../../ui/icons.ts';
import { Pagination } from '../../../ui/Pagination.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty } from '../../../ui/states.tsx';
import { type ListAt, useListQuery } from '../../../ui/useListQuery.ts';
import { historyQuery } from '../api/history.ts';
import { historyTexts as texts } from '../texts.ts';
import { boundedFilterOf, type HistoryCardProps, isFiltered, typedFilterIn } from './filter.ts';
import { Timeline } from './Timeline.tsx';

const HEIGHT = '320px';
const nothingTyped = { search: '', type: '', actor: '', about: '', from: '', to: '' };

/** A page of the history. */
export const HistoryEntries = ({ source, until }: HistoryCardProps) => {
  const { address, change } = useListAddress();
  const typed = typedFilterIn(address);
  const filter = boundedFilterOf(typed, until);
  const query = useListQuery(
    (at: ListAt) => historyQuery(source, filter, at.cursor, at.limit),
    { cursor: address.get('cursor') ?? '' },
    'history',
  );
  return (
    <Box
      borderTopWidth="1px"
      borderColor="border"
      opacity={query.isPlaceholderData ? 0.6 : 1}
      transition="opacity .15s"
      aria-busy={query.isPlaceholderData}
    >
      <QueryView query={query} loading={texts.loading} fallback={texts.loadFailed} height={HEIGHT}>
        {({ history, ...page }) =>
          history.length > 0 ? (
            <>
              <Timeline source={source} entries={history} />
              <Pagination page={page} shown={history.length} noun={texts.noun} />
            </>
          ) : isFiltered(typed) ? (
            <Empty
              icon={History}
              title={texts.noneFound}
              hint={texts.noneFoundHint}
              height={HEIGHT}
              action={
                <Button variant="outline" size="sm" onClick={() => change(nothingTyped)}>
                  {texts.clearFilters}
                </Button>
              }
            />
          ) : (
            <Empty icon={History} title={texts.none} hint={texts.noneHints[source.kind]} height={HEIGHT} />
          )
        }
      </QueryView>
    </Box>
  );
};
