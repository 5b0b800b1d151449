import { Box, Button, Flex } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback } from 'react';
import type { ScreenAddress } from '../../../lib/lazyScreen.tsx';
import { oneOf, useListAddress } from '../../../lib/listAddress.ts';
import { BackLink } from '../../../ui/BackLink.tsx';
import { Card } from '../../../ui/Card.tsx';
import { Select } from '../../../ui/controls.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import { ExportButtons } from '../../../ui/ExportButtons.tsx';
import { FilterButtons, SearchField } from '../../../ui/FilterBar.tsx';
import { KeyRound } from '../../../ui/icons.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Pagination } from '../../../ui/Pagination.tsx';
import { Empty, ErrorState, Loading } from '../../../ui/states.tsx';
import { exportSignIns, type SignInFilter, type SignInsPath, signInsQuery } from '../api/signIns.ts';
import { signInTexts as texts } from '../texts.ts';
import { rowsWithLinks, rowsWithoutLinks, signInKey } from './signInRows.tsx';

const PAGE_SIZE = 25;
const AUDIENCES = ['all', 'admin', 'customer', 'integrator', 'cli'] as const;
const OUTCOMES = ['all', 'accepted', 'rejected', 'throttled'] as const;
/** The height of a full table, so that the layout does not shift. */
const HEIGHT = '480px';

const filterOf = (address: URLSearchParams): Required<SignInFilter> => {
  const audience = oneOf(AUDIENCES, address.get('audience'), 'all');
  const outcome = oneOf(OUTCOMES, address.get('outcome'), 'all');
  return {
    search: address.get('search') ?? '',
    audience: audience === 'all' ? undefined : audience,
    outcome: outcome === 'all' ? undefined : outcome,
    limit: PAGE_SIZE,
    cursor: address.get('cursor') ?? '',
  };
};

/** Requests the page of the address before the screen is rendered. */
export const prefetchSignIns = (queries: QueryClient, { search }: ScreenAddress): void =>
  void queries.prefetchQuery(signInsQuery('/api/admin', filterOf(search)));

type SignInsProps = { path: SignInsPath; sub: string; back: ReactNode };

/** Who signed in, or tried to. */
const SignIns = ({ path, sub, back }: SignInsProps) => {
  const { address, change } = useListAddress();
  const filter = filterOf(address);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(signInsQuery(path, filter));
  const search = useCallback((value: string) => change({ search: value }), [change]);
  const { columns, item } = path === '/api/admin' ? rowsWithLinks : rowsWithoutLinks;
  const isFiltered = filter.search !== '' || filter.audience !== undefined || filter.outcome !== undefined;

  const content = () => {
    if (!data && error) {
      return <ErrorState error={error} fallback={texts.loadFailed} onRetry={refetch} isRetrying={isFetching} height={HEIGHT} />;
    }
    if (!data) return <Loading label={texts.loading} height={HEIGHT} />;
    if (data.signIns.length === 0) {
      const action = (
        <Button variant="outline" size="sm" onClick={() => change({ search: '', audience: '', outcome: '' })}>
          {texts.clearFilters}
        </Button>
      );
      return (
        <Box borderTopWidth="1px" borderColor="border">
          {isFiltered || filter.cursor ? (
            <Empty icon={KeyRound} title={texts.noneFound} hint={texts.noneFoundHint} height={HEIGHT} action={action} />
          ) : (
            <Empty icon={KeyRound} title={texts.noneYet} hint={texts.noneYetHint} height={HEIGHT} />
          )}
        </Box>
      );
    }
    return (
      <Box opacity={isPlaceholderData ? 0.6 : 1} transition="opacity .15s" aria-busy={isPlaceholderData}>
        <DataTable label={texts.table} rows={data.signIns} keyOf={signInKey} columns={columns} item={item} />
        <Pagination shown={data.signIns.length} total={data.total} noun={texts.noun} nextCursor={data.nextCursor} />
      </Box>
    );
  };

  return (
    <>
      <PageHead
        title={texts.title}
        sub={sub}
        back={back}
        actions={<ExportButtons fetchFile={(format) => exportSignIns(path, filter, format)} texts={texts.export} />}
      />
      <Card>
        <Flex px={{ base: '4', md: '5' }} py="3.5" gap="3" align="center" wrap="wrap" justify="space-between">
          <SearchField label={texts.search} placeholder={texts.searchHint} value={filter.search} onChange={search} />
          <Flex gap="3" align="center" wrap="wrap" w={{ base: 'full', md: 'auto' }}>
            <Box w={{ base: 'full', md: '190px' }}>
              <Select
                aria-label={texts.audience}
                value={filter.audience ?? ''}
                onChange={(event) => change({ audience: event.target.value })}
              >
                <option value="">{texts.allAudiences}</option>
                {Object.entries(texts.audiences).map(([audience, label]) => (
                  <option key={audience} value={audience}>
                    {label}
                  </option>
                ))}
              </Select>
            </Box>
            <FilterButtons
              label={texts.outcome}
              value={filter.outcome ?? 'all'}
              onChange={(outcome) => change({ outcome: outcome === 'all' ? '' : outcome })}
              options={OUTCOMES.map((value) => ({ value, label: value === 'all' ? texts.allOutcomes : texts.outcomes[value] }))}
            />
          </Flex>
        </Flex>
        {content()}
      </Card>
    </>
  );
};

/** The sign-ins of all accounts, for administrators below Monitoring. */
export const SignInsScreen = () => (
  <SignIns path="/api/admin" sub={texts.sub} back={<BackLink to="/admin/monitoring">{texts.back}</BackLink>} />
);

/** The sign-ins to the own account of a service integrator. */
export const IntegratorSignInsScreen = () => (
  <SignIns
    path="/api/service-integrator"
    sub={texts.ownSub}
    back={<BackLink to="/service-integrator/team">{texts.backToTeam}</BackLink>}
  />
);

/** The sign-ins to the own account of a customer. */
export const PortalSignInsScreen = () => (
  <SignIns path="/api/customer" sub={texts.ownSub} back={<BackLink to="/portal/profile">{texts.backToProfile}</BackLink>} />
);
