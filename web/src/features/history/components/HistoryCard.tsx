import { Box } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { lazyComponent } from '../../../lib/lazyScreen.tsx';
import { useListAddress } from '../../../lib/listAddress.ts';
import { Card, CardHead } from '../../../ui/Card.tsx';
import { useSeen } from '../../../ui/media.ts';
import { Loading } from '../../../ui/states.tsx';
import { historyQuery } from '../api/history.ts';
import { historyTexts as texts } from '../texts.ts';
import { boundedFilterOf, type HistoryCardProps, typedFilterIn } from './filter.ts';
import { HistoryFilters } from './HistoryFilters.tsx';

const HistoryExport = lazyComponent(
  async () => (await import('./HistoryExport.tsx')).HistoryExport,
  () => <Box h="9" />,
);

const HEIGHT = '320px';

const HistoryEntries = lazyComponent<HistoryCardProps>(
  async () => (await import('./HistoryEntries.tsx')).HistoryEntries,
  () => <Loading label={texts.loading} height={HEIGHT} />,
);

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
        <HistoryEntries source={source} {...(until !== undefined && { until })} />
      ) : (
        <Loading label={texts.loading} height={HEIGHT} />
      )}
    </Card>
  );
};
