import { Box, Button, Flex, SimpleGrid } from '@chakra-ui/react';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { CustomersReply } from '../../../../../src/contracts/customers.ts';
import type { ScreenAddress } from '../../../lib/lazyScreen.tsx';
import { useListAddress } from '../../../lib/listAddress.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { AccountStatusFilter, accountStatusIn } from '../../../ui/accountStatus.tsx';
import { Card } from '../../../ui/Card.tsx';
import { CreateButton } from '../../../ui/CreateButton.tsx';
import { lazyDialog } from '../../../ui/dialogs.tsx';
import { SearchField } from '../../../ui/FilterBar.tsx';
import { Users } from '../../../ui/icons.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Pagination } from '../../../ui/Pagination.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty } from '../../../ui/states.tsx';
import { DeletionFilter } from '../../customers/index.ts';
import { type OwnCustomerFilter, ownCustomersQuery } from '../api/integratorCustomers.ts';
import { integratorCustomerTexts as texts } from '../texts.ts';
import { CustomerCard } from './CustomerCard.tsx';

const CreateOwnCustomerModal = lazyDialog(async () => (await import('./CreateOwnCustomerModal.tsx')).CreateOwnCustomerModal);

const PAGE_SIZE = 24;
const HEIGHT = '420px';

const filterIn = (address: URLSearchParams): Required<OwnCustomerFilter> => {
  return {
    search: address.get('search') ?? '',
    status: accountStatusIn(address),
    deletionRequested: address.get('deletionRequested') === 'true' ? 'true' : undefined,
    limit: PAGE_SIZE,
    cursor: address.get('cursor') ?? '',
  };
};

/** Requests the page of the address before the screen is rendered. */
export const prefetchOwnCustomers = (queries: QueryClient, { search }: ScreenAddress): void =>
  void queries.prefetchQuery(ownCustomersQuery(filterIn(search)));

const Cards = ({ reply }: { reply: CustomersReply }) => (
  <>
    <SimpleGrid as="ul" listStyleType="none" aria-label={texts.list} columns={{ base: 1, md: 2, xl: 3 }} gap="4">
      {reply.customers.map((customer) => (
        <CustomerCard key={customer.id} customer={customer} />
      ))}
    </SimpleGrid>
    <Box mt="2">
      <Pagination isBare shown={reply.customers.length} total={reply.total} noun={texts.noun} nextCursor={reply.nextCursor} />
    </Box>
  </>
);

const None = ({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) => (
  <Card>
    {isFiltered ? (
      <Empty
        icon={Users}
        title={texts.noneFound}
        hint={texts.noneFoundHint}
        height={HEIGHT}
        action={
          <Button variant="outline" size="sm" onClick={onClear}>
            {texts.clearFilters}
          </Button>
        }
      />
    ) : (
      <Empty icon={Users} title={texts.none} hint={texts.noneHint} height={HEIGHT} />
    )}
  </Card>
);

/** An integrator's own customers as cards, with a search and a filter by status. */
export const OwnCustomersScreen = () => {
  const { address, change, wantsNew } = useListAddress();
  const filter = filterIn(address);
  const query = useQuery(ownCustomersQuery(filter));
  const search = useCallback((value: string) => change({ search: value }), [change]);
  return (
    <>
      <PageHead
        title={texts.title}
        sub={texts.sub}
        actions={
          <Allowed to="customers:write">
            <CreateButton form={CreateOwnCustomerModal} isInitiallyOpen={wantsNew}>
              {texts.create}
            </CreateButton>
          </Allowed>
        }
      />
      <Flex gap="3" align="center" wrap="wrap" justify="space-between" mb="4">
        <SearchField label={texts.search} placeholder={texts.searchHint} value={filter.search} onChange={search} />
        <DeletionFilter
          isOn={filter.deletionRequested !== undefined}
          onChange={(isOn) => change({ deletionRequested: isOn ? 'true' : '' })}
        />
        <AccountStatusFilter label={texts.filter} status={filter.status} counts={query.data?.counts} onChange={change} />
      </Flex>
      <QueryView query={query} loading={texts.loading} fallback={texts.loadFailed} height={HEIGHT}>
        {(reply) => (
          <Box opacity={query.isPlaceholderData ? 0.6 : 1} transition="opacity .15s" aria-busy={query.isPlaceholderData}>
            {reply.customers.length > 0 ? (
              <Cards reply={reply} />
            ) : (
              <None
                isFiltered={
                  filter.search !== '' ||
                  filter.status !== undefined ||
                  filter.deletionRequested !== undefined ||
                  filter.cursor !== ''
                }
                onClear={() => change({ search: '', status: '', deletionRequested: '' })}
              />
            )}
          </Box>
        )}
      </QueryView>
    </>
  );
};
