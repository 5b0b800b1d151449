import { Box, Button } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { lazyComponent } from '../../../lib/lazyScreen.tsx';
import { useListAddress } from '../../../lib/listAddress.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { History } from '../../../ui/icons.ts';
import { useSeen } from '../../../ui/media.ts';
import { Pagination } from '../../../ui/Pagination.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty, Loading } from '../../../ui/states.tsx';
import { type HistoryFilter, type HistorySource, historyQuery } from '../api/history.ts';
import { historyTexts as texts } from '../texts.ts';
import { filterOf, isFiltered, type TypedFilter, typedFilterIn } from './filter.ts';
import { HistoryFilters } from './HistoryFilters.tsx';
import { Timeline } from './Timeline.tsx';

const HistoryExport = lazyComponent(
  async () => (await import('./HistoryExport.tsx')).HistoryExport,
  () => <Box h="9" />,
);

const HEIGHT = '320px';
const nothingTyped = { search: '', type: '', actor: '', about: '', from: '', to: '' };

type HistoryCardProps = {
  source: HistorySource;
  /** Leaves out later entries; ISO-8601 UTC. */
  until?: string;
};

const boundedFilterOf = (typed: TypedFilter, until: string | undefined): HistoryFilter => {
  const filter = filterOf(typed);
  return until !== undefined && (!filter.to || until < filter.to) ? { ...filter, to: until } : filter;
};

const Entries = ({ source, until }: HistoryCardProps) => {
  const { address, change } = useListAddress();
  const typed = typedFilterIn(address);
  const query = useQuery(historyQuery(source, boundedFilterOf(typed, until), address.get('cursor') ?? ''));
  return (
    <Box
      borderTopWidth="1px"
      borderColor="border"
      opacity={query.isPlaceholderData ? 0.6 : 1}
      transition="opacity .15s"
      aria-busy={query.isPlaceholderData}
    >
      <QueryView query={query} loading={texts.loading} fallback={texts.loadFailed} height={HEIGHT}>
        {({ history, total, nextCursor }) =>
          history.length > 0 ? (
            <>
              <Timeline entries={history} />
              <Pagination shown={history.length} total={total} noun={texts.noun} nextCursor={nextCursor} />
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

/** The named users who can be chosen, as options. They are in the first page. */
const Members = ({ source, until }: HistoryCardProps) => {
  const { address } = useListAddress();
  const { data } = useQuery(historyQuery(source, boundedFilterOf(typedFilterIn(address), until), ''));
  return data?.actors?.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));
};

/** The history of a customer or service integrator, filtered by the address. It is fetched when it is near the viewport. */
export const HistoryCard = ({ source, until }: HistoryCardProps) => {
  const [card, isSeen] = useSeen<HTMLDivElement>();
  const { address, change } = useListAddress();
  const typed = typedFilterIn(address);
  const search = useCallback((value: string) => change({ search: value }), [change]);
  return (
    <Card ref={card} as="section" aria-label={texts.title}>
      <CardHead
        title={texts.title}
        sub={texts.sub}
        right={<HistoryExport source={source} filter={boundedFilterOf(typed, until)} />}
      />
      <HistoryFilters
        kind={source.kind}
        typed={typed}
        members={isSeen ? <Members source={source} {...(until !== undefined && { until })} /> : null}
        onChange={change}
        onSearch={search}
      />
      {isSeen ? (
        <Entries source={source} {...(until !== undefined && { until })} />
      ) : (
        <Loading label={texts.loading} height={HEIGHT} />
      )}
    </Card>
  );
};
