import { Box, Button, Flex, SimpleGrid } from '@chakra-ui/react';
import type { QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { User, UsersReply } from '../../../../../src/contracts/users.ts';
import { USER_STATUSES } from '../../../../../src/domain/enumerations.ts';
import { usersPath } from '../../../api/usersPath.ts';
import type { Area } from '../../../areas.ts';
import { lazyComponent, type ScreenAddress } from '../../../lib/lazyScreen.tsx';
import { idIn, oneOf, useListAddress } from '../../../lib/listAddress.ts';
import { Allowed, usePermission } from '../../../session/permissions.tsx';
import { Card } from '../../../ui/Card.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { FilterButtons, SearchField } from '../../../ui/FilterBar.tsx';
import { Users } from '../../../ui/icons.ts';
import { Link } from '../../../ui/Link.tsx';
import { ListLayoutChoice, useListLayout } from '../../../ui/ListLayout.tsx';
import { SavedFilters, TableViewMenu } from '../../../ui/listMenus.tsx';
import { useIsWide } from '../../../ui/media.ts';
import { PageHead } from '../../../ui/PageHead.tsx';
import { Pagination } from '../../../ui/Pagination.tsx';
import { QueryView } from '../../../ui/QueryView.tsx';
import { useSelection } from '../../../ui/selection.ts';
import { Empty, Loading } from '../../../ui/states.tsx';
import { useTableView } from '../../../ui/tableView.ts';
import { useListQuery } from '../../../ui/useListQuery.ts';
import { ImportButton } from '../../imports/index.ts';
import { CustomerFilter } from '../../tenantFilters/index.ts';
import { USER_SORTS, type UserFilter, usersQuery, usersRootOf } from '../api/users.ts';
import { userTexts } from '../texts.ts';
import { ApprovalSwitch } from './ApprovalSwitch.tsx';
import { MachineRequests } from './MachineRequests.tsx';
import { UserCard } from './UserCard.tsx';
import { customerLink, userColumns, userKey, userName } from './userRows.tsx';

const HEIGHT = '420px';

const UsersTable = lazyComponent(
  async () => (await import('./UsersTable.tsx')).UsersTable,
  () => <Loading label={userTexts.loading} height={HEIGHT} />,
);
const UserBulkBar = lazyComponent(
  async () => (await import('./UserBulkBar.tsx')).UserBulkBar,
  () => null,
);

const PAGE_SIZE = 24;
const STATUSES = ['all', ...USER_STATUSES] as const;

const DEFAULT_SORT = '-createdAt';
const NO_FILTERS = { search: '', status: '', customer: '' };
const NO_USERS: readonly User[] = [];

/** The filter in the address. */
const userFilterIn = (area: Area, address: URLSearchParams): Required<UserFilter> => {
  const status = oneOf(STATUSES, address.get('status'), 'all');
  return {
    search: address.get('search') ?? '',
    status: status === 'all' ? undefined : status,
    customerId: area === 'portal' ? '' : idIn(address.get('customer')),
    sort: oneOf(USER_SORTS, address.get('sort'), DEFAULT_SORT),
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
      <Pagination page={reply} isBare shown={reply.users.length} noun={userTexts.noun} />
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

/** Users as cards or as a table, with a search and filters: a customer's own, an integrator's, or all. */
const UsersView = ({ area }: { area: Area }) => {
  const { address, change } = useListAddress();
  const filter = userFilterIn(area, address);
  const query = useListQuery((at: UserFilter) => usersQuery(area, at), filter, 'users');
  const search = useCallback((value: string) => change({ search: value }), [change]);
  const isFiltered = filter.search !== '' || filter.status !== undefined || filter.customerId !== '' || filter.cursor !== '';
  const mayReadMachines = usePermission('machines:read');
  const isWide = useIsWide();
  const [layout, setLayout] = useListLayout('users');
  const isTable = isWide && layout === 'table';
  const view = useTableView('users', userColumns[area]);
  const selection = useSelection(query.data?.users ?? NO_USERS, userKey, userName);
  return (
    <>
      <PageHead
        title={userTexts.title}
        sub={userTexts.sub[area]}
        actions={
          <>
            {area === 'portal' && (
              <Button asChild variant="outline" size="sm">
                <Link to="/portal/users/seats">
                  <Users aria-hidden />
                  {userTexts.seats}
                </Link>
              </Button>
            )}
            {area !== 'portal' && <ImportButton kind="users" path={usersRootOf(area)} />}
            <ExportMenu
              lists={[
                { path: usersPath[area], query: filter, label: userTexts.title },
                ...(mayReadMachines ? [{ path: `${usersRootOf(area)}/machines`, query: filter, label: userTexts.machines }] : []),
              ]}
            />
          </>
        }
      />
      <MachineRequests area={area} />
      <Flex gap="3" align="center" wrap="wrap" justify="space-between" mb="4">
        <SearchField label={userTexts.search} placeholder={userTexts.searchHint} value={filter.search} onChange={search} />
        <FilterButtons
          label={userTexts.filter}
          value={filter.status ?? 'all'}
          countedUpTo={query.data?.countedUpTo}
          onChange={(status) => change({ status: status === 'all' ? '' : status })}
          options={STATUSES.map((status) => ({
            value: status,
            label: status === 'all' ? userTexts.all : userTexts.statuses[status],
            count: query.data?.counts[status],
          }))}
        />
        {area !== 'portal' && (
          <Allowed to="customers:read">
            <CustomerFilter
              manager={area}
              customerId={filter.customerId}
              found={filter.customerId === '' ? undefined : query.data?.users[0]?.customerName}
              onChange={(customer) => change({ customer })}
            />
          </Allowed>
        )}
        <SavedFilters list="users" />
        {isTable && <TableViewMenu view={view} />}
        {isWide && <ListLayoutChoice layout={layout} onChange={setLayout} />}
      </Flex>
      <QueryView query={query} loading={userTexts.loading} fallback={userTexts.loadFailed} height={HEIGHT}>
        {(reply) => (
          <Box opacity={query.isPlaceholderData ? 0.6 : 1} transition="opacity .15s" aria-busy={query.isPlaceholderData}>
            {reply.users.length === 0 ? (
              <None isFiltered={isFiltered} onClear={() => change(NO_FILTERS)} />
            ) : isTable ? (
              <UsersTable
                area={area}
                reply={reply}
                view={view}
                selection={selection}
                sort={filter.sort}
                onSort={(sort) => change({ sort })}
              />
            ) : (
              <Cards reply={reply} area={area} />
            )}
          </Box>
        )}
      </QueryView>
      {isTable && selection.selected.size > 0 && <UserBulkBar selection={selection} />}
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
  void queries.prefetchQuery(usersQuery('admin', userFilterIn('admin', search)));
/** Requests the page of the address before the screen is rendered. */
export const prefetchPortalUsers = (queries: QueryClient, { search }: ScreenAddress): void =>
  void queries.prefetchQuery(usersQuery('portal', userFilterIn('portal', search)));
/** Requests the page of the address before the screen is rendered. */
export const prefetchIntegratorUsers = (queries: QueryClient, { search }: ScreenAddress): void =>
  void queries.prefetchQuery(usersQuery('integrator', userFilterIn('integrator', search)));

/** The users of all customers. */
export const AdminUsersScreen = () => <UsersView area="admin" />;
/** The customer's own users, and whether their new machines need approval. */
export const PortalUsersScreen = () => <UsersView area="portal" />;
/** The users of all customers of the service integrator. */
export const IntegratorUsersScreen = () => <UsersView area="integrator" />;
