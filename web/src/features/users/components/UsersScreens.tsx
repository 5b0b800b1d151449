import { Box, Button, Flex, SimpleGrid } from '@chakra-ui/react';
import type { QueryClient } from '@tanstack/react-query';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { UsersReply } from '../../../../../src/contracts/users.ts';
import type { Area } from '../../../areas.ts';
import type { ScreenAddress } from '../../../lib/lazyScreen.tsx';
import { oneOf, useListAddress } from '../../../lib/listAddress.ts';
import { Allowed } from '../../../session/permissions.tsx';
import { Card } from '../../../ui/Card.tsx';
import { FilterButtons, SearchField } from '../../../ui/FilterBar.tsx';
import { Users } from '../../../ui/icons.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Pagination } from '../../../ui/Pagination.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { Empty } from '../../../ui/states.tsx';
import { type UserFilter, usersQuery } from '../api/users.ts';
import { userTexts } from '../texts.ts';
import { ApprovalSwitch } from './ApprovalSwitch.tsx';
import { MachineRequests } from './MachineRequests.tsx';
import { UserCard } from './UserCard.tsx';

const PAGE_SIZE = 24;
const STATUSES = ['all', 'active', 'inactive', 'suspended'] as const;
const HEIGHT = '420px';

/** Where a user's customer is shown; a portal shows its own customer's users only. */
const customerLink = { admin: '/admin/customers', integrator: '/service-integrator/customers', portal: null } as const;

/** The filter in the address. */
const userFilterIn = (address: URLSearchParams): Required<UserFilter> => {
  const status = oneOf(STATUSES, address.get('status'), 'all');
  return {
    search: address.get('search') ?? '',
    status: status === 'all' ? undefined : status,
    limit: PAGE_SIZE,
    cursor: address.get('cursor') ?? '',
  };
};

const Cards = ({ reply, area }: { reply: UsersReply; area: Area }) => (
  <>
    <SimpleGrid as="ul" listStyleType="none" aria-label={userTexts.list} columns={{ base: 1, md: 2, xl: 3 }} gap="4">
      {reply.users.map((user) => (
        <UserCard key={user.id} user={user} customerLink={customerLink[area]} />
      ))}
    </SimpleGrid>
    <Box mt="2">
      <Pagination isBare shown={reply.users.length} total={reply.total} noun={userTexts.noun} nextCursor={reply.nextCursor} />
    </Box>
  </>
);

type NoneProps = { isFiltered: boolean; onClear: () => void };

const None = ({ isFiltered, onClear }: NoneProps) => (
  <Card>
    {isFiltered ? (
      <Empty
        icon={Users}
        title={userTexts.noneFound}
        hint={userTexts.noneFoundHint}
        height={HEIGHT}
        action={
          <Button variant="outline" size="sm" onClick={onClear}>
            {userTexts.clearFilters}
          </Button>
        }
      />
    ) : (
      <Empty icon={Users} title={userTexts.none} hint={userTexts.noneHint} height={HEIGHT} />
    )}
  </Card>
);

/** Users as cards, with a search and a filter by status: a customer's own or an integrator's. */
const UsersView = ({ area }: { area: Area }) => {
  const { address, change } = useListAddress();
  const filter = userFilterIn(address);
  const query = useQuery(usersQuery(area, filter));
  const search = useCallback((value: string) => change({ search: value }), [change]);
  return (
    <>
      <PageHead title={userTexts.title} sub={userTexts.sub[area]} />
      <MachineRequests area={area} />
      <Flex gap="3" align="center" wrap="wrap" justify="space-between" mb="4">
        <SearchField label={userTexts.search} placeholder={userTexts.searchHint} value={filter.search} onChange={search} />
        <FilterButtons
          label={userTexts.filter}
          value={filter.status ?? 'all'}
          onChange={(status) => change({ status: status === 'all' ? '' : status })}
          options={STATUSES.map((status) => ({
            value: status,
            label: status === 'all' ? userTexts.all : userTexts.statuses[status],
          }))}
        />
      </Flex>
      <QueryView query={query} loading={userTexts.loading} fallback={userTexts.loadFailed} height={HEIGHT}>
        {(reply) => (
          <Box opacity={query.isPlaceholderData ? 0.6 : 1} transition="opacity .15s" aria-busy={query.isPlaceholderData}>
            {reply.users.length > 0 ? (
              <Cards reply={reply} area={area} />
            ) : (
              <None
                isFiltered={filter.search !== '' || filter.status !== undefined || filter.cursor !== ''}
                onClear={() => change({ search: '', status: '' })}
              />
            )}
          </Box>
        )}
      </QueryView>
      {area === 'portal' && (
        <Allowed to="settings:write">
          <ApprovalSwitch />
        </Allowed>
      )}
    </>
  );
};

/** Requests the page of the address before the screen is rendered. */
export const prefetchAdminUsers = (queries: QueryClient, { search }: ScreenAddress): void =>
  void queries.prefetchQuery(usersQuery('admin', userFilterIn(search)));
/** Requests the page of the address before the screen is rendered. */
export const prefetchPortalUsers = (queries: QueryClient, { search }: ScreenAddress): void =>
  void queries.prefetchQuery(usersQuery('portal', userFilterIn(search)));
/** Requests the page of the address before the screen is rendered. */
export const prefetchIntegratorUsers = (queries: QueryClient, { search }: ScreenAddress): void =>
  void queries.prefetchQuery(usersQuery('integrator', userFilterIn(search)));

/** The users of all customers. */
export const AdminUsersScreen = () => <UsersView area="admin" />;
/** The customer's own users, and whether their new machines need approval. */
export const PortalUsersScreen = () => <UsersView area="portal" />;
/** The users of all customers of the service integrator. */
export const IntegratorUsersScreen = () => <UsersView area="integrator" />;
