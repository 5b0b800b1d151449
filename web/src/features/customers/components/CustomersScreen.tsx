import { Box, Button, Flex } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { ScreenAddress } from '../../../lib/lazyScreen.tsx';
import { oneOf, useListAddress } from '../../../lib/listAddress.ts';
import { AccountStatusFilter, accountStatusIn } from '../../../ui/accountStatus.tsx';
import { Card } from '../../../ui/Card.tsx';
import { DataTable } from '../../../ui/DataTable.tsx';
import { SearchField } from '../../../ui/FilterBar.tsx';
import { Users } from '../../../ui/icons.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Pagination } from '../../../ui/Pagination.tsx';
import { Empty, ErrorState, Loading } from '../../../ui/states.tsx';
import { CUSTOMER_SORTS, type CustomerFilter, customersQuery } from '../api/customers.ts';
import { customerTexts } from '../texts.ts';
import { CreateCustomerButton } from './CreateCustomerButton.tsx';
import { customerColumns, customerItem, customerKey } from './customerRows.tsx';
import { DeletionFilter } from './DeletionRequests.tsx';

const PAGE_SIZE = 25;
const DEFAULT_SORT = '-createdAt';
/** The height of a full table, so that the layout does not shift. */
const HEIGHT = '480px';

const filterOf = (address: URLSearchParams): Required<Omit<CustomerFilter, 'serviceIntegratorId'>> => {
  return {
    search: address.get('search') ?? '',
    status: accountStatusIn(address),
    deletionRequested: address.get('deletionRequested') === 'true' ? 'true' : undefined,
    sort: oneOf(CUSTOMER_SORTS, address.get('sort'), DEFAULT_SORT),
    limit: PAGE_SIZE,
    cursor: address.get('cursor') ?? '',
  };
};

/** Requests the page of the address before the screen is rendered. */
export const prefetchCustomers = (queries: QueryClient, { search }: ScreenAddress): void =>
  void queries.prefetchQuery(customersQuery(filterOf(search)));

/** The customers of all service integrators, with search, filters and orders in the address. */
export const CustomersScreen = () => {
  const { address, change, wantsNew } = useListAddress();
  const filter = filterOf(address);
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(customersQuery(filter));
  const search = useCallback((value: string) => change({ search: value }), [change]);
  const isFiltered = filter.search !== '' || filter.status !== undefined || filter.deletionRequested !== undefined;

  const content = () => {
    if (!data && error) {
      return (
        <ErrorState error={error} fallback={customerTexts.loadFailed} onRetry={refetch} isRetrying={isFetching} height={HEIGHT} />
      );
    }
    if (!data) return <Loading label={customerTexts.loading} height={HEIGHT} />;
    if (data.customers.length === 0) {
      return (
        <Box borderTopWidth="1px" borderColor="border">
          {isFiltered || filter.cursor ? (
            <Empty
              icon={Users}
              title={customerTexts.noneFound}
              hint={customerTexts.noneFoundHint}
              height={HEIGHT}
              action={
                <Button variant="outline" size="sm" onClick={() => change({ search: '', status: '', deletionRequested: '' })}>
                  {customerTexts.clearFilters}
                </Button>
              }
            />
          ) : (
            <Empty
              icon={Users}
              title={customerTexts.noneYet}
              hint={customerTexts.noneYetHint}
              height={HEIGHT}
              action={<CreateCustomerButton />}
            />
          )}
        </Box>
      );
    }
    return (
      <Box opacity={isPlaceholderData ? 0.6 : 1} transition="opacity .15s" aria-busy={isPlaceholderData}>
        <DataTable
          label={customerTexts.table}
          rows={data.customers}
          keyOf={customerKey}
          columns={customerColumns}
          item={customerItem}
          sorting={{ current: filter.sort, onChange: (sort) => change({ sort }) }}
        />
        <Pagination shown={data.customers.length} total={data.total} noun={customerTexts.noun} nextCursor={data.nextCursor} />
      </Box>
    );
  };

  return (
    <>
      <PageHead title={customerTexts.title} sub={customerTexts.sub} actions={<CreateCustomerButton isInitiallyOpen={wantsNew} />} />
      <Card>
        <Flex px={{ base: '4', md: '5' }} py="3.5" gap="3" align="center" wrap="wrap" justify="space-between">
          <SearchField
            label={customerTexts.search}
            placeholder={customerTexts.searchHint}
            value={filter.search}
            onChange={search}
          />
          <DeletionFilter
            isOn={filter.deletionRequested !== undefined}
            onChange={(isOn) => change({ deletionRequested: isOn ? 'true' : '' })}
          />
          <AccountStatusFilter label={customerTexts.filter} status={filter.status} counts={data?.counts} onChange={change} />
        </Flex>
        {content()}
      </Card>
    </>
  );
};
